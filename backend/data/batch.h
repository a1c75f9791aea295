// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <array>
#include <cstdint>
#include <future>
#include <optional>
#include <vector>

namespace sbtrain {

// Which samples of data/synthetic.h a batch is made of.
struct SyntheticSource {
    std::uint64_t seed = 0;
    std::int64_t first = 0; // sample
};

// A batch's pixels in a device's own memory.
struct DevicePixels {
    const std::uint8_t *data = nullptr;
    void *used = nullptr; // cudaEvent_t, to be recorded behind what reads them
};

// One batch of one process, on the host, in the logical order of graph.h's Input. Members a model does
// not need are empty.
struct Batch {
    std::int64_t serial = 0; // equal serial, equal content: a device may keep what it has
    double fill_ms = 0.0;    // what making it took; becomes part of StepReport::data_ms
    // Valid: the rest of making it, in a thread of its own. The batch stays where it is and untouched until
    // then.
    std::shared_future<Result<void>> rest;
    // Set, and everything below empty, for devices that make synthetic samples by themselves.
    std::optional<SyntheticSource> synthetic;
    std::vector<float> images; // (N, C, H, W)
    // Images of 8 bits in their place: (p / 255 - mean) / deviation of the channel. (N, 3, H, W)
    std::vector<std::uint8_t> pixels;
    std::optional<DevicePixels> device_pixels; // in place of pixels
    std::array<float, 3> pixel_mean{};
    std::array<float, 3> pixel_deviation{1.0F, 1.0F, 1.0F};
    std::vector<std::int32_t> labels;           // (N)
    std::vector<std::int32_t> tokens;           // (N, T)
    std::vector<std::int32_t> segments;         // (N, T)
    std::vector<std::int32_t> lengths;          // (N)
    std::vector<std::int32_t> masked_positions; // (N, P)
    std::vector<std::int32_t> masked_labels;    // (N, P)
    std::vector<std::int32_t> next_sentence;    // (N)
};

} // namespace sbtrain
