// SPDX-License-Identifier: GPL-3.0-or-later
// Every recorded log of every plugin gives the numbers written beside it.
#include "catalog/manifest.h"
#include "core/json.h"
#include "core/measurement.h"
#include "session/log_files.h"

#include <QDir>
#include <QFile>

#include <gtest/gtest.h>

namespace sb {
namespace {

std::string textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void checkSample(const Framework &framework, const QString &base)
{
    SCOPED_TRACE(base.toStdString());
    const std::string expectedPath = (base + QStringLiteral(".expected.json")).toStdString();
    const auto expected = parseJson(textOf(QString::fromStdString(expectedPath)), expectedPath);
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    ObjectReader reader(*expected, expectedPath, "expected");
    reader.integer("schema");
    const MeasurementRule rule{reader.integer("warmup_steps"), reader.integer("measured_steps"), 1};
    const auto log = readRankLog((base + QStringLiteral(".log")).toStdString(), framework.log, 0);
    ASSERT_TRUE(log.ok()) << log.error().message;
    EXPECT_EQ(static_cast<int>(log->samples.size()), reader.integer("steps"));
    EXPECT_EQ(log->facts.unit, reader.optionalString("unit"));
    EXPECT_EQ(log->facts.globalBatchSize, reader.optionalInteger("global_batch_size"));
    EXPECT_EQ(log->facts.worldSize.value_or(0), reader.integer("world_size"));
    EXPECT_EQ(log->samples.front().loss, reader.optionalNumber("first_loss"));
    EXPECT_EQ(log->samples.back().loss, reader.optionalNumber("last_loss"));
    EXPECT_EQ(log->end.has_value() && log->end->ok, reader.boolean("ended_well", false));
    const auto measured = measure(log->samples, rule, log->facts.globalBatchSize);
    ASSERT_TRUE(measured.ok()) << measured.error().message;
    EXPECT_NEAR(measured->throughput, reader.optionalNumber("throughput").value_or(0), 1e-5);
    EXPECT_TRUE(reader.finish().ok()) << reader.finish().error().message;
}

TEST(Plugins, SamplesGiveTheirExpectedNumbers)
{
    const Catalog catalog = readCatalog(SCALEBOARD_SOURCE "/plugins");
    ASSERT_TRUE(catalog.problems.empty()) << catalog.problems.front();
    for (const Framework &framework : catalog.frameworks) {
        const QDir samples(QStringLiteral(SCALEBOARD_SOURCE "/plugins/") +
                           QString::fromStdString(framework.name) + QStringLiteral("/samples"));
        const QStringList logs = samples.entryList({QStringLiteral("*.log")}, QDir::Files, QDir::Name);
        EXPECT_FALSE(logs.isEmpty()) << framework.name << " has no recorded log";
        for (const QString &log : logs)
            checkSample(framework, samples.filePath(log.chopped(4)));
    }
}

} // namespace
} // namespace sb
