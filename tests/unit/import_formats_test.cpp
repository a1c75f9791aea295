// SPDX-License-Identifier: GPL-3.0-or-later
// What else than logs of training can be imported: files of results, tables, benchmarks of links, MLPerf
// logs.
#include "catalog/mlperf_log.h"
#include "session/import.h"
#include "session/link_files.h"

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

class ImportFormats : public ::testing::Test {
protected:
    void write(const char *name, const QByteArray &text)
    {
        const QString path = folder.path() + QLatin1Char('/') + QLatin1String(name);
        QDir().mkpath(QFileInfo(path).absolutePath());
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    ImportPreview preview(const ImportOptions &options = {})
    {
        auto made = previewImport(folder.path().toStdString(), catalog(), options);
        EXPECT_TRUE(made.ok());
        return made ? *made : ImportPreview();
    }

    // The problem of the only item.
    std::string problem(const ImportOptions &options = {})
    {
        const ImportPreview made = preview(options);
        return made.items.size() == 1 ? made.items[0].problem : std::to_string(made.items.size()) + " items";
    }

    QTemporaryDir folder;
};

TEST_F(ImportFormats, TakesTheResultsThatTheReportsScriptsWrite)
{
    write(
        "tensorflow2/rn50_fp16_result.json",
        "{\"rn50\": {\"1n1g\": {\"average_speed\": 322.1, \"batch_size_per_device\": 128, \"median_speed\": "
        "321.8, \"speedup\": 1.0},\n \"4n8g\": {\"average_speed\": 9400.5, \"batch_size_per_device\": 128,\n"
        "  \"median_speed\": 9418.44, \"speedup\": 29.27},\n \"4x8\": {\"median_speed\": 1.0},\n"
        " \"1n8g\": {\"median_speed\": 0}}}\n");
    const ImportPreview made = preview();
    ASSERT_EQ(made.items.size(), 4U);
    const ImportItem &large = made.items[1];
    ASSERT_TRUE(large.good()) << large.problem;
    EXPECT_EQ(large.measurement->throughput, 9418.44);
    EXPECT_EQ(large.key.framework, "tensorflow2");
    EXPECT_EQ(large.key.workload, "resnet50");
    EXPECT_EQ(large.key.precision, "fp16");
    EXPECT_EQ(large.key.batchSizePerDevice, 128);
    EXPECT_EQ(large.key.devices(), 32);
    EXPECT_EQ(large.unit, "images");
    EXPECT_EQ(made.items[2].problem, "line 4: the case \"4x8\" is not of the form 2n8g");
    EXPECT_NE(made.items[3].problem.find("line 5: "), std::string::npos) << made.items[3].problem;
}

TEST_F(ImportFormats, NamesTheLineOfABrokenFileOfResults)
{
    write("r.json", "{\"rn50\":\n {\"1n1g\": {\"median_speed\": 1.0,}}}");
    EXPECT_NE(problem().find("r.json, line 2"), std::string::npos) << problem();
}

TEST_F(ImportFormats, GuessesTheColumnsOfATable)
{
    write("t.csv", "\xEF\xBB\xBFLibrary;Network;GPUs;Batch size;Throughput (tokens/s)\r\n"
                   "Some;gpt;16;32;1234.5\r\n\"Two\nlines\";gpt;8;32;600\r\n");
    const ImportPreview made = preview();
    ASSERT_EQ(made.items.size(), 2U);
    ASSERT_TRUE(made.items[0].good()) << made.items[0].problem;
    EXPECT_EQ(made.items[0].key.framework, "Some");
    EXPECT_EQ(made.items[0].key.devices(), 16);
    EXPECT_EQ(made.items[0].key.batchSizePerDevice, 32);
    EXPECT_EQ(made.items[0].unit, "tokens");
    EXPECT_EQ(made.items[0].measurement->throughput, 1234.5);
    EXPECT_EQ(made.items[1].key.framework, "Two\nlines");
    ASSERT_TRUE(made.table);
    EXPECT_EQ(made.table->separator, ';');
    EXPECT_EQ(made.table->columns.at("throughput"), 4U);
    EXPECT_EQ(made.table->rows.size(), 2U);
}

TEST_F(ImportFormats, TakesTheColumnsThatTheUserNames)
{
    write("t.csv", "1,300.5,x\n8,2400,y\n");
    EXPECT_EQ(problem(), "no column gives the throughput; its columns are 1, 2, 3");
    ImportOptions options;
    options.columns = {{"throughput", "2"}, {"devices", "1"}};
    const ImportPreview made = preview(options);
    ASSERT_EQ(made.items.size(), 2U); // the first line is no header
    EXPECT_EQ(made.items[1].measurement->throughput, 2400);
    EXPECT_EQ(made.items[1].key.devicesPerNode, 8);
    options.columns["throughput"] = "Speed";
    EXPECT_EQ(problem(options), "it has no column \"Speed\"; its columns are 1, 2, 3");
}

TEST_F(ImportFormats, SaysWhatIsWrongWithATableAndWhere)
{
    write("t.csv", "throughput,nodes,devices\n10,3,8\n11,two,8\n\"12,1,1\n");
    const ImportPreview made = preview();
    ASSERT_EQ(made.items.size(), 3U);
    EXPECT_EQ(made.items[0].problem, "line 2: 8 devices cannot be spread evenly over 3 nodes");
    EXPECT_EQ(made.items[1].problem, "line 3: the nodes \"two\" is no count");
    EXPECT_EQ(made.items[2].problem, "line 4: a quote is not closed");
    write("t.csv", "throughput,case\n10,65536n65536g\n"); // 2^32 devices
    EXPECT_EQ(problem(), "line 2: the case \"65536n65536g\" is not of the form 2n8g");
    write("t.csv", "throughput,nodes,gpus per node,batch\n10,65536,65536,2\n11,1000,1000,999999999\n");
    const ImportPreview large = preview();
    ASSERT_EQ(large.items.size(), 2U);
    EXPECT_EQ(large.items[0].problem, "line 2: 65536 nodes of 65536 devices are more than any cluster has");
    EXPECT_EQ(large.items[1].problem, "");
    EXPECT_NEAR(large.items[1].measurement->stepTimeMs, 999999999e6 / 11 * 1000, 1);
    write("t.csv", "PK\x03\x04zip");
    EXPECT_NE(problem().find("XLSX"), std::string::npos);
    write("t.csv", "");
    EXPECT_EQ(problem(), "it is empty");
}

// Two ranks on two devices, as all_reduce_perf prints it.
QByteArray ncclTests()
{
    QByteArray text =
        "# nThread 1 nGpus 1 minBytes 1048576 maxBytes 1073741824 step: 4(factor)\n#\n"
        "# Using devices\n"
        "#  Rank  0 Group  0 Pid   4242 on      node1 device  0 [0x07] A Card\n"
        "#  Rank  1 Group  0 Pid   4243 on      node1 device  1 [0x0b] A Card\n#\n"
        "#                                                              out-of-place             "
        "          in-place\n"
        "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
        "time   algbw   busbw #wrong\n"
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
        "(us)  (GB/s)  (GB/s)\n";
    for (qint64 bytes = 1 << 20; bytes <= 1 << 30; bytes *= 4) {
        const double us = 20 + static_cast<double>(bytes) / 20e3; // 20 GB/s and 20 µs
        const double gbps = static_cast<double>(bytes) / us / 1e3;
        text +=
            QString::asprintf("%12lld %13lld     float     sum      -1 %8.2f %7.2f %7.2f      0 %8.2f %7.2f "
                              "%7.2f      0\n",
                              static_cast<long long>(bytes), static_cast<long long>(bytes / 4), us, gbps,
                              gbps, us, gbps, gbps)
                .toLatin1();
    }
    return text + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 15.0\n";
}

TEST_F(ImportFormats, BringsBenchmarksOfLinksIntoTheWorkspace)
{
    write("logs/nccl.txt", ncclTests());
    write("logs/rn50_b128_fp32_1.csv", "throughput\n100\n");
    QFile::copy(QStringLiteral(SCALEBOARD_SOURCE "/tests/data/topology/nvbandwidth.json"),
                folder.path() + QStringLiteral("/logs/nvbandwidth.json"));
    QFile::copy(QStringLiteral(SCALEBOARD_SOURCE "/tests/data/topology/nvbandwidth.txt"),
                folder.path() + QStringLiteral("/logs/nvbandwidth.txt"));
    const ImportPreview made =
        *previewImport((folder.path() + QStringLiteral("/logs")).toStdString(), catalog(), {});
    ASSERT_EQ(made.items.size(), 4U);
    for (const ImportItem &item : made.items)
        EXPECT_TRUE(item.good()) << item.path << ": " << item.problem;
    EXPECT_FALSE(made.items[0].isRun());
    EXPECT_EQ(made.items[0].links, "nccl-tests: 6 sizes over 2 ranks, up to 20.0 GB/s");
    auto workspace = Workspace::create((folder.path() + QStringLiteral("/ws")).toStdString());
    ASSERT_TRUE(workspace.ok());
    const auto report = applyImport(**workspace, made, catalog());
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->links, 3);
    EXPECT_EQ(report->imported, 1);
    EXPECT_EQ(applyImport(**workspace, made, catalog())->known, 4);
    const auto files = linkFiles((*workspace)->folder());
    ASSERT_EQ(files.size(), 3U);
    int collectives = 0, rates = 0;
    for (const LinkFile &file : files) {
        collectives += file.collective ? 1 : 0;
        rates += file.rates && file.rates->links.size() > 1 ? 1 : 0;
        if (file.collective) {
            EXPECT_NEAR(fitCommunication(*file.collective).busGBps.value, 20, 0.5);
        }
    }
    EXPECT_EQ(collectives, 1);
    EXPECT_EQ(rates, 3);
}

QByteArray mllog(qint64 ms, const char *key, const char *value, const char *more = "")
{
    return QStringLiteral(
               ":::MLLOG {\"namespace\": \"\", \"time_ms\": %1, \"event_type\": \"INTERVAL\", \"key\": "
               "\"%2\", \"value\": %3, \"metadata\": {\"file\": \"train.py\", \"lineno\": 7%4}}\n")
        .arg(ms)
        .arg(QLatin1String(key), QLatin1String(value), QLatin1String(more))
        .toUtf8();
}

TEST_F(ImportFormats, DerivesTheThroughputOfAnMlperfLogFromItsTimeStamps)
{
    QByteArray text = mllog(1000, "global_batch_size", "3072") + mllog(1001, "train_samples", "120000");
    for (int epoch = 1; epoch <= 6; ++epoch) {
        text += mllog(epoch * 100000, "epoch_start", "null",
                      (", \"epoch_num\": " + std::to_string(epoch)).c_str());
        text += mllog(epoch * 100000 + 60000, "epoch_stop", "null");
    }
    text += mllog(900000, "epoch_start", "null"); // has no end
    write("result_0.txt", text);
    const ImportPreview made = preview();
    ASSERT_EQ(made.items.size(), 1U);
    ASSERT_TRUE(made.items[0].good()) << made.items[0].problem;
    EXPECT_EQ(made.items[0].format, "mlperf");
    EXPECT_EQ(made.items[0].values, 6U);
    EXPECT_EQ(made.items[0].facts.globalBatchSize, 3072);
    EXPECT_NEAR(made.items[0].measurement->throughput, 2000, 1e-6); // 120 000 samples in 60 s
}

TEST_F(ImportFormats, OverflowsOnNoNumberOfAnMlperfLog)
{
    QByteArray text = mllog(1, "train_samples", "9223372036854775807");
    for (int epoch = 1; epoch <= 6; ++epoch)
        text += mllog(epoch * 100000, "epoch_start", "null", ", \"epoch_count\": 9223372036854775807") +
                mllog(epoch * 100000 + 60000, "epoch_stop", "null");
    write("result_0.txt", text);
    EXPECT_EQ(preview().items.front().values, 6U);
}

TEST_F(ImportFormats, TakesTheThroughputThatAnMlperfLogPrints)
{
    QByteArray text;
    for (int i = 1; i <= 12; ++i)
        text += mllog(1000 * i, "tracked_stats",
                      ("{\"loss\": 1.5, \"throughput\": " + std::to_string(500 + i) + ".5}").c_str(),
                      (", \"step\": " + std::to_string(10 * i)).c_str());
    write("result_0.txt", text);
    const ImportPreview made = preview();
    ASSERT_TRUE(made.items[0].good()) << made.items[0].problem;
    EXPECT_EQ(made.items[0].values, 12U);
    EXPECT_GT(made.items[0].measurement->throughput, 500);
}

TEST_F(ImportFormats, ShowsWhatAPatternTakes)
{
    QByteArray text = "some words\n";
    for (int step = 1; step <= 12; ++step)
        text += "<" + QByteArray::number(step) + "> zoom=" + QByteArray::number(50 + step) + "\r\n";
    write("a.log", text);
    ImportOptions options;
    options.trial = true;
    ImportPreview made = preview(options);
    ASSERT_TRUE(made.trial);
    EXPECT_EQ(made.trial->matched, 0);
    EXPECT_EQ(made.trial->lines[0].text, "some words");
    options.pattern = "<(?P<step>\\d+)> zoom=(?P<rate>\\d+)";
    made = preview(options);
    EXPECT_EQ(made.trial->matched, 12);
    EXPECT_EQ(made.trial->numbers.front(), "51");
    const TrialLine &line = made.trial->lines[1];
    EXPECT_EQ(line.rate.of(line.text), "51");
    EXPECT_EQ(line.step.of(line.text), "1");
    EXPECT_EQ(line.match.of(line.text), "<1> zoom=51");
    // Patterns that make other engines run for ages take linear time.
    options.pattern = "(?P<rate>(a*)*b|zoom=(\\d+)+)$";
    EXPECT_EQ(preview(options).trial->matched, 12);
}

} // namespace
} // namespace sb
