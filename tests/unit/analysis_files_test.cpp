// SPDX-License-Identifier: GPL-3.0-or-later
// What analysis keeps in a workspace's folder: telemetry, measured collectives, comparisons.
#include "report_values.h"

#include "core/compare_sides.h"
#include "session/bundle.h"
#include "session/collective_files.h"
#include "session/kept_comparisons.h"
#include "session/other_runs.h"
#include "session/step_parts.h"
#include "session/telemetry_file.h"
#include "store/workspace.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace sb {
namespace {

class AnalysisFiles : public testing::Test {
protected:
    std::string path(const char *name) const { return m_home.filePath(QLatin1String(name)).toStdString(); }
    std::string write(const char *name, const std::string &text) const
    {
        QFile file(m_home.filePath(QLatin1String(name)));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
        return path(name);
    }
    QTemporaryDir m_home;
};

TelemetrySample sampleAt(double timeS, double first, double second)
{
    TelemetrySample sample;
    sample.timeS = timeS;
    sample.cpuLoadPercent = 12.5;
    for (const auto &[index, clock] : {std::pair(0, first), std::pair(1, second)}) {
        TelemetrySample::Gpu gpu;
        gpu.index = index;
        gpu.loadPercent = 99;
        gpu.smClockMHz = clock;
        sample.gpus.push_back(gpu);
    }
    return sample;
}

TEST_F(AnalysisFiles, TelemetryComesBackInTheRunsOwnTime)
{
    const std::vector<TelemetrySample> samples{sampleAt(4, 1980, 1980), sampleAt(5, 1980, 1830),
                                               sampleAt(6, 1980, 1815)};
    ASSERT_TRUE(writeTelemetry(path("telemetry.jsonl"), samples, 3));
    const auto read = readTelemetry(path("telemetry.jsonl"));
    ASSERT_EQ(read.size(), 3u);
    EXPECT_DOUBLE_EQ(read[0].timeS, 1);
    EXPECT_EQ(read[2].gpus, samples[2].gpus);
    EXPECT_EQ(read[1].cpuLoadPercent, 12.5);
    EXPECT_EQ(slowestClockMHz(read, 0, 10), 1830.0); // median of the slower GPU
    EXPECT_EQ(slowestClockMHz(read, 2.5, 10), 1815.0);
    EXPECT_FALSE(slowestClockMHz(read, 20, 30));
    EXPECT_TRUE(readTelemetry(path("none")).empty());
    EXPECT_TRUE(writeTelemetry(path("empty"), {}, 0));
    EXPECT_FALSE(QFile::exists(m_home.filePath(QStringLiteral("empty"))));
}

TEST_F(AnalysisFiles, ClocksOfTheMeasuredStepsExplainALoss)
{
    sb::Run run = test::publishedRuns(1, 1).front();
    auto workspace = Workspace::create(path("w"));
    ASSERT_TRUE(workspace);
    ASSERT_TRUE((*workspace)->saveRun(run));
    std::vector<Sample> samples;
    for (int step = 1; step <= 120; ++step) {
        Sample sample;
        sample.step = step;
        sample.timeS = 0.1 * step;
        sample.stepTimeMs = 100;
        samples.push_back(sample);
    }
    ASSERT_TRUE((*workspace)->appendSamples(run.id, samples));
    QDir().mkpath(QString::fromStdString((*workspace)->runFolder(run.id)));
    // Idle before the measured steps begin at 2 s.
    ASSERT_TRUE(writeTelemetry(
        (*workspace)->runFolder(run.id) + "/" + kTelemetryFile,
        std::vector<TelemetrySample>{sampleAt(1, 345, 345), sampleAt(3, 1700, 1500), sampleAt(8, 1700, 1500)},
        0));
    const auto parts = stepPartsOf(**workspace, aggregate((*workspace)->runs()).front());
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->clockMHz, 1500.0);
}

TEST_F(AnalysisFiles, MeasuredCollectivesBelongToTheWorkspace)
{
    const std::string bench = write(
        "allreduce.jsonl", "{\"kind\":\"allreduce\",\"bytes\":1048576,\"world_size\":2,\"time_ms\":0.1}\n"
                           "{\"kind\":\"allreduce\",\"bytes\":8388608,\"world_size\":2,\"time_ms\":0.7}\n");
    const auto kept = keepCollectiveFile(path("w"), bench);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(kept->bench.times.size(), 2u);
    ASSERT_TRUE(keepCollectiveFile(path("w"), bench)); // the same again
    write("allreduce.jsonl", "{\"kind\":\"allreduce\",\"bytes\":1048576,\"world_size\":4,\"time_ms\":0.1}\n");
    const auto other = keepCollectiveFile(path("w"), bench);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("allreduce.jsonl"), std::string::npos);
    const auto foreign = keepCollectiveFile(path("w"), write("notes.txt", "hello\n"));
    ASSERT_FALSE(foreign);
    EXPECT_NE(foreign.error().message.find("notes.txt has no all-reduce times"), std::string::npos);
    const auto files = collectiveFiles(path("w"));
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].bench.ranks, 2);
    EXPECT_TRUE(collectiveFiles(path("nowhere")).empty());
}

TEST_F(AnalysisFiles, KeptComparisonsAreComputedAgain)
{
    const std::vector<sb::Run> runs = test::publishedRuns(2);
    const auto results = aggregate(runs);
    const auto sides = ownSides(results);
    QDir().mkpath(QString::fromStdString(path("w")));
    const std::vector<KeptComparison> kept{{sides[0].id, sides[1].id, false},
                                           {sides[0].id, "own:gone", false}};
    ASSERT_TRUE(writeKeptComparisons(path("w"), kept));
    const auto read = readKeptComparisons(path("w"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, kept);
    const auto comparisons = reportComparisons(*read, results, path("no reference"));
    ASSERT_EQ(comparisons.size(), 1u); // what is gone is left out
    EXPECT_EQ(comparisons[0].cases.size(), 4u);
    ASSERT_TRUE(writeKeptComparisons(path("w"), {}));
    EXPECT_TRUE(readKeptComparisons(path("w"))->empty());
    write("w/comparisons.json", "{\"schema\": 9, \"comparisons\": []}");
    const auto newer = readKeptComparisons(path("w"));
    ASSERT_FALSE(newer);
    EXPECT_EQ(newer.error().code, ErrorCode::Newer);
    write("w/comparisons.json", "{\"schema\": 1}");
    EXPECT_FALSE(readKeptComparisons(path("w")));
}

TEST_F(AnalysisFiles, ABundleTakesThemAlongAndIsReadLikeAWorkspace)
{
    const std::vector<sb::Run> runs = test::publishedRuns(1, 2);
    {
        auto workspace = Workspace::create(path("w"));
        ASSERT_TRUE(workspace);
        for (const sb::Run &run : runs) {
            ASSERT_TRUE((*workspace)->saveRun(run));
            ASSERT_TRUE(writeTelemetry((*workspace)->runFolder(run.id) + "/" + kTelemetryFile,
                                       std::vector<TelemetrySample>{sampleAt(1, 1500, 1500)}, 0));
        }
        ASSERT_TRUE(keepCollectiveFile(
            path("w"),
            write("a.jsonl",
                  "{\"kind\":\"allreduce\",\"bytes\":1048576,\"world_size\":2,\"time_ms\":0.1}\n")));
        ASSERT_TRUE(writeKeptComparisons(path("w"), std::vector<KeptComparison>{{"own:a", "own:b", false}}));
        const auto written = writeBundle(bundleSource(**workspace), path("study.bundle"), {});
        ASSERT_TRUE(written) << written.error().message;
    }
    EXPECT_TRUE(looksLikeBundle(path("study.bundle")));
    EXPECT_FALSE(looksLikeBundle(path("a.jsonl")));
    const auto other = readOtherRuns(path("study.bundle"));
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_EQ(other->runs.size(), runs.size());
    EXPECT_EQ(readOtherRuns(path("w"))->name, other->name);
    ASSERT_TRUE(unpackBundle(path("study.bundle"), path("unpacked")));
    EXPECT_EQ(collectiveFiles(path("unpacked")).size(), 1u);
    EXPECT_EQ(readKeptComparisons(path("unpacked"))->size(), 1u);
    EXPECT_EQ(readTelemetry(path("unpacked/logs/") + runs[0].id + "/" + kTelemetryFile).size(), 1u);
}

} // namespace
} // namespace sb
