// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import.h"

#include "session/link_files.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace sb {

namespace {

constexpr qint64 kPrintBytes = 256 << 10;
constexpr std::size_t kMostIndexed = 4000; // samples of an imported run in the index; the raw log has all

// Tells files apart without reading all of a large one: its size, its beginning and its end.
Result<std::string> fingerprint(const ImportItem &item)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (item.source == ImportSource::Row) {
        hash.addData(QByteArray::fromStdString(item.evidence));
    } else {
        QFile file(QString::fromStdString(item.path));
        if (!file.open(QIODevice::ReadOnly))
            return Error{ErrorCode::Io,
                         item.path + " cannot be read: " + file.errorString().toStdString() + "."};
        hash.addData(QByteArray::number(file.size()));
        hash.addData(file.read(kPrintBytes));
        file.seek(std::max<qint64>(0, file.size() - kPrintBytes));
        hash.addData(file.read(kPrintBytes));
    }
    return hash.result().toHex().left(10).toStdString();
}

Result<void> copyLog(const ImportItem &item, const QString &target)
{
    QDir().mkpath(QFileInfo(target).absolutePath());
    if (item.source == ImportSource::Row) {
        const auto bytes = static_cast<qint64>(item.evidence.size());
        QFile file(target);
        if (!file.open(QIODevice::WriteOnly) || file.write(item.evidence.data(), bytes) != bytes)
            return Error{ErrorCode::Io, target.toStdString() + " cannot be written."};
        return {};
    }
    QFile source(QString::fromStdString(item.path));
    if (!QFile::exists(target) && !source.copy(target))
        return Error{ErrorCode::Io, item.path + " cannot be copied to " + target.toStdString() + ": " +
                                        source.errorString().toStdString() + "."};
    return {};
}

Run runOf(const ImportItem &item, const std::string &id, const Catalog &catalog)
{
    Run run;
    run.id = id;
    run.key = item.key;
    run.caseName = caseId(item.key);
    run.planName = kImportPlan;
    run.frameworkTitle = item.format;
    run.workloadTitle = item.key.workload;
    if (const Framework *framework = findFramework(catalog.frameworks, item.format)) {
        run.frameworkTitle = framework->title;
        if (const Workload *workload = framework->findWorkload(item.key.workload))
            run.workloadTitle = workload->title;
    }
    run.unit = item.unit;
    run.repeat = item.repeat;
    run.state = RunState::Done;
    run.exitCode = 0;
    const QFileInfo file(QString::fromStdString(item.path));
    const QDateTime made = file.exists() ? file.lastModified() : QDateTime::currentDateTime();
    run.createdUtc = run.startedUtc = run.finishedUtc =
        made.toUTC().toString(Qt::ISODateWithMs).toStdString();
    run.commands = {"imported from " + item.path};
    run.facts = item.facts;
    run.measurement = item.measurement;
    return run;
}

// Takes items into a workspace. The patterns are compiled once for all logs of a framework.
class Importer {
public:
    Importer(Workspace &workspace, const Catalog &catalog)
        : m_workspace(workspace)
        , m_catalog(catalog)
        , m_words(catalog.words ? *catalog.words : LogWords())
    {
        for (const Run &run : workspace.runs())
            m_known.insert(run.id);
    }

    Result<void> take(const ImportItem &item)
    {
        const auto print = fingerprint(item);
        if (!print)
            return print.error();
        return item.source == ImportSource::Links ? takeLinks(item, *print) : takeRun(item, *print);
    }

    ImportReport report;

private:
    Result<void> takeLinks(const ImportItem &item, const std::string &print)
    {
        const QFileInfo file(QString::fromStdString(item.path));
        const QString target =
            QString::fromStdString(linkFolder(m_workspace.folder()) + "/" + print + "-") + file.fileName();
        if (QFile::exists(target)) {
            ++report.known;
            return {};
        }
        ++report.links;
        return copyLog(item, target);
    }

    Result<void> takeRun(const ImportItem &item, const std::string &print)
    {
        const std::string id = "import-" + caseId(item.key) + "-" + print;
        if (!m_known.insert(id).second) {
            ++report.known;
            return {};
        }
        if (auto copied = copyLog(item, QString::fromStdString(m_workspace.rankLogPath(id, 0))); !copied)
            return copied;
        const Run run = runOf(item, id, m_catalog);
        if (auto saved = m_workspace.saveRun(run); !saved)
            return saved;
        if (item.source == ImportSource::Log)
            if (auto indexed = indexSamples(run); !indexed)
                return indexed;
        report.runIds.push_back(id);
        ++report.imported;
        return {};
    }

    Result<void> indexSamples(const Run &run)
    {
        std::unique_ptr<LineRules> &rules = m_rules[run.key.framework];
        if (!rules)
            rules = std::make_unique<LineRules>(lineFormats(m_catalog.frameworks, m_words, run.key.framework),
                                                m_words);
        auto parsed = parseLog(m_workspace.rankLogPath(run.id, 0), *rules, kMostIndexed);
        if (!parsed)
            return parsed.error();
        return m_workspace.appendSamples(run.id, contentsOf(std::move(*parsed), 0).samples);
    }

    Workspace &m_workspace;
    const Catalog &m_catalog;
    LogWords m_words;
    std::set<std::string> m_known; // ids of runs
    std::map<std::string, std::unique_ptr<LineRules>> m_rules;
};

} // namespace

Result<ImportReport> applyImport(Workspace &workspace, const ImportPreview &preview, const Catalog &catalog,
                                 const std::function<void(int, int)> &step)
{
    Importer importer(workspace, catalog);
    int done = 0;
    for (const ImportItem &item : preview.items) {
        ++done;
        if (!item.good())
            continue;
        if (const auto taken = importer.take(item); !taken)
            return taken.error();
        if (step)
            step(done, static_cast<int>(preview.items.size()));
    }
    return std::move(importer.report);
}

} // namespace sb
