// SPDX-License-Identifier: GPL-3.0-or-later
// Every recorded log of every plugin gives the numbers written beside it.
#include "catalog/log_reader.h"
#include "core/measurement.h"
#include "session/plugin_check.h"

#include <QDir>
#include <QFile>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sb {
namespace {

TEST(Plugins, SamplesGiveTheirExpectedNumbers)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    ASSERT_TRUE(catalog.problems.empty()) << catalog.problems.front();
    EXPECT_GE(catalog.frameworks.size(), 2U);
    for (const Framework &framework : catalog.frameworks) {
        const PluginCheck check = checkPlugin(SCALEBOARD_SOURCE "/plugins/" + framework.name, catalog);
        EXPECT_GT(check.samples, 0) << framework.name;
        for (const std::string &problem : check.problems)
            ADD_FAILURE() << problem;
    }
}

struct Live {
    std::vector<Sample> samples;
    std::optional<std::int64_t> globalBatch;
};

Live readLive(const QString &path, const LogFormat &format)
{
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    LogReader reader(format, 0);
    Live live;
    for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine())
        if (reader.readLine(line.trimmed().toStdString(), 0) == LogReader::Kind::Step)
            live.samples.push_back(reader.sample());
    live.globalBatch = reader.facts().globalBatchSize;
    return live;
}

// A run reads its log line by line while it comes, without what only the whole log tells.
TEST(Plugins, ARunMeasuresWhatItsSampleSays)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    int measured = 0;
    for (const Framework &framework : catalog.frameworks) {
        const QDir folder(
            QString::fromStdString(SCALEBOARD_SOURCE "/plugins/" + framework.name + "/samples"));
        for (const QString &name : folder.entryList({QStringLiteral("*.expected.json")}, QDir::Files)) {
            QFile file(folder.filePath(name));
            ASSERT_TRUE(file.open(QIODevice::ReadOnly));
            const auto expected = nlohmann::json::parse(file.readAll().toStdString());
            const QString log = folder.filePath(name.chopped(14) + QStringLiteral(".log"));
            const Live read = readLive(log, framework.log);
            const std::int64_t first = read.samples.empty() ? 1 : read.samples.front().step;
            EXPECT_GE(first, 1) << log.toStdString();
            if (!expected.contains("throughput"))
                continue;
            const MeasurementRule rule{expected["warmup_steps"], expected["measured_steps"], 1};
            const auto result = measure(read.samples, rule, read.globalBatch, framework.log.from);
            ASSERT_TRUE(result.ok()) << log.toStdString() << ": " << result.error().message;
            EXPECT_NEAR(result->throughput, expected["throughput"], 1e-4 * result->throughput)
                << log.toStdString();
            measured += 1;
        }
    }
    EXPECT_GT(measured, 15);
}

TEST(Plugins, CheckNamesWhatIsMissing)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    EXPECT_FALSE(checkPlugin("/nonexistent", catalog).problems.empty());
    // The plugin of the tests has no recorded log.
    const PluginCheck check = checkPlugin(SCALEBOARD_TEST_DATA "/plugins/steps", catalog);
    ASSERT_EQ(check.problems.size(), 1U);
    EXPECT_NE(check.problems.front().find("no recorded log"), std::string::npos);
}

} // namespace
} // namespace sb
