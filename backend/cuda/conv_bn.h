// SPDX-License-Identifier: Apache-2.0
#pragma once

// Convolution + batch norm (+ residual) (+ ReLU) (+ the max-pool of a stem). Formulas: cpu/conv_bn.cpp.
//
//   forward   convolve (with sums, where an engine does that) | sums | coefficients | normalise
//   backward  sums (with the mask) | coefficients | apply | weight gradient | input gradient
//
// Where the own products run, neighbours do each other's passes: the input gradient masks and sums for the
// layer that made x, a block's end is normalised by the 1x1 convolution that reads it first, and dx of the
// batch norm is made by the own input gradient, or by one kernel for both gradients. Those of 3x3 run where
// they are faster than cuDNN and the passes. A shortcut is always normalised by the block's end, which adds
// it.
//
// conv_bn.cpp plans and chooses, conv_bn_fusion.cpp does so for the own products, conv_bn_run.cpp runs.

#include "bn_kernels.h"
#include "conv.h"
#include "own_backward.h"
#include "own_conv16.h"

namespace sbtrain::cuda {

class ConvBnLayer : public Layer {
public:
    ConvBnLayer(Build &build, const ConvBn &node, const MaxPool *pool);
    void plan_backward(Build &build) override;
    void tune(Tuner &tuner) override;
    std::size_t workspace_bytes() const override;
    void forward() override;
    void backward() override;
    void bind(const Memory &memory) override;
    void reset() override;
    ConvBnLayer *as_conv_bn() override { return this; }

    // For the layer that reads y: its input gradient comes masked and with these sums (bn_kernels.h).
    void take_sums(const float *partial, int partial_rows);

private:
    void set_problem(Build &build);
    bool left_to_block_end(const Build &build) const;
    void plan_own_forward(Build &build);
    void plan_even_gradient(Build &build);
    void plan_own_dgrad(Build &build);
    bool stem_shortcut(const ConvBnLayer &producer) const; // this is a shortcut over a stem
    OwnGemmProblem forward_problem() const;
    OwnGemmProblem gradient_problem() const;
    OwnGemmProblem backward_problem() const;                             // with the batch norm's gradient
    std::optional<OwnConv16Problem> conv16_problem(bool gradient) const; // if it is one
    int own_dgrad_rows() const;                                          // of partial sums
    void bind_own_forward();
    void bind_own_dgrad();
    void bind_conv16_dgrad();
    void tune_forward(Tuner &tuner);
    void tune_fused_normalise(Tuner &tuner);
    void tune_fused_apply(Tuner &tuner);
    void tune_fused_backward(Tuner &tuner);
    void tune_conv16_dgrad(Tuner &tuner, const ConvPointers &at);
    void run_own_dgrad();
    void backward_finish(const float *partial, int partial_rows);
    ConvPointers forward_pointers() const;
    // Partial rows of what the convolution was summed into, by itself or after it; whether they are shifted.
    struct Sums {
        int rows = 0;
        bool shifted = false;
    };
    Sums convolve();
    void statistics(const Sums &sums);
    void normalise();
    void backward_sums();
    void apply();
    void make_gradients();
    // Per-channel vectors live in one buffer.
    enum Vector { kMean, kIstd, kA, kB, kP, kQ, kRunningMean, kRunningVar, kVectors };
    float *vector(Vector which) const { return m_memory->at<float>(m_vectors) + which * m_shape.c; }
    float *partial() const { return m_memory->at<float>(m_partial); }

    const Context &m_context;
    ConvBn m_node;
    bool m_pool = false;
    bool m_freeze = false;
    bool m_input_gradient = false;
    ConvProblem m_problem;
    BnShape m_shape; // of the convolution's output
    StemShape m_stem;
    std::shared_ptr<ConvRunner> m_conv, m_conv_stats, m_dgrad, m_wgrad;
    bool m_use_stats = false;
    std::unique_ptr<OwnGemm> m_own; // forward with sums
    bool m_try_own = false;
    std::unique_ptr<OwnConv16> m_conv16; // the same of 3x3
    bool m_use_own = false;              // one of them
    // Input gradient fused with the first half of the backward pass of the layer that made x.
    ConvBnLayer *m_producer = nullptr;
    std::unique_ptr<OwnGemm> m_own_dgrad;
    std::unique_ptr<OwnConv16> m_conv16_dgrad; // of 3x3
    bool m_use_own_dgrad = false;              // one of them
    MemoryPlan::Id m_even_gradient;            // what it adds, if the other reader of x has a stride
    bool m_gives_even = false;                 // this is that reader: dx is of even pixels
    MemoryPlan::Id m_transposed, m_partial_dgrad;
    bool m_sums_taken = false; // by the layer that reads y
    // Passes inside the own products.
    ConvBnLayer *m_source = nullptr; // the layer whose y this one may normalise
    std::unique_ptr<OwnGemm> m_own_normalise, m_own_apply;
    std::unique_ptr<OwnBackward> m_own_backward;
    bool m_use_own_normalise = false, m_use_own_apply = false, m_use_own_backward = false;
    bool m_normalise_left = false;     // to the layer that reads y first
    ConvBnLayer *m_shortcut = nullptr; // that made the residual, if it left that to this layer

    MemoryPlan::Id m_x, m_residual, m_conv_out, m_y, m_bits, m_index, m_winner, m_vectors, m_partial;
    std::vector<MemoryPlan::Id> m_dy;
    MemoryPlan::Id m_partial_backward, m_dconv, m_dx;
    bool m_store_dz = false;
};

} // namespace sbtrain::cuda
