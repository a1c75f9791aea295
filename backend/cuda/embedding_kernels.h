// SPDX-License-Identifier: Apache-2.0
#pragma once

// Three embedding tables with the layer norm and the dropout after them, and the gradients of the tables. C
// is a multiple of 8, at most kMostEmbedded.

#include "norm_kernels.h"

namespace sbtrain::cuda {

constexpr int kMostEmbedded = 1024; // columns

// z = token[id] + position[t] + segment[s], y = dropout(layer_norm(z)); tables of the shape's type.
struct EmbeddingForward {
    const void *token = nullptr;
    const void *position = nullptr;
    const void *segment = nullptr;
    const std::int32_t *tokens = nullptr;
    const std::int32_t *segments = nullptr;
    std::int64_t sequence_length = 0;
    NormForward norm; // without x and residual
};
void embedding_forward(const NormShape &shape, const EmbeddingForward &args, cudaStream_t stream);

// Rows in the order of their tokens, equal ones in their own order, so that every sum over rows of one token
// is taken in the same order each time. Tokens are less than `vocabulary`. work: token_sort_bytes(rows).
std::size_t token_sort_bytes(std::int64_t rows);
void sort_tokens(const std::int32_t *tokens, std::int64_t rows, std::int64_t vocabulary, void *work,
                 cudaStream_t stream);

// Adds dz's rows up by token (added to dtoken), position and segment (overwritten), each in fixed order.
// dsegment is there once `sums` are.
struct EmbeddingBackward {
    const void *dz = nullptr;
    const void *sorted = nullptr; // sort_tokens()' work
    const std::int32_t *segments = nullptr;
    std::int64_t sequence_length = 0;
    std::int64_t positions = 0; // rows of dposition
    float *dtoken = nullptr;
    float *dposition = nullptr;
    float *dsegment = nullptr;
    float *segment_partial = nullptr; // (sequence_length, 2, c)
    void *work = nullptr;             // embedding_work_bytes(shape)
};
std::size_t embedding_work_bytes(const NormShape &shape);
void embedding_backward(const NormShape &shape, const EmbeddingBackward &args, ColumnSums &sums,
                        cudaStream_t stream);

} // namespace sbtrain::cuda
