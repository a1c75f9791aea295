// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sbtrain::cuda {

// Of the arithmetic. Master weights, optimizer state, statistics and sums are fp32 in all of them.
//   Fp32  fp32 throughout, no tensor cores    Tf32  fp32 storage, products on tensor cores in tf32
//   Fp16  fp16 activations and gradients, dynamic loss scaling    Bf16  the same in bfloat16, unscaled
enum class Precision { Fp32, Tf32, Fp16, Bf16 };

// How an activation or a gradient is stored.
enum class Type { F32, F16, BF16 };

constexpr std::size_t size_of(Type type)
{
    return type == Type::F32 ? 4 : 2;
}

constexpr Type storage_type(Precision precision)
{
    return precision == Precision::Fp16 ? Type::F16 : precision == Precision::Bf16 ? Type::BF16 : Type::F32;
}

constexpr std::optional<Precision> find_precision(std::string_view name)
{
    if (name == "fp32")
        return Precision::Fp32;
    if (name == "tf32")
        return Precision::Tf32;
    if (name == "fp16")
        return Precision::Fp16;
    if (name == "bf16")
        return Precision::Bf16;
    return std::nullopt;
}

} // namespace sbtrain::cuda
