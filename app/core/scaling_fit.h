// SPDX-License-Identifier: GPL-3.0-or-later
// Models of how throughput grows with devices, with error bars, residuals, and the courage to say that the
// measured scales do not determine them.
//
//   Amdahl:  X(N) = r·N / (1 + σ·(N − 1))                    r: one device, σ: the share that does not scale
//   USL:     X(N) = r·N / (1 + σ·(N − 1) + κ·N·(N − 1))      κ: cost of every pair talking to each other
//
// (Amdahl 1967; Gunther, A General Theory of Computational Capacity, 2008.) The batch per device is the same
// at every scale, so Amdahl's form describes what of a step does not get shared, as in weak scaling; of
// strong scaling it describes the work that is not shared out, as Amdahl meant it. Fitted are logarithms: a
// deviation of 1 % counts alike at 1 and at 32 devices.
#pragma once

#include "core/scaling.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

enum class ScalingModel { Amdahl, Usl };
std::string scalingModelName(ScalingModel model); // "Amdahl", "USL"

struct FittedParameter {
    double value = 0;
    double low = 0; // 95 % interval, by Student's t
    double high = 0;
    bool operator==(const FittedParameter &) const = default;
};

// Why parameters are not to be believed. Everything but None means "not identifiable".
enum class FitFault {
    None,
    TooFewScales, // fewer different device counts than parameters + 2
    Confounded,   // the scales do not tell the parameters apart
    Loose,        // the curve is uncertain by more than a tenth at the largest measured scale
    Superlinear,  // devices help each other: no share that does not scale can say so
    NotConverged,
};

struct FitBand {
    double value = 0;
    double low = 0; // 95 % for a measurement at that scale
    double high = 0;
    bool operator==(const FitBand &) const = default;
};

struct ScalingFit {
    ScalingModel model = ScalingModel::Amdahl;
    FitFault fault = FitFault::TooFewScales;
    int scales = 0;            // different device counts fitted
    int freedom = 0;           // scales − parameters
    FittedParameter rate;      // r, samples/s
    FittedParameter serial;    // σ
    FittedParameter crosstalk; // κ; 0 for Amdahl
    struct Residual {
        int devices = 0;
        double relative = 0; // measured over fitted − 1
        bool operator==(const Residual &) const = default;
    };
    std::vector<Residual> residuals;
    double spread = 0;              // standard deviation of the relative residuals
    std::vector<double> covariance; // of (log r, σ[, κ]), row by row

    bool identifiable() const { return fault == FitFault::None; }
    // Throughput at a number of devices and where a measurement would lie; nothing when not identifiable.
    std::optional<FitBand> at(double devices) const;
    // Where the USL has its greatest throughput, √((1 − σ)/κ); nothing if there is no such place.
    std::optional<double> peakDevices() const;
    bool operator==(const ScalingFit &) const = default;
};

struct FitPoint {
    int devices = 1;
    double throughput = 0;
};
// Points at the same number of devices count once, by their geometric mean.
ScalingFit fitScaling(std::span<const FitPoint> points, ScalingModel model);
ScalingFit fitScaling(const ScalingCurve &curve, ScalingModel model);

// Shapes of a curve that a look at its speedups would not show.
enum class ShapeKind {
    Superlinear,       // speedup above the number of devices
    FasterThanDevices, // grew by more than the devices did, by over 2 %, since the scale before
    Backward,          // slower with more devices
    NoBaseline,        // no result on one device: no speedup
};
struct ShapeFlag {
    ShapeKind kind = ShapeKind::NoBaseline;
    int devices = 0;       // where
    int devicesBefore = 0; // compared with; 1 for Superlinear, 0 for NoBaseline
    double ratio = 0;      // speedup; growth of throughput since the scale before
    bool operator==(const ShapeFlag &) const = default;
};
std::vector<ShapeFlag> shapeFlags(const ScalingCurve &curve);

} // namespace sb
