// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

// |a - b| / |b|; NaN stays.
inline double distance(const std::vector<double> &a, const std::vector<double> &b)
{
    double difference = 0.0, norm = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return std::sqrt(difference / norm);
}
