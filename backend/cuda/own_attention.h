// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own attention for Hopper (sm_90a), in 16 bit: one block computes one head of one sequence with its
// matrices in shared memory, forward in one pass over memory and backward in one. Packed rows
// [n * t][3][heads][64] as in cpu/attention.cpp; sequences of at most 128 tokens. Deterministic.
//
// Dropout is random.h's on the squares (n * heads * t, t), as in softmax_forward (token_kernels.h).
// What is kept goes to memory for backward: bit k / 8 + 16 (k % 2) of word k % 8 / 2 of the row.

#include "norm_kernels.h"

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

struct OwnAttentionProblem {
    std::int64_t n = 0, t = 0, heads = 0, d = 0;
    Type type = Type::BF16;
};

struct OwnAttentionPointers {
    const void *qkv = nullptr;
    void *y = nullptr;                     // (n * t, heads * 64)
    float *stats = nullptr;                // (n, heads, t)
    std::uint32_t *kept = nullptr;         // (n, heads, t, 4); with dropout only
    const std::int32_t *lengths = nullptr; // (n)
    const void *dy = nullptr;              // backward
    void *dqkv = nullptr;                  // backward
    // Backward, null if not wanted: n rows whose sum is that of dqkv's rows, (3 * heads * 64), from what was
    // not rounded yet.
    float *partial = nullptr; // own_attention_partial_floats
};

bool own_attention_available(int capability); // built in, and this device can
bool own_attention_fits(const OwnAttentionProblem &problem);
inline std::int64_t own_attention_kept_words(const OwnAttentionProblem &problem)
{
    return problem.n * problem.heads * problem.t * 4;
}
inline std::int64_t own_attention_partial_floats(const OwnAttentionProblem &problem)
{
    return problem.n * 3 * problem.heads * problem.d;
}

void own_attention_forward(const OwnAttentionProblem &problem, const DropoutSpec &draw,
                           const OwnAttentionPointers &at, cudaStream_t stream);
void own_attention_backward(const OwnAttentionProblem &problem, const DropoutSpec &draw,
                            const OwnAttentionPointers &at, cudaStream_t stream);

} // namespace sbtrain::cuda
