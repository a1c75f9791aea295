// SPDX-License-Identifier: GPL-3.0-or-later
// Where the efficiency of a larger run goes, with the evidence for each part; and how much of the hardware a
// run uses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

// What the ranks of one run spent a step on, as medians over its measured steps. Parts that a program does
// not log are absent.
struct StepParts {
    double stepMs = 0;
    std::vector<double> computeMs;  // own work, by rank; empty: not logged
    std::vector<double> commMs;     // waited for collectives, by rank
    std::vector<double> dataMs;     // waited for input, by rank
    std::optional<double> clockMHz; // median clock of the slowest device, where telemetry has it
    double noise = 0;               // half of the interval of the throughput over its value; 0: unknown
};

enum class LossCause {
    Communication, // what the rank that waits least still waits for collectives
    Data,          // waiting for input, more than alone
    Straggler,     // the median rank waits for the slowest: its own work is longer
    Clock,         // own work is longer because clocks are lower
    Work,          // own work is longer and clocks do not say why (memory, shared cores)
    Unexplained,   // the rest
};

struct LossPart {
    LossCause cause = LossCause::Unexplained;
    double ms = 0;    // a step
    double share = 0; // of the lost time
    // The two figures that it was computed from, alone and at scale: waits, own work, clocks (MHz); for a
    // straggler the median rank's work and the slowest's.
    double before = 0;
    double after = 0;
    std::optional<int> rank; // of a straggler
    bool operator==(const LossPart &) const = default;
};

struct LossAccount {
    double aloneMs = 0;
    double scaledMs = 0;
    double lostMs = 0;     // scaledMs − aloneMs: a step takes the same time on N devices if nothing is lost
    double efficiency = 0; // aloneMs / scaledMs
    bool withinNoise = false;    // what is lost is less than the two runs are uncertain by
    std::vector<LossPart> parts; // largest first, only those above 0.5 % of a step
    bool operator==(const LossAccount &) const = default;
};

// Both runs have the same batch per device. Nothing without both step times. Parts never add up to more than
// what was lost: what is left over is Unexplained.
std::optional<LossAccount> accountForLoss(const StepParts &alone, const StepParts &scaled);

// Peak of a device in FLOP/s without sparsity, from its vendor's data sheet; nothing for unknown devices.
// `precision`: "fp32", "tf32", "fp16", "bf16". "Tesla V100-SXM2-16GB" at fp16: 125e12.
std::optional<double> peakFlops(const std::string &deviceName, const std::string &precision);

// Model FLOPs utilisation: the arithmetic that the model needs over what the devices could do
// (Chowdhery et al. 2022). 0.42: 42 %.
double modelFlopsUtilisation(double throughput, double flopsPerSample, int devices,
                             double peakFlopsPerDevice);

// What limits a device that does `flopsPerByte` of arithmetic for a byte of memory traffic (Williams,
// Waterman and Patterson 2009): the lower of peak and bandwidth × intensity.
struct RooflinePoint {
    double flops = 0; // attainable
    double ridge = 0; // intensity above which the peak is the limit
    bool memoryBound = false;
    bool operator==(const RooflinePoint &) const = default;
};
RooflinePoint roofline(double peakFlopsPerDevice, double memoryBytesPerS, double flopsPerByte);

} // namespace sb
