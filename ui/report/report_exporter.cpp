// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_exporter.h"

#include "core/json.h"
#include "core/units.h"
#include "report/report_drawing.h"
#include "report/report_texts.h"
#include "report/report_xlsx.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QStorageInfo>
#include <QThread>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sb {

namespace {

constexpr const char *kManifest = "manifest.json";
constexpr const char *kManifestKind = "scaleboard report";
constexpr const char *kBundleName = "study.tar.zst";
constexpr int kLogoPx = 600; // 14 mm high in print, at more than 1000 dpi

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

ReportExporter::ReportExporter(Report report, ReportExportOptions options)
    : m_shared(std::make_shared<const Report>(std::move(report)))
    , m_report(*m_shared)
    , m_options(std::move(options))
{
    while (m_options.folder.size() > 1 && m_options.folder.back() == '/')
        m_options.folder.pop_back();
    const auto wants = [this](ReportFormat format) { return m_options.formats.contains(format); };
    if (wants(ReportFormat::Latex))
        m_options.figures.insert(FigureFormat::Pdf); // what LaTeX can read
    if (wants(ReportFormat::Markdown) && m_options.figures.empty())
        m_options.figures.insert(FigureFormat::Svg); // the text refers to them
    addPagesAndTexts();
    if (wants(ReportFormat::Latex))
        addLatex();
    addData();
    if (wants(ReportFormat::Csv))
        addTables();
    addFigures();
    if (wants(ReportFormat::Bundle) && m_options.bundle)
        addBundle();
}

ReportExporter::~ReportExporter()
{
    m_steps.clear(); // what the pool still does is told to stop
    if (!m_temporary.isEmpty())
        QDir(m_temporary).removeRecursively();
}

void ReportExporter::add(const std::string &path, std::function<Result<QByteArray>()> make)
{
    m_steps.push_back({path, [make = std::move(make)]() -> Turn {
                           auto made = make();
                           if (!made)
                               return made.error();
                           return std::optional(std::move(*made));
                       }});
}

void ReportExporter::addBackground(const std::string &path, std::function<Result<QByteArray>()> make)
{
    auto work = std::make_shared<std::unique_ptr<Background<QByteArray>>>();
    m_steps.push_back({path, [work, make = std::move(make)]() -> Turn {
                           if (!*work)
                               *work = std::make_unique<Background<QByteArray>>(
                                   [make](const std::atomic<bool> &) { return make(); });
                           if (!(*work)->done())
                               return std::optional<QByteArray>();
                           auto made = (*work)->take();
                           if (!made)
                               return made.error();
                           return std::optional(std::move(*made));
                       }});
}

void ReportExporter::addPagesAndTexts()
{
    const auto wants = [this](ReportFormat format) { return m_options.formats.contains(format); };
    if (wants(ReportFormat::Pdf))
        m_steps.push_back({"report.pdf", [maker = std::make_shared<PdfMaker>(m_report, m_options.style)] {
                               return maker->turn();
                           }});
    if (wants(ReportFormat::Html))
        m_steps.push_back({"report.html", [maker = std::make_shared<HtmlMaker>(m_report, m_options.style)] {
                               return maker->turn();
                           }});
    if (!wants(ReportFormat::Markdown))
        return;
    const std::string end = ending(*m_options.figures.begin());
    addBackground("report.md", [report = m_shared, end]() -> Result<QByteArray> {
        return QByteArray::fromStdString(reportMarkdown(
            *report, [&end](const ReportFigure &figure) { return "figures/" + figure.id + "." + end; }));
    });
}

void ReportExporter::addLatex()
{
    LatexFigures figures{[](const ReportFigure &figure) { return "figures/" + figure.id; },
                         m_options.style.figureWidthMm};
    if (!m_options.style.logo.isEmpty()) {
        figures.logo = "figures/logo.png";
        add(figures.logo, [this] { return Result<QByteArray>(logoPng(m_options.style, kLogoPx)); });
    }
    if (const QColor &accent = m_options.style.accent; accent.isValid())
        figures.accent = plainNumber(std::round(accent.redF() * 1000) / 1000) + "," +
                         plainNumber(std::round(accent.greenF() * 1000) / 1000) + "," +
                         plainNumber(std::round(accent.blueF() * 1000) / 1000);
    addBackground("report.tex", [report = m_shared, figures]() -> Result<QByteArray> {
        return QByteArray::fromStdString(reportLatex(*report, figures));
    });
}

void ReportExporter::addData()
{
    if (m_options.formats.contains(ReportFormat::Xlsx))
        addBackground("report.xlsx", [report = m_shared] { return reportXlsx(*report); });
    if (!m_options.formats.contains(ReportFormat::Json))
        return;
    addBackground("report.json", [report = m_shared]() -> Result<QByteArray> {
        return QByteArray::fromStdString(reportJson(*report));
    });
    std::set<std::string> names;
    for (const ScalingGroup &group : m_report.groups)
        for (const ScalingCurve &curve : group.curves) {
            const std::string stem = "summaries/" + curve.framework + "-" + groupId(group);
            std::string name = stem;
            for (int n = 2; !names.insert(name).second; ++n)
                name = stem + "-" + std::to_string(n);
            add(name + ".json",
                [&curve]() -> Result<QByteArray> { return QByteArray::fromStdString(curveSummary(curve)); });
        }
}

void ReportExporter::addTables()
{
    for (const ReportSection &section : m_report.sections)
        for (const ReportBlock &block : section.blocks)
            if (const auto *table = std::get_if<ReportTable>(&block))
                add("tables/" + table->id + ".csv", [this, table]() -> Result<QByteArray> {
                    return QByteArray::fromStdString(tableCsv(*table, m_report.language));
                });
}

void ReportExporter::addFigures()
{
    const FigureStyle style{m_options.style.palette, m_options.style.figureWidthMm,
                            m_options.style.fontFamily};
    for (const ReportFigure *figure : figuresOf(m_report))
        for (const FigureFormat format : m_options.figures)
            add("figures/" + figure->id + "." + ending(format), [this, figure, format, style] {
                return ReportDrawing(m_report, *figure, style).file(format);
            });
}

// Last, since it holds all that was written before.
void ReportExporter::addBundle()
{
    auto work = std::make_shared<std::unique_ptr<Background<QByteArray>>>();
    Step step;
    step.path = kBundleName;
    step.writesItself = true;
    step.turn = [this, work]() -> Turn {
        if (!*work) {
            BundleOptions options = m_options.bundleOptions;
            options.reportFolder = m_temporary.toStdString();
            const std::string path = m_temporary.toStdString() + "/" + kBundleName;
            *work = std::make_unique<Background<QByteArray>>(
                [source = *m_options.bundle, options,
                 path](const std::atomic<bool> &stop) -> Result<QByteArray> {
                    const auto goOn = [&stop](int, int) { return !stop; };
                    if (auto written = writeBundle(source, path, options, goOn); !written)
                        return written.error();
                    const auto file = describeFile(kBundleName, path);
                    if (!file)
                        return file.error();
                    return QByteArray::fromStdString(file->sha256);
                });
        }
        if (!(*work)->done())
            return std::optional<QByteArray>();
        auto made = (*work)->take();
        if (!made)
            return made.error();
        return std::optional(std::move(*made));
    };
    m_steps.push_back(std::move(step));
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

Result<void> ReportExporter::keep(const Step &step, const QByteArray &bytes)
{
    if (step.writesItself) {
        m_sums.push_back(
            {QFileInfo(m_temporary + QLatin1Char('/') + QString::fromStdString(step.path)).size(),
             bytes}); // which is the sum
    } else {
        if (auto written = writeFile(step.path, bytes); !written)
            return written;
        m_sums.push_back({bytes.size(), QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()});
    }
    m_files.push_back(step.path);
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
        const Turn turn = next.turn();
        if (!turn)
            return failed(turn.error());
        if (!turn->has_value())
            return {}; // not yet
        if (auto kept = keep(next, **turn); !kept)
            return failed(kept.error());
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
    while (!exporter.finished()) {
        const int before = exporter.stepsDone();
        if (auto step = exporter.step(); !step)
            return step.error();
        if (exporter.stepsDone() == before)
            QThread::yieldCurrentThread(); // the pool may be at it
    }
    return exporter.files();
}

} // namespace sb
