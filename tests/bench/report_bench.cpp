// SPDX-License-Identifier: GPL-3.0-or-later
// A report of 200 cases, 1400 runs, in every format: the whole export, and the longest time that one slice
// of it keeps a window waiting.
#include "report/report_exporter.h"

#include "report_values.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>

namespace sb {

namespace {

// 8 frameworks × 5 scales × 5 groups of precision and batch, 7 repeats.
std::vector<Run> manyRuns()
{
    std::vector<Run> runs;
    const std::vector<Run> published = test::publishedRuns(8, 7);
    for (int group = 0; group < 5; ++group)
        for (Run run : published) {
            run.key.precision = group % 2 ? "fp16" : "fp32";
            run.key.batchSizePerDevice = 32 << (group / 2);
            run.caseName = caseId(run.key);
            run.id = run.id.substr(0, 16) + run.caseName + "-r" + std::to_string(run.repeat);
            runs.push_back(run);
            if (run.key.devices() != 8)
                continue;
            run.key.devicesPerNode = 4; // a scale more
            run.caseName = caseId(run.key);
            run.id = run.id.substr(0, 16) + run.caseName + "-r" + std::to_string(run.repeat);
            run.measurement->throughput *= 0.51;
            runs.push_back(run);
        }
    return runs;
}

void exportAll(benchmark::State &state)
{
    const std::vector<Run> runs = manyRuns();
    double longestMs = 0;
    double cases = 0;
    for (auto _ : state) {
        QTemporaryDir folder;
        ReportExportOptions options;
        options.folder = folder.filePath(QStringLiteral("report")).toStdString();
        options.formats = {ReportFormat::Pdf, ReportFormat::Html, ReportFormat::Markdown, ReportFormat::Latex,
                           ReportFormat::Csv, ReportFormat::Xlsx, ReportFormat::Json};
        Report report = buildReport(runs, {});
        cases = 0;
        for (const ScalingGroup &group : report.groups)
            for (const ScalingCurve &curve : group.curves)
                cases += static_cast<double>(curve.points.size());
        ReportExporter exporter(std::move(report), options);
        while (!exporter.finished()) {
            QElapsedTimer slice;
            slice.start();
            if (!exporter.step())
                return state.SkipWithError("the export failed");
            longestMs = std::max(longestMs, static_cast<double>(slice.nsecsElapsed()) / 1e6);
        }
    }
    state.counters["cases"] = cases;
    state.counters["runs"] = static_cast<double>(runs.size());
    state.counters["longest_slice_ms"] = longestMs;
}
BENCHMARK(exportAll)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

} // namespace

} // namespace sb

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
