// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report.h"
#include "core/report_neutral.h"

#include "report_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sb {

namespace {

using test::publishedRuns;

// Everything a reader sees, one piece a line.
std::string allText(const Report &report)
{
    std::string text = report.title + "\n" + report.date + "\n" + report.provenance + "\n";
    for (const ReportSection &section : report.sections) {
        text += section.title + "\n";
        for (const ReportBlock &block : section.blocks) {
            if (const auto *paragraph = std::get_if<ReportParagraph>(&block))
                text += paragraph->text + "\n";
            if (const auto *bullets = std::get_if<ReportBullets>(&block))
                for (const std::string &item : bullets->items)
                    text += item + "\n";
            if (const auto *listing = std::get_if<ReportListing>(&block)) {
                text += listing->title + "\n";
                for (const std::string &line : listing->lines)
                    text += line + "\n";
            }
            if (const auto *figure = std::get_if<ReportFigure>(&block))
                text += figure->title + "\n";
            if (const auto *table = std::get_if<ReportTable>(&block)) {
                text += table->title + "\n";
                for (const ReportColumn &column : table->columns)
                    text += column.title + "\n";
                for (const auto &row : table->rows)
                    for (const ReportCell &cell : row)
                        text += cell.text + "\n";
                for (const std::string &note : table->notes)
                    text += note + "\n";
            }
        }
    }
    return text;
}

const ReportTable &tableOf(const Report &report, const std::string &id)
{
    for (const ReportSection &section : report.sections)
        for (const ReportBlock &block : section.blocks)
            if (const auto *table = std::get_if<ReportTable>(&block); table && table->id == id)
                return *table;
    throw std::runtime_error("no table " + id);
}

ReportOptions inLanguage(ReportLanguage language)
{
    ReportOptions options;
    options.language = language;
    return options;
}

constexpr const char *kGroup = "resnet50-fp32-b128-cuda";

TEST(ReportText, HasEveryPhraseOnceInBothLanguages)
{
    std::size_t count = 0;
    const ReportPhrase *phrases = reportPhrases(&count);
    std::set<std::string_view> keys;
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_FALSE(phrases[i].english.empty()) << phrases[i].key;
        EXPECT_FALSE(phrases[i].chinese.empty()) << phrases[i].key;
        EXPECT_TRUE(keys.insert(phrases[i].key).second) << phrases[i].key;
        for (char place = '1'; place <= '9'; ++place) {
            const std::string mark = std::string("%") + place;
            EXPECT_EQ(phrases[i].english.find(mark) == std::string_view::npos,
                      phrases[i].chinese.find(mark) == std::string_view::npos)
                << phrases[i].key << " " << mark;
        }
    }
}

TEST(ReportText, CountsAndLists)
{
    EXPECT_EQ(reportCount(ReportLanguage::English, "count.run", 1), "1 run");
    EXPECT_EQ(reportCount(ReportLanguage::English, "count.run", 7), "7 runs");
    EXPECT_EQ(reportCount(ReportLanguage::Chinese, "count.run", 7), "7 次运行");
    const std::vector<std::string> three{"A", "B", "C"};
    EXPECT_EQ(reportList(ReportLanguage::English, three), "A, B and C");
    EXPECT_EQ(reportList(ReportLanguage::Chinese, three), "A、B和C");
    EXPECT_EQ(reportText(ReportLanguage::English, "no.such.key"), "<no.such.key>");
}

TEST(Report, NeverShowsAMissingPhrase)
{
    std::vector<sb::Run> runs = publishedRuns(8);
    runs[3].state = RunState::Failed;
    runs[3].measurement.reset();
    for (const ReportLanguage language : {ReportLanguage::English, ReportLanguage::Chinese})
        EXPECT_EQ(allText(buildReport(runs, inLanguage(language))).find('<'), std::string::npos);
}

TEST(Report, TakesItsDateFromTheNewestRun)
{
    std::vector<sb::Run> runs = publishedRuns(2);
    runs[5].finishedUtc = "2021-02-03T04:05:06Z";
    EXPECT_EQ(buildReport(runs, {}).date, "2021-02-03");
}

TEST(Report, DoesNotDependOnTheOrderOfRuns)
{
    std::vector<sb::Run> runs = publishedRuns(4);
    const Report before = buildReport(runs, {});
    std::reverse(runs.begin(), runs.end());
    EXPECT_EQ(buildReport(runs, {}), before);
}

TEST(Report, HasThePublishedNumbersBestFirst)
{
    const Report report = buildReport(publishedRuns(8), {});
    const ReportTable table = tableOf(report, std::string(kGroup) + "-throughput");
    ASSERT_EQ(table.rows.size(), 8U);
    EXPECT_EQ(table.rows[0][0].text, "OneFlow");
    EXPECT_EQ(table.rows[7][0].text, "PaddlePaddle");
    EXPECT_EQ(table.columns[1].title, "1 GPU");
    EXPECT_EQ(table.columns[4].title, "32");
    EXPECT_EQ(table.rows[0][4].text, "12\u202F411.97");
    EXPECT_NEAR(table.rows[0][4].value.value_or(0), 12411.97, 1e-6);
    EXPECT_EQ(table.rows[0][4].runIds.size(), 7U);
    EXPECT_EQ(tableOf(report, std::string(kGroup) + "-speedup").rows[0][3].text, "31.21");
    EXPECT_EQ(tableOf(report, std::string(kGroup) + "-efficiency").rows[0][3].text, "97.5\u00A0%");
    EXPECT_EQ(tableOf(report, std::string(kGroup) + "-epoch").rows[0][4].text, "1\u00A0min 43\u00A0s");
}

TEST(Findings, NameTheFastestWhereIntervalsAreApart)
{
    const Report report = buildReport(publishedRuns(2), {});
    const auto sentences = groupFindings(report.groups.front(), ReportLanguage::English);
    ASSERT_GE(sentences.size(), 2U);
    EXPECT_EQ(sentences[0],
              "At 32 GPUs, OneFlow has the highest throughput: 12\u202F411.97 images/s, 9.5 % more "
              "than NGC MXNet.");
    EXPECT_EQ(sentences[1],
              "OneFlow scales best: efficiency 97.5\u00A0% at 32 GPUs, against 90.3\u00A0% of NGC MXNet.");
}

TEST(Findings, CannotTellWhereIntervalsOverlap)
{
    std::vector<sb::Run> runs = publishedRuns(2);
    for (sb::Run &run : runs)
        if (run.key.framework == "ngc_mxnet" && run.key.devices() == 32)
            run.measurement->throughput *= 12411.97 / 11331.93 * 0.999;
    const Report report = buildReport(runs, {});
    const auto sentences = groupFindings(report.groups.front(), ReportLanguage::English);
    EXPECT_NE(sentences.at(0).find("cannot be told"), std::string::npos) << sentences.at(0);
    const auto chinese = groupFindings(report.groups.front(), ReportLanguage::Chinese);
    EXPECT_NE(chinese.at(0).find("无法判断"), std::string::npos) << chinese.at(0);
}

TEST(Findings, CannotTellFromSingleRuns)
{
    const Report report = buildReport(publishedRuns(3, 1), {});
    const auto sentences = groupFindings(report.groups.front(), ReportLanguage::English);
    EXPECT_NE(sentences.at(0).find("Without repeats"), std::string::npos) << sentences.at(0);
    EXPECT_NE(sentences.at(1).find("without repeats"), std::string::npos) << sentences.at(1);
}

TEST(Findings, SayThatFiveRepeatsAreTooFew)
{
    const Report report = buildReport(publishedRuns(2, 5), {});
    const auto sentences = groupFindings(report.groups.front(), ReportLanguage::English);
    EXPECT_EQ(sentences.back(), "5 repeats give an interval of 93.8\u00A0%; six or more give 95 %.");
}

TEST(Report, GivesNoSpeedupWithoutBaselineAndSaysWhy)
{
    std::vector<sb::Run> runs = publishedRuns(2);
    std::erase_if(runs, [](const sb::Run &run) { return run.key.devices() == 1; });
    const Report report = buildReport(runs, {});
    EXPECT_THROW(tableOf(report, std::string(kGroup) + "-speedup"), std::runtime_error);
    EXPECT_NE(allText(report).find("no speedup, because the run on one GPU is missing"), std::string::npos);
}

TEST(Report, ListsRunsWithoutResultAndTheirReason)
{
    std::vector<sb::Run> runs = publishedRuns(1);
    runs[2].state = RunState::Failed;
    runs[2].measurement.reset();
    runs[2].reason = "rank 3 on node1 ended with status 137";
    const Report report = buildReport(runs, {});
    const ReportTable table = tableOf(report, "problems");
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0][1].text, "failed");
    EXPECT_EQ(table.rows[0][2].text, "rank 3 on node1 ended with status 137");
    EXPECT_EQ(table.rows[0][3].text, runs[2].id);
}

TEST(Report, NamesEveryRunWithCommandAndLog)
{
    const std::vector<sb::Run> runs = publishedRuns(1);
    const std::string text = allText(buildReport(runs, {}));
    for (const sb::Run &run : runs) {
        EXPECT_NE(text.find(run.id), std::string::npos);
        EXPECT_NE(text.find("logs/" + run.id + "/rank0.log"), std::string::npos);
    }
    EXPECT_NE(text.find("python3 train.py --batch-size 128"), std::string::npos);
}

TEST(Report, TakesSectionsInTheAskedOrder)
{
    const std::vector<sb::Run> runs = publishedRuns(1);
    ReportOptions options;
    options.sections = {{"problems", "no such section", "method"}};
    const Report report = buildReport(runs, options);
    ASSERT_EQ(report.sections.size(), 2U);
    EXPECT_EQ(report.sections[0].id, "problems");
    EXPECT_EQ(report.sections[1].id, "method");
    const auto names = reportSections(runs, ReportLanguage::Chinese);
    EXPECT_EQ(names.size(), 8U);
    EXPECT_EQ(names[4].id, std::string("group:") + kGroup);
    EXPECT_EQ(names[4].title, "ResNet-50 v1.5，FP32，每卡批大小 128");
}

TEST(Report, MarksSimulatedData)
{
    std::vector<sb::Run> runs = publishedRuns(1);
    for (sb::Run &run : runs)
        run.simulated = true;
    const Report report = buildReport(runs, {});
    EXPECT_TRUE(report.simulated);
    EXPECT_TRUE(tableOf(report, std::string(kGroup) + "-throughput").simulated);
    EXPECT_NE(allText(report).find("SIMULATED"), std::string::npos);
}

TEST(Report, SaysThatThereIsNothingYet)
{
    const Report report = buildReport({}, {});
    EXPECT_NE(allText(report).find("No run has been measured yet."), std::string::npos);
    EXPECT_TRUE(report.date.empty());
}

TEST(Environment, GroupsNodesByWhatTheySay)
{
    std::vector<sb::Run> runs = publishedRuns(1);
    for (sb::Run &run : runs)
        for (NodeFacts &node : run.nodeFacts)
            if (node.name == "node4")
                node.driverVersion = "450.80.02";
    const ReportTable table = tableOf(buildReport(runs, {}), "environment");
    const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                  [](const auto &cells) { return cells[0].text == "GPU driver"; });
    ASSERT_NE(row, table.rows.end());
    EXPECT_EQ((*row)[1].text, "440.33.01 (node1, node2 and node3); 450.80.02 (node4)");
}

TEST(Neutral, ReplacesNamesAddressesAndHomeFolders)
{
    Neutral neutral(std::map<std::string, std::string>{{"gpu-box7", "node1"}});
    EXPECT_EQ(neutral.text("ssh gpu-box7 (10.1.2.3), 10.1.2.4 and 10.1.2.3; cd /home/ann/run; v1.2.3 of "
                           "gpu-box70"),
              "ssh node1 (192.0.2.1), 192.0.2.2 and 192.0.2.1; cd /home/user/run; v1.2.3 of gpu-box70");
    EXPECT_EQ(neutral.text("127.0.0.1 300.1.1.1 1.2.3.4.5"), "127.0.0.1 300.1.1.1 1.2.3.4.5");
}

TEST(Neutral, ReplacesUsersAndIpv6Addresses)
{
    std::vector<sb::Run> runs = publishedRuns(1);
    runs.front().remoteFolders = {"/home/annika/.local/state/scaleboard/runs/x"};
    Neutral neutral(runs);
    EXPECT_EQ(neutral.text("user annika, bob@node2, bob@10.0.0.7, carl@example"),
              "user user, user@node2, user@192.0.2.1, carl@example");
    EXPECT_EQ(
        neutral.text("fe80::1c2d:3eff:fe4f:5a6b%eth0 [2a02:8070::5]:29500, ::1, fe80::1c2d:3eff:fe4f:5a6b"),
        "2001:db8::1%eth0 [2001:db8::2]:29500, ::1, 2001:db8::1");
    const std::string once = neutral.text("node2 2a02:8070::5 10.0.0.9 /home/annika/x");
    EXPECT_EQ(neutral.text(once), once);
    EXPECT_EQ(neutral.text("12:34:56 02:42:ac:11:00:02 std::vector a:b"),
              "12:34:56 02:42:ac:11:00:02 std::vector a:b");
}

TEST(Neutral, LeavesNoRealNameInTheReport)
{
    std::vector<sb::Run> runs = publishedRuns(1);
    for (sb::Run &run : runs) {
        for (std::string &host : run.hosts)
            host = "vs-" + host;
        for (NodeFacts &node : run.nodeFacts)
            node.name = "vs-" + node.name;
        run.commands.front() += " --master vs-node1";
    }
    ReportOptions options;
    options.neutralNames = true;
    EXPECT_EQ(allText(buildReport(runs, options)).find("vs-node"), std::string::npos);
}

} // namespace

} // namespace sb
