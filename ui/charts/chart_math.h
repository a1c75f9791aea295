// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of charts as pure functions: ticks, label places, thinning of points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sb {

// The least of 1, 2, 5 × 10^k that is not below `value`: niceStep(3) = 5. For value ≤ 0: 1.
double niceStep(double value);

// The scale of an axis from 0: ticks at multiples of `step` up to `top`.
struct AxisScale {
    double step = 1;
    double top = 1;
    bool operator==(const AxisScale &) const = default;
};

// Shows `greatest` with a little room above and at most `mostSteps` intervals; axisScale(10021, 6) is steps
// of 2000 up to 12 000.
AxisScale axisScale(double greatest, int mostSteps);

// axisScale(), but never below `current`: a live axis only grows.
AxisScale grownScale(const AxisScale &current, double greatest, int mostSteps);

// Moves label centres so that neighbours are at least `gap` apart and all lie within [low, high], each as
// near as can be to where it wants to be (least squares), in the order given. `wanted` must not decrease. If
// they do not fit, they are spread evenly.
std::vector<double> spreadLabels(std::span<const double> wanted, double gap, double low, double high);

struct ChartPoint {
    double x = 0;
    double y = 0;
    bool operator==(const ChartPoint &) const = default;
};

// Thins a line to at most two points an interval of x: the least and the greatest y in it, in the order they
// came. Grows at the end without looking at old points again.
class Envelope {
public:
    // Forgets everything; from now on [low, high) has `count` equal intervals, with one more on either side.
    void reset(double low, double high, std::size_t count);
    // `x` must not decrease. `gapBefore`: no line is to be drawn to this point.
    void add(double x, double y, bool gapBefore = false);
    // Points in order of x; a gap is a point with a NaN y.
    std::vector<ChartPoint> points() const;
    std::optional<double> greatest() const { return m_greatest; }

private:
    struct Bucket {
        ChartPoint low;
        ChartPoint high;
        bool lowFirst = true;
        bool gapBefore = false;
        bool used = false;
    };
    double m_low = 0;
    double m_width = 1;
    std::vector<Bucket> m_buckets;
    std::optional<double> m_greatest;
};

} // namespace sb
