// SPDX-License-Identifier: Apache-2.0
#pragma once

// The instructions of sm_80 that products in tf32 of matrices in shared memory are made of. On older devices
// they do nothing: nobody starts kernels of them there.

#include <cstdint>

namespace sbtrain::cuda {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define SBTRAIN_SINCE_SM80(...) __VA_ARGS__
#else
#define SBTRAIN_SINCE_SM80(...)
#endif

// To the nearest number of 11 bits, as fp32.
__device__ inline float round_tf32(float x)
{
    std::uint32_t bits = 0;
    SBTRAIN_SINCE_SM80(asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));)
    return __uint_as_float(bits);
}

// d (16, 8) += a (16, 8) b (8, 8). Lane l has, with g = l / 4 and t = l % 4: a at (g, t), (g + 8, t),
// (g, t + 4), (g + 8, t + 4); b at (t, g), (t + 4, g); d at (g, 2 t), (g, 2 t + 1), (g + 8, 2 t),
// (g + 8, 2 t + 1).
__device__ inline void multiply_add_tf32(float *d, const float (&a)[4], float b0, float b1)
{
    SBTRAIN_SINCE_SM80(
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
            "{%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
              "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));)
}

// Sixteen bytes on their way to shared memory; zeros if not wanted.
__device__ inline void copy16_async(void *to, const void *from, bool wanted)
{
    SBTRAIN_SINCE_SM80(asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                                        static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
                                    "l"(from), "r"(wanted ? 16 : 0)
                                    : "memory");)
}

__device__ inline void async_commit()
{
    SBTRAIN_SINCE_SM80(asm volatile("cp.async.commit_group;" ::: "memory");)
}

// This thread's copies have arrived, of all but its last `Pending` groups.
template <int Pending>
__device__ inline void async_wait()
{
    SBTRAIN_SINCE_SM80(asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");)
}

// Of base 2.
__device__ inline float power_of_two(float x)
{
    float y = 0.0F;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Volatile: what is computed from it is not kept in registers from one use to the next.
__device__ inline int block_id()
{
    int block = 0;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    return block;
}

__device__ inline float *dynamic_shared()
{
    extern __shared__ float4 sbtrain_dynamic_shared[];
    return reinterpret_cast<float *>(sbtrain_dynamic_shared);
}

#undef SBTRAIN_SINCE_SM80

} // namespace sbtrain::cuda
