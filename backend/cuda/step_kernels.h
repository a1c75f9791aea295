// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a step consists of beside the layers and the update: bringing samples in, losses, reports. All
// of it lives on the device; the host only reads reports, late.

#include "device_block.h"
#include "precision.h"

#include <cstdint>
#include <cuda_runtime.h>

namespace sbtrain::cuda {

constexpr int kDropoutSeeds = 1024;

// Numbers that kernels read and change from step to step.
struct StepState {
    std::int64_t step = 0;                          // of the step that is running, counts from 1
    std::int64_t pass = 0;                          // the same of forward passes; dropout
    std::int64_t dropout_seeds[kDropoutSeeds] = {}; // cuDNN's attention, one a layer
    std::int64_t dropout_offset = 0;                // cuDNN's attention: moves on every pass
    std::int64_t updates = 0;                       // steps the optimizer took
    float loss_scale = 1.0F;
    float found_inf = 0.0F;
    float gradient_factor = 1.0F; // what the optimizer multiplies gradients with
    float gradient_norm = 0.0F;
    std::int32_t good_steps = 0;   // since the scale last changed
    std::int32_t pass_of_step = 0; // passes of this step begun, 0 after the last
    double loss_sum = 0.0;         // of the passes of this step so far
    unsigned long long begin_ns = 0, computed_ns = 0, averaged_ns = 0;
};

// What the host reads, in mapped memory. `serial` is written last.
struct ReportSlot {
    double loss = 0.0;
    float gradient_norm = 0.0F;
    float loss_scale = 0.0F;
    unsigned long long begin_ns = 0, computed_ns = 0, averaged_ns = 0, end_ns = 0;
    long long serial = 0;
};
constexpr int kReportSlots = 64;

struct LossSource {
    const float *row_loss = nullptr;
    std::int64_t rows = 0;
};
constexpr int kMaxLosses = 4;
struct LossSources {
    LossSource at[kMaxLosses];
    int count = 0;
};

// Begins one of `passes` passes of a step: counts it, and clears what the pass wants cleared; the first of
// them begins the step and takes the time.
void begin_pass(StepState *state, int passes, const DeviceBlock &cleared, cudaStream_t stream);
// Ends a pass that is not the step's last: keeps its loss.
void add_loss(StepState *state, const LossSources &losses, cudaStream_t stream);
// Takes the time: which = 0 computed, 1 averaged.
void stamp(StepState *state, int which, cudaStream_t stream);
// Ends a step: takes the mean loss over its passes and writes the report of step n to slots[n %
// kReportSlots].
void report(const StepState *state, const LossSources &losses, int passes, ReportSlot *slots,
            cudaStream_t stream);
// The loss alone, to out[0].
void sum_losses(const LossSources &losses, double *out, cudaStream_t stream);

// How the first layer wants its images: NHWC with channels padded to `channels`, or in 2x2 blocks of pixels
// (blocks: rows and columns of (S + 6) / 2, 16 channels ((row & 1) * 2 + (column & 1)) * 3 + c).
struct ImageOrder {
    std::int64_t n = 0;
    int size_h = 0, size_w = 0;
    int channels = 4;
    bool blocks = false;
    Type type = Type::F32;

    std::int64_t elements() const
    {
        return blocks ? n * (size_h / 2 + 3) * (size_w / 2 + 3) * 16 : n * size_h * size_w * channels;
    }
};
// images: (n, 3, h, w) fp32 on the device.
void arrange_images(const ImageOrder &order, const float *images, void *out, cudaStream_t stream);
// The same of 8-bit images: scale[c] * p + shift[c].
struct PixelScale {
    float scale[3] = {1.0F, 1.0F, 1.0F};
    float shift[3] = {};
};
void arrange_pixels(const ImageOrder &order, const std::uint8_t *pixels, const PixelScale &scale, void *out,
                    cudaStream_t stream);

// The samples of data/synthetic.h, made on the device.
struct SyntheticArgs {
    std::uint64_t seed = 0;
    std::uint64_t first = 0; // sample
    std::uint64_t classes = 0;
    int batch = 0, length = 0, masked = 0;
    std::int32_t *labels = nullptr; // images
    std::int32_t *tokens = nullptr, *segments = nullptr, *lengths = nullptr, *positions = nullptr,
                 *masked_labels = nullptr, *next_sentence = nullptr;
};
void synthetic_images(const ImageOrder &order, const SyntheticArgs &args, void *out, cudaStream_t stream);
void synthetic_tokens(const SyntheticArgs &args, cudaStream_t stream);

// Zeroes the gradient of the taps that a 7x7 window in 2x2 blocks (8x8) has too many; (k, 4, 4, 16).
void mask_block_gradient(Type type, void *gradient, int k, cudaStream_t stream);
// Numbers that are neither zero nor special, for timing.
void fill_noise(Type type, void *out, std::int64_t count, cudaStream_t stream);

// out (columns, rows) = in (rows, columns), several matrices in one launch. Sizes are multiples of 32.
struct Transpose {
    const void *in = nullptr;
    void *out = nullptr;
    int rows = 0, columns = 0;
    int first_tile = 0; // filled in by the caller: tiles of 32x32 before this matrix
};
struct TransposeList {
    const Transpose *at = nullptr; // on the device
    int matrices = 0, tiles = 0;
};
void transpose_weights(Type type, const TransposeList &list, cudaStream_t stream);

} // namespace sbtrain::cuda
