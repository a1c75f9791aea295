// SPDX-License-Identifier: Apache-2.0
#include "layer.h"

#include <stdexcept>

namespace sbtrain::cpu {

BackwardPlan::BackwardPlan(const Graph &graph, BufferPlanner &planner)
    : m_graph(graph)
    , m_planner(planner)
    , m_contributions(graph.tensors.size())
    , m_written(graph.parameters.size(), false)
{
}

std::vector<BufferPlanner::Id> BackwardPlan::take(TensorId y)
{
    if (m_contributions[y.index].empty())
        throw std::logic_error("an activation that nothing reads has no gradient");
    return std::move(m_contributions[y.index]);
}

BufferPlanner::Id BackwardPlan::give(TensorId x)
{
    const BufferPlanner::Id id = m_planner.take(m_graph.tensors[x.index].count());
    m_contributions[x.index].push_back(id);
    return id;
}

void BackwardPlan::pass(BufferPlanner::Id buffer, TensorId x)
{
    m_contributions[x.index].push_back(buffer);
}

std::optional<BufferPlanner::Id> BackwardPlan::existing(TensorId x) const
{
    if (m_contributions[x.index].empty())
        return std::nullopt;
    return m_contributions[x.index].front();
}

bool BackwardPlan::first_write(ParameterId id)
{
    const bool first = !m_written[id.index];
    m_written[id.index] = true;
    return first;
}

ImageLayout Build::image_layout(TensorId id) const
{
    const Shape shape = graph.tensors[id.index];
    return {shape.n, shape.c, shape.h * shape.w, lanes == 0 ? shape.c : lanes};
}

dnnl::memory::desc Build::image_desc(TensorId id) const
{
    using Tag = dnnl::memory::format_tag;
    const Shape shape = graph.tensors[id.index];
    const bool input = id == graph.images;
    const Tag tag = lanes == 0    ? Tag::nhwc
                    : input       ? Tag::nchw // the first convolution reads three plain channels
                    : lanes == 16 ? Tag::nChw16c
                                  : Tag::nChw8c;
    return {{shape.n, shape.c, shape.h, shape.w}, dnnl::memory::data_type::f32, tag};
}

const std::int32_t *batch_input(const Batch &batch, Input input)
{
    switch (input) {
    case Input::Images:
        break;
    case Input::Labels:
        return batch.labels.data();
    case Input::Tokens:
        return batch.tokens.data();
    case Input::Segments:
        return batch.segments.data();
    case Input::Lengths:
        return batch.lengths.data();
    case Input::MaskedPositions:
        return batch.masked_positions.data();
    case Input::MaskedLabels:
        return batch.masked_labels.data();
    case Input::NextSentence:
        return batch.next_sentence.data();
    }
    return nullptr;
}

void add_contributions(const Memory &memory, const std::vector<BufferPlanner::Id> &ids, std::int64_t count)
{
    for (std::size_t i = 1; i < ids.size(); ++i) {
        float *sum = memory.buffer(ids[0]);
        const float *more = memory.buffer(ids[i]);
#pragma omp parallel for simd
        for (std::int64_t j = 0; j < count; ++j)
            sum[j] += more[j];
    }
}

} // namespace sbtrain::cpu
