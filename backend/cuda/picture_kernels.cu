// SPDX-License-Identifier: Apache-2.0
#include "picture_kernels.h"
#include "vec.cuh"

#include <algorithm>
#include <cmath>

namespace sbtrain::cuda {

namespace {

constexpr int kThreads = 256;
constexpr int kBlocksAtOnce = 4; // of 8x8, 64 threads each

__device__ std::uint8_t to_byte(float value)
{
    return static_cast<std::uint8_t>(fminf(fmaxf(value + 0.5F, 0.0F), 255.0F));
}

// blockIdx.x is the plane. First along rows, then along columns, both in shared memory.
__global__ void reduce_kernel(const Reduction *list, const float *factors)
{
    __shared__ float factor[kMaxBlock * 8];
    __shared__ float samples[kBlocksAtOnce][64];
    __shared__ float half[kBlocksAtOnce][8 * kMaxBlock];
    const Reduction job = list[blockIdx.x];
    const int size = job.size;
    for (int i = static_cast<int>(threadIdx.x); i < size * 8; i += kThreads)
        factor[i] = factors[size * kMaxBlock * 8 + i];
    const int lane = static_cast<int>(threadIdx.x % 64);
    const int mine = static_cast<int>(threadIdx.x / 64);
    const int blocks = job.columns * job.rows;
    // Every thread takes every turn: there are barriers inside.
    for (int first = static_cast<int>(blockIdx.y) * kBlocksAtOnce; first < blocks;
         first += static_cast<int>(gridDim.y) * kBlocksAtOnce) {
        const int block = first + mine;
        const bool there = block < blocks;
        const int column = job.first_column + block % job.columns;
        const int row = job.first_row + block / job.columns;
        if (there) { // what lies outside is what encoders repeat there
            const int x = min(8 * column + lane % 8, job.from.width - 1);
            const int y = min(8 * row + lane / 8, job.from.height - 1);
            samples[mine][lane] = static_cast<float>(job.from.data[y * job.from.pitch + x]);
        }
        __syncthreads();
        if (there) {
            for (int at = lane; at < 8 * size; at += 64) {
                const int y = at / size;
                const int i = at % size;
                float sum = 0.0F;
                for (int j = 0; j < 8; ++j)
                    sum += factor[i * 8 + j] * samples[mine][y * 8 + j];
                half[mine][y * kMaxBlock + i] = sum;
            }
        }
        __syncthreads();
        if (there) {
            for (int at = lane; at < size * size; at += 64) {
                const int x = at % size;
                const int i = at / size;
                float sum = 0.0F;
                for (int j = 0; j < 8; ++j)
                    sum += factor[i * 8 + j] * half[mine][j * kMaxBlock + x];
                const int to_x = size * column + x;
                const int to_y = size * row + i;
                if (to_x < job.to.width && to_y < job.to.height)
                    job.to.data[to_y * job.to.pitch + to_x] = to_byte(sum);
            }
        }
        // The next turn writes `samples`, read before the last barrier, and `half` behind its own first one.
    }
}

__device__ float sample(const Plane &plane, int row, int column)
{
    return static_cast<float>(plane.data[row * plane.pitch + column]);
}

// The colour at a place of the brightness: between the nearest samples, whose places are the middles of the
// across x down places that they stand for.
__device__ float colour(const Resize &job, const Plane &plane, int row, int column)
{
    if (job.across == 1 && job.down == 1)
        return sample(plane, min(row, plane.height - 1), min(column, plane.width - 1));
    const auto place = [](int at, int ratio, int size) {
        const float middle = (static_cast<float>(at) + 0.5F) / static_cast<float>(ratio) - 0.5F;
        return fminf(fmaxf(middle, 0.0F), static_cast<float>(size - 1));
    };
    const float y = place(row, job.down, plane.height);
    const float x = place(column, job.across, plane.width);
    const int top = static_cast<int>(y);
    const int left = static_cast<int>(x);
    const int bottom = min(top + 1, plane.height - 1);
    const int right = min(left + 1, plane.width - 1);
    const float fx = x - static_cast<float>(left);
    const float fy = y - static_cast<float>(top);
    const float upper = sample(plane, top, left) * (1.0F - fx) + sample(plane, top, right) * fx;
    const float lower = sample(plane, bottom, left) * (1.0F - fx) + sample(plane, bottom, right) * fx;
    return floorf(upper * (1.0F - fy) + lower * fy + 0.5F);
}

struct Rgb {
    float c[3];
};

// JFIF's (BT.601, full range), rounded to 8 bits as a decoder's output is.
__device__ Rgb rgb(const Resize &job, int row, int column)
{
    const float y = sample(job.planes[0], row, column);
    if (job.components == 1)
        return {{y, y, y}};
    const float blue = colour(job, job.planes[1], row, column) - 128.0F;
    const float red = colour(job, job.planes[2], row, column) - 128.0F;
    const auto byte = [](float value) { return fminf(fmaxf(floorf(value + 0.5F), 0.0F), 255.0F); };
    return {{byte(y + 1.402F * red), byte(y - 0.344136F * blue - 0.714136F * red), byte(y + 1.772F * blue)}};
}

// blockIdx.x is the picture, a thread a pixel. Places in fp64, as the host computes them.
__global__ void resize_kernel(const Resize *list, int side)
{
    const int at = static_cast<int>(blockIdx.y) * kThreads + static_cast<int>(threadIdx.x);
    if (at >= side * side)
        return;
    const Resize &job = list[blockIdx.x];
    const int h = at / side;
    const int w = at % side;
    const Plane &picture = job.planes[0];
    const auto place = [&](int first, int length, int i, int size) {
        const double value = first * job.scale + (i + 0.5) * (length * job.scale / side) - 0.5;
        return fmin(fmax(value, 0.0), size - 1.0);
    };
    const double y = place(job.y, job.height, h, picture.height);
    const double x = place(job.x, job.width, job.mirror != 0 ? side - 1 - w : w, picture.width);
    const int top = static_cast<int>(y);
    const int left = static_cast<int>(x);
    const int bottom = min(top + 1, picture.height - 1);
    const int right = min(left + 1, picture.width - 1);
    const float fy = static_cast<float>(y - top);
    const float fx = static_cast<float>(x - left);
    const Rgb corners[4] = {rgb(job, top, left), rgb(job, top, right), rgb(job, bottom, left),
                            rgb(job, bottom, right)};
    for (int c = 0; c < 3; ++c) {
        const float upper = corners[0].c[c] + fx * (corners[1].c[c] - corners[0].c[c]);
        const float lower = corners[2].c[c] + fx * (corners[3].c[c] - corners[2].c[c]);
        job.out[(c * side + h) * side + w] = static_cast<std::uint8_t>(upper + fy * (lower - upper) + 0.5F);
    }
}

} // namespace

void block_factors(float *out)
{
    constexpr double kPi = 3.14159265358979323846;
    std::fill_n(out, kBlockFactors, 0.0F);
    for (int size = 1; size <= kMaxBlock; ++size) {
        for (int i = 0; i < size; ++i) {
            for (int j = 0; j < 8; ++j) {
                double value = 0.0;
                if (size == 1 || size == 2 || size == 4) {
                    value = j * size / 8 == i ? size / 8.0 : 0.0;
                } else {
                    for (int k = 0; k < std::min(size, 8); ++k)
                        value += (k == 0 ? 0.125 : 0.25) * std::cos((2 * i + 1) * k * kPi / (2 * size)) *
                                 std::cos((2 * j + 1) * k * kPi / 16);
                }
                out[(size * kMaxBlock + i) * 8 + j] = static_cast<float>(value);
            }
        }
    }
}

void reduce_planes(const Reduction *list, int count, const float *factors, cudaStream_t stream)
{
    if (count == 0)
        return;
    reduce_kernel<<<dim3(static_cast<unsigned>(count), 16), kThreads, 0, stream>>>(list, factors);
    check_launch("reduce pictures");
}

void resize_pieces(const Resize *list, int count, int side, cudaStream_t stream)
{
    if (count == 0)
        return;
    const dim3 grid(static_cast<unsigned>(count),
                    static_cast<unsigned>((side * side + kThreads - 1) / kThreads));
    resize_kernel<<<grid, kThreads, 0, stream>>>(list, side);
    check_launch("resize pictures");
}

} // namespace sbtrain::cuda
