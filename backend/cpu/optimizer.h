// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layer.h"

namespace sbtrain::cpu {

// The update of a flat arena (see OptimizerSettings for the formulas). Element order does not matter to it,
// so it works on the parameters in whatever order the layers keep them.
class Optimizer {
public:
    Optimizer(const OptimizerSettings &settings, const Graph &graph, const std::vector<ParameterSlot> &slots);

    // Floats of state for an arena of `count`: momentum, or both moments. Starts zeroed.
    std::int64_t state_floats(std::int64_t count) const;

    struct Arena {
        float *parameters = nullptr;
        const float *gradients = nullptr;
        float *state = nullptr;
        std::int64_t count = 0;
    };
    // One step. Returns the norm of the gradient before clipping, if clipping asked for it.
    std::optional<double> update(const Arena &arena);

private:
    struct Chunk {
        std::int64_t begin = 0;
        std::int64_t count = 0;
        bool decay = false;
        std::size_t parameter = 0;
    };
    double gradient_norm(const Arena &arena) const;
    void update_by_lamb(const Arena &arena, double scale);

    OptimizerSettings m_settings;
    std::vector<Chunk> m_chunks; // what one thread does at a time
    std::vector<double> m_norms; // Lamb: squared norms of a chunk's parameters and update
    std::int64_t m_steps = 0;
};

} // namespace sbtrain::cpu
