// SPDX-License-Identifier: Apache-2.0
#include "training.h"

#include "random.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

namespace sbtrain::test {

std::unique_ptr<Program> compile(const Graph &graph, const ProgramSettings &settings)
{
    const auto device = cpu::make_cpu_device(2);
    auto program = device->compile(graph, settings);
    if (!program)
        throw std::runtime_error(program.error().message);
    return std::move(*program);
}

std::vector<float> read_parameter(Program &program, const Graph &graph, std::size_t index)
{
    std::vector<float> values(static_cast<std::size_t>(graph.parameters[index].count));
    program.read_parameter(ParameterId{index}, values);
    return values;
}

std::vector<float> read_gradient(Program &program, const Graph &graph, std::size_t index)
{
    std::vector<float> values(static_cast<std::size_t>(graph.parameters[index].count));
    program.read_gradient(ParameterId{index}, values);
    return values;
}

Batch random_batch(const Graph &graph, std::uint64_t seed)
{
    const Stream stream(seed, 1000);
    std::uint64_t counter = 0;
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int32_t>(stream.hash(counter++) % static_cast<std::uint64_t>(bound));
    };
    Batch batch;
    const auto n = static_cast<std::size_t>(graph.batch_size);
    const auto t = static_cast<std::size_t>(graph.sequence_length);
    const auto p = static_cast<std::size_t>(graph.masked_positions);
    if (graph.images)
        batch.images.resize(static_cast<std::size_t>(graph.tensors[graph.images->index].count()));
    std::generate(batch.images.begin(), batch.images.end(),
                  [&] { return 4.0F * stream.unit(counter++) - 2.0F; });
    const auto fill = [&](std::vector<std::int32_t> &values, std::size_t count, std::int64_t bound) {
        values.resize(count);
        std::generate(values.begin(), values.end(), [&] { return below(bound); });
    };
    fill(batch.labels, n, graph.classes);
    fill(batch.tokens, n * t, graph.classes);
    fill(batch.segments, n * t, 2);
    fill(batch.masked_positions, n * p, graph.sequence_length);
    fill(batch.masked_labels, n * p, graph.classes);
    fill(batch.next_sentence, n, 2);
    batch.lengths.resize(n);
    for (std::size_t i = 0; i < n; ++i) // some sequences have padding
        batch.lengths[i] = static_cast<std::int32_t>(t - std::min(t / 2, 2 * i));
    return batch;
}

void write_noisy_parameters(Program &program, const Graph &graph, std::uint64_t seed)
{
    write_initial_parameters(program, graph, seed);
    const Stream stream(seed, 2000);
    for (std::size_t i = 0; i < graph.parameters.size(); ++i) {
        std::vector<float> values = read_parameter(program, graph, i);
        for (std::size_t j = 0; j < values.size(); ++j)
            values[j] +=
                0.2F * (stream.unit(static_cast<std::uint64_t>(graph.parameters[i].offset) + j) - 0.5F);
        program.write_parameter(ParameterId{i}, values);
    }
}

double dot(const std::vector<float> &a, const std::vector<float> &b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

namespace {

double loss_at(Program &program, std::size_t index, const std::vector<float> &values)
{
    program.write_parameter(ParameterId{index}, values);
    program.forward();
    return program.loss();
}

// d loss / d parameter along a direction, by central differences. The step is as long as makes the loss
// change by about `change` if the slope is what we expect, because float32 blurs smaller changes.
double slope(Program &program, std::size_t index, const std::vector<float> &values,
             const std::vector<float> &direction, double step)
{
    std::vector<float> moved(values.size());
    double along = 0.0; // what the step really was, after rounding
    double losses[2];
    for (int side = 0; side < 2; ++side) {
        const double sign = side == 0 ? 1.0 : -1.0;
        for (std::size_t i = 0; i < values.size(); ++i)
            moved[i] = static_cast<float>(values[i] + sign * step * static_cast<double>(direction[i]));
        losses[side] = loss_at(program, index, moved);
        for (std::size_t i = 0; i < values.size(); ++i)
            along += sign * (static_cast<double>(moved[i]) - static_cast<double>(values[i])) *
                     static_cast<double>(direction[i]);
    }
    program.write_parameter(ParameterId{index}, values);
    const double norm2 = dot(direction, direction);
    return (losses[0] - losses[1]) / (along / norm2);
}

// Long steps cross kinks of ReLU and max, short ones drown in the rounding of float32: the best of four.
struct Comparison {
    double expected;
    double scale; // loss change per unit of step, to choose the step by
    double longest_step;
};

double nearest_slope(Program &program, std::size_t index, const std::vector<float> &values,
                     const std::vector<float> &direction, const Comparison &comparison)
{
    double best = 0.0;
    double least_error = std::numeric_limits<double>::infinity();
    for (const double change : {4e-3, 1e-3, 2.5e-4, 6e-5}) {
        const double step = std::min(change / comparison.scale, comparison.longest_step);
        const double found = slope(program, index, values, direction, step);
        if (std::abs(found - comparison.expected) < least_error) {
            least_error = std::abs(found - comparison.expected);
            best = found;
        }
    }
    return best;
}

void expect_gradient_matches(Program &program, const Graph &graph, std::size_t index)
{
    const std::string &name = graph.parameters[index].name;
    const std::vector<float> values = read_parameter(program, graph, index);
    const std::vector<float> gradient = read_gradient(program, graph, index);
    const double norm = std::sqrt(dot(gradient, gradient));
    ASSERT_GT(norm, 1e-4) << name << " has no gradient to speak of: the test would show nothing";

    std::vector<float> direction(gradient);
    for (float &value : direction)
        value = static_cast<float>(value / norm);
    EXPECT_NEAR(nearest_slope(program, index, values, direction, {norm, norm, 1.0}), norm, 0.025 * norm)
        << name << " along its gradient";

    const auto magnitude = [](float a, float b) { return std::abs(a) < std::abs(b); };
    const auto largest = static_cast<std::size_t>(
        std::max_element(gradient.begin(), gradient.end(), magnitude) - gradient.begin());
    const double top = std::abs(static_cast<double>(gradient[largest]));
    for (const std::size_t element : {largest, gradient.size() / 3, gradient.size() - 1}) {
        std::vector<float> unit(gradient.size(), 0.0F);
        unit[element] = 1.0F;
        const double expected = gradient[element];
        EXPECT_NEAR(nearest_slope(program, index, values, unit, {expected, top, 0.05}), expected,
                    0.06 * top + 1e-4)
            << name << " at element " << element;
    }
}

} // namespace

void expect_gradients_match_differences(const Graph &graph, const ProgramSettings &settings,
                                        const Batch &batch)
{
    const std::unique_ptr<Program> program = compile(graph, settings);
    write_noisy_parameters(*program, graph, 3);
    program->load(batch);
    program->forward();
    program->backward();
    for (std::size_t i = 0; i < graph.parameters.size(); ++i)
        expect_gradient_matches(*program, graph, i);
}

} // namespace sbtrain::test
