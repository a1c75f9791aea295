// SPDX-License-Identifier: Apache-2.0
#include "data/synthetic.h"
#include "random.h"
#include "training.h"

#include <gtest/gtest.h>

namespace sbtrain::test {
namespace {

Graph build(const char *name, const ModelSettings &settings)
{
    const ModelInfo *info = find_model(name);
    return *info->build(*info, settings);
}

TEST(Model, HasThePublishedNumberOfParameters)
{
    EXPECT_EQ(build("resnet50", {}).parameter_count(), 25557032);
    // BERT-base without heads is 109,482,240 with its pooler; the masked-token head adds 768 * 768 + 3 * 768
    // + 30522, the next-sentence head 2 * 768 + 2.
    EXPECT_EQ(build("bert-base", {}).parameter_count(),
              109482240 + 768 * 768 + 3 * 768 + 30522 + 2 * 768 + 2);
    // ResNet-20 has 0.27 M; option B adds 16 * 32 + 64 and 32 * 64 + 128.
    EXPECT_EQ(build("resnet20-cifar", {}).parameter_count(), 269722 + 16 * 32 + 64 + 32 * 64 + 128);
}

TEST(Model, CountsItsWork)
{
    // 4.089 G multiply-adds forward, three times that in training less the image's gradient, two operations
    // each.
    EXPECT_NEAR(build("resnet50", {}).flops_per_sample, 24.3e9, 0.05e9);
    const double one = build("resnet50", {.batch_size = 1}).flops_per_sample;
    EXPECT_DOUBLE_EQ(build("resnet50", {.batch_size = 7}).flops_per_sample, one);
    EXPECT_DOUBLE_EQ(build("bert-tiny", {.batch_size = 7}).flops_per_sample,
                     build("bert-tiny", {.batch_size = 1}).flops_per_sample);
}

TEST(Model, RefusesSizesItCannotTake)
{
    const ModelInfo *info = find_model("resnet50");
    const Result<Graph> graph = info->build(*info, {.batch_size = 1, .image_size = 100});
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, ExitCode::Unsupported);
    EXPECT_NE(graph.error().message.find("--image-size"), std::string::npos);
}

// The whole chain in one process: the same batch again and again, and the loss goes to (almost) nothing.
double overfitted_loss(const char *name, const ModelSettings &model, double learning_rate, int steps)
{
    const ModelInfo *info = find_model(name);
    const Graph graph = *info->build(*info, model);
    ProgramSettings settings;
    settings.optimizer = info->optimizer;
    settings.optimizer.learning_rate = learning_rate;
    const auto program = compile(graph, settings);
    write_initial_parameters(*program, graph, 1);
    Batch batch;
    SyntheticData(graph, 1).fill(batch, 0);
    double loss = 0.0;
    for (int step = 0; step < steps; ++step) {
        EXPECT_TRUE(program->enqueue_step(batch));
        loss = program->next_report(true)->loss;
    }
    return loss;
}

TEST(Model, CifarResNetOverfitsOneBatch)
{
    EXPECT_LT(overfitted_loss("resnet20-cifar", {.batch_size = 8}, 0.05, 30), 0.1);
}

TEST(Model, DeepCifarResNetsOverfitOneBatch)
{
    EXPECT_LT(overfitted_loss("resnet56-cifar", {.batch_size = 8, .image_size = 16}, 0.02, 40), 0.3);
    EXPECT_LT(overfitted_loss("resnet110-cifar", {.batch_size = 8, .image_size = 16}, 0.02, 40), 0.5);
}

TEST(Model, ResNet50OverfitsOneBatch)
{
    EXPECT_LT(overfitted_loss("resnet50", {.batch_size = 4, .image_size = 64}, 0.02, 25), 0.5);
}

TEST(Model, BertOverfitsOneBatch)
{
    EXPECT_LT(overfitted_loss("bert-tiny", {.batch_size = 4, .sequence_length = 32}, 3e-3, 80), 0.7);
}

TEST(Model, BaseBertLearns)
{
    const ModelSettings settings{.batch_size = 1, .sequence_length = 16, .dropout = 0.0};
    const double first = overfitted_loss("bert-base", settings, 1e-4, 1);
    EXPECT_NEAR(first, 11.0, 0.7); // ln 30522 + ln 2
    EXPECT_LT(overfitted_loss("bert-base", settings, 1e-4, 6), first - 2.0);
}

TEST(Random, IsTheDocumentedGenerator)
{
    // From the Python twin in tests/data/backend/make_fixtures.py.
    EXPECT_EQ(Stream(1, 1).hash(0), 8614008028692990056ULL);
    EXPECT_FLOAT_EQ(Stream(7, 99).unit(5), 0.7142598032951355F);
}

TEST(SyntheticData, GivesEachRankItsShareOfTheGlobalBatch)
{
    const Graph whole = build("resnet20-cifar", {.batch_size = 4});
    const Graph half = build("resnet20-cifar", {.batch_size = 2});
    Batch all, second;
    SyntheticData(whole, 5).fill(all, 8);
    SyntheticData(half, 5).fill(second, 10);
    EXPECT_EQ(std::vector<float>(all.images.end() - 2 * 3 * 32 * 32, all.images.end()), second.images);
    EXPECT_EQ(all.labels[2], second.labels[0]);
}

TEST(SyntheticData, MasksDistinctPositionsAndKeepsTheAnswer)
{
    const Graph graph = build("bert-tiny", {.batch_size = 2});
    Batch batch;
    SyntheticData(graph, 5).fill(batch, 0);
    ASSERT_EQ(batch.masked_positions.size(), 40U);
    for (std::size_t i = 0; i < 40; ++i) {
        if (i % 20 > 0) {
            EXPECT_LT(batch.masked_positions[i - 1], batch.masked_positions[i]);
        }
        EXPECT_EQ(batch.tokens[i / 20 * 128 + static_cast<std::size_t>(batch.masked_positions[i])], 103);
        EXPECT_GE(batch.masked_labels[i], 0);
        EXPECT_LT(batch.masked_labels[i], 30522);
    }
}

} // namespace
} // namespace sbtrain::test
