// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../data/picture_decoder.h"
#include "picture_kernels.h"

#include <array>
#include <span>
#include <vector>

namespace sbtrain::cuda {

// Where the planes of a batch's pictures lie, and what is to be done with them after they are decoded. Tasks
// whose pixels are there are left out.
struct PictureLayout {
    std::vector<std::array<Plane, 3>> decoded; // one a picture, of the stored size, in the order of the tasks
    std::vector<Reduction> reductions;
    std::vector<Resize> resizes; // one a picture
    std::size_t bytes = 0;       // that the planes take
};

// memory: for the planes; null if only their bytes are asked for. out: (tasks.size(), 3, side, side).
PictureLayout lay_out(std::span<const PictureTask> tasks, int side, std::uint8_t *memory, std::uint8_t *out);

} // namespace sbtrain::cuda
