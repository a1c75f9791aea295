// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import.h"

#include "core/text.h"
#include "session/import_table.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace sb {

namespace {

constexpr qint64 kPrintBytes = 256 << 10;
constexpr std::size_t kMostIndexed = 4000; // samples of an imported run in the index; the raw log has all

bool isRow(const ImportItem &item)
{
    return item.kind == LineKind::Rate && item.key.measuredSteps == 0;
}

// The row of a table, or the whole file: the evidence that is kept.
Result<QByteArray> rowBytes(const ImportItem &item)
{
    const std::size_t colon = item.path.rfind(':');
    QFile file(QString::fromStdString(item.path.substr(0, colon)));
    const auto row = toInteger(std::string_view(item.path).substr(colon + 1)).value_or(0);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, item.path + " cannot be read: " + file.errorString().toStdString() + "."};
    const QByteArray header = file.readLine();
    QByteArray line;
    for (std::int64_t i = 2; i <= row && !file.atEnd(); ++i)
        line = file.readLine();
    return header + line;
}

// Tells files apart without reading all of a large one: its size, its beginning and its end.
Result<std::string> fingerprint(const ImportItem &item)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (isRow(item)) {
        const auto bytes = rowBytes(item);
        if (!bytes)
            return bytes.error();
        hash.addData(*bytes);
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
    if (isRow(item)) {
        const auto bytes = rowBytes(item);
        if (!bytes)
            return bytes.error();
        QFile file(target);
        if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size())
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

Result<void> indexSamples(Workspace &workspace, const Run &run, const Catalog &catalog)
{
    const LogWords words = catalog.words ? *catalog.words : LogWords();
    const LineRules rules(lineFormats(catalog.frameworks, words, run.key.framework), words);
    auto parsed = parseLog(workspace.rankLogPath(run.id, 0), rules, LogEnough{kMostIndexed, 0});
    if (!parsed)
        return parsed.error();
    LogContents contents = contentsOf(std::move(*parsed), 0);
    if (contents.samples.size() > kMostIndexed)
        contents.samples.resize(kMostIndexed);
    return workspace.appendSamples(run.id, contents.samples);
}

} // namespace

Result<ImportReport> applyImport(Workspace &workspace, const ImportPreview &preview, const Catalog &catalog,
                                 const std::function<void(int, int)> &step)
{
    ImportReport report;
    int done = 0;
    for (const ImportItem &item : preview.items) {
        ++done;
        if (!item.good())
            continue;
        const auto print = fingerprint(item);
        if (!print)
            return print.error();
        const std::string id = "import-" + caseId(item.key) + "-" + *print;
        const auto same = [&](const Run &run) { return run.id == id; };
        if (std::any_of(workspace.runs().begin(), workspace.runs().end(), same)) {
            ++report.known;
            continue;
        }
        if (auto copied = copyLog(item, QString::fromStdString(workspace.rankLogPath(id, 0))); !copied)
            return copied.error();
        const Run run = runOf(item, id, catalog);
        if (auto saved = workspace.saveRun(run); !saved)
            return saved.error();
        if (!isRow(item))
            if (auto indexed = indexSamples(workspace, run, catalog); !indexed)
                return indexed.error();
        report.runIds.push_back(id);
        ++report.imported;
        if (step)
            step(done, static_cast<int>(preview.items.size()));
    }
    return report;
}

} // namespace sb
