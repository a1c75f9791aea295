// SPDX-License-Identifier: Apache-2.0

// From gradients to new parameters: the rules of device.h in double precision, and steps of several passes.

#include "data/synthetic.h"
#include "training.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sbtrain::test {
namespace {

Graph small_graph(std::int64_t batch_size)
{
    Graph graph;
    graph.batch_size = batch_size;
    graph.classes = 8;
    graph.images = graph.add_tensor({batch_size, 16, 2, 2});
    TensorId x = graph.average_pool(*graph.images);
    x = graph.linear(x, {.name = "first", .out_features = 32, .activation = Activation::Gelu, .init = 0.4F});
    x = graph.linear(x, {.name = "last", .out_features = 8, .init = 0.3F});
    graph.cross_entropy(x, Input::Labels, 0.0F);
    return graph;
}

struct Moments {
    std::vector<double> m, v;
};

// The published rule, in the order of its formulas.
void lamb(std::vector<double> &p, const std::vector<float> &g, Moments &at, const OptimizerSettings &s,
          bool decay, int t)
{
    std::vector<double> u(p.size());
    double values = 0.0;
    double updates = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        at.m[i] = s.beta1 * at.m[i] + (1.0 - s.beta1) * static_cast<double>(g[i]);
        at.v[i] = s.beta2 * at.v[i] + (1.0 - s.beta2) * static_cast<double>(g[i]) * static_cast<double>(g[i]);
        const double m = at.m[i] / (1.0 - std::pow(s.beta1, t));
        const double v = at.v[i] / (1.0 - std::pow(s.beta2, t));
        u[i] = m / (std::sqrt(v) + s.eps) + (decay ? s.weight_decay * p[i] : 0.0);
        values += p[i] * p[i];
        updates += u[i] * u[i];
    }
    const double ratio = decay && values > 0.0 && updates > 0.0 ? std::sqrt(values / updates) : 1.0;
    for (std::size_t i = 0; i < p.size(); ++i)
        p[i] -= s.learning_rate * ratio * u[i];
}

TEST(Update, ByLambFollowsItsFormulas)
{
    const Graph graph = small_graph(4);
    ProgramSettings settings;
    settings.optimizer = {.kind = OptimizerKind::Lamb,
                          .learning_rate = 0.02,
                          .weight_decay = 0.01,
                          .eps = 1e-6,
                          .clip_norm = std::nullopt};
    const auto program = compile(graph, settings);
    write_noisy_parameters(*program, graph, 3);
    std::vector<std::vector<double>> expected;
    std::vector<Moments> moments;
    for (std::size_t i = 0; i < graph.parameters.size(); ++i) {
        const std::vector<float> start = read_parameter(*program, graph, i);
        expected.emplace_back(start.begin(), start.end());
        moments.push_back({std::vector<double>(start.size()), std::vector<double>(start.size())});
    }
    for (int step = 1; step <= 3; ++step) {
        ASSERT_TRUE(program->enqueue_step(random_batch(graph, static_cast<std::uint64_t>(step))));
        for (std::size_t i = 0; i < graph.parameters.size(); ++i) {
            lamb(expected[i], read_gradient(*program, graph, i), moments[i], settings.optimizer,
                 graph.parameters[i].decay, step);
            const std::vector<float> got = read_parameter(*program, graph, i);
            for (std::size_t j = 0; j < got.size(); ++j)
                ASSERT_NEAR(got[j], expected[i][j], 2e-6) << graph.parameters[i].name << " step " << step;
        }
    }
}

TEST(Update, ByLambLearns)
{
    const Graph graph = small_graph(8);
    ProgramSettings settings;
    settings.optimizer = {.kind = OptimizerKind::Lamb, .learning_rate = 0.05, .eps = 1e-6};
    const auto program = compile(graph, settings);
    write_initial_parameters(*program, graph, 1);
    const Batch batch = random_batch(graph, 5);
    double loss = 0.0;
    for (int step = 0; step < 100; ++step) {
        ASSERT_TRUE(program->enqueue_step(batch));
        loss = program->next_report(true)->loss;
    }
    EXPECT_LT(loss, 0.1);
}

// Rows [first, first + count) of a batch of the small graph.
Batch part_of(const Batch &whole, std::size_t first, std::size_t count)
{
    Batch part;
    const std::size_t image = whole.images.size() / whole.labels.size();
    const auto at = [](const auto &values, std::size_t i) {
        return values.begin() + static_cast<std::ptrdiff_t>(i);
    };
    part.images.assign(at(whole.images, first * image), at(whole.images, (first + count) * image));
    part.labels.assign(at(whole.labels, first), at(whole.labels, first + count));
    return part;
}

TEST(Update, OfSeveralPassesIsThatOfOne)
{
    ProgramSettings settings;
    settings.optimizer = {.learning_rate = 0.1};
    const Graph whole_graph = small_graph(6);
    const auto whole = compile(whole_graph, settings);
    settings.micro_batches = 3;
    const Graph part_graph = small_graph(2);
    const auto parts = compile(part_graph, settings);
    write_noisy_parameters(*whole, whole_graph, 3);
    write_noisy_parameters(*parts, part_graph, 3);
    for (std::uint64_t step = 0; step < 3; ++step) {
        const Batch batch = random_batch(whole_graph, 10 + step);
        ASSERT_TRUE(whole->enqueue_step(batch));
        ASSERT_TRUE(parts->enqueue_micro_batch(part_of(batch, 0, 2)));
        ASSERT_TRUE(parts->enqueue_micro_batch(part_of(batch, 2, 2)));
        EXPECT_FALSE(parts->next_report(true)) << "a pass is no step";
        ASSERT_TRUE(parts->enqueue_step(part_of(batch, 4, 2)));
        const StepReport one = *whole->next_report(true);
        const StepReport several = *parts->next_report(true);
        EXPECT_EQ(several.step, one.step);
        EXPECT_NEAR(several.loss, one.loss, 1e-6);
    }
    for (std::size_t i = 0; i < whole_graph.parameters.size(); ++i) {
        const std::vector<float> a = read_parameter(*whole, whole_graph, i);
        const std::vector<float> b = read_parameter(*parts, part_graph, i);
        for (std::size_t j = 0; j < a.size(); ++j)
            ASSERT_NEAR(a[j], b[j], 1e-6) << whole_graph.parameters[i].name;
    }
}

// Images of 8 bits are (p / 255 - mean) / deviation.
TEST(Update, TakesPixels)
{
    const ModelInfo *info = find_model("resnet20-cifar");
    const Graph graph = *info->build(*info, {.batch_size = 2, .image_size = 16});
    ProgramSettings settings;
    settings.optimizer = info->optimizer;
    const auto program = compile(graph, settings);
    write_initial_parameters(*program, graph, 1);
    Batch pixels;
    pixels.pixel_mean = {0.4F, 0.5F, 0.6F};
    pixels.pixel_deviation = {0.2F, 0.3F, 0.4F};
    pixels.labels = {3, 7};
    Batch images;
    images.labels = pixels.labels;
    for (std::size_t i = 0; i < std::size_t{2} * 3 * 256; ++i) {
        const std::size_t c = i / 256 % 3;
        pixels.pixels.push_back(static_cast<std::uint8_t>(i * 37 % 251));
        images.images.push_back((static_cast<float>(pixels.pixels.back()) / 255.0F - pixels.pixel_mean[c]) /
                                pixels.pixel_deviation[c]);
    }
    double losses[2] = {};
    for (int i = 0; i < 2; ++i) {
        program->load(i == 0 ? pixels : images);
        program->forward();
        losses[i] = program->loss();
    }
    EXPECT_DOUBLE_EQ(losses[0], losses[1]);
}

} // namespace
} // namespace sbtrain::test
