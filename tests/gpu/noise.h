// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the checks and their timings fill memory with.

#include "cuda/check.h"
#include "cuda/precision.h"
#include "device_vector.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <random>
#include <vector>

inline constexpr std::size_t kNoiseBytes = std::size_t{16} << 20;

// Normal numbers of standard deviation `scale`, as activations have them, over and over: zeros would draw
// less power and run too fast.
struct Noise {
    DeviceVector device{kNoiseBytes};
    explicit Noise(sbtrain::cuda::Type type, float scale = 1.0F)
    {
        std::mt19937 random(3);
        std::normal_distribution<float> normal(0.0F, scale);
        std::vector<std::byte> raw(kNoiseBytes);
        for (std::size_t at = 0; at < raw.size(); at += sbtrain::cuda::size_of(type)) {
            const float value = normal(random);
            const __half ieee = __float2half(value);
            const __nv_bfloat16 brain = __float2bfloat16(value);
            const void *from = type == sbtrain::cuda::Type::F32   ? static_cast<const void *>(&value)
                               : type == sbtrain::cuda::Type::F16 ? static_cast<const void *>(&ieee)
                                                                  : &brain;
            std::memcpy(raw.data() + at, from, sbtrain::cuda::size_of(type));
        }
        upload(device, raw.data(), raw.size());
    }
    // Begins `shift` bytes into the noise, so that matrices differ.
    void fill(std::byte *to, std::size_t bytes, std::size_t shift) const
    {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t part = std::min(kNoiseBytes - shift, bytes - done);
            sbtrain::cuda::check(
                cudaMemcpy(to + done, device.as<std::byte>() + shift, part, cudaMemcpyDeviceToDevice),
                "copy");
            done += part;
            shift = 0;
        }
    }
};
