// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sb {

double niceStep(double value)
{
    if (!(value > 0) || !std::isfinite(value))
        return 1;
    double magnitude = std::pow(10.0, std::floor(std::log10(value)));
    // log10 of a power of ten may fall on either side of the whole number.
    if (magnitude * 10 <= value)
        magnitude *= 10;
    for (const double factor : {1.0, 2.0, 5.0})
        if (value <= factor * magnitude * (1 + 1e-12))
            return factor * magnitude;
    return 10 * magnitude;
}

AxisScale axisScale(double greatest, int mostSteps)
{
    if (!(greatest > 0) || !std::isfinite(greatest))
        return {};
    const double room = greatest * 1.02;
    const double step = niceStep(room / std::max(1, mostSteps));
    return {step, step * std::ceil(room / step - 1e-9)};
}

AxisScale grownScale(const AxisScale &current, double greatest, int mostSteps)
{
    if (greatest * 1.02 <= current.top)
        return current;
    const AxisScale wanted = axisScale(greatest, mostSteps);
    return wanted.top > current.top ? wanted : current;
}

std::vector<double> spreadLabels(std::span<const double> wanted, double gap, double low, double high)
{
    const std::size_t n = wanted.size();
    std::vector<double> places(n);
    if (n == 0)
        return places;
    const double span = gap * static_cast<double>(n - 1);
    if (span > high - low) {
        const double step = n > 1 ? (high - low) / static_cast<double>(n - 1) : 0;
        for (std::size_t i = 0; i < n; ++i)
            places[i] = low + step * static_cast<double>(i);
        return places;
    }
    // With the gaps taken out the places must only not decrease: pooling of adjacent violators.
    struct Block {
        double sum;
        std::size_t count;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < n; ++i) {
        blocks.push_back({wanted[i] - gap * static_cast<double>(i), 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back().sum += last.sum;
            blocks.back().count += last.count;
        }
    }
    std::size_t i = 0;
    for (const Block &block : blocks)
        for (std::size_t k = 0; k < block.count; ++k, ++i)
            places[i] = std::clamp(block.mean(), low, high - span) + gap * static_cast<double>(i);
    return places;
}

void Envelope::reset(double low, double high, std::size_t count)
{
    count = std::max<std::size_t>(count, 1);
    m_low = low;
    m_width = (high - low) / static_cast<double>(count);
    if (!(m_width > 0))
        m_width = 1;
    m_buckets.assign(count + 2, Bucket());
    m_greatest.reset();
}

void Envelope::add(double x, double y, bool gapBefore)
{
    if (m_buckets.empty() || !std::isfinite(x) || !std::isfinite(y))
        return;
    const double place = std::floor((x - m_low) / m_width) + 1;
    const auto index =
        static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(m_buckets.size() - 1)));
    Bucket &bucket = m_buckets[index];
    if (!bucket.used || index == 0) {
        // Left of the window only the point nearest to it matters: the line comes in from there.
        bucket = {{x, y}, {x, y}, true, gapBefore, true};
    } else if (index + 1 < m_buckets.size()) {
        if (y < bucket.low.y) {
            bucket.low = {x, y};
            bucket.lowFirst = false;
        }
        if (y > bucket.high.y) {
            bucket.high = {x, y};
            bucket.lowFirst = true;
        }
    }
    if (index > 0)
        m_greatest = std::max(m_greatest.value_or(y), y);
}

std::vector<ChartPoint> Envelope::points() const
{
    std::vector<ChartPoint> points;
    points.reserve(2 * m_buckets.size());
    for (const Bucket &bucket : m_buckets) {
        if (!bucket.used)
            continue;
        const ChartPoint &first = bucket.lowFirst ? bucket.low : bucket.high;
        const ChartPoint &second = bucket.lowFirst ? bucket.high : bucket.low;
        if (bucket.gapBefore && !points.empty())
            points.push_back({(points.back().x + first.x) / 2, std::numeric_limits<double>::quiet_NaN()});
        points.push_back(first);
        if (!(second == first))
            points.push_back(second);
    }
    return points;
}

} // namespace sb
