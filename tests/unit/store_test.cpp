// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/run_record.h"
#include "store/workspace.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace sb {
namespace {

Run fullRun()
{
    Run run;
    run.id = "20260101-000000000-native-x-r1";
    run.key = {.framework = "native",
               .workload = "resnet50",
               .precision = "fp32",
               .device = "cpu",
               .data = "synthetic",
               .batchSizePerDevice = 4,
               .nodes = 1,
               .devicesPerNode = 2,
               .threadsPerDevice = 1,
               .warmupSteps = 2,
               .measuredSteps = 8,
               .options = {{"xla", "on"}}};
    run.caseName = caseId(run.key);
    run.planName = "首次测试 \"quoted\"";
    run.unit = "images";
    run.datasetSize = 1281167;
    run.repeat = 3;
    run.state = RunState::Done;
    run.exitCode = 0;
    run.createdUtc = run.startedUtc = "2026-01-01T00:00:00.000Z";
    run.hosts = {"local"};
    run.commands = {"A=1 prog 'x y'"};
    NodeFacts node;
    node.name = "local";
    node.cores = 2;
    node.gpus = {{0, "NVIDIA H200", "GPU-1", std::nullopt, 1.5e11}};
    node.interfaces = {{"eth0", {"10.0.0.1"}, 100.0}};
    run.nodeFacts = {node};
    run.facts.unit = "images";
    run.facts.globalBatchSize = 8;
    run.measurement = Measurement{80.125, 100.5, 99.0, 120.0, std::nullopt, 3.25, 3, 10};
    return run;
}

std::string folderIn(const QTemporaryDir &dir, const char *name = "w")
{
    return dir.filePath(QString::fromLatin1(name)).toStdString();
}

std::unique_ptr<Workspace> opened(Result<std::unique_ptr<Workspace>> result)
{
    EXPECT_TRUE(result.ok()) << (result ? "" : result.error().message);
    return result ? std::move(*result) : nullptr;
}

TEST(RunRecord, ReadsWhatItWrites)
{
    const auto again = readRunRecord(writeRunRecord(fullRun()), "run.json");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, fullRun());
}

TEST(RunRecord, RefusesNewerAndUnknown)
{
    std::string text = writeRunRecord(fullRun());
    text.replace(text.find("\"schema\": 1"), 11, "\"schema\": 9");
    EXPECT_EQ(readRunRecord(text, "run.json").error().code, ErrorCode::Newer);
    EXPECT_FALSE(readRunRecord("{\"schema\": 1}", "run.json").ok());
    EXPECT_FALSE(readRunRecord("", "run.json").ok());
}

// Numbers of a stranger's bundle must not overflow what is computed of them.
TEST(RunRecord, RefusesACaseBeyondAllMeasure)
{
    const auto fault = [](auto change) {
        auto run = fullRun();
        change(run.key);
        const auto read = readRunRecord(writeRunRecord(run), "run.json");
        return read ? std::string() : read.error().message;
    };
    EXPECT_EQ(fault([](CaseKey &key) { key.batchSizePerDevice = INT32_MAX; }), "");
    for (const int nodes : {0, -1, 65536, INT32_MAX})
        EXPECT_NE(fault([&](CaseKey &key) {
                      key.nodes = nodes, key.devicesPerNode = 65536;
                  }).find("at most 1000000 devices"),
                  std::string::npos);
    for (const int steps : {-1, INT32_MAX})
        EXPECT_NE(fault([&](CaseKey &key) { key.measuredSteps = steps; }).find("between 0 and 10000000"),
                  std::string::npos);
}

TEST(Workspace, KeepsRunsAndSamplesOverARestart)
{
    const QTemporaryDir dir;
    Sample sample;
    sample.step = 1;
    sample.stepTimeMs = 100.5;
    sample.loss = 6.9;
    sample.logOffset = 1234;
    {
        const auto workspace = opened(Workspace::create(folderIn(dir)));
        ASSERT_TRUE(workspace->saveRun(fullRun()).ok());
        ASSERT_TRUE(workspace->appendSamples(fullRun().id, std::vector{sample}).ok());
        ASSERT_TRUE(workspace->appendSamples(fullRun().id, std::vector{sample}).ok()); // again: replaced
    }
    const auto workspace = opened(Workspace::open(folderIn(dir)));
    EXPECT_EQ(workspace->runs(), std::vector{fullRun()});
    EXPECT_EQ(*workspace->samples(fullRun().id, 0), std::vector{sample});
    EXPECT_EQ(workspace->samples(fullRun().id, 1)->size(), 0U);
    EXPECT_FALSE(workspace->needsRebuild());
}

TEST(Workspace, IsOpenInOneProgramOnly)
{
    const QTemporaryDir dir;
    const auto first = opened(Workspace::create(folderIn(dir)));
    const auto second = Workspace::open(folderIn(dir));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::Unavailable);
}

TEST(Workspace, RefusesForeignFoldersAndNewerVersions)
{
    const QTemporaryDir dir;
    EXPECT_EQ(Workspace::open(folderIn(dir)).error().code, ErrorCode::NotFound);
    QFile foreign(dir.filePath(QStringLiteral("thesis.tex")));
    ASSERT_TRUE(foreign.open(QIODevice::WriteOnly));
    EXPECT_EQ(Workspace::create(dir.path().toStdString()).error().code, ErrorCode::BadInput);
    opened(Workspace::create(folderIn(dir)));
    QFile marker(dir.filePath(QStringLiteral("w/workspace.json")));
    ASSERT_TRUE(marker.open(QIODevice::WriteOnly));
    marker.write(R"({"schema": 2, "name": "w", "created_utc": ""})");
    marker.close();
    const auto newer = Workspace::open(folderIn(dir));
    ASSERT_FALSE(newer.ok());
    EXPECT_EQ(newer.error().code, ErrorCode::Newer);
    EXPECT_NE(newer.error().message.find(
                  "was made by a newer version (schema 2; this one reads up to 1); open it with "
                  "that version"),
              std::string::npos);
}

TEST(Workspace, MakesADamagedIndexAgainFromTheRecords)
{
    const QTemporaryDir dir;
    {
        const auto workspace = opened(Workspace::create(folderIn(dir)));
        ASSERT_TRUE(workspace->saveRun(fullRun()).ok());
    }
    for (const char *suffix : {"-wal", "-shm"})
        QFile::remove(dir.filePath(QStringLiteral("w/scaleboard.db")) + QString::fromLatin1(suffix));
    QFile index(dir.filePath(QStringLiteral("w/scaleboard.db")));
    ASSERT_TRUE(index.open(QIODevice::WriteOnly));
    index.write("this is not a database, and long enough to look at: ................................");
    index.close();
    const auto workspace = opened(Workspace::open(folderIn(dir)));
    EXPECT_TRUE(workspace->needsRebuild());
    EXPECT_EQ(workspace->runs(), std::vector{fullRun()});
    EXPECT_EQ(workspace->problems().size(), 1U);
    EXPECT_TRUE(QFile::exists(dir.filePath(QStringLiteral("w/scaleboard.db.damaged"))));
}

TEST(Workspace, SkipsAndNamesRecordsThatCannotBeRead)
{
    const QTemporaryDir dir;
    {
        const auto workspace = opened(Workspace::create(folderIn(dir)));
        ASSERT_TRUE(workspace->saveRun(fullRun()).ok());
    }
    ASSERT_TRUE(QDir(dir.path()).mkpath(QStringLiteral("w/logs/half")));
    QFile half(dir.filePath(QStringLiteral("w/logs/half/run.json")));
    ASSERT_TRUE(half.open(QIODevice::WriteOnly));
    half.write(R"({"schema": 1, "id": "ha)");
    half.close();
    const auto workspace = opened(Workspace::open(folderIn(dir)));
    EXPECT_EQ(workspace->runs().size(), 1U);
    ASSERT_EQ(workspace->problems().size(), 1U);
    EXPECT_NE(workspace->problems()[0].find("half/run.json, line 1"), std::string::npos);
}

} // namespace
} // namespace sb
