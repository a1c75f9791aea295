// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/database.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>

namespace sb {

class Database::Private {
public:
    QString connection = QUuid::createUuid().toString();
    std::string path;
    bool isNew = false;
    std::unique_ptr<QSqlQuery> insertSample;

    QSqlDatabase db() const { return QSqlDatabase::database(connection, false); }

    Error error(const QSqlError &cause, const std::string &attempt) const
    {
        const std::string text = cause.databaseText().toStdString();
        const bool full = text.find("full") != std::string::npos;
        return {ErrorCode::Io,
                "The index " + path + " could not " + attempt + ": " + text +
                    (full ? ". Free some space on this disk; the raw logs are complete." : ".")};
    }

    Result<void> run(const QString &statement, const std::string &attempt) const
    {
        QSqlQuery query(db());
        if (!query.exec(statement))
            return error(query.lastError(), attempt);
        return {};
    }

    Result<void> migrate()
    {
        QSqlQuery version(db());
        if (!version.exec(QStringLiteral("PRAGMA user_version")) || !version.next())
            return Error{ErrorCode::BadInput,
                         path + " is damaged: " + version.lastError().databaseText().toStdString() + "."};
        const int schema = version.value(0).toInt();
        version.finish();
        if (schema > kSchema)
            return Error{ErrorCode::Newer, "The workspace index " + path +
                                               " was made by a newer version (schema " +
                                               std::to_string(schema) + "; this one reads up to " +
                                               std::to_string(kSchema) + "); open it with that version."};
        if (schema == kSchema)
            return {};
        isNew = true;
        for (const char *statement :
             {"CREATE TABLE run (id TEXT PRIMARY KEY, case_name TEXT NOT NULL, record TEXT NOT NULL) WITHOUT "
              "ROWID",
              "CREATE TABLE run_number (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)",
              "CREATE TABLE sample (run INTEGER NOT NULL, rank INTEGER NOT NULL, step INTEGER NOT NULL, "
              "time_s REAL, "
              "step_ms REAL, samples INTEGER, samples_per_s REAL, loss REAL, data_ms REAL, comm_ms REAL, "
              "compute_ms REAL, log_offset INTEGER NOT NULL, PRIMARY KEY (run, rank, step)) WITHOUT ROWID",
              "PRAGMA user_version = 1"})
            if (auto done = run(QString::fromLatin1(statement), "be set up"); !done)
                return done;
        return {};
    }

    // Run ids are long; samples refer to a number.
    Result<qlonglong> runNumber(const std::string &id, bool make) const
    {
        QSqlQuery query(db());
        const QVariant name = QString::fromStdString(id);
        if (make) {
            query.prepare(QStringLiteral("INSERT OR IGNORE INTO run_number (id) VALUES (?)"));
            query.addBindValue(name);
            if (!query.exec())
                return error(query.lastError(), "take a run");
        }
        query.prepare(QStringLiteral("SELECT number FROM run_number WHERE id = ?"));
        query.addBindValue(name);
        if (!query.exec())
            return error(query.lastError(), "be read");
        return query.next() ? query.value(0).toLongLong() : qlonglong{-1};
    }
};

Database::Database()
    : d(std::make_unique<Private>())
{
}

Database::~Database()
{
    d->insertSample.reset();
    d->db().close();
    QSqlDatabase::removeDatabase(d->connection);
}

Result<std::unique_ptr<Database>> Database::open(const std::string &path)
{
    std::unique_ptr<Database> database(new Database);
    Private &d = *database->d;
    d.path = path;
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), d.connection);
    if (!db.isValid())
        return Error{ErrorCode::Unavailable,
                     "Qt's SQLite driver is missing; install the package libqt6sql6-sqlite."};
    db.setDatabaseName(QString::fromStdString(path));
    if (!db.open())
        return d.error(db.lastError(), "be opened");
    // WAL survives a crash at any moment; NORMAL may lose the last transactions at a power cut, and those are
    // in the raw logs.
    for (const char *pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"})
        if (QSqlQuery query(db); !query.exec(QString::fromLatin1(pragma)))
            return Error{ErrorCode::BadInput,
                         path + " is damaged: " + query.lastError().databaseText().toStdString() + "."};
    if (auto migrated = d.migrate(); !migrated)
        return migrated.error();
    d.insertSample = std::make_unique<QSqlQuery>(db);
    d.insertSample->prepare(QStringLiteral("INSERT OR REPLACE INTO sample VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"));
    return database;
}

bool Database::isNew() const
{
    return d->isNew;
}

Result<void> Database::saveRun(const std::string &id, const std::string &caseName, const std::string &record)
{
    QSqlQuery query(d->db());
    query.prepare(QStringLiteral("INSERT OR REPLACE INTO run VALUES (?,?,?)"));
    for (const std::string *value : {&id, &caseName, &record})
        query.addBindValue(QString::fromStdString(*value));
    if (!query.exec())
        return d->error(query.lastError(), "take a run");
    return {};
}

Result<std::vector<std::pair<std::string, std::string>>> Database::runs() const
{
    QSqlQuery query(d->db());
    query.setForwardOnly(true);
    if (!query.exec(QStringLiteral("SELECT id, record FROM run ORDER BY id")))
        return d->error(query.lastError(), "be read");
    std::vector<std::pair<std::string, std::string>> runs;
    while (query.next())
        runs.emplace_back(query.value(0).toString().toStdString(), query.value(1).toString().toStdString());
    return runs;
}

namespace {

template <typename T>
QVariant orNull(const std::optional<T> &value)
{
    if constexpr (std::is_integral_v<T>)
        return value ? QVariant(static_cast<qlonglong>(*value)) : QVariant();
    else
        return value ? QVariant(*value) : QVariant();
}

std::optional<double> number(const QSqlQuery &query, int column)
{
    return query.isNull(column) ? std::nullopt : std::optional(query.value(column).toDouble());
}

} // namespace

Result<void> Database::appendSamples(const std::string &runId, std::span<const Sample> samples)
{
    if (samples.empty())
        return {};
    QSqlDatabase db = d->db();
    if (!db.transaction())
        return d->error(db.lastError(), "start to write samples");
    const auto run = d->runNumber(runId, true);
    if (!run) {
        db.rollback();
        return run.error();
    }
    QSqlQuery &insert = *d->insertSample;
    for (const Sample &s : samples) {
        insert.bindValue(0, *run);
        insert.bindValue(1, s.rank);
        insert.bindValue(2, static_cast<qlonglong>(s.step));
        insert.bindValue(3, orNull(s.timeS));
        insert.bindValue(4, orNull(s.stepTimeMs));
        insert.bindValue(5, orNull(s.samples));
        insert.bindValue(6, orNull(s.samplesPerS));
        insert.bindValue(7, orNull(s.loss));
        insert.bindValue(8, orNull(s.dataTimeMs));
        insert.bindValue(9, orNull(s.commTimeMs));
        insert.bindValue(10, orNull(s.computeTimeMs));
        insert.bindValue(11, static_cast<qlonglong>(s.logOffset));
        if (!insert.exec()) {
            const Error cause = d->error(insert.lastError(), "take samples");
            db.rollback();
            return cause;
        }
    }
    if (!db.commit()) {
        const Error cause = d->error(db.lastError(), "take samples");
        db.rollback();
        return cause;
    }
    return {};
}

Result<void> Database::dropSamples(const std::string &runId)
{
    const auto run = d->runNumber(runId, false);
    if (!run)
        return run.error();
    QSqlQuery query(d->db());
    query.prepare(QStringLiteral("DELETE FROM sample WHERE run = ?"));
    query.addBindValue(*run);
    if (!query.exec())
        return d->error(query.lastError(), "drop samples");
    return {};
}

Result<std::vector<Sample>> Database::samples(const std::string &runId, int rank) const
{
    const auto run = d->runNumber(runId, false);
    if (!run)
        return run.error();
    QSqlQuery query(d->db());
    query.setForwardOnly(true);
    query.prepare(
        QStringLiteral("SELECT step, time_s, step_ms, samples, samples_per_s, loss, data_ms, comm_ms, "
                       "compute_ms, log_offset FROM sample WHERE run = ? AND rank = ? ORDER BY step"));
    query.addBindValue(*run);
    query.addBindValue(rank);
    if (!query.exec())
        return d->error(query.lastError(), "be read");
    std::vector<Sample> samples;
    while (query.next()) {
        Sample s;
        s.rank = rank;
        s.step = query.value(0).toLongLong();
        s.timeS = number(query, 1);
        s.stepTimeMs = number(query, 2);
        if (!query.isNull(3))
            s.samples = query.value(3).toLongLong();
        s.samplesPerS = number(query, 4);
        s.loss = number(query, 5);
        s.dataTimeMs = number(query, 6);
        s.commTimeMs = number(query, 7);
        s.computeTimeMs = number(query, 8);
        s.logOffset = query.value(9).toLongLong();
        samples.push_back(s);
    }
    return samples;
}

} // namespace sb
