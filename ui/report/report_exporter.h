// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a report with its figures and tables as one folder, wholly or not at all. UI thread, in slices: one
// call of step() makes a file or a page, or looks whether the thread pool has made one, so a window stays
// alive and can cancel between two.
#pragma once

#include "charts/figure_exporter.h"
#include "core/report.h"
#include "core/result.h"
#include "report/report_pages.h"
#include "report/report_steps.h"
#include "session/bundle.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sb {

enum class ReportFormat { Pdf, Html, Markdown, Latex, Csv, Xlsx, Json, Bundle };

// "pdf", "html", "md", "tex", "csv", "xlsx", "json", "bundle".
std::optional<ReportFormat> reportFormatFromName(std::string_view name);
std::string reportFormatName(ReportFormat format);

struct ReportExportOptions {
    std::string folder; // is made; may exist if it is empty or an earlier report
    std::set<ReportFormat> formats{ReportFormat::Pdf, ReportFormat::Html, ReportFormat::Markdown,
                                   ReportFormat::Csv};
    std::set<FigureFormat> figures{FigureFormat::Png, FigureFormat::Svg};
    PageStyle style;
    // Of the workspace, for ReportFormat::Bundle.
    std::optional<BundleSource> bundle;
    BundleOptions bundleOptions;
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
    // Goes on a little; the last call moves the folder to its place. After an error nothing is left of the
    // export and an earlier report is still there.
    Result<void> step();
    // Files written, relative to the folder, sorted.
    const std::vector<std::string> &files() const { return m_files; }

private:
    struct Step {
        std::string path; // relative
        std::function<Turn()> turn;
        bool writesItself = false; // to its path; the bytes are only a sign
    };
    // One turn in this thread.
    void add(const std::string &path, std::function<Result<QByteArray>()> make);
    // One turn to start it in the pool, and more until it is done. The function captures values.
    void addBackground(const std::string &path, std::function<Result<QByteArray>()> make);
    void addPagesAndTexts();
    void addLatex();
    void addFigures();
    void addTables();
    void addData();
    void addBundle();
    Result<void> keep(const Step &step, const QByteArray &bytes);
    Result<void> begin();
    Result<void> writeFile(const std::string &path, const QByteArray &bytes);
    Result<void> finish();
    QByteArray manifest() const;

    std::shared_ptr<const Report> m_shared; // also of the pool's threads
    const Report &m_report;
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
