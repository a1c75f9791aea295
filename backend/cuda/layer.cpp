// SPDX-License-Identifier: Apache-2.0
#include "layer.h"

#include "check.h"
#include "token_kernels.h"

namespace sbtrain::cuda {

MemoryPlan::Id Inputs::of(Input input) const
{
    switch (input) {
    case Input::Images:
        return images;
    case Input::Labels:
        return labels;
    case Input::Tokens:
        return tokens;
    case Input::Segments:
        return segments;
    case Input::Lengths:
        return lengths;
    case Input::MaskedPositions:
        return positions;
    case Input::MaskedLabels:
        return masked_labels;
    case Input::NextSentence:
        return next_sentence;
    }
    return {};
}

Build::Build(const Graph &g, const ProgramSettings &s, const Context &c, MemoryPlan &p,
             std::vector<ParameterSlot> &o)
    : graph(g)
    , settings(s)
    , context(c)
    , plan(p)
    , slots(o)
    , activations(g.tensors.size())
    , readers(g.tensors.size())
    , reads(g.tensors.size())
    , writers(g.tensors.size())
    , gradients(g.tensors.size())
    , takes_even_gradient(g.tensors.size())
    , even_gradient(g.tensors.size())
    , gradient_written(g.parameters.size())
{
}

std::size_t Build::bytes(TensorId id) const
{
    const Shape shape = graph.tensors[id.index];
    const std::int64_t channels = shape.h * shape.w == 1 ? padded_columns(shape.c) : shape.c;
    return static_cast<std::size_t>(shape.n * shape.h * shape.w * channels) * size_of(context.type);
}

MemoryPlan::Id Build::make_activation(TensorId id)
{
    return activations[id.index] = plan.add(bytes(id));
}

MemoryPlan::Id Build::read(TensorId id)
{
    const MemoryPlan::Id buffer = activations[id.index];
    if (!buffer.valid())
        throw CudaError(ExitCode::Internal, "an activation is read that was never stored");
    plan.use(buffer);
    ++reads[id.index];
    return buffer;
}

DropoutSpec Build::dropout(float probability) const
{
    return {settings.seed, node, static_cast<std::uint64_t>(settings.rank), probability, &state->pass};
}

std::vector<MemoryPlan::Id> Build::take(TensorId y)
{
    if (gradients[y.index].empty())
        throw CudaError(ExitCode::Internal, "an activation that nothing reads has no gradient");
    for (const MemoryPlan::Id id : gradients[y.index])
        plan.use(id);
    return std::move(gradients[y.index]);
}

MemoryPlan::Id Build::give(TensorId x)
{
    const MemoryPlan::Id id = plan.add(bytes(x));
    gradients[x.index].push_back(id);
    return id;
}

std::optional<MemoryPlan::Id> Build::existing(TensorId x)
{
    if (gradients[x.index].empty())
        return std::nullopt;
    plan.use(gradients[x.index].front());
    return gradients[x.index].front();
}

MemoryPlan::Id Build::add_partial_sums(std::int64_t floats)
{
    const MemoryPlan::Id id = plan.add(sizeof(float) * static_cast<std::size_t>(floats));
    plan.use(id, kLayersBetweenSums);
    return id;
}

MemoryPlan::Id Build::transpose(ParameterId weight, std::int64_t rows, std::int64_t columns)
{
    const MemoryPlan::Id to = plan.keep(static_cast<std::size_t>(rows * columns) * size_of(context.type));
    transposed.push_back({weight, to, static_cast<int>(rows), static_cast<int>(columns)});
    return to;
}

bool Build::first_write(ParameterId id)
{
    const bool first = !gradient_written[id.index];
    gradient_written[id.index] = true;
    return first;
}

void add_contributions(const Memory &memory, const std::vector<MemoryPlan::Id> &ids, std::int64_t count,
                       cudaStream_t stream)
{
    for (std::size_t i = 1; i < ids.size(); ++i)
        add_into(memory.type, memory.at(ids[0]), memory.at(ids[i]), count, stream);
}

} // namespace sbtrain::cuda
