// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_drawing.h"
#include "report/report_exporter.h"
#include "report/report_figures.h"
#include "report/report_pages.h"
#include "report/report_texts.h"
#include "report/report_xlsx.h"

#include "chart_values.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <csignal>
#include <sys/resource.h>

namespace sb {

namespace {

using test::publishedRuns;

Report madeReport(ReportLanguage language = ReportLanguage::English, bool simulated = false)
{
    std::vector<sb::Run> runs = publishedRuns(8);
    for (sb::Run &run : runs)
        run.simulated = simulated;
    runs[3].state = RunState::Failed;
    runs[3].measurement.reset();
    runs[3].reason = "rank 0 on node1 ended with status 137, \"out of memory\" | <killed>";
    ReportOptions options;
    options.language = language;
    return buildReport(runs, options);
}

const ReportTable &throughputOf(const Report &report)
{
    for (const ReportSection &section : report.sections)
        for (const ReportBlock &block : section.blocks)
            if (const auto *table = std::get_if<ReportTable>(&block);
                table && table->id.ends_with("-throughput"))
                return *table;
    throw std::runtime_error("no throughput table");
}

QStringList filesBelow(const QString &folder)
{
    QStringList names;
    const QDir dir(folder);
    for (const QString &name : dir.entryList(QDir::Files | QDir::Hidden, QDir::Name))
        names.append(name);
    for (const QString &sub : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::Hidden, QDir::Name))
        for (const QString &name : filesBelow(dir.filePath(sub)))
            names.append(sub + QLatin1Char('/') + name);
    return names;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    return file.readAll();
}

TEST(ReportCsv, HasPlainNumbersAndQuotesWhatNeedsIt)
{
    const Report report = madeReport();
    const std::string csv = tableCsv(throughputOf(report), report.language);
    EXPECT_TRUE(csv.starts_with("Framework,1 GPU,8,16,32,Interval at 32 low,Interval at 32 high,"
                                "Interval at 32 coverage,Runs,Noise\n"))
        << csv;
    EXPECT_NE(csv.find("\nOneFlow,397.64,3130.34,6260.3,12411.97,"), std::string::npos) << csv;
    EXPECT_EQ(csv.find("\u202F"), std::string::npos);
    ReportTable table;
    table.columns = {{"a", false, {}}, {"b", false, {}}};
    table.rows = {{{"x, \"y\"", std::nullopt, {}, {}}, {"—", std::nullopt, {}, {}}}};
    EXPECT_EQ(tableCsv(table, ReportLanguage::English), "a,b\n\"x, \"\"y\"\"\",\n");
    table.simulated = true;
    EXPECT_TRUE(tableCsv(table, ReportLanguage::English).starts_with("# SIMULATED\n"));
}

TEST(ReportMarkdown, EscapesAndRefersToFigures)
{
    const std::string text = reportMarkdown(
        madeReport(), [](const ReportFigure &figure) { return "figures/" + figure.id + ".svg"; });
    EXPECT_NE(text.find("| OneFlow | 397.64 |"), std::string::npos);
    EXPECT_NE(text.find("out of memory\" \\| \\<killed>"), std::string::npos);
    EXPECT_NE(text.find("](figures/resnet50-fp32-b128-cuda-speedup-figure.svg)"), std::string::npos);
}

TEST(ReportHtml, IsWellFormedAndSelfContained)
{
    const Report report = madeReport(ReportLanguage::English, true);
    const std::string html = reportHtml(report, [&](const ReportFigure &figure) {
        const auto svg = exportFigure(scalingFigure(report, figure), {}, FigureFormat::Svg);
        const QByteArray bytes = svg ? *svg : QByteArray();
        return bytes.mid(bytes.indexOf("<svg")).toStdString();
    });
    QString text = QString::fromStdString(html);
    EXPECT_EQ(text.count(QStringLiteral("<svg ")), 3);
    EXPECT_FALSE(text.contains(QStringLiteral("src=")));
    EXPECT_TRUE(text.contains(QStringLiteral("&lt;killed&gt;")));
    EXPECT_TRUE(text.contains(QStringLiteral("SIMULATED")));
    text.remove(QStringLiteral("<!DOCTYPE html>\n"));
    text.remove(QRegularExpression(QStringLiteral("<meta [^>]*>")));
    QXmlStreamReader reader(text);
    while (!reader.atEnd())
        reader.readNext();
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString() << " in line "
                                    << reader.lineNumber();
}

TEST(ReportHtml, TakesTheHouseStyle)
{
    HtmlStyle style;
    style.accent = "#aa0000";
    style.font = "Noto Sans\"; } <script>";
    style.logoBase64 = "AAAA";
    const std::string html = reportHtml(
        madeReport(), [](const ReportFigure &) { return std::string("<svg></svg>"); }, style);
    EXPECT_NE(html.find("color: #aa0000"), std::string::npos);
    EXPECT_NE(html.find("src=\"data:image/png;base64,AAAA\""), std::string::npos);
    EXPECT_EQ(html.find("<script>"), std::string::npos);
}

TEST(ReportLatex, EscapesWhatTexWouldRead)
{
    const LatexFigures figures{[](const ReportFigure &figure) { return "figures/" + figure.id; }, 85};
    const std::string english = reportLatex(madeReport(), figures);
    EXPECT_NE(english.find("\\textbar{} \\textless{}killed\\textgreater{}"), std::string::npos);
    EXPECT_NE(english.find("12\\,411.97"), std::string::npos);
    EXPECT_NE(english.find(
                  "\\includegraphics[width=\\linewidth]{figures/resnet50-fp32-b128-cuda-efficiency-figure}"),
              std::string::npos);
    for (const char c : english)
        ASSERT_LT(static_cast<unsigned char>(c), 0x80) << english; // pdfLaTeX's fonts have it all
    const std::string chinese = reportLatex(madeReport(ReportLanguage::Chinese, true), figures);
    EXPECT_TRUE(chinese.starts_with("% !TeX program = xelatex"));
    EXPECT_NE(chinese.find("\\reportsimulated"), std::string::npos);
    Report report = madeReport();
    report.title = "50 % of $x_1$ & {more} #1 ~ ^ \\";
    EXPECT_NE(reportLatex(report, figures)
                  .find("50 \\% of \\$x\\_1\\$ \\& \\{more\\} \\#1 \\textasciitilde{} \\textasciicircum{} "
                        "\\textbackslash{}"),
              std::string::npos);
}

TEST(ReportXlsx, GivesTheSameBytesTwice)
{
    for (const ReportLanguage language : {ReportLanguage::English, ReportLanguage::Chinese}) {
        const Report report = madeReport(language);
        const auto first = reportXlsx(report);
        ASSERT_TRUE(first) << first.error().message;
        EXPECT_TRUE(first->startsWith("PK"));
        QTest::qWait(2100); // ZIP's clock has steps of two seconds
        EXPECT_EQ(*first, *reportXlsx(report));
    }
}

TEST(ReportSummary, HasTheLayoutOfTheReportsScripts)
{
    const Report report = madeReport();
    EXPECT_EQ(
        curveSummary(report.groups.front().curves.front()).substr(0, 157),
        "{\n  \"resnet50\": {\n    \"1n1g\": {\n      \"average_speed\": 397.64,\n      "
        "\"batch_size_per_device\": 128,\n      \"median_speed\": 397.64,\n      \"speedup\": 1.0\n    },\n");
}

TEST(ReportFigures, DrawTheTopologyOfTheNodes)
{
    QFile text(QStringLiteral(SCALEBOARD_TEST_DATA "/topology/dgx1.txt"));
    ASSERT_TRUE(text.open(QIODevice::ReadOnly));
    const std::string wiring = text.readAll().toStdString();
    std::vector<sb::Run> runs = publishedRuns(1);
    for (sb::Run &run : runs)
        for (NodeFacts &node : run.nodeFacts)
            node.topologyText = wiring;
    const Report report = buildReport(runs, {});
    ASSERT_EQ(report.topologies.size(), 1U);
    EXPECT_EQ(report.topologies.front().nodes.size(), 4U);
    const ReportFigure *figure = nullptr;
    for (const ReportSection &section : report.sections)
        for (const ReportBlock &block : section.blocks)
            if (const auto *one = std::get_if<ReportFigure>(&block);
                one && one->kind == ReportFigureKind::Topology)
                figure = one;
    ASSERT_TRUE(figure);
    for (const double width : {85.0, 174.0}) {
        const FigureStyle style{ChartPalette::Print, width, {}};
        const auto svg = ReportDrawing(report, *figure, style).file(FigureFormat::Svg);
        ASSERT_TRUE(svg);
        EXPECT_TRUE(svg->contains("GPU7"));
        EXPECT_TRUE(svg->contains(QByteArray("width=\"") + QByteArray::number(width) + "mm\""));
        const auto pdf = ReportDrawing(report, *figure, style).file(FigureFormat::Pdf);
        EXPECT_EQ(*pdf, *ReportDrawing(report, *figure, style).file(FigureFormat::Pdf));
        const QString folder = qEnvironmentVariable("SCALEBOARD_PICTURES");
        if (folder.isEmpty())
            continue;
        QFile picture(QStringLiteral("%1/topology-%2.png").arg(folder).arg(width));
        ASSERT_TRUE(picture.open(QIODevice::WriteOnly));
        picture.write(*ReportDrawing(report, *figure, style).file(FigureFormat::Png));
    }
}

TEST(ReportPages, NumbersPagesAndFindsSections)
{
    const Report report = madeReport();
    const ReportPages pages(report, {});
    EXPECT_GT(pages.count(), 4);
    EXPECT_EQ(pages.pageOf("summary"), 0);
    EXPECT_EQ(pages.pageOf("no such section"), std::nullopt);
    EXPECT_LT(*pages.pageOf("method"), *pages.pageOf("appendix"));
    const QImage page = pages.image(1, 900);
    EXPECT_EQ(page.width(), 900);
    EXPECT_EQ(page.height(), 1273);
}

TEST(ReportPages, GivesTheSamePdfTwice)
{
    for (const ReportLanguage language : {ReportLanguage::English, ReportLanguage::Chinese}) {
        const Report report = madeReport(language);
        const QByteArray first = ReportPages(report, {}).pdf();
        QTest::qWait(1100);
        EXPECT_EQ(first, ReportPages(report, {}).pdf());
        EXPECT_TRUE(first.startsWith("%PDF"));
    }
}

TEST(ReportPages, LeavesPicturesToLookAt)
{
    const QString folder = qEnvironmentVariable("SCALEBOARD_PICTURES");
    if (folder.isEmpty())
        GTEST_SKIP() << "SCALEBOARD_PICTURES names no folder";
    for (const ReportLanguage language : {ReportLanguage::English, ReportLanguage::Chinese}) {
        const ReportPages pages(madeReport(language, language == ReportLanguage::Chinese), {});
        for (int page = 0; page < std::min(6, pages.count()); ++page)
            pages.image(page, 1000)
                .save(QStringLiteral("%1/report-%2-%3.png")
                          .arg(folder, QString::fromStdString(reportLanguageName(language)))
                          .arg(page));
    }
}

TEST(ReportExporter, WritesAllOrNothing)
{
    QTemporaryDir home;
    ReportExportOptions options;
    options.folder = home.filePath(QStringLiteral("deep/report")).toStdString();
    options.formats = {ReportFormat::Html, ReportFormat::Markdown, ReportFormat::Csv, ReportFormat::Json,
                       ReportFormat::Pdf,  ReportFormat::Latex,    ReportFormat::Xlsx};
    const auto written = exportReport(madeReport(), options);
    ASSERT_TRUE(written) << written.error().message;
    const QString folder = QString::fromStdString(options.folder);
    QStringList expected;
    for (const std::string &name : *written)
        expected.append(QString::fromStdString(name));
    QStringList found = filesBelow(folder);
    found.sort();
    expected.sort();
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(found.contains(QStringLiteral("figures/resnet50-fp32-b128-cuda-speedup-figure.svg")));
    EXPECT_TRUE(found.contains(QStringLiteral("tables/problems.csv")));

    // Again: the same bytes in every file, and no other folder beside it.
    QMap<QString, QByteArray> before;
    for (const QString &name : found)
        before[name] = contents(folder + QLatin1Char('/') + name);
    ASSERT_TRUE(exportReport(madeReport(), options));
    for (const QString &name : found)
        EXPECT_EQ(contents(folder + QLatin1Char('/') + name), before[name]) << name.toStdString();
    EXPECT_EQ(QDir(home.filePath(QStringLiteral("deep")))
                  .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
              QStringList{QStringLiteral("report")});
}

TEST(ReportExporter, DoesNotTouchAFolderWithOtherThings)
{
    QTemporaryDir home;
    QFile other(home.filePath(QStringLiteral("thesis.tex")));
    ASSERT_TRUE(other.open(QIODevice::WriteOnly));
    other.write("mine");
    other.close();
    ReportExportOptions options;
    options.folder = home.path().toStdString();
    const auto written = exportReport(madeReport(), options);
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.find("holds something else"), std::string::npos);
    EXPECT_EQ(filesBelow(home.path()), QStringList{QStringLiteral("thesis.tex")});
}

// Writing more than the limit fails as on a full disk.
TEST(ReportExporter, LeavesNothingWhenTheDiskIsFull)
{
    QTemporaryDir home;
    ReportExportOptions options;
    options.folder = home.filePath(QStringLiteral("report")).toStdString();
    const Report report = madeReport();
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{20000, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const auto written = exportReport(report, options);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::Io);
    EXPECT_NE(written.error().message.find("nothing was left behind"), std::string::npos);
    EXPECT_TRUE(
        QDir(home.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty());
}

TEST(ReportExporter, LeavesNothingWhenCancelled)
{
    QTemporaryDir home;
    {
        ReportExportOptions options;
        options.folder = home.filePath(QStringLiteral("report")).toStdString();
        ReportExporter exporter(madeReport(), options);
        while (exporter.stepsDone() < 2) {
            ASSERT_TRUE(exporter.step());
            QTest::qWait(1); // the pool may be at it
        }
        EXPECT_FALSE(exporter.finished());
    }
    EXPECT_TRUE(
        QDir(home.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).isEmpty());
}

TEST(MissingGlyphs, NamesWhatNoFontHas)
{
    Report report = madeReport();
    EXPECT_EQ(missingGlyphs(report, QString()), QString());
    report.title = "\U0010FFFD"; // private use, last plane: in no font
    EXPECT_EQ(missingGlyphs(report, QString()), QString::fromStdString(report.title));
}

} // namespace

} // namespace sb
