// SPDX-License-Identifier: Apache-2.0

// Whole models against PyTorch in float64: losses, gradients and updated parameters of small configurations.
// The numbers and the script that made them are in tests/data/backend.

#include "data/synthetic.h"
#include "random.h"
#include "training.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace sbtrain::test {
namespace {

struct Expected {
    std::string kind, name;
    double value = 0.0;
    double projection = 0.0;
};

std::vector<Expected> read_reference(const std::string &wanted)
{
    std::ifstream file(SBTRAIN_TEST_DATA "/reference.csv");
    std::vector<Expected> rows;
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string name, value, projection;
        Expected row;
        std::getline(fields, name, ',');
        std::getline(fields, row.kind, ',');
        std::getline(fields, row.name, ',');
        std::getline(fields, value, ',');
        std::getline(fields, projection, ',');
        if (name != wanted)
            continue;
        row.value = std::stod(value);
        row.projection = std::stod(projection);
        rows.push_back(row);
    }
    return rows;
}

struct Tolerance {
    double loss;     // relative
    double gradient; // of the norm
    double parameter;
};

class ReferenceRun {
public:
    ReferenceRun(const std::string &name, const ModelSettings &model_settings,
                 const OptimizerSettings &optimizer)
        : m_rows(read_reference(name))
    {
        const ModelInfo *info = find_model(name);
        m_graph = *info->build(*info, model_settings);
        ProgramSettings settings;
        settings.optimizer = optimizer;
        m_program = compile(m_graph, settings);
        write_initial_parameters(*m_program, m_graph, 1);
    }

    // A start from which float32 and float64 stay together: see make_fixtures.py.
    void set_last_gammas(float value)
    {
        for (std::size_t i = 0; i < m_graph.parameters.size(); ++i) {
            const Parameter &parameter = m_graph.parameters[i];
            if (parameter.name.ends_with(".conv3.bn.gamma"))
                m_program->write_parameter(
                    ParameterId{i}, std::vector<float>(static_cast<std::size_t>(parameter.count), value));
        }
    }

    void run(const Tolerance &tolerance)
    {
        ASSERT_FALSE(m_rows.empty()) << "no numbers for this case in reference.csv";
        const SyntheticData data(m_graph, 1);
        std::int64_t step = 0;
        for (const Expected &row : m_rows) {
            if (row.kind != "loss")
                continue;
            Batch batch;
            data.fill(batch, step * m_graph.batch_size);
            for (std::size_t i = 0; i < batch.lengths.size(); ++i)
                batch.lengths[i] -= static_cast<std::int32_t>(5 * i);
            ASSERT_TRUE(m_program->enqueue_step(batch));
            const StepReport report = *m_program->next_report(true);
            EXPECT_NEAR(report.loss, row.value, tolerance.loss * row.value) << "loss of step " << row.name;
            if (++step == 1)
                expect_all("gradient", tolerance.gradient);
        }
        expect_all("parameter", tolerance.parameter);
    }

private:
    void expect_all(const std::string &kind, double tolerance)
    {
        std::size_t seen = 0;
        for (const Expected &row : m_rows) {
            if (row.kind != kind)
                continue;
            ASSERT_LT(seen, m_graph.parameters.size());
            const Parameter &parameter = m_graph.parameters[seen];
            ASSERT_EQ(parameter.name, row.name);
            const std::vector<float> values = kind == "gradient" ? read_gradient(*m_program, m_graph, seen)
                                                                 : read_parameter(*m_program, m_graph, seen);
            expect_one(row, parameter, values, tolerance);
            ++seen;
        }
        EXPECT_EQ(seen, m_graph.parameters.size());
    }

    static void expect_one(const Expected &row, const Parameter &parameter, const std::vector<float> &values,
                           double tolerance)
    {
        const Stream signs(7, 99);
        double projection = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool minus = signs.unit(static_cast<std::uint64_t>(parameter.offset) + i) < 0.5F;
            projection += minus ? -static_cast<double>(values[i]) : static_cast<double>(values[i]);
        }
        // Biases start at 0: after a few steps they are as small as their own rounding errors.
        const double room = tolerance * row.value + (row.kind == "parameter" ? 2e-5 : 1e-7);
        EXPECT_NEAR(std::sqrt(dot(values, values)), row.value, room) << row.kind << " of " << row.name;
        EXPECT_NEAR(projection, row.projection, room) << row.kind << " of " << row.name;
    }

    std::vector<Expected> m_rows;
    Graph m_graph;
    std::unique_ptr<Program> m_program;
};

TEST(Reference, CifarResNetMatchesPyTorch)
{
    ReferenceRun run("resnet20-cifar", {.batch_size = 8, .label_smoothing = 0.1}, {.learning_rate = 0.01});
    run.run({1e-4, 2e-3, 2e-3});
}

TEST(Reference, ResNet50MatchesPyTorch)
{
    ReferenceRun run("resnet50", {.batch_size = 4, .image_size = 64, .label_smoothing = 0.1},
                     {.learning_rate = 0.001});
    run.set_last_gammas(0.2F);
    run.run({1e-4, 2e-3, 2e-3});
}

TEST(Reference, BertMatchesPyTorch)
{
    ReferenceRun run("bert-tiny", {.batch_size = 4, .sequence_length = 32, .dropout = 0.0},
                     {.kind = OptimizerKind::AdamW,
                      .learning_rate = 1e-3,
                      .weight_decay = 0.01,
                      .eps = 1e-6,
                      .clip_norm = 1.0});
    run.run({1e-5, 1e-3, 2e-3});
}

} // namespace
} // namespace sbtrain::test
