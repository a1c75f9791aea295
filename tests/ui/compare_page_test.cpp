// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/painted_figure.h"
#include "charts/scaling_chart.h"
#include "page_desk.h"
#include "pages/compare_models.h"
#include "pages/compare_page.h"
#include "pages/figure_dialog.h"
#include "pages/scaling_page.h"
#include "pages/scaling_table.h"
#include "session/bundle.h"
#include "store/workspace.h"
#include "ui_support.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

namespace sb {

namespace {

const QString kOneFlow = QStringLiteral("OneFlow 0.1.9 · ResNet-50 v1.5 FP32 · 128 · 2020-10 · 28 runs");
const QString kMxnet =
    QStringLiteral("NGC MXNet 1.6.0 · ResNet-50 v1.5 FP32 · 128 · DALI · 2020-10 · 42 runs");

class ComparePageTest : public test::PageTest<ComparePage> {};

TEST_F(ComparePageTest, OffersPublishedResultsWhenThereIsNothing)
{
    show();
    EXPECT_FALSE(page.caseTable()->isVisible());
    EXPECT_FALSE(page.verdict());
    test::picture(page, QStringLiteral("compare-empty"));
    page.setPublishedShown(true);
    EXPECT_TRUE(page.caseTable()->isVisible());
    EXPECT_GT(page.sideA()->count(), 100);
}

TEST_F(ComparePageTest, SaysWhoIsFasterAtEachScale)
{
    show();
    page.setPublishedShown(true);
    ASSERT_TRUE(page.choose(kOneFlow, kMxnet));
    const auto *cases = static_cast<const CaseTableModel *>(page.caseTable()->model());
    ASSERT_EQ(cases->rowCount(), 4);
    EXPECT_EQ(page.verdict(), Verdict::Faster);
    EXPECT_EQ(cases->index(0, CaseTableModel::Ratio).data().toString(), QStringLiteral("0.981"));
    EXPECT_TRUE(cases->index(0, CaseTableModel::VerdictColumn)
                    .data()
                    .toString()
                    .startsWith(QStringLiteral("▼ slower")));
    EXPECT_TRUE(page.sentence().startsWith(QStringLiteral("OneFlow is faster than NGC MXNet by 3.3")))
        << page.sentence().toStdString();
    test::picture(page, QStringLiteral("compare-published"));
}

TEST_F(ComparePageTest, RefusesUnlikeWorkUntilAskedAndThenMarksIt)
{
    show();
    page.setPublishedShown(true);
    const QString v1b = QStringLiteral("MXNet 1.6.0 · ResNet-50 v1b FP32 · 128 · 2020-10 · 30 runs");
    ASSERT_TRUE(page.choose(v1b, kMxnet));
    EXPECT_FALSE(page.verdict());
    EXPECT_TRUE(page.sentence().contains(QStringLiteral("Workload (resnet50-v1b against resnet50)")))
        << page.sentence().toStdString();
    test::picture(page, QStringLiteral("compare-refused"));
    page.anyway()->setChecked(true);
    EXPECT_TRUE(page.verdict());
    EXPECT_TRUE(page.caseTable()->model()->index(0, 0).data().toString().endsWith(QStringLiteral("†")));
    test::picture(page, QStringLiteral("compare-anyway"));
}

TEST_F(ComparePageTest, ComparesOnesOwnCurves)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(3, 7)));
    show();
    EXPECT_EQ(page.sideA()->count(), 3);
    EXPECT_TRUE(page.verdict());
    for (const bool chinese : {false, true}) {
        desk.speak(chinese);
        for (const bool dark : {false, true}) {
            desk.useTheme(dark);
            QTest::qWait(60);
            const QStringList cut = test::cutTexts(page);
            EXPECT_TRUE(cut.isEmpty()) << cut.join(QStringLiteral("; ")).toStdString();
            test::picture(page, QStringLiteral("compare-own-%1-%2")
                                    .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                    .arg(chinese ? QStringLiteral("zh") : QStringLiteral("en")));
        }
    }
}

class HistoryPage : public test::PageTest<ComparePage> {
protected:
    // The same case on three days; on the third it is 5 % slower.
    static std::vector<sb::Run> runsOf(const std::string &day, double share)
    {
        std::vector<sb::Run> runs = test::publishedRuns(2);
        for (sb::Run &run : runs) {
            run.planName = "nightly";
            run.id = day + run.id.substr(8);
            run.createdUtc =
                day.substr(0, 4) + "-" + day.substr(4, 2) + "-" + day.substr(6, 2) + "T01:00:00Z";
            run.startedUtc = run.finishedUtc = run.createdUtc;
            run.measurement->throughput *= share;
        }
        return runs;
    }
};

TEST_F(HistoryPage, ShowsACaseOverTimeAndWhatChanged)
{
    std::vector<sb::Run> runs = runsOf("20201015", 1);
    for (const auto &[day, share] : {std::pair("20201016", 1.001), std::pair("20201017", 0.95)})
        for (sb::Run &run : runsOf(day, share))
            runs.push_back(std::move(run));
    ASSERT_TRUE(desk.open(runs));
    show();
    page.setHistoryShown(true);
    ASSERT_EQ(page.historyTable()->rowCount(), 6); // of A and of B
    EXPECT_EQ(page.historyTable()->item(0, 1)->text(), QStringLiteral("2020-10-15"));
    EXPECT_EQ(page.historyTable()->item(1, 5)->text(), QStringLiteral("1.001"));
    EXPECT_EQ(page.historyTable()->item(1, 6)->text(), QStringLiteral("＝ the same"));
    EXPECT_EQ(page.historyTable()->item(2, 6)->text(), QStringLiteral("▼ slower"));
    for (const bool chinese : {false, true}) {
        desk.speak(chinese);
        QTest::qWait(60);
        const QStringList cut = test::cutTexts(page);
        EXPECT_TRUE(cut.isEmpty()) << cut.join(QStringLiteral("; ")).toStdString();
        test::picture(page,
                      chinese ? QStringLiteral("compare-history-zh") : QStringLiteral("compare-history-en"));
    }
}

TEST_F(HistoryPage, TakesOtherWorkspacesAndBundlesAlong)
{
    ASSERT_TRUE(desk.open(runsOf("20201015", 1)));
    const std::string other = desk.folder(QStringLiteral("later")).toStdString();
    const std::string bundle = desk.folder(QStringLiteral("later.tar.zst")).toStdString();
    {
        auto workspace = Workspace::create(other);
        ASSERT_TRUE(workspace);
        for (const sb::Run &run : runsOf("20201101", 0.9))
            ASSERT_TRUE((*workspace)->saveRun(run));
        ASSERT_TRUE(writeBundle(bundleSource(**workspace), bundle, {}));
    }
    show();
    for (const std::string &path : {other, bundle}) {
        const auto wrong = page.addOther(QString::fromStdString(path));
        ASSERT_FALSE(wrong) << wrong->toStdString();
        EXPECT_EQ(page.sideA()->count(), 4); // the second is of the same name and takes its place
    }
    page.setHistoryShown(true);
    EXPECT_EQ(page.historyTable()->rowCount(), 4);
    EXPECT_EQ(page.historyTable()->item(1, 6)->text(), QStringLiteral("▼ slower"));
    const auto wrong = page.addOther(desk.folder(QStringLiteral("nothing")));
    ASSERT_TRUE(wrong);
    EXPECT_TRUE(wrong->contains(QStringLiteral("nothing"))) << wrong->toStdString();
}

TEST_F(HistoryPage, ExportsFiguresAndAddsToTheReport)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(2)));
    show();
    const auto figures = page.figures();
    ASSERT_EQ(figures.size(), 1u);
    FigureDialog dialog(figures, desk.folder(QStringLiteral("figures")));
    EXPECT_EQ(dialog.exportFiles(), QString());
    for (const char *suffix : {"png", "svg"})
        EXPECT_GT(QFile(desk.folder(QStringLiteral("figures/compare-resnet50-fp32-b128-4n8g.%1")
                                        .arg(QLatin1String(suffix))))
                      .size(),
                  1000);
    for (const FigureFormat format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
        const auto once = exportDrawing(drawingOf(*figures[0].painted, {}), format);
        ASSERT_TRUE(once);
        EXPECT_EQ(*once, *exportDrawing(drawingOf(*figures[0].painted, {}), format)); // the same bytes again
    }
    const std::string folder = desk.session().workspaceFolder();
    ASSERT_TRUE(page.reportButton()->isEnabled());
    page.reportButton()->click();
    EXPECT_TRUE(page.reportButton()->isChecked());
    ASSERT_EQ(readKeptComparisons(folder)->size(), 1u);
    page.reportButton()->click();
    EXPECT_TRUE(readKeptComparisons(folder)->empty());
}

class PublishedOnScaling : public test::PageTest<ScalingPage> {};

TEST_F(PublishedOnScaling, ShowsTheEightFrameworksOfTheReportWithoutAWorkspace)
{
    show();
    page.setPublishedShown(true);
    ASSERT_TRUE(page.chooseGroup(QStringLiteral("resnet50-fp32-b128-cuda-real")));
    QAbstractItemModel *model = page.table()->model();
    ASSERT_EQ(model->rowCount(), 8);
    EXPECT_EQ(model->index(0, 0).data().toString(), QStringLiteral("OneFlow 2020-10"));
    EXPECT_EQ(model->index(0, 7).data().toString(), QStringLiteral("31.21"));
    EXPECT_EQ(model->index(0, model->columnCount() - 2).data().toString(), QStringLiteral("—")); // runs
    test::picture(page, QStringLiteral("scaling-published-8"));
    page.chooseFit(ScalingPage::Fit::Amdahl);
    QTest::qWait(60);
    test::picture(page, QStringLiteral("scaling-published-8-amdahl"));
    EXPECT_GE(page.throughputChart()->figure().fits.size(), 4u);
    const auto serialColumn = model->columnCount() - 5;
    EXPECT_TRUE(model->index(0, serialColumn).data().toString().startsWith(QStringLiteral("0.000")));
    page.chooseFit(ScalingPage::Fit::Usl);
    EXPECT_TRUE(page.throughputChart()->figure().fits.empty()); // four scales are too few for it
    EXPECT_EQ(model->index(0, model->columnCount() - 6).data().toString(),
              QStringLiteral("not identifiable"));
    ASSERT_TRUE(page.chooseGroup(QStringLiteral("resnet50-fp16-b256-cuda-real")));
    test::picture(page, QStringLiteral("scaling-published-amp"));
}

class OverlayOnScaling : public PublishedOnScaling, public testing::WithParamInterface<int> {};

TEST_P(OverlayOnScaling, LaysTheReportOverOnesOwnCurves)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(GetParam(), 7)));
    show();
    page.chooseFit(ScalingPage::Fit::Amdahl);
    QTest::qWait(60);
    test::picture(page, QStringLiteral("scaling-fit-%1").arg(GetParam()));
    page.setPublishedShown(true);
    QTest::qWait(60);
    std::size_t published = 0;
    for (const ScalingCurve &curve : page.throughputChart()->figure().curves)
        published += curve.published.empty() ? 0 : 1;
    EXPECT_EQ(published, 7u);
    test::picture(page, QStringLiteral("scaling-overlay-%1").arg(GetParam()));
    page.setPublishedShown(false);
    EXPECT_EQ(page.table()->model()->rowCount(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(OneThreeEight, OverlayOnScaling, testing::Values(1, 3, 8));

} // namespace

} // namespace sb
