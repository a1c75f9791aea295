// SPDX-License-Identifier: GPL-3.0-or-later
// Strong scaling, losses, utilisation, communication and steps of a run, from the scaling page.
#include "charts/painted_figure.h"
#include "charts/scaling_chart.h"
#include "page_desk.h"
#include "pages/comm_menu.h"
#include "pages/run_details.h"
#include "pages/scaling_page.h"
#include "pages/scaling_table.h"
#include "ui_support.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

// The whole work, 4096 images a step, on 1, 8, 16 and 32 devices.
std::vector<sb::Run> strongRuns(bool withOne)
{
    std::vector<sb::Run> runs = test::publishedRuns(2);
    if (!withOne)
        std::erase_if(runs, [](const sb::Run &run) { return run.key.devices() == 1; });
    for (sb::Run &run : runs) {
        run.key.batchSizePerDevice = 4096 / run.key.devices();
        run.caseName = caseId(run.key);
        run.id += "-strong";
        run.measurement->stepTimeMs = 4096e3 / run.measurement->throughput;
    }
    return runs;
}

// Steps whose parts are known: rank 5 of larger runs works 12 ms longer than the others, who wait for it.
std::vector<Sample> stepsOf(const sb::Run &run, int rank)
{
    const bool alone = run.key.devices() == 1;
    const double stepMs = run.measurement->stepTimeMs;
    const double commMs = alone ? 0 : 4;
    const double slow = !alone && rank == 5 ? 12 : 0;
    std::vector<Sample> samples;
    double timeS = 0;
    for (int step = 1; step <= 120; ++step) {
        Sample sample;
        sample.rank = rank;
        sample.step = step;
        sample.stepTimeMs = stepMs + 0.4 * std::sin(step * 1.7) + (step == 70 ? 60 : 0);
        sample.timeS = timeS += *sample.stepTimeMs / 1000;
        sample.samples = std::int64_t{run.key.batchSizePerDevice} * run.key.devices();
        sample.commTimeMs = commMs + (alone || rank == 5 ? 0 : 12);
        sample.dataTimeMs = alone ? 1 : 3;
        sample.computeTimeMs = stepMs - commMs - (alone ? 1 : 15) + slow + 0.1 * std::cos(step * (rank + 2));
        samples.push_back(sample);
    }
    return samples;
}

class AnalysisPage : public test::PageTest<ScalingPage> {
protected:
    QString header(int fromEnd) const
    {
        const QAbstractItemModel *model = table()->model();
        return model->headerData(model->columnCount() - fromEnd, Qt::Horizontal, Qt::DisplayRole).toString();
    }
    QString cell(int row, int fromEnd) const
    {
        const QAbstractItemModel *model = table()->model();
        return model->index(row, model->columnCount() - fromEnd).data().toString();
    }
    QTableView *table() const { return const_cast<ScalingPage &>(page).table(); }
    // A picture in each language and theme, and a look whether any text is cut.
    void pictures(const QString &name)
    {
        for (const bool chinese : {false, true}) {
            desk.speak(chinese);
            for (const bool dark : {false, true}) {
                desk.useTheme(dark);
                QTest::qWait(60);
                const QStringList cut = test::cutTexts(page);
                EXPECT_TRUE(cut.isEmpty()) << cut.join(QStringLiteral("; ")).toStdString();
                test::picture(page, QStringLiteral("%1-%2-%3")
                                        .arg(name, dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                             chinese ? QStringLiteral("zh") : QStringLiteral("en")));
            }
        }
        desk.speak(false);
        desk.useTheme(false);
    }
};

TEST_F(AnalysisPage, ShowsStrongScalingAgainstTheWholeBatchOnOneDevice)
{
    ASSERT_TRUE(desk.open(strongRuns(true)));
    show();
    ASSERT_TRUE(page.hasStrong());
    page.setStrong(true);
    ASSERT_TRUE(page.chooseGroup(QStringLiteral("resnet50-fp32-global4096-cuda")));
    const ScalingFigure &figure = page.speedupChart()->figure();
    ASSERT_EQ(figure.curves.size(), 2u);
    ASSERT_EQ(figure.curves[0].points.size(), 4u);
    EXPECT_NEAR(*figure.curves[0].points.back().speedup, 12411.97 / 397.64, 1e-9);
    const auto figures = page.figures();
    EXPECT_EQ(figures[1].figure.texts.title,
              QStringLiteral("ResNet-50 v1.5, FP32, global batch 4096, strong scaling"));
    EXPECT_TRUE(figures[1].fileStem.startsWith(QStringLiteral("resnet50-fp32-global4096-cuda-speedup")));
    pictures(QStringLiteral("scaling-strong"));
    page.setStrong(false);
    EXPECT_EQ(page.speedupChart()->figure().curves[0].points.size(), 1u); // each batch was run at one scale
}

TEST_F(AnalysisPage, HasNoStrongSpeedupWithoutThatRun)
{
    ASSERT_TRUE(desk.open(strongRuns(false)));
    show();
    page.setStrong(true);
    EXPECT_FALSE(page.speedupChart()->figure().curves[0].points.back().speedup);
    EXPECT_TRUE(page.note().contains(QStringLiteral("the whole batch was not run on 1 device")))
        << page.note().toStdString();
}

TEST_F(AnalysisPage, OffersStrongScalingOnlyWhereItWasMeasured)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(1)));
    show();
    EXPECT_FALSE(page.hasStrong());
    page.setStrong(true);
    EXPECT_EQ(page.speedupChart()->figure().curves[0].points.size(), 4u); // weak, as before
}

TEST_F(AnalysisPage, SaysWhereTheLossGoesWithItsEvidence)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(1), stepsOf));
    show();
    page.chooseRight(ScalingPage::Right::Loss);
    const QString text = page.evidence();
    // A step takes 321.9 ms alone and 330.0 ms on 32 devices.
    EXPECT_TRUE(text.startsWith(
        QStringLiteral("32 GPUs: a step takes 330.00 ms, 8.10 ms more than one device alone")))
        << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Communication: 4.00 ms"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("the median rank waits 1.00 → 3.00 ms for input")))
        << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("rank 5 works"))) << text.toStdString();
    QTest::qWait(60);
    pictures(QStringLiteral("scaling-loss"));
    // Another bar, another scale.
    auto *chart = page.findChild<PaintedChart *>();
    ASSERT_TRUE(chart);
    Q_EMIT chart->partClicked(0);
    EXPECT_TRUE(page.evidence().startsWith(QStringLiteral("8 GPUs"))) << page.evidence().toStdString();
    EXPECT_EQ(page.figures().size(), 3u);
}

TEST_F(AnalysisPage, SaysWhyThereIsNoAccount)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(1)));
    show();
    page.chooseRight(ScalingPage::Right::Loss);
    EXPECT_TRUE(page.evidence().contains(QStringLiteral("no steps in the index")))
        << page.evidence().toStdString();
    test::picture(page, QStringLiteral("scaling-loss-none"));
}

TEST_F(AnalysisPage, TellsUtilisationAndRooflineWithTheirSources)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(3)));
    show();
    EXPECT_EQ(header(4), QStringLiteral("MFU at 32"));
    // 12411.97 / 32 images/s × 24.3 GFLOP of 15.7 TFLOP/s.
    EXPECT_EQ(cell(0, 4), QStringLiteral("60.0\u00A0%")) << cell(0, 4).toStdString();
    page.chooseRight(ScalingPage::Right::Roofline);
    EXPECT_TRUE(page.evidence().startsWith(QStringLiteral("Peaks: NVIDIA V100 data sheet")))
        << page.evidence().toStdString();
    QTest::qWait(60);
    pictures(QStringLiteral("scaling-roofline"));
}

TEST_F(AnalysisPage, DrawsNoRoofForAnUnknownDevice)
{
    std::vector<sb::Run> runs = test::publishedRuns(1);
    for (sb::Run &run : runs)
        run.facts.deviceName = "Abacus 9000";
    ASSERT_TRUE(desk.open(runs));
    show();
    EXPECT_NE(header(4), QStringLiteral("MFU at 32"));
    page.chooseRight(ScalingPage::Right::Roofline);
    const QString said = page.findChild<PaintedChart *>()->figure().description;
    EXPECT_TRUE(said.contains(QStringLiteral("the peak of “Abacus 9000” is not known")))
        << said.toStdString();
    EXPECT_TRUE(page.evidence().isEmpty()); // no sources of what is not drawn
    test::picture(page, QStringLiteral("scaling-roofline-unknown"));
}

// The time of a ring all-reduce at 5 GB/s and 20 µs a step, over 8 ranks.
QByteArray madeAllReduce()
{
    QByteArray text;
    for (std::int64_t bytes = 1 << 12; bytes <= (1 << 28); bytes *= 4) {
        const double seconds = 14 * 20e-6 + 14.0 / 8 * static_cast<double>(bytes) / 5e9;
        text += "{\"kind\":\"allreduce\",\"bytes\":" + QByteArray::number(static_cast<qlonglong>(bytes)) +
                ",\"world_size\":8,\"time_ms\":" + QByteArray::number(seconds * 1000, 'g', 12) + "}\n";
    }
    return text;
}

TEST_F(AnalysisPage, ExplainsCurvesWithMeasuredCommunication)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(3)));
    show();
    page.chooseFit(ScalingPage::Fit::AlphaBeta);
    EXPECT_TRUE(page.note().contains(QStringLiteral("needs measured all-reduce times")))
        << page.note().toStdString();
    EXPECT_TRUE(page.throughputChart()->figure().fits.empty());
    const QString path = desk.folder(QStringLiteral("allreduce.jsonl"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(madeAllReduce());
    file.close();
    EXPECT_FALSE(page.comm()->open(path));
    ASSERT_TRUE(page.comm()->fit());
    EXPECT_NEAR(page.comm()->fit()->busGBps.value, 5, 0.01);
    EXPECT_EQ(page.throughputChart()->figure().fits.size(), 3u);
    EXPECT_EQ(header(5), QStringLiteral("Not hidden"));
    EXPECT_TRUE(cell(0, 5).contains(QLatin1Char('('))) << cell(0, 5).toStdString(); // with its interval
    EXPECT_TRUE(QFile::exists(desk.folder(QStringLiteral("study/links/allreduce.jsonl"))));
    QTest::qWait(60);
    pictures(QStringLiteral("scaling-alpha-beta"));
    const auto wrong = page.comm()->open(desk.folder(QStringLiteral("study/workspace.json")));
    ASSERT_TRUE(wrong);
    EXPECT_TRUE(wrong->contains(QStringLiteral("workspace.json has no all-reduce times")))
        << wrong->toStdString();
}

TEST_F(AnalysisPage, LeadsFromANumberToTheStepsOfItsRuns)
{
    ASSERT_TRUE(desk.open(test::publishedRuns(1, 2), stepsOf));
    show();
    const QModelIndex eight = table()->model()->index(0, 2); // throughput on 8 devices
    Q_EMIT table()->doubleClicked(eight);
    auto *details = page.findChild<RunDetails *>();
    ASSERT_TRUE(details);
    QTest::qWait(80);
    EXPECT_TRUE(details->straggler().startsWith(QStringLiteral("Straggler: rank 5 (node1 · GPU 5)")))
        << details->straggler().toStdString();
    ASSERT_EQ(details->ranks()->rowCount(), 8);
    EXPECT_EQ(details->ranks()->item(0, 0)->text(), QStringLiteral("⚠ 5"));
    EXPECT_TRUE(details->figures()->spokenText().contains(QStringLiteral("p99")))
        << details->figures()->spokenText().toStdString();
    for (const bool chinese : {false, true}) {
        desk.speak(chinese);
        QTest::qWait(60);
        const QStringList cut = test::cutTexts(*details);
        EXPECT_TRUE(cut.isEmpty()) << cut.join(QStringLiteral("; ")).toStdString();
        test::picture(*details,
                      chinese ? QStringLiteral("run-details-zh") : QStringLiteral("run-details-en"));
    }
    desk.useTheme(true);
    QTest::qWait(60);
    test::picture(*details, QStringLiteral("run-details-dark"));
}

TEST_F(AnalysisPage, SaysInChineseWhyPublishedCurvesAreUnlike)
{
    show();
    page.setPublishedShown(true);
    ASSERT_TRUE(page.chooseGroup(QStringLiteral("resnet50-fp16-b256-cuda-real")));
    EXPECT_TRUE(page.note().contains(QStringLiteral("† batch 224 per device, not 256")))
        << page.note().toStdString();
    desk.speak(true);
    QTest::qWait(60);
    EXPECT_TRUE(page.note().contains(QStringLiteral("† 每设备批大小 224，而非 256")))
        << page.note().toStdString();
    EXPECT_FALSE(page.note().contains(QStringLiteral("per device"))) << page.note().toStdString();
    EXPECT_FALSE(page.note().contains(QStringLiteral("without"))) << page.note().toStdString();
    for (const ScalingCurve &curve : page.throughputChart()->figure().curves) // whose tip says it
        for (const std::string &how : curve.unlike)
            EXPECT_FALSE(how.starts_with("batch")) << how;
    test::picture(page, QStringLiteral("scaling-unlike-zh"));
}

} // namespace

} // namespace sb
