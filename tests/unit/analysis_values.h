// SPDX-License-Identifier: GPL-3.0-or-later
// Values that the tests of statistics, fits and comparisons share.
#pragma once

#include "core/json.h"
#include "core/scaling.h"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace sb::test {

// tests/data/statistics/scipy.json, made by make_fixtures.py beside it.
const JsonNode &scipyValues();
std::vector<double> numbersOf(const JsonNode &node, std::string_view key);
double numberOf(const JsonNode &node, std::string_view key);

// A result of the plugin "native" at 1 node × `devices`, with these runs.
CaseResult caseOf(int devices, const std::vector<double> &runs, int batchSizePerDevice = 32);
ScalingCurve curveOf(const std::vector<std::pair<int, double>> &points, int batchSizePerDevice = 32);

// Independent standard normal numbers, the same on every system.
class Noise {
public:
    explicit Noise(std::uint64_t seed)
        : m_engine(seed)
    {
    }
    double uniform() { return (static_cast<double>(m_engine() >> 11) + 0.5) * 0x1p-53; }
    double normal()
    {
        return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
    }
    // Student's t with 3 degrees of freedom: some values far out, as runs on a shared machine have.
    double heavy()
    {
        const double z = normal();
        double squares = 0;
        for (int i = 0; i < 3; ++i)
            squares += std::pow(normal(), 2);
        return z / std::sqrt(squares / 3);
    }

private:
    std::mt19937_64 m_engine;
};

} // namespace sb::test
