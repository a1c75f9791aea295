// SPDX-License-Identifier: Apache-2.0
#include "synthetic.h"

#include "../random.h"

namespace sbtrain {

namespace {

constexpr std::int32_t kMaskToken = 103;
constexpr std::uint64_t kPatternStream = kDataStream + 1;

} // namespace

SyntheticData::SyntheticData(const Graph &graph, std::uint64_t seed)
    : m_batch_size(static_cast<std::size_t>(graph.batch_size))
    , m_sequence_length(static_cast<std::size_t>(graph.sequence_length))
    , m_masked(static_cast<std::size_t>(graph.masked_positions))
    , m_classes(static_cast<std::uint64_t>(graph.classes))
    , m_seed(seed)
{
    if (graph.images) {
        m_image = graph.tensors[graph.images->index];
        m_image.n = 1;
    }
}

void SyntheticData::fill(Batch &batch, std::int64_t first) const
{
    batch.serial = first + 1;
    const auto n = m_batch_size;
    if (m_image.count() > 0) {
        batch.images.resize(n * static_cast<std::size_t>(m_image.count()));
        batch.labels.resize(n);
    } else {
        batch.tokens.resize(n * m_sequence_length);
        batch.segments.resize(n * m_sequence_length);
        batch.lengths.assign(n, static_cast<std::int32_t>(m_sequence_length));
        batch.masked_positions.resize(n * m_masked);
        batch.masked_labels.resize(n * m_masked);
        batch.next_sentence.resize(n);
    }
#pragma omp parallel for
    for (std::size_t row = 0; row < n; ++row) {
        const auto sample = static_cast<std::uint64_t>(first) + row;
        if (m_image.count() > 0)
            fill_image(batch, row, sample);
        else
            fill_sequence(batch, row, sample);
    }
}

void SyntheticData::fill_image(Batch &batch, std::size_t row, std::uint64_t sample) const
{
    const Stream sample_stream(mix(m_seed) + sample, kDataStream);
    const std::uint64_t label = sample_stream.hash(0) % m_classes;
    const Stream pattern(mix(m_seed) + label, kPatternStream);
    batch.labels[row] = static_cast<std::int32_t>(label);

    const auto height = static_cast<std::size_t>(m_image.h);
    const auto width = static_cast<std::size_t>(m_image.w);
    float *pixel = batch.images.data() + row * static_cast<std::size_t>(m_image.count());
    constexpr float kNoise = 3.4641016F; // width of the uniform distribution of variance 1
    std::uint64_t counter = 1;
    for (std::size_t c = 0; c < static_cast<std::size_t>(m_image.c); ++c) {
        for (std::size_t h = 0; h < height; ++h) {
            const std::size_t tile_row = (c * 8 + h * 8 / height) * 8;
            for (std::size_t w = 0; w < width; ++w) {
                const float noise = kNoise * (sample_stream.unit(counter++) - 0.5F);
                *pixel++ = noise + (pattern.unit(tile_row + w * 8 / width) - 0.5F);
            }
        }
    }
}

void SyntheticData::fill_sequence(Batch &batch, std::size_t row, std::uint64_t sample) const
{
    const Stream stream(mix(m_seed) + sample, kDataStream);
    std::int32_t *tokens = batch.tokens.data() + row * m_sequence_length;
    for (std::size_t t = 0; t < m_sequence_length; ++t) {
        const double u = stream.unit(t);
        tokens[t] = static_cast<std::int32_t>(static_cast<double>(m_classes) * u * u * u);
        batch.segments[row * m_sequence_length + t] = t < m_sequence_length / 2 ? 0 : 1;
    }
    batch.next_sentence[row] = tokens[0] % 2;
    // One position in each of P equal parts of the sequence, so that none is taken twice.
    for (std::size_t p = 0; p < m_masked; ++p) {
        const std::size_t begin = p * m_sequence_length / m_masked;
        const std::size_t end = (p + 1) * m_sequence_length / m_masked;
        const std::size_t t = begin + stream.hash(m_sequence_length + p) % (end - begin);
        batch.masked_positions[row * m_masked + p] = static_cast<std::int32_t>(t);
        batch.masked_labels[row * m_masked + p] = tokens[t];
        tokens[t] = kMaskToken;
    }
}

} // namespace sbtrain
