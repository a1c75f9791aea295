// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a report with its figures and tables as one folder, wholly or not at all. UI thread, in slices: one
// call of step() makes one file, so a window stays alive and can cancel between two.
#pragma once

#include "charts/figure_exporter.h"
#include "core/report.h"
#include "core/result.h"
#include "report/report_pages.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sb {

enum class ReportFormat { Pdf, Html, Markdown, Csv, Json };

// "pdf", "html", "md", "csv", "json".
std::optional<ReportFormat> reportFormatFromName(std::string_view name);

struct ReportExportOptions {
    std::string folder; // is made; may exist if it is empty or an earlier report
    std::set<ReportFormat> formats{ReportFormat::Pdf, ReportFormat::Html, ReportFormat::Markdown,
                                   ReportFormat::Csv};
    std::set<FigureFormat> figures{FigureFormat::Png, FigureFormat::Svg};
    PageStyle style;
};

class ReportExporter {
public:
    ReportExporter(Report report, ReportExportOptions options);
    ~ReportExporter(); // an export that did not finish leaves nothing
    ReportExporter(const ReportExporter &) = delete;
    ReportExporter &operator=(const ReportExporter &) = delete;

    int stepCount() const { return static_cast<int>(m_steps.size()); }
    int stepsDone() const { return m_done; }
    bool finished() const { return m_finished; }
    // Makes the next file; the last call moves the folder to its place. After an error nothing is left of the
    // export and an earlier report is still there.
    Result<void> step();
    // Files written, relative to the folder, sorted.
    const std::vector<std::string> &files() const { return m_files; }

private:
    struct Step {
        std::string path; // relative
        std::function<Result<QByteArray>()> make;
    };
    void addFigures();
    void addTables();
    Result<void> begin();
    Result<void> writeFile(const std::string &path, const QByteArray &bytes);
    Result<void> finish();
    QByteArray manifest() const;

    Report m_report;
    ReportExportOptions m_options;
    std::vector<Step> m_steps;
    std::vector<std::string> m_files;
    std::vector<std::pair<qint64, QByteArray>> m_sums; // parallel to m_files: size and SHA-256
    QString m_temporary;
    int m_done = 0;
    bool m_finished = false;
};

// All steps at once.
Result<std::vector<std::string>> exportReport(const Report &report, const ReportExportOptions &options);

} // namespace sb
