// SPDX-License-Identifier: Apache-2.0
#pragma once

// Products of a warpgroup (wgmma) with as many columns as tiles of whole image rows have. See hopper.cuh.

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

namespace sbtrain::cuda {

#define SBTRAIN_F4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SBTRAIN_F8(d, i) SBTRAIN_F4(d, i), SBTRAIN_F4(d, i + 4)
#define SBTRAIN_F24(d, i) SBTRAIN_F8(d, i), SBTRAIN_F8(d, i + 8), SBTRAIN_F8(d, i + 16)
#define SBTRAIN_F104(d)                                                                                      \
    SBTRAIN_F24(d, 0), SBTRAIN_F24(d, 24), SBTRAIN_F24(d, 48), SBTRAIN_F24(d, 72), SBTRAIN_F8(d, 96)
#define SBTRAIN_LIST104                                                                                      \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "             \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "             \
    "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "             \
    "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "             \
    "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "             \
    "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103"
#define SBTRAIN_LIST108 SBTRAIN_LIST104 ", %104, %105, %106, %107"
#define SBTRAIN_LIST112 SBTRAIN_LIST108 ", %108, %109, %110, %111"
#define SBTRAIN_LIST116 SBTRAIN_LIST112 ", %112, %113, %114, %115"
#define SBTRAIN_PRODUCT(n, type, list, a, b, p, ...)                                                         \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" #p ", 0;\n"                                        \
                 "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." type "." type " {" list "}, %" #a         \
                 ", %" #b ", add, 1, 1, 0, 0;\n}\n"                                                          \
                 : __VA_ARGS__                                                                               \
                 : "l"(left), "l"(right), "r"(add))
#define SBTRAIN_PRODUCTS(type)                                                                               \
    if constexpr (Columns == 208)                                                                            \
        SBTRAIN_PRODUCT(208, type, SBTRAIN_LIST104, 104, 105, 106, SBTRAIN_F104(d));                         \
    else if constexpr (Columns == 216)                                                                       \
        SBTRAIN_PRODUCT(216, type, SBTRAIN_LIST108, 108, 109, 110, SBTRAIN_F104(d), SBTRAIN_F4(d, 104));     \
    else if constexpr (Columns == 224)                                                                       \
        SBTRAIN_PRODUCT(224, type, SBTRAIN_LIST112, 112, 113, 114, SBTRAIN_F104(d), SBTRAIN_F8(d, 104));     \
    else                                                                                                     \
        SBTRAIN_PRODUCT(232, type, SBTRAIN_LIST116, 116, 117, 118, SBTRAIN_F104(d), SBTRAIN_F8(d, 104),      \
                        SBTRAIN_F4(d, 112))

// d (64, Columns) = left (64, 16) right (Columns, 16)^T [+ d], both in shared memory.
template <typename T, int Columns>
__device__ __forceinline__ void wide_product(float (&d)[Columns / 2], std::uint64_t left, std::uint64_t right,
                                             int add)
{
    static_assert(Columns == 208 || Columns == 216 || Columns == 224 || Columns == 232);
    if constexpr (std::is_same_v<T, __half>) {
        SBTRAIN_PRODUCTS("f16");
    } else {
        SBTRAIN_PRODUCTS("bf16");
    }
}

#undef SBTRAIN_PRODUCTS
#undef SBTRAIN_PRODUCT
#undef SBTRAIN_LIST116
#undef SBTRAIN_LIST112
#undef SBTRAIN_LIST108
#undef SBTRAIN_LIST104
#undef SBTRAIN_F104
#undef SBTRAIN_F24
#undef SBTRAIN_F8
#undef SBTRAIN_F4

} // namespace sbtrain::cuda
