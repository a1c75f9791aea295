// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../graph.h"
#include "batch.h"

namespace sbtrain {

// Made-up samples that a model can learn something from, so that a falling loss shows that training works.
// Sample i of the whole job (i counts global batches: i = step * global batch + rank * batch + row) is a
// function of (seed, i) alone; N processes with batch B/N therefore see what one with batch B sees.
//
//   images  label = hash mod classes; pixel = uniform noise of variance 1 + a pattern of the label of 8x8
//   tiles tokens  skewed towards small ids (V * u^3); masked positions spread over the sequence, the token
//   there
//           replaced by 103 ([MASK] of the usual vocabulary), its old value the label; segment 0 then 1;
//           the next-sentence label is that of the first token's parity; no padding
class SyntheticData {
public:
    SyntheticData(const Graph &graph, std::uint64_t seed);

    // Fills the batch with samples first .. first + graph.batch_size - 1. Deterministic.
    void fill(Batch &batch, std::int64_t first) const;

private:
    void fill_image(Batch &batch, std::size_t row, std::uint64_t sample) const;
    void fill_sequence(Batch &batch, std::size_t row, std::uint64_t sample) const;

    Shape m_image; // of one image, absent for sequence models: count() == 0
    std::size_t m_batch_size = 0;
    std::size_t m_sequence_length = 0;
    std::size_t m_masked = 0;
    std::uint64_t m_classes = 0;
    std::uint64_t m_seed = 0;
};

} // namespace sbtrain
