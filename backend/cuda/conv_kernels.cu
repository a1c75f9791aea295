// SPDX-License-Identifier: Apache-2.0
#include "conv_kernels.h"

#include "check.h"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kThreads = 256;

unsigned blocks_for(std::int64_t vectors)
{
    return static_cast<unsigned>(std::min<std::int64_t>((vectors + kThreads - 1) / kThreads, 132 * 16));
}

__global__ void gather_kernel(StridedPixels p, const float4 *x, float4 *compact)
{
    const std::int64_t width = p.c / 4;
    const std::int64_t count = p.n * p.p * p.q * width;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += step) {
        const std::int64_t pixel = i / width;
        const std::int64_t column = pixel % p.q;
        const std::int64_t row = pixel / p.q % p.p;
        const std::int64_t image = pixel / (p.q * p.p);
        compact[i] = x[((image * p.h + row * p.stride) * p.w + column * p.stride) * width + i % width];
    }
}

__global__ void scatter_kernel(StridedPixels p, const float4 *compact, float4 *x)
{
    const std::int64_t width = p.c / 4;
    const std::int64_t count = p.n * p.h * p.w * width;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += step) {
        const std::int64_t pixel = i / width;
        const std::int64_t column = pixel % p.w;
        const std::int64_t row = pixel / p.w % p.h;
        const std::int64_t image = pixel / (p.w * p.h);
        float4 value = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
        if (column % p.stride == 0 && row % p.stride == 0)
            value = compact[((image * p.p + row / p.stride) * p.q + column / p.stride) * width + i % width];
        x[i] = value;
    }
}

// Tiles of 32 x 32 of (k, c) for each place of the window.
__global__ void turn_kernel(Window p, const float *w, float *turned)
{
    __shared__ float tile[32][33];
    const std::int64_t places = static_cast<std::int64_t>(p.kernel) * p.kernel;
    const std::int64_t place = blockIdx.z;
    const std::int64_t first_c = static_cast<std::int64_t>(blockIdx.x) * 32;
    const std::int64_t first_k = static_cast<std::int64_t>(blockIdx.y) * 32;
    for (int i = static_cast<int>(threadIdx.y); i < 32; i += 8) {
        const std::int64_t k = first_k + i;
        const std::int64_t c = first_c + threadIdx.x;
        if (k < p.k && c < p.c)
            tile[i][threadIdx.x] = w[(k * places + place) * p.c + c];
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.y); i < 32; i += 8) {
        const std::int64_t c = first_c + i;
        const std::int64_t k = first_k + threadIdx.x;
        if (k < p.k && c < p.c)
            turned[(c * places + places - 1 - place) * p.k + k] = tile[threadIdx.x][i];
    }
}

} // namespace

void gather_pixels(const StridedPixels &shape, const float *x, float *compact, cudaStream_t stream)
{
    const std::int64_t vectors = shape.n * shape.p * shape.q * shape.c / 4;
    gather_kernel<<<blocks_for(vectors), kThreads, 0, stream>>>(shape, reinterpret_cast<const float4 *>(x),
                                                                reinterpret_cast<float4 *>(compact));
    check(cudaGetLastError(), "gather pixels");
}

void scatter_pixels(const StridedPixels &shape, const float *compact, float *x, cudaStream_t stream)
{
    const std::int64_t vectors = shape.n * shape.h * shape.w * shape.c / 4;
    scatter_kernel<<<blocks_for(vectors), kThreads, 0, stream>>>(
        shape, reinterpret_cast<const float4 *>(compact), reinterpret_cast<float4 *>(x));
    check(cudaGetLastError(), "scatter pixels");
}

void turn_weights(const Window &shape, const float *w, float *turned, cudaStream_t stream)
{
    const dim3 blocks(static_cast<unsigned>((shape.c + 31) / 32), static_cast<unsigned>((shape.k + 31) / 32),
                      static_cast<unsigned>(shape.kernel * shape.kernel));
    turn_kernel<<<blocks, dim3(32, 8), 0, stream>>>(shape, w, turned);
    check(cudaGetLastError(), "turn weights");
}

} // namespace sbtrain::cuda
