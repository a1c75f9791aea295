// SPDX-License-Identifier: Apache-2.0
#pragma once

// The small parts of a transformer and of a classifier. Matrices are row-major; ld is the distance of rows
// in elements, a multiple of 8.

#include "norm_kernels.h"

namespace sbtrain::cuda {

struct MatrixShape {
    std::int64_t rows = 0;
    std::int64_t columns = 0; // a multiple of 8
    Type type = Type::F32;
};

// y = act(z), Activation: 1 GELU, 2 tanh. y may be z.
void activate(const MatrixShape &shape, const void *z, void *y, int activation, cudaStream_t stream);

// dz = dy * act'(z) in place of dy (tanh: z is the activation's output instead), and dbias = column sums of
// dz, which is there once `sums` are. Activation 0 only sums. partial: bias_partial_floats(shape).
struct BiasBackward {
    void *dy = nullptr;
    const void *z = nullptr;
    float *dbias = nullptr;
    float *partial = nullptr;
    int activation = 0;
};
std::int64_t bias_partial_floats(const MatrixShape &shape);
void bias_backward(const MatrixShape &shape, const BiasBackward &args, ColumnSums &sums, cudaStream_t stream);

// sum += more, elementwise; count a multiple of 8.
void add_into(Type type, void *sum, const void *more, std::int64_t count, cudaStream_t stream);

// Softmax + cross-entropy, loss and gradient in one: logits become their gradient times the loss scale;
// columns between `classes` and ld become 0. At most 32,768 classes. `partial`: null, or where sums of the
// gradient over rows go, loss_partial_rows(args) of ld floats that are left to add up.
struct LossArgs {
    void *logits = nullptr;
    const std::int32_t *labels = nullptr;
    float *row_loss = nullptr;
    const float *loss_scale = nullptr; // on the device
    std::int64_t rows = 0;
    std::int64_t classes = 0;
    std::int64_t ld = 0;
    float smoothing = 0.0F;
    Type type = Type::F32;
    float *partial = nullptr;
};
int loss_partial_rows(const LossArgs &args); // 0: these sums cannot be had here
void cross_entropy(const LossArgs &args, cudaStream_t stream);

// y row b * P + p = x row b * T + positions[b, p] (null: row 0 of the sequence). Backward adds dy's rows to
// dx, first clearing it if asked; rows that occur twice are added in order.
struct GatherArgs {
    const void *in = nullptr; // x, or dy
    void *out = nullptr;      // y, or dx
    const std::int32_t *positions = nullptr;
    std::int64_t sequences = 0, per_sequence = 0, length = 0;
    int c = 0;
    Type type = Type::F32;
    bool clear = false;
};
void gather_rows(const GatherArgs &args, cudaStream_t stream);
void scatter_rows(const GatherArgs &args, cudaStream_t stream);

// (n, pixels, c) -> (n, c) mean over pixels, and back.
struct AverageArgs {
    const void *in = nullptr;
    void *out = nullptr;
    std::int64_t n = 0, pixels = 0;
    int c = 0;
    Type type = Type::F32;
};
void average_forward(const AverageArgs &args, cudaStream_t stream);
void average_backward(const AverageArgs &args, cudaStream_t stream);

// Attention by matrix products (any type): rows of scores are (n, heads, t, t).
//   forward  p = softmax(scale * scores over keys before the length), dropped = dropout(p); p in place
//   backward ds = scale * p (dp - sum(dp p)), dp = dropout(d dropped), in place of d dropped
struct SoftmaxArgs {
    void *scores = nullptr;  // p in backward
    void *dropped = nullptr; // d dropped in backward, replaced by d scores; null without dropout (forward)
    void *again = nullptr;   // backward with dropout: the dropped p once more
    const std::int32_t *lengths = nullptr;
    std::int64_t n = 0, heads = 0, t = 0;
    float scale = 1.0F;
    Type type = Type::F32;
    DropoutSpec dropout;
};
void softmax_forward(const SoftmaxArgs &args, cudaStream_t stream);
void softmax_backward(const SoftmaxArgs &args, cudaStream_t stream);

} // namespace sbtrain::cuda
