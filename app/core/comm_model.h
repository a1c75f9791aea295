// SPDX-License-Identifier: GPL-3.0-or-later
// What communication costs: latency and bandwidth from measured collectives, and from them what a training
// step has to pay for its gradients.
//
// A ring all-reduce of S bytes over N devices makes 2·(N − 1) steps of S/N bytes each (Thakur, Rabenseifner
// and Gropp 2005):   T = 2·(N − 1)·α + 2·(N − 1)/N · S/β      α: seconds a step, β: bus bandwidth, bytes/s
// so that β is what nccl-tests and `sbtrain bench` call busbw for large S.
#pragma once

#include "core/result.h"
#include "core/scaling_fit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// Measured times of one collective over sizes.
struct CollectiveBench {
    int ranks = 0;
    struct Time {
        std::int64_t bytes = 0;
        double seconds = 0;
        bool operator==(const Time &) const = default;
    };
    std::vector<Time> times; // by size
    std::string program;     // "nccl-tests", "sbtrain bench"
    bool operator==(const CollectiveBench &) const = default;
};

// The all-reduce times in the output of `sbtrain bench allreduce` (a JSON object a line) or of nccl-tests'
// all_reduce_perf (its table; the number of ranks from the "# Rank" lines, out-of-place times). Foreign lines
// between are skipped. `source` names the text in messages. Fails when there is no time in it.
Result<CollectiveBench> readCollectiveBench(std::string_view text, const std::string &source);

// Fit of α and β, weighted so that small and large messages count alike.
struct CommFit {
    FitFault fault = FitFault::TooFewScales; // None: the bandwidth can be believed
    bool latencyKnown = false;               // large messages alone say little of α; it then counts as 0
    int ranks = 0;
    int sizes = 0;
    FittedParameter latencyUs; // α, a step of the ring
    FittedParameter busGBps;   // β, 10⁹ bytes/s
    struct Residual {
        std::int64_t bytes = 0;
        double relative = 0; // measured over fitted − 1
        bool operator==(const Residual &) const = default;
    };
    std::vector<Residual> residuals;
    double spread = 0; // standard deviation of the relative residuals; large: one line does not describe it
    bool identifiable() const { return fault == FitFault::None; }
    bool operator==(const CommFit &) const = default;
};
CommFit fitCommunication(const CollectiveBench &bench);

// T of the formula above; 0 for one rank. A line between two scales asks for parts of a rank. Example: 250 MB
// over 2 ranks at 60 MB/s take 4.17 s.
double ringAllReduceSeconds(double bytes, double ranks, double busBytesPerS, double latencyS = 0);

// What a step of one device becomes on N: between all communication hidden behind the backward pass (the
// slower of the two counts) and none of it.
struct CommForecast {
    double commMs = 0;      // all-reduce of the gradients
    double bestStepMs = 0;  // hidden as far as can be
    double worstStepMs = 0; // not hidden at all
    double bestEfficiency = 0;
    double worstEfficiency = 0;
    bool operator==(const CommForecast &) const = default;
};
CommForecast forecastStep(double stepMsAlone, double gradientBytes, int ranks, double busBytesPerS,
                          double latencyS = 0);

// How much of the gradients' communication a curve really paid: the model
//   step(N) = own(N) + exposed · T(N)
// fitted for `exposed` (0: hidden, 1: not at all) over the curve's scales beyond one device, with T from a
// communication fit and own(N) the step of one device: the same at every scale for weak scaling, an even
// share of it for strong scaling (the curve's batch per device tells which). Not identifiable with fewer than
// two such scales, or when T hardly changes a step.
struct ExposedFit {
    FitFault fault = FitFault::TooFewScales;
    FittedParameter exposed;
    double stepMsAlone = 0;
    double spread = 0; // of the relative residuals
    int scales = 0;
    int batchSizePerDevice = 0; // of one device
    bool strong = false;        // it is the whole batch, which more devices share
    bool identifiable() const { return fault == FitFault::None; }
    bool operator==(const ExposedFit &) const = default;
};
ExposedFit fitExposed(const ScalingCurve &curve, const CommFit &comm, double gradientBytes);
// Throughput that the fit expects at `devices`, with the 95 % band of `exposed` and of the residuals.
std::optional<FitBand> exposedAt(const ExposedFit &fit, const CommFit &comm, double gradientBytes,
                                 double devices);

} // namespace sb
