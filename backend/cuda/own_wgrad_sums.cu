// SPDX-License-Identifier: Apache-2.0
#include "own_wgrad_sums.h"

#include "attention_tiles.cuh"
#include "check.h"

namespace sbtrain::cuda {

namespace {

__device__ void store4(float *to, const float4 &v)
{
    *reinterpret_cast<float4 *>(to) = v;
}
template <typename T>
__device__ void store4(T *to, const float4 &v)
{
    *reinterpret_cast<uint2 *>(to) = make_uint2(pack2<T>(v.x, v.y), pack2<T>(v.z, v.w));
}

// Groups of 32 threads take 32 neighbouring float4 each, Slices groups share them, every one some of the
// splits.
template <typename T, int Slices>
__global__ void sum_splits_kernel(const float4 *partial, int splits, std::int64_t count, T *out)
{
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * 32 + threadIdx.x;
    float4 sum{0.0F, 0.0F, 0.0F, 0.0F};
    const auto add = [&](const float4 &v) {
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
    };
#pragma unroll 8
    for (int i = static_cast<int>(threadIdx.y); i < splits; i += Slices)
        add(partial[i * count + at]);
    __shared__ float4 sums[Slices][32];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
#pragma unroll
    for (int i = 1; i < Slices; ++i)
        add(sums[i][threadIdx.x]);
    store4(out + 4 * at, sum);
}

template <typename T, int Slices>
void sum_splits(const float *partial, int splits, std::size_t floats, void *out, cudaStream_t stream)
{
    const std::size_t count = floats / 4; // a multiple of 32
    sum_splits_kernel<T, Slices><<<static_cast<unsigned>(count / 32), dim3(32, Slices), 0, stream>>>(
        reinterpret_cast<const float4 *>(partial), splits, static_cast<std::int64_t>(count),
        static_cast<T *>(out));
    check(cudaGetLastError(), "sum weight gradients");
}

template <typename T>
void sum_splits(const float *partial, int splits, std::size_t floats, void *out, cudaStream_t stream)
{
    if (splits > 8)
        sum_splits<T, 8>(partial, splits, floats, out, stream);
    else
        sum_splits<T, 1>(partial, splits, floats, out, stream);
}

} // namespace

void sum_splits(Type type, const float *partial, int splits, std::size_t count, void *out,
                cudaStream_t stream)
{
    if (type == Type::F32)
        sum_splits<float>(partial, splits, count, out, stream);
    else if (type == Type::F16)
        sum_splits<__half>(partial, splits, count, out, stream);
    else
        sum_splits<__nv_bfloat16>(partial, splits, count, out, stream);
}

} // namespace sbtrain::cuda
