// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happens to gradients after backward: sums over passes, norm and clipping, loss scaling, the optimizer.
// All of it on the device.

#include "step_kernels.h"

namespace sbtrain::cuda {

// A piece of one parameter.
struct Chunk {
    std::int64_t offset = 0; // in the arenas of fp32 values, state and 16-bit copies
    void *gradient = nullptr;
    std::int32_t count = 0;
    std::int32_t parameter = 0;
    std::uint8_t full = 0; // the gradient is fp32 whatever the precision
    std::uint8_t decay = 0;
};
constexpr int kChunkElements = 8192;

// The numbers of device.h's OptimizerSettings (kernel sources stay C++17 for CUDA 11.8).
enum class Rule { Sgd, AdamW, Lamb };
struct UpdateRule {
    Rule kind = Rule::Sgd;
    double learning_rate = 0.0, momentum = 0.0, decay = 0.0, beta1 = 0.0, beta2 = 0.0, eps = 0.0;
    double clip_norm = 0.0; // 0: no clipping
};

struct ChunkRange {
    std::int32_t first = 0, count = 0;
};

struct UpdateArgs {
    const Chunk *chunks = nullptr; // on the device
    int count = 0;
    float *values = nullptr;
    float *first = nullptr;  // momentum, first moment
    float *second = nullptr; // second moment
    void *copy = nullptr;    // of the values in the gradients' type; null in fp32
    StepState *state = nullptr;
    double *partial = nullptr; // count doubles: squared norms
    float *sums = nullptr;     // of gradients over passes, as large as values; null if a step has one
    int passes = 1;            // a step
    // Lamb: 2 * count doubles, and for each of `parameters` where its chunks are and what to multiply with.
    double *lamb_norms = nullptr;
    const ChunkRange *ranges = nullptr;
    float *ratios = nullptr;
    int parameters = 0;
    Type type = Type::F32;
    UpdateRule rule;
    bool scaling = false; // dynamic loss scaling
    float share = 1.0F;   // 1 / world size if the exchange only added up
};
// Adds the gradients of a pass to args.sums; the first pass of a step begins them anew.
void accumulate(const UpdateArgs &args, cudaStream_t stream);
// Makes the gradients of `count` chunks from `first` on the mean over the step's passes.
void take_mean(const UpdateArgs &args, int first, int count, cudaStream_t stream);
// Squared norms of `count` chunks from `first` on, where prepare_update() needs them.
void take_norms(const UpdateArgs &args, int first, int count, cudaStream_t stream);
// From the norms of all chunks: inf check, clip factor, loss scale.
void prepare_update(const UpdateArgs &args, cudaStream_t stream);
void update(const UpdateArgs &args, cudaStream_t stream);
// Gradients on their way between processes, 16 bit in place of fp32 and back. Counts are multiples of 8.
void narrow(Type type, const float *from, void *to, std::int64_t count, cudaStream_t stream);
void widen(Type type, const void *from, float *to, std::int64_t count, cudaStream_t stream);
// The 16-bit copies of all values.
void copy_values(const UpdateArgs &args, cudaStream_t stream);

} // namespace sbtrain::cuda
