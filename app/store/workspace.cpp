// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/workspace.h"

#include "core/json.h"
#include "store/database.h"
#include "store/run_record.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>

#include <algorithm>

namespace sb {

namespace {

constexpr int kWorkspaceSchema = 1;
constexpr const char *kMarker = "workspace.json";
constexpr const char *kIndex = "scaleboard.db";
constexpr const char *kBundle = "bundle.json";

Result<void> writeWhole(const std::string &path, const std::string &text)
{
    QSaveFile file(QString::fromStdString(path));
    const auto size = static_cast<qint64>(text.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.commit())
        return Error{ErrorCode::Io, path + " cannot be written: " + file.errorString().toStdString() + "."};
    return {};
}

Result<std::string> readWhole(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, path + " cannot be read: " + file.errorString().toStdString() + "."};
    return file.readAll().toStdString();
}

} // namespace

class Workspace::Private {
public:
    std::string folder;
    std::string name;
    bool needsRebuild = false;
    bool readOnly = false;
    std::vector<Run> runs;
    std::vector<std::string> problems;
    std::unique_ptr<QLockFile> lock;
    std::unique_ptr<Database> database;

    std::string path(const std::string &file) const { return folder + "/" + file; }

    Result<void> takeLock()
    {
        lock = std::make_unique<QLockFile>(QString::fromStdString(path("lock")));
        lock->setStaleLockTime(0); // by process id only: a sweep may hold it for days
        if (lock->tryLock(0))
            return {};
        if (lock->error() == QLockFile::LockFailedError)
            return Error{ErrorCode::Unavailable,
                         "The workspace " + folder + " is open in another program; close it there first."};
        return Error{ErrorCode::Io, "The workspace " + folder +
                                        " cannot be written to; look at its permissions, or copy it to a "
                                        "folder of your own."};
    }

    Result<void> readMarker()
    {
        const auto text = readWhole(path(kMarker));
        if (!text)
            return text.error();
        const auto root = parseJson(*text, path(kMarker));
        if (!root)
            return root.error();
        ObjectReader reader(*root, path(kMarker), "workspace");
        if (const int schema = reader.integer("schema"); schema > kWorkspaceSchema)
            return Error{ErrorCode::Newer,
                         "The workspace " + folder + " was made by a newer version (schema " +
                             std::to_string(schema) + "; this one reads up to " +
                             std::to_string(kWorkspaceSchema) + "); open it with that version."};
        name = reader.string("name");
        reader.string("created_utc");
        return reader.finish();
    }

    // A damaged index is moved aside, never deleted, and made again.
    Result<void> openDatabase()
    {
        auto opened = Database::open(path(kIndex));
        if (!opened && opened.error().code == ErrorCode::BadInput) {
            problems.push_back(opened.error().message + " It was moved to " + kIndex +
                               ".damaged and made again.");
            for (const char *suffix : {"-wal", "-shm"})
                QFile::remove(QString::fromStdString(path(kIndex) + suffix));
            QFile::remove(QString::fromStdString(path(kIndex) + ".damaged"));
            QFile::rename(QString::fromStdString(path(kIndex)),
                          QString::fromStdString(path(kIndex) + ".damaged"));
            opened = Database::open(path(kIndex));
        }
        if (!opened)
            return opened.error();
        database = std::move(*opened);
        return {};
    }

    // Records are the truth: what the index lacks or has otherwise is taken from them.
    Result<void> readRuns()
    {
        const QDir logs(QString::fromStdString(path("logs")));
        for (const QString &entry : logs.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
            const std::string recordPath = logs.filePath(entry + QStringLiteral("/run.json")).toStdString();
            if (!QFileInfo::exists(QString::fromStdString(recordPath)))
                continue;
            const auto text = readWhole(recordPath);
            auto run = text ? readRunRecord(*text, recordPath) : Result<Run>(text.error());
            if (run && run->id != entry.toStdString())
                run = Error{ErrorCode::BadInput,
                            recordPath + " is the record of another run (" + run->id + ")."};
            if (run)
                runs.push_back(std::move(*run));
            else
                problems.push_back(run.error().message);
        }
        needsRebuild = database->isNew() && !runs.empty();
        if (needsRebuild)
            for (const Run &run : runs)
                if (auto saved = database->saveRun(run.id, run.caseName, writeRunRecord(run, -1)); !saved)
                    return saved;
        return {};
    }
};

Workspace::Workspace()
    : d(std::make_unique<Private>())
{
}

Workspace::~Workspace() = default;

Result<std::unique_ptr<Workspace>> Workspace::create(const std::string &folder)
{
    const QDir dir(QString::fromStdString(folder));
    if (dir.exists(QString::fromLatin1(kMarker)))
        return open(folder);
    if (dir.exists() && !dir.isEmpty())
        return Error{ErrorCode::BadInput,
                     folder + " is not empty and not a workspace; choose an empty or a new folder."};
    if (!QDir().mkpath(dir.filePath(QStringLiteral("logs"))))
        return Error{ErrorCode::Io, "The workspace folder " + folder +
                                        " cannot be made; choose a place where you may write."};
    const std::string absolute = dir.absolutePath().toStdString();
    const JsonNode marker =
        JsonNode::object()
            .set("schema", kWorkspaceSchema)
            .set("name", QFileInfo(QString::fromStdString(absolute)).fileName().toStdString())
            .set("created_utc", QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString());
    if (auto written = writeWhole(absolute + "/" + kMarker, writeJson(marker) + "\n"); !written)
        return written.error();
    return open(folder);
}

Result<std::unique_ptr<Workspace>> Workspace::open(const std::string &folder)
{
    const QDir dir(QString::fromStdString(folder));
    if (!dir.exists(QString::fromLatin1(kMarker)))
        return Error{ErrorCode::NotFound,
                     "There is no workspace in " + folder +
                         "; choose a folder with a workspace.json that you may read, or import its logs."};
    std::unique_ptr<Workspace> workspace(new Workspace);
    Private &d = *workspace->d;
    d.folder = dir.absolutePath().toStdString();
    if (auto read = d.readMarker(); !read)
        return read.error();
    d.readOnly = dir.exists(QString::fromLatin1(kBundle));
    if (auto locked = d.takeLock(); !locked)
        return locked.error();
    if (auto opened = d.openDatabase(); !opened)
        return opened.error();
    if (auto read = d.readRuns(); !read)
        return read.error();
    return workspace;
}

const std::string &Workspace::folder() const
{
    return d->folder;
}
const std::string &Workspace::name() const
{
    return d->name;
}
bool Workspace::needsRebuild() const
{
    return d->needsRebuild;
}
bool Workspace::readOnly() const
{
    return d->readOnly;
}
const std::vector<Run> &Workspace::runs() const
{
    return d->runs;
}
const std::vector<std::string> &Workspace::problems() const
{
    return d->problems;
}

Result<void> Workspace::saveRun(const Run &run)
{
    const std::string runDir = runFolder(run.id);
    const auto known =
        std::find_if(d->runs.begin(), d->runs.end(), [&](const Run &r) { return r.id == run.id; });
    if (d->readOnly && known == d->runs.end())
        return Error{ErrorCode::BadInput, "The workspace " + d->folder +
                                              " is a bundle and read-only; run its plan again in a new "
                                              "workspace (scaleboard-cli bundle run-again)."};
    if (!d->readOnly && !QDir().mkpath(QString::fromStdString(runDir)))
        return Error{ErrorCode::Io, "The folder " + runDir + " cannot be made."};
    if (!d->readOnly)
        if (auto written = writeWhole(runDir + "/run.json", writeRunRecord(run) + "\n"); !written)
            return written;
    if (known != d->runs.end())
        *known = run;
    else
        d->runs.insert(std::upper_bound(d->runs.begin(), d->runs.end(), run,
                                        [](const Run &a, const Run &b) { return a.id < b.id; }),
                       run);
    return d->database->saveRun(run.id, run.caseName, writeRunRecord(run, -1));
}

Result<void> Workspace::appendSamples(const std::string &runId, std::span<const Sample> samples)
{
    return d->database->appendSamples(runId, samples);
}

Result<void> Workspace::dropSamples(const std::string &runId)
{
    return d->database->dropSamples(runId);
}

Result<std::vector<Sample>> Workspace::samples(const std::string &runId, int rank) const
{
    return d->database->samples(runId, rank);
}

std::string Workspace::runFolder(const std::string &runId) const
{
    return d->folder + "/logs/" + runId;
}

std::string Workspace::rankLogPath(const std::string &runId, int rank) const
{
    return runFolder(runId) + "/rank" + std::to_string(rank) + ".log";
}

std::string Workspace::nodeErrorPath(const std::string &runId, int node) const
{
    return runFolder(runId) + "/node" + std::to_string(node) + ".err";
}

} // namespace sb
