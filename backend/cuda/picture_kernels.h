// SPDX-License-Identifier: Apache-2.0
#pragma once

// From decoded pictures, planes of brightness and colour as a JPEG file stores them, to rows of a batch. What
// libjpeg does while it decodes to k eighths of the size is done to the decoded planes here: blocks of 8x8
// become blocks of size x size by their cosine series.

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

// Samples of one component of one picture.
struct Plane {
    std::uint8_t *data = nullptr;
    int pitch = 0; // bytes from row to row
    int width = 0, height = 0;
};

// Blocks of 8x8 of `from` to blocks of size x size of `to`, size 1 to 16: sizes 1, 2 and 4 are means of the
// samples (libjpeg's reduced transforms), others the first terms of the cosine series evaluated at `size`
// points.
struct Reduction {
    Plane from, to;
    int size = 8;
    int first_column = 0, first_row = 0, columns = 0, rows = 0; // blocks that are wanted
};
// list: on the device. `factors`: block_factors() on the device.
void reduce_planes(const Reduction *list, int count, const float *factors, cudaStream_t stream);

// factors[size][i][j]: what sample j of 8 counts in sample i of `size`.
constexpr int kMaxBlock = 16;
constexpr int kBlockFactors = (kMaxBlock + 1) * kMaxBlock * 8;
void block_factors(float *out); // kBlockFactors

// A piece of a picture, resized and mirrored: images.cpp's resize(), number for number but for the decoder.
// Colours are interpolated between their samples where there are `across` x `down` (1 or 2) fewer of them.
struct Resize {
    Plane planes[3];
    int components = 3; // 1: grey
    int across = 1, down = 1;
    double scale = 1.0;                      // of planes[0] in the stored picture
    int x = 0, y = 0, width = 1, height = 1; // of the stored picture
    int mirror = 0;
    std::uint8_t *out = nullptr; // (3, side, side)
};
void resize_pieces(const Resize *list, int count, int side, cudaStream_t stream);

} // namespace sbtrain::cuda
