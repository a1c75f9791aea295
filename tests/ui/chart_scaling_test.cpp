// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_tip.h"
#include "charts/figure_exporter.h"
#include "charts/scaling_chart.h"

#include "chart_values.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace sb {

namespace {

using test::keepPicture;
using test::publishedRuns;
using test::useTheme;

ScalingFigure madeFigure(int frameworks, FigureKind kind)
{
    ScalingFigure figure;
    figure.kind = kind;
    const auto groups = scalingGroups(aggregate(publishedRuns(frameworks)));
    figure.curves = groups.front().curves;
    figure.texts.title = QStringLiteral("ResNet-50 v1.5, FP32, batch 128 per GPU");
    figure.texts.provenance = QStringLiteral(
        "2020-10 DLPerf report, table 4-2 · 4 × 8 V100-SXM2-16GB · repeats made up for this test");
    figure.texts.valueAxis = kind == FigureKind::Throughput ? QStringLiteral("Throughput (images/s)")
                             : kind == FigureKind::Speedup  ? QStringLiteral("Speedup over 1 GPU")
                                                            : QStringLiteral("Efficiency (%)");
    figure.texts.deviceAxis = QStringLiteral("GPUs");
    figure.texts.ideal = QStringLiteral("ideal");
    figure.texts.simulated = QStringLiteral("SIMULATED");
    figure.texts.noBaseline = QStringLiteral("No speedup: the 1-GPU run is missing");
    figure.texts.nothing = QStringLiteral("Nothing yet");
    return figure;
}

ScalingFigure chineseFigure(int frameworks)
{
    ScalingFigure figure = madeFigure(frameworks, FigureKind::Speedup);
    figure.texts.title = QStringLiteral("ResNet-50 v1.5，FP32，每卡批大小 128");
    figure.texts.valueAxis = QStringLiteral("相对单卡的加速比");
    figure.texts.deviceAxis = QStringLiteral("GPU 数");
    figure.texts.ideal = QStringLiteral("理想线");
    figure.texts.simulated = QStringLiteral("模拟数据");
    return figure;
}

void withoutBaseline(ScalingFigure &figure)
{
    for (ScalingCurve &curve : figure.curves) {
        curve.points.erase(curve.points.begin());
        for (CaseResult &point : curve.points) {
            point.speedup.reset();
            point.efficiency.reset();
        }
    }
}

QString tipText(const QWidget &chart)
{
    QString text;
    for (const QLabel *label : chart.findChild<ChartTip *>()->findChildren<QLabel *>())
        text += label->text() + QLatin1Char('\n');
    return text;
}

class ScalingChartTest : public testing::Test {
protected:
    void SetUp() override { useTheme(Tokens::light()); }
    void show(const ScalingFigure &figure, QSize size = {573, 292})
    {
        chart.resize(size);
        chart.setFigure(figure);
        chart.show();
        QApplication::processEvents();
    }
    ScalingChart chart;
};

TEST_F(ScalingChartTest, DrawsOneThreeAndEightFrameworksInBothThemes)
{
    for (const int frameworks : {1, 3, 8})
        for (const bool dark : {false, true}) {
            useTheme(dark ? Tokens::dark() : Tokens::light());
            for (const FigureKind kind :
                 {FigureKind::Throughput, FigureKind::Speedup, FigureKind::Efficiency}) {
                ScalingFigure figure = madeFigure(frameworks, kind);
                show(figure);
                const QString name = QStringLiteral("scaling-%1-%2-%3")
                                         .arg(frameworks)
                                         .arg(static_cast<int>(kind))
                                         .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"));
                keepPicture(chart, name);
                const QImage linear = chart.grab().toImage();
                figure.logarithmic = true;
                show(figure);
                keepPicture(chart, name + QStringLiteral("-log"));
                EXPECT_NE(linear, chart.grab().toImage());
            }
        }
    useTheme(Tokens::light());
    show(madeFigure(8, FigureKind::Throughput), {834, 600});
    keepPicture(chart, QStringLiteral("scaling-large"));
}

TEST_F(ScalingChartTest, NamesTheLeaderForAssistiveTechnology)
{
    show(madeFigure(8, FigureKind::Throughput));
    QAccessibleInterface *seen = QAccessible::queryAccessibleInterface(&chart);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->role(), QAccessible::Chart);
    EXPECT_TRUE(seen->text(QAccessible::Description).startsWith(QStringLiteral("OneFlow leads at 32")));
}

TEST_F(ScalingChartTest, KeysWalkAlongPointsAndAcrossCurves)
{
    show(madeFigure(3, FigureKind::Throughput));
    QTest::keyClick(&chart, Qt::Key_Right); // begins at the end of the first curve
    EXPECT_TRUE(tipText(chart).contains(QStringLiteral("4n8g")));
    const QString first = chart.findChild<ChartTip *>()->findChild<QLabel *>()->text();
    QTest::keyClick(&chart, Qt::Key_Left);
    EXPECT_TRUE(tipText(chart).contains(QStringLiteral("2n8g")));
    QTest::keyClick(&chart, Qt::Key_Home);
    EXPECT_TRUE(tipText(chart).contains(QStringLiteral("1n1g")));
    QTest::keyClick(&chart, Qt::Key_Down);
    EXPECT_FALSE(tipText(chart).startsWith(first));
    keepPicture(chart, QStringLiteral("scaling-tip"));
    QTest::keyClick(&chart, Qt::Key_Escape);
    EXPECT_FALSE(chart.findChild<ChartTip *>()->isVisible());
}

TEST_F(ScalingChartTest, TipNamesRunsAndRepeats)
{
    show(madeFigure(1, FigureKind::Throughput));
    QTest::keyClick(&chart, Qt::Key_End);
    const QString text = tipText(chart);
    EXPECT_TRUE(text.contains(QStringLiteral("median of 7 run")));
    EXPECT_TRUE(text.contains(QStringLiteral("20201015-120001-oneflow")));
    EXPECT_TRUE(text.contains(QStringLiteral("and 4 more run")));
}

TEST_F(ScalingChartTest, TipSaysWhatComputed)
{
    ScalingFigure figure = madeFigure(1, FigureKind::Throughput);
    for (CaseResult &point : figure.curves[0].points)
        point.paths = {"cuda 13.0, cudnn 9.19.0, sm_90, fp32 products of bf16 parts on tensor cores",
                       std::string(4000, 'x')};
    show(figure);
    QTest::keyClick(&chart, Qt::Key_End);
    const QString text = tipText(chart);
    EXPECT_TRUE(text.contains(QStringLiteral("cudnn 9.19.0, sm_90\nfp32 products of bf16 parts")));
    EXPECT_LT(text.size(), 600);
    keepPicture(chart, QStringLiteral("scaling-tip-path"));
}

TEST_F(ScalingChartTest, TipLeavesALowChartButNotItsWindow)
{
    auto *window = new QWidget;
    window->resize(900, 640);
    auto *low = new ScalingChart(window);
    low->setGeometry(470, 300, 420, 150);
    ScalingFigure figure = madeFigure(1, FigureKind::Throughput);
    figure.curves[0].label = std::string(200, 'W');
    for (CaseResult &point : figure.curves[0].points)
        point.paths = {
            "cuda 13.0, cudnn 9.19.0, sm_90, fp32 products of bf16 parts on tensor cores, own attention, "
            "own convolution, fused norms",
            "cuda 12.4, cudnn 9.1.0, sm_90, fp32 products, own attention, own convolution, fused norms"};
    low->setFigure(figure);
    window->show();
    QApplication::processEvents();
    for (const auto key : {Qt::Key_End, Qt::Key_Home}) {
        QTest::keyClick(low, key);
        auto *tip = window->findChild<ChartTip *>();
        ASSERT_TRUE(tip && tip->isVisible());
        EXPECT_GT(tip->height(), low->height());
        EXPECT_TRUE(window->rect().contains(tip->geometry())) << tip->width() << " x " << tip->height();
        EXPECT_EQ(tip->size(), tip->sizeHint());
    }
    keepPicture(*window, QStringLiteral("scaling-tip-low"));
    low->hide(); // as a change of page does
    EXPECT_FALSE(window->findChild<ChartTip *>()->isVisible());
    delete window;
}

TEST_F(ScalingChartTest, GivesTheReasonInPlaceOfASpeedupWithoutBaseline)
{
    ScalingFigure figure = madeFigure(3, FigureKind::Speedup);
    withoutBaseline(figure);
    show(figure);
    EXPECT_EQ(chart.accessibleDescription(), figure.texts.noBaseline);
    keepPicture(chart, QStringLiteral("scaling-no-baseline"));
}

TEST_F(ScalingChartTest, LeavesOutHiddenCurvesAndDimsBehindTheEmphasised)
{
    ScalingFigure figure = madeFigure(8, FigureKind::Throughput);
    show(figure);
    const QImage all = chart.grab().toImage();
    figure.emphasised = 2;
    show(figure);
    keepPicture(chart, QStringLiteral("scaling-emphasised"));
    EXPECT_NE(all, chart.grab().toImage());
    figure.emphasised.reset();
    figure.hidden = {0, 1, 2, 3, 4, 5, 6, 7};
    show(figure);
    EXPECT_NE(all, chart.grab().toImage());
}

void keepFile(const QByteArray &bytes, const QString &name)
{
    const QString folder = qEnvironmentVariable("SCALEBOARD_PICTURES");
    if (folder.isEmpty())
        return;
    QFile file(folder + QLatin1Char('/') + name);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

TEST(FigureExporter, GivesTheSameBytesTwiceInEveryFormatAndWidth)
{
    const std::array<const char *, 3> endings{"png", "svg", "pdf"};
    for (const double widthMm : {85.0, 120.0, 174.0})
        for (const auto format : {FigureFormat::Png, FigureFormat::Svg, FigureFormat::Pdf}) {
            const ScalingFigure figure = madeFigure(8, FigureKind::Throughput);
            const FigureStyle style{ChartPalette::Print, widthMm, QString()};
            const auto first = exportFigure(figure, style, format);
            if (format == FigureFormat::Pdf)
                QTest::qWait(1100); // another second on the clock
            const auto second = exportFigure(figure, style, format);
            ASSERT_TRUE(first && second);
            EXPECT_EQ(*first, *second);
            keepFile(*first, QStringLiteral("figure-%1.%2")
                                 .arg(widthMm)
                                 .arg(QLatin1String(endings.at(static_cast<std::size_t>(format)))));
        }
}

TEST(FigureExporter, WritesTextAsTextAndHasTitleAxesLegendAndProvenance)
{
    ScalingFigure figure = madeFigure(8, FigureKind::Speedup);
    for (ScalingCurve &curve : figure.curves)
        curve.simulated = true;
    const auto svg = exportFigure(figure, {ChartPalette::Print, 85, QString()}, FigureFormat::Svg);
    ASSERT_TRUE(svg);
    for (const char *word : {"ResNet-50 v1.5", "Speedup over 1 GPU", ">GPUs<", "OneFlow",
                             "NGC TensorFlow 1.x", "PaddlePaddle", "ideal", "SIMULATED", "V100-SXM2-16GB"})
        EXPECT_TRUE(svg->contains(word)) << word;
    EXPECT_TRUE(svg->contains("width=\"85"));
    // No letter below 7 pt: 70 units.
    const QRegularExpression size(QStringLiteral("font-size=\"([0-9.]+)\""));
    auto found = size.globalMatch(QString::fromUtf8(*svg));
    ASSERT_TRUE(found.hasNext());
    while (found.hasNext())
        EXPECT_GE(found.next().captured(1).toDouble(), 70);
    keepFile(*svg, QStringLiteral("figure-85-simulated.svg"));
}

TEST(FigureExporter, DrawsGreyAndChineseFigures)
{
    const auto grey = exportFigure(madeFigure(8, FigureKind::Throughput),
                                   {ChartPalette::Grey, 120, QString()}, FigureFormat::Png);
    ASSERT_TRUE(grey);
    const QImage image = QImage::fromData(*grey);
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3)
            ASSERT_LT(image.pixelColor(x, y).hslSaturation(), 8) << x << ", " << y;
    keepFile(*grey, QStringLiteral("figure-grey.png"));
    const auto chinese =
        exportFigure(chineseFigure(8), {ChartPalette::Print, 85, QString()}, FigureFormat::Pdf);
    ASSERT_TRUE(chinese);
    keepFile(*chinese, QStringLiteral("figure-zh.pdf"));
    ScalingFigure log = madeFigure(3, FigureKind::Throughput);
    log.logarithmic = true;
    keepFile(*exportFigure(log, {ChartPalette::Print, 85, QString()}, FigureFormat::Png),
             QStringLiteral("figure-85-3-log.png"));
}

TEST(FigureExporter, RefusesImpossibleWidths)
{
    EXPECT_FALSE(exportFigure(madeFigure(1, FigureKind::Speedup), {ChartPalette::Print, 10, QString()},
                              FigureFormat::Png));
}

} // namespace

} // namespace sb
