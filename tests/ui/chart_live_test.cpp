// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_tip.h"
#include "charts/live_chart.h"
#include "charts/live_lanes.h"

#include "chart_values.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QImage>
#include <QSignalSpy>
#include <QTest>

namespace sb {

namespace {

using test::keepPicture;
using test::madeSeries;
using test::madeTelemetry;
using test::useTheme;

LiveChartRun madeRun()
{
    LiveChartRun run;
    run.title = QStringLiteral("PyTorch · ResNet-50 · FP32 · 4n8g");
    run.framework = "pytorch";
    run.unit = "images";
    run.warmupSteps = 20;
    run.measuredSteps = 100;
    return run;
}

// The share of pixels of `colour` (within rounding) in the picture of the widget.
double inkShare(QWidget &widget, const QColor &colour)
{
    const QImage image = widget.grab().toImage();
    int hits = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            hits += std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) +
                                std::abs(pixel.blue() - colour.blue()) <
                            12
                        ? 1
                        : 0;
        }
    return static_cast<double>(hits) / (image.width() * image.height());
}

class LiveChartTest : public testing::Test {
protected:
    void SetUp() override
    {
        useTheme(Tokens::light());
        chart.resize(846, 284);
    }
    void start(int ranks, int steps, int gpus = 0)
    {
        series = madeSeries(ranks, steps);
        telemetry = madeTelemetry(series.front().timeS.back() + 1, gpus);
        chart.setRun(madeRun(), {&series, &telemetry, 0.0});
        chart.show();
        chart.refreshNow();
    }

    std::vector<Series> series;
    std::vector<TelemetrySample> telemetry;
    LiveChart chart;
};

TEST_F(LiveChartTest, ShadesWarmUpAndMeasuredWindowOnlyAsFarAsItCame)
{
    start(1, 10);
    const double steadyBefore = inkShare(chart, Tokens::light().steady);
    EXPECT_GT(inkShare(chart, Tokens::light().shade), 0.02);
    EXPECT_LT(steadyBefore, 0.001);
    start(1, 87);
    EXPECT_GT(inkShare(chart, Tokens::light().steady), 0.1);
    keepPicture(chart, QStringLiteral("live-light-1"));
}

TEST_F(LiveChartTest, DrawsAppendedDataAfterTheTimer)
{
    start(4, 30);
    const QImage before = chart.grab().toImage();
    series = madeSeries(4, 87);
    chart.setData({&series, &telemetry, 0.0});
    QTest::qWait(120);
    EXPECT_NE(before, chart.grab().toImage());
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("87")));
}

TEST_F(LiveChartTest, StandsStillWhilePaused)
{
    start(2, 30);
    QSignalSpy spy(&chart, &LiveChart::followingChanged);
    QTest::keyClick(&chart, Qt::Key_Space);
    EXPECT_FALSE(chart.following());
    EXPECT_EQ(spy.count(), 1);
    chart.refreshNow();
    const QImage before = chart.grab().toImage();
    for (Series &one : series) {
        const Series more = madeSeries(1, 60).front();
        for (std::size_t i = one.size(); i < more.size(); ++i) {
            one.step.push_back(more.step[i]);
            one.timeS.push_back(more.timeS[i]);
            one.throughput.push_back(more.throughput[i]);
            one.stepTimeMs.push_back(more.stepTimeMs[i]);
        }
    }
    chart.dataAppended();
    chart.refreshNow();
    EXPECT_EQ(before, chart.grab().toImage());
    QTest::keyClick(&chart, Qt::Key_Space);
    chart.refreshNow();
    EXPECT_NE(before, chart.grab().toImage());
}

TEST_F(LiveChartTest, ArrowsWalkAlongThePoints)
{
    start(2, 50);
    auto *tip = chart.findChild<ChartTip *>();
    QTest::keyClick(&chart, Qt::Key_Home);
    ASSERT_TRUE(tip->isVisible());
    const QPoint first = tip->pos();
    QTest::keyClick(&chart, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_GT(tip->pos().x(), first.x());
    keepPicture(chart, QStringLiteral("live-tip"));
    QTest::keyClick(&chart, Qt::Key_Escape);
    EXPECT_FALSE(tip->isVisible());
}

TEST_F(LiveChartTest, IsSeenAsAChartWithASentence)
{
    start(4, 87);
    QAccessibleInterface *seen = QAccessible::queryAccessibleInterface(&chart);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->role(), QAccessible::Chart);
    EXPECT_EQ(seen->text(QAccessible::Name), madeRun().title);
    EXPECT_TRUE(seen->text(QAccessible::Description).contains(QStringLiteral("87 of 120")));
}

TEST_F(LiveChartTest, MarksSimulatedDataAndStaleness)
{
    start(4, 87);
    const double watermark = inkShare(chart, QColor(0xDD, 0xD3, 0xEC));
    LiveChartRun run = madeRun();
    run.simulated = true;
    chart.setRun(run, {&series, &telemetry, 0.0});
    chart.setStale(21.0);
    chart.refreshNow();
    EXPECT_GT(inkShare(chart, QColor(0xDD, 0xD3, 0xEC)), watermark);
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("Simulated")));
    keepPicture(chart, QStringLiteral("live-stale"));
}

TEST_F(LiveChartTest, FollowsThemeAndAxis)
{
    start(8, 87, 8);
    chart.setMedian(10021, MedianInterval{10002, 10042, 0.95});
    chart.refreshNow();
    keepPicture(chart, QStringLiteral("live-gpu-light"));
    useTheme(Tokens::dark());
    chart.refreshNow();
    EXPECT_GT(inkShare(chart, Tokens::dark().base), 0.3);
    keepPicture(chart, QStringLiteral("live-gpu-dark"));
    chart.setXAxis(LiveChart::XAxis::Time);
    chart.refreshNow();
    keepPicture(chart, QStringLiteral("live-gpu-time"));
    chart.resize(500, 180);
    chart.refreshNow();
    keepPicture(chart, QStringLiteral("live-small"));
}

TEST(LaneGeometry, PlacesTimesBetweenSteps)
{
    Series series;
    series.step = {1, 2, 3};
    series.timeS = {10, 11, 13};
    series.stepTimeMs = {500, 1000, 2000};
    series.throughput = {1, 1, 1};
    EXPECT_EQ(stepAtTime(series, 9.75), 0.5);
    EXPECT_EQ(stepAtTime(series, 12), 2.5);
    EXPECT_EQ(stepAtTime(series, 13), 3);
    EXPECT_EQ(stepAtTime(series, 9), std::nullopt); // still starting up
    EXPECT_EQ(stepAtTime(series, 14), std::nullopt);
}

} // namespace

} // namespace sb
