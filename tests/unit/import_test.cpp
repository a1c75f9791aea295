// SPDX-License-Identifier: GPL-3.0-or-later
// Importing trees of logs: made here in the layout that the 2020-10 report's scripts use.
#include "session/import.h"
#include "session/import_table.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace sb {
namespace {

const Catalog &catalog()
{
    static const Catalog read = readCatalog(SCALEBOARD_SOURCE "/plugins");
    return read;
}

void write(const QString &path, const QByteArray &text)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
}

// A log with a line every 100 steps, the first of them slow.
QByteArray windows(double rate)
{
    QByteArray text = "Some words first\n";
    for (int i = 0; i < 6; ++i)
        text += "I0826 15:12:50.113950 140405777909504 keras_utils.py:133] TimeHistory: 1.0 seconds, " +
                QByteArray::number(i == 0 ? rate / 3 : rate + i) + " examples/second between steps " +
                QByteArray::number(i * 100) + " and " + QByteArray::number(i * 100 + 100) + "\n";
    return text;
}

TEST(Import, ReadsATreeAsTheReportsScriptsLayItOut)
{
    QTemporaryDir folder;
    const QString base = folder.path() + QStringLiteral("/logs/tensorflow/resnet50/bz128/");
    for (int run = 1; run <= 3; ++run)
        for (const int nodes : {1, 2})
            write(base + QStringLiteral("%1n8g/rn50_b128_fp32_%2.log").arg(nodes).arg(run),
                  windows(100.0 * nodes + run));
    write(base + QStringLiteral("1n8g/notes.txt"), "nothing\n");
    const auto preview = previewImport(folder.path().toStdString(), catalog(), {});
    ASSERT_TRUE(preview.ok()) << preview.error().message;
    ASSERT_EQ(preview->items.size(), 7U);
    EXPECT_FALSE(preview->items.front().good()); // notes.txt
    const ImportItem &last = preview->items.back();
    EXPECT_EQ(last.format, "tensorflow2");
    EXPECT_EQ(last.key.workload, "resnet50");
    EXPECT_EQ(last.key.precision, "fp32");
    EXPECT_EQ(last.key.batchSizePerDevice, 128);
    EXPECT_EQ(last.key.nodes, 2);
    EXPECT_EQ(last.key.devicesPerNode, 8);
    EXPECT_EQ(last.repeat, 3);
    EXPECT_EQ(last.key.warmupSteps, 100);
    EXPECT_NEAR(last.measurement->throughput, 206.0, 1e-9); // 203 + mean of 1…5
}

TEST(Import, BringsRunsIntoAWorkspaceOnce)
{
    QTemporaryDir folder;
    write(folder.path() + QStringLiteral("/logs/1n1g/rn50_b128_fp32_1.log"), windows(100));
    const std::string place = (folder.path() + QStringLiteral("/ws")).toStdString();
    const auto preview =
        previewImport((folder.path() + QStringLiteral("/logs")).toStdString(), catalog(), {});
    ASSERT_TRUE(preview.ok());
    auto workspace = Workspace::create(place);
    ASSERT_TRUE(workspace.ok());
    EXPECT_EQ(applyImport(**workspace, *preview, catalog())->imported, 1);
    EXPECT_EQ(applyImport(**workspace, *preview, catalog())->known, 1);
    ASSERT_EQ((*workspace)->runs().size(), 1U);
    const sb::Run &run = (*workspace)->runs().front();
    EXPECT_EQ(run.state, RunState::Done);
    EXPECT_TRUE(QFile::exists(QString::fromStdString((*workspace)->rankLogPath(run.id, 0))));
    EXPECT_EQ((*workspace)->samples(run.id, 0)->size(), 6U);
}

TEST(Import, TakesAPatternForALogOfNoKnownForm)
{
    QTemporaryDir folder;
    QByteArray text;
    for (int step = 1; step <= 12; ++step)
        text += "<" + QByteArray::number(step) + "> zoom=" + QByteArray::number(50 + step) + "\n";
    write(folder.path() + QStringLiteral("/a.log"), text);
    ImportOptions options;
    options.pattern = "<(?P<step>\\d+)> zoom=(?P<rate>\\d+)";
    options.rule = MeasurementRule{2, 10, 1};
    const auto preview = previewImport(folder.path().toStdString(), catalog(), options);
    ASSERT_TRUE(preview.ok());
    ASSERT_TRUE(preview->items.front().good()) << preview->items.front().problem;
    EXPECT_NEAR(preview->items.front().measurement->throughput, 57.5, 1e-9);
    options.pattern = "(a";
    EXPECT_FALSE(previewImport(folder.path().toStdString(), catalog(), options).ok());
    options.pattern = "no group";
    EXPECT_FALSE(previewImport(folder.path().toStdString(), catalog(), options).ok());
}

TEST(Import, ReadsTables)
{
    QTemporaryDir folder;
    write(folder.path() + QStringLiteral("/t.csv"),
          "Framework,Model,Case,Batch size,Throughput\n\"Other, new\",resnet50,2n8g,128,4849.68\n"
          "Other,resnet50,2x8,128,1\nOther,resnet50,1n1g,128,OOM\n");
    const auto preview = previewImport(folder.path().toStdString(), catalog(), {});
    ASSERT_EQ(preview->items.size(), 3U);
    EXPECT_EQ(preview->items[0].key.framework, "Other, new");
    EXPECT_EQ(preview->items[0].key.devices(), 16);
    EXPECT_EQ(preview->items[0].measurement->throughput, 4849.68);
    EXPECT_FALSE(preview->items[1].good());
    EXPECT_FALSE(preview->items[2].good());
    EXPECT_FALSE(previewImport("/nonexistent", catalog(), {}).ok());
}

} // namespace
} // namespace sb
