// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis_values.h"

#include "core/json.h"
#include "core/utilisation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace sb {
namespace {

TEST(DevicePeak, IsTheVendorsWithItsSource)
{
    EXPECT_DOUBLE_EQ(devicePeak("Tesla V100-SXM2-16GB", "fp16")->flops, 125e12);
    EXPECT_DOUBLE_EQ(*devicePeak("Tesla V100-SXM2-16GB", "fp32")->memoryBytesPerS, 900e9);
    EXPECT_DOUBLE_EQ(devicePeak("NVIDIA A100-SXM4-80GB", "bf16")->flops, 312e12);
    EXPECT_DOUBLE_EQ(*devicePeak("NVIDIA A100-SXM4-80GB", "bf16")->memoryBytesPerS, 2039e9);
    EXPECT_DOUBLE_EQ(devicePeak("NVIDIA H200", "tf32")->flops, 495e12);
    EXPECT_EQ(devicePeak("NVIDIA H200", "tf32")->source, "NVIDIA H200 data sheet");
    EXPECT_FALSE(devicePeak("Tesla V100-SXM2-16GB", "bf16"));
    EXPECT_FALSE(devicePeak("AMD EPYC", "fp32"));
    EXPECT_FALSE(devicePeak("", "fp32"));
    // The name alone does not say how much memory, and so how fast, it has.
    EXPECT_FALSE(devicePeak("A100", "fp16")->memoryBytesPerS);
}

// The table in the program is what sbtrain counts; tests/backend holds the file against sbtrain.
TEST(ModelFacts, AreWhatTheBackendCounts)
{
    std::ifstream file(SCALEBOARD_TEST_DATA "/models.json");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto root = parseJson(text, "models.json");
    ASSERT_TRUE(root) << root.error().message;
    const JsonNode *models = root->find("models");
    ASSERT_TRUE(models);
    ASSERT_GE(models->items.size(), 7u);
    for (const JsonNode &model : models->items) {
        const auto number = [&model](const char *key) {
            const JsonNode *node = model.find(key);
            return node->kind == JsonNode::Kind::Integer ? static_cast<double>(node->integer) : node->number;
        };
        const std::string name = model.find("name")->text;
        const auto facts = modelFacts(name);
        ASSERT_TRUE(facts) << name;
        EXPECT_EQ(facts->flopsPerSample, number("flops_per_sample")) << name;
        EXPECT_EQ(static_cast<double>(facts->parameters), number("parameters")) << name;
        EXPECT_EQ(facts->activationElements, number("activation_elements_per_sample")) << name;
    }
    EXPECT_EQ(modelFacts("bert_base"), modelFacts("bert-base"));
    EXPECT_FALSE(modelFacts("gpt2"));
}

TEST(Utilisation, IsTheShareOfThePeak)
{
    // 397.64 images/s of ResNet-50 on one V100 in single precision: 9.66 of 15.7 TFLOP/s.
    const Utilisation use = utilisationOf(test::caseOf(1, {397.64}, 128), nullptr, "Tesla V100-SXM2-16GB");
    ASSERT_TRUE(use.known());
    EXPECT_FALSE(use.logged);
    EXPECT_NEAR(use.share, 397.64 * 24299077632.0 / 15.7e12, 1e-12);
    ASSERT_TRUE(use.intensity);
    // 24.3 GFLOP over 4 bytes × (68.4 M activations + 3 × 25.6 M weights / 128).
    EXPECT_NEAR(*use.intensity, 24299077632.0 / (4 * (68379040 + 3.0 * 25557032 / 128)), 1e-9);
    EXPECT_NEAR(modelFlopsUtilisation(397.64, 24.6e9, 1, 15.7e12), 0.623, 0.001);
}

TEST(Utilisation, SaysWhatIsMissing)
{
    CaseResult point = test::caseOf(2, {100}, 64);
    EXPECT_EQ(utilisationOf(point, nullptr).gap, UtilisationGap::UnnamedDevice);
    EXPECT_EQ(utilisationOf(point, nullptr, "Abacus 9000").gap, UtilisationGap::UnknownDevice);
    point.key.precision = "bf16";
    EXPECT_EQ(utilisationOf(point, nullptr, "Tesla V100-SXM2-16GB").gap, UtilisationGap::NoUnits);
    point.key.workload = "my-model";
    EXPECT_EQ(utilisationOf(point, nullptr, "NVIDIA H200").gap, UtilisationGap::UnknownModel);
    sb::Run run;
    run.key = point.key;
    run.facts.flopsPerSample = 1e9;
    run.facts.deviceName = "NVIDIA H200";
    const Utilisation logged = utilisationOf(point, &run);
    EXPECT_TRUE(logged.known());
    EXPECT_TRUE(logged.logged);
    EXPECT_FALSE(logged.intensity); // its memory traffic is not known
}

TEST(GradientBytes, ComeFromTheRunElseFromTheModel)
{
    sb::Run run;
    run.facts.gradientBytes = 51114064;
    EXPECT_EQ(gradientBytesOf("resnet50", &run), 51114064.0);
    EXPECT_EQ(gradientBytesOf("resnet50", nullptr), 102228128.0);
    EXPECT_FALSE(gradientBytesOf("my-model", nullptr));
}

TEST(Roofline, IsTheLowerOfTwoLimits)
{
    const RooflinePoint low = roofline(125e12, 900e9, 10);
    EXPECT_TRUE(low.memoryBound);
    EXPECT_DOUBLE_EQ(low.flops, 9e12);
    EXPECT_FALSE(roofline(125e12, 900e9, 500).memoryBound);
}

} // namespace
} // namespace sb
