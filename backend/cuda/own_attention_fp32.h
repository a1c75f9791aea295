// SPDX-License-Identifier: Apache-2.0
#pragma once

// The own attention of fp32 matrices, from sm_80 on: as own_attention.h, but its products are tf32 (factors
// rounded to nearest, sums fp32) or, for strict fp32, three tf32 products of factors in two parts,
//   x = big + small,  x y = small big + big small + big big,  big = tf32(x), small = x - big,
// which leaves out at most 2^-22 of |x y|; the tensor cores add eight of k, fp32 additions the rest. Softmax
// and everything between products is fp32.
//
// Dropout is that of own_attention.h. Probabilities are made again in backward, so that nothing of a square's
// size but what is kept is stored.

#include "own_attention.h"

namespace sbtrain::cuda {

// The current device can, and has the shared memory of backward: 163 KB, as sm_80 and sm_90.
bool own_attention_fp32_available();
// Type F32, a head of 64, at most 128 tokens.
bool own_attention_fp32_fits(const OwnAttentionProblem &problem);

// precision: Tf32 or Fp32. Everything at multiples of 16 bytes. Throws CudaError if the launch fails. The
// same input gives the same bits.
void own_attention_fp32_forward(const OwnAttentionProblem &problem, Precision precision,
                                const DropoutSpec &draw, const OwnAttentionPointers &at, cudaStream_t stream);
void own_attention_fp32_backward(const OwnAttentionProblem &problem, Precision precision,
                                 const DropoutSpec &draw, const OwnAttentionPointers &at,
                                 cudaStream_t stream);

} // namespace sbtrain::cuda
