// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_exporter.h"

#include "core/json.h"
#include "core/units.h"
#include "report/report_figures.h"
#include "report/report_texts.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QStorageInfo>

#include <algorithm>
#include <array>
#include <utility>

namespace sb {

namespace {

constexpr const char *kManifest = "manifest.json";
constexpr const char *kManifestKind = "scaleboard report";

constexpr std::array<std::pair<std::string_view, ReportFormat>, 5> kFormatNames{{
    {"pdf", ReportFormat::Pdf},
    {"html", ReportFormat::Html},
    {"md", ReportFormat::Markdown},
    {"csv", ReportFormat::Csv},
    {"json", ReportFormat::Json},
}};

const char *ending(FigureFormat format)
{
    return format == FigureFormat::Png ? "png" : format == FigureFormat::Svg ? "svg" : "pdf";
}

std::vector<const ReportFigure *> figuresOf(const Report &report)
{
    std::vector<const ReportFigure *> figures;
    for (const ReportSection &section : report.sections)
        for (const ReportBlock &block : section.blocks)
            if (const auto *figure = std::get_if<ReportFigure>(&block))
                figures.push_back(figure);
    return figures;
}

// An empty folder, or one that an earlier export made.
bool mayReplace(const QDir &folder)
{
    if (folder.isEmpty())
        return true;
    QFile file(folder.filePath(QLatin1String(kManifest)));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const auto root = parseJson(file.readAll().toStdString(), kManifest);
    const JsonNode *kind = root ? root->find("kind") : nullptr;
    return kind && kind->text == kManifestKind;
}

// The <svg> element without the prolog that only a file of its own may have.
std::string svgElement(const QByteArray &file)
{
    const qsizetype start = file.indexOf("<svg");
    return (start < 0 ? file : file.mid(start)).toStdString();
}

Error writeError(const QString &folder, const std::string &path, const QString &reason)
{
    const QStorageInfo storage(folder);
    std::string left;
    if (storage.isValid())
        left = " (" + formatBytes(static_cast<double>(storage.bytesAvailable())) + " left on that disk)";
    return {ErrorCode::Io, "Cannot write " + path + " for the report in " + folder.toStdString() + ": " +
                               reason.toStdString() + left +
                               "; nothing was left behind. Choose another folder."};
}

} // namespace

std::optional<ReportFormat> reportFormatFromName(std::string_view name)
{
    for (const auto &[known, format] : kFormatNames)
        if (known == name)
            return format;
    return std::nullopt;
}

ReportExporter::ReportExporter(Report report, ReportExportOptions options)
    : m_report(std::move(report))
    , m_options(std::move(options))
{
    while (m_options.folder.size() > 1 && m_options.folder.back() == '/')
        m_options.folder.pop_back();
    const auto wants = [this](ReportFormat format) { return m_options.formats.contains(format); };
    const auto text = [](std::string made) { return QByteArray::fromStdString(made); };
    if (wants(ReportFormat::Pdf))
        m_steps.push_back({"report.pdf", [this]() -> Result<QByteArray> {
                               return ReportPages(m_report, m_options.style).pdf();
                           }});
    if (wants(ReportFormat::Html))
        m_steps.push_back(
            {"report.html", [this, text]() -> Result<QByteArray> {
                 const FigureStyle style{m_options.style.palette, 174, m_options.style.fontFamily};
                 return text(reportHtml(m_report, [&](const ReportFigure &figure) {
                     const auto svg = exportFigure(scalingFigure(m_report, figure), style, FigureFormat::Svg);
                     return svg ? svgElement(*svg) : std::string();
                 }));
             }});
    if (wants(ReportFormat::Markdown)) {
        if (m_options.figures.empty())
            m_options.figures.insert(FigureFormat::Svg); // the text refers to them
        m_steps.push_back({"report.md", [this, text]() -> Result<QByteArray> {
                               const std::string end = ending(*m_options.figures.begin());
                               return text(reportMarkdown(m_report, [&end](const ReportFigure &figure) {
                                   return "figures/" + figure.id + "." + end;
                               }));
                           }});
    }
    if (wants(ReportFormat::Json))
        m_steps.push_back(
            {"report.json", [this, text]() -> Result<QByteArray> { return text(reportJson(m_report)); }});
    if (wants(ReportFormat::Csv))
        addTables();
    addFigures();
}

ReportExporter::~ReportExporter()
{
    if (!m_temporary.isEmpty())
        QDir(m_temporary).removeRecursively();
}

void ReportExporter::addTables()
{
    for (const ReportSection &section : m_report.sections)
        for (const ReportBlock &block : section.blocks)
            if (const auto *table = std::get_if<ReportTable>(&block))
                m_steps.push_back({"tables/" + table->id + ".csv", [this, table]() -> Result<QByteArray> {
                                       return QByteArray::fromStdString(tableCsv(*table, m_report.language));
                                   }});
}

void ReportExporter::addFigures()
{
    const FigureStyle style{m_options.style.palette, m_options.style.figureWidthMm,
                            m_options.style.fontFamily};
    for (const ReportFigure *figure : figuresOf(m_report))
        for (const FigureFormat format : m_options.figures)
            m_steps.push_back({"figures/" + figure->id + "." + ending(format), [this, figure, format, style] {
                                   return exportFigure(scalingFigure(m_report, *figure), style, format);
                               }});
}

Result<void> ReportExporter::begin()
{
    const QFileInfo target(QString::fromStdString(m_options.folder));
    if (m_options.folder.empty())
        return Error{ErrorCode::BadInput, "The report needs a folder to be written to."};
    if (target.exists() && !(target.isDir() && mayReplace(QDir(target.filePath()))))
        return Error{ErrorCode::BadInput, "Cannot write the report to " + m_options.folder +
                                              ": it is there and holds something else; choose a new folder."};
    const QDir parent = target.absoluteDir();
    if (!parent.mkpath(QStringLiteral(".")))
        return writeError(parent.path(), "the folder", QStringLiteral("it cannot be made"));
    const QString name = QStringLiteral(".%1.%2.partial")
                             .arg(target.fileName())
                             .arg(QRandomGenerator::global()->generate(), 8, 16, QLatin1Char('0'));
    if (!parent.mkdir(name))
        return writeError(parent.path(), "the folder", QStringLiteral("it cannot be made"));
    m_temporary = parent.filePath(name);
    return {};
}

Result<void> ReportExporter::writeFile(const std::string &path, const QByteArray &bytes)
{
    const QString full = m_temporary + QLatin1Char('/') + QString::fromStdString(path);
    QFile file(full);
    if (!QFileInfo(full).absoluteDir().mkpath(QStringLiteral(".")) || !file.open(QIODevice::WriteOnly) ||
        file.write(bytes) != bytes.size() || !file.flush())
        return writeError(QFileInfo(m_temporary).absolutePath(), path, file.errorString());
    file.close();
    if (file.error() != QFileDevice::NoError)
        return writeError(QFileInfo(m_temporary).absolutePath(), path, file.errorString());
    return {};
}

QByteArray ReportExporter::manifest() const
{
    JsonNode files = JsonNode::array();
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        JsonNode entry = JsonNode::object();
        entry.set("path", m_files[i]).set("bytes", static_cast<std::int64_t>(m_sums[i].first));
        entry.set("sha256", m_sums[i].second.toStdString());
        files.push(std::move(entry));
    }
    JsonNode root = JsonNode::object();
    root.set("schema", 1).set("kind", kManifestKind).set("title", m_report.title).set("date", m_report.date);
    root.set("files", std::move(files));
    return QByteArray::fromStdString(writeJson(root) + "\n");
}

Result<void> ReportExporter::finish()
{
    if (auto written = writeFile(kManifest, manifest()); !written)
        return written;
    m_files.push_back(kManifest);
    std::sort(m_files.begin(), m_files.end());
    // The earlier report gives way only when the new one is whole.
    const QString target = QString::fromStdString(m_options.folder);
    const QString old = m_temporary + QStringLiteral(".old");
    const bool replaces = QFileInfo::exists(target);
    QDir dir;
    if (replaces && !dir.rename(target, old))
        return writeError(target, "the folder", QStringLiteral("the earlier report cannot be moved"));
    if (!dir.rename(m_temporary, target)) {
        if (replaces)
            dir.rename(old, target);
        return writeError(target, "the folder", QStringLiteral("it cannot be moved to its place"));
    }
    m_temporary.clear();
    if (replaces)
        QDir(old).removeRecursively();
    m_finished = true;
    return {};
}

Result<void> ReportExporter::step()
{
    if (m_finished)
        return {};
    const auto failed = [this](const Error &error) -> Result<void> {
        if (!m_temporary.isEmpty())
            QDir(m_temporary).removeRecursively();
        m_temporary.clear();
        m_done = 0;
        return error;
    };
    if (m_temporary.isEmpty())
        if (auto begun = begin(); !begun)
            return failed(begun.error());
    if (m_done < stepCount()) {
        const Step &next = m_steps[static_cast<std::size_t>(m_done)];
        const auto bytes = next.make();
        if (!bytes)
            return failed(bytes.error());
        if (auto written = writeFile(next.path, *bytes); !written)
            return failed(written.error());
        m_files.push_back(next.path);
        m_sums.push_back(
            {bytes->size(), QCryptographicHash::hash(*bytes, QCryptographicHash::Sha256).toHex()});
        ++m_done;
    }
    if (m_done == stepCount())
        if (auto done = finish(); !done)
            return failed(done.error());
    return {};
}

Result<std::vector<std::string>> exportReport(const Report &report, const ReportExportOptions &options)
{
    ReportExporter exporter(report, options);
    while (!exporter.finished())
        if (auto step = exporter.step(); !step)
            return step.error();
    return exporter.files();
}

} // namespace sb
