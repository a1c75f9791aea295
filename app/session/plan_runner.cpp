// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/plan_runner.h"

#include "core/text.h"
#include "session/job_queue.h"
#include "session/telemetry_file.h"

#include <QDateTime>
#include <QDir>
#include <QMetaObject>

#include <algorithm>

namespace sb {

namespace {

constexpr std::size_t kSaveEvery = 2000; // samples a transaction
constexpr int kStopGraceS = 5;

std::string nowUtc()
{
    return QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
}

} // namespace

PlanRunner::PlanRunner(Workspace &workspace, const std::vector<Framework> &frameworks, RunWorker &worker)
    : m_workspace(workspace)
    , m_frameworks(frameworks)
    , m_worker(worker)
{
    connect(&worker, &RunWorker::runStarted, this, &PlanRunner::takeStarted);
    connect(&worker, &RunWorker::jobChanged, this, &PlanRunner::takeJob);
    connect(&worker, &RunWorker::batchReady, this, &PlanRunner::takeBatch);
    connect(&worker, &RunWorker::telemetryReady, this, &PlanRunner::takeTelemetry);
    connect(&worker, &RunWorker::runEnded, this, &PlanRunner::takeEnd);
    connect(&worker, &RunWorker::linkChanged, this,
            [this](const QString &host, bool lost, const QString &why) {
                if (lost)
                    Q_EMIT problem(host + QStringLiteral(": ") + why);
            });
}

void PlanRunner::start(Sweep sweep)
{
    m_sweep = std::move(sweep);
    m_pause = false;
    m_stop = false;
    m_indexBroken = false;
    m_progress = SweepProgress();
    m_progress.active = true;
    m_sweepClock.start();
    m_queue = missingItems(m_sweep, m_workspace.runs(), m_frameworks);
    recount();
    next();
}

void PlanRunner::setPauseAfterRun(bool pause)
{
    m_pause = pause;
    Q_EMIT progressChanged();
}

void PlanRunner::stop()
{
    m_stop = true;
    if (!m_current)
        return finishSweep();
    m_live->stopping = true;
    QMetaObject::invokeMethod(&m_worker, [worker = &m_worker] { worker->stopRun(kStopGraceS); });
    Q_EMIT liveRunChanged();
}

void PlanRunner::next()
{
    if (m_stop || m_pause || m_queue.empty())
        return finishSweep();
    m_current = std::move(m_queue.front());
    m_queue.pop_front();
    if (!placesFor(m_current->run)) { // it may be going on there; it is attached to when they are connected
        Q_EMIT problem(
            QStringLiteral("A run of this workspace was started on nodes that are not connected now (") +
            QString::fromStdString(join(m_current->run.hosts, ", ")) +
            QStringLiteral("). It is left as it is."));
        m_current.reset();
        return next();
    }
    launch();
}

// Where a run goes: for one that was begun, the nodes it was begun on, in their order.
std::optional<std::vector<LaunchPlace>> PlanRunner::placesFor(const Run &run) const
{
    if (run.id.empty() || run.hosts.empty())
        return m_sweep.places;
    std::vector<LaunchPlace> places;
    for (const std::string &host : run.hosts) {
        const auto found = std::find_if(m_sweep.places.begin(), m_sweep.places.end(),
                                        [&](const LaunchPlace &place) { return place.host == host; });
        if (found == m_sweep.places.end())
            return std::nullopt;
        places.push_back(*found);
        // It goes on in its own folder, also where the plan names another by now.
        const std::size_t index = places.size() - 1;
        if (index < run.remoteFolders.size())
            places.back().workFolder =
                run.remoteFolders[index].substr(0, run.remoteFolders[index].rfind('/'));
    }
    return places;
}

void PlanRunner::launch()
{
    Run run = m_current->run;
    const Framework *framework = findFramework(m_frameworks, run.key.framework);
    if (run.id.empty()) {
        const QString stamp = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmsszzz"));
        run.id = stamp.toStdString() + "-" + run.caseName + "-r" + std::to_string(run.repeat);
        run.createdUtc = nowUtc();
    }
    std::vector<LaunchPlace> places = *placesFor(m_current->run);
    std::vector<ProgramCopy> copies;
    if (const auto program = m_sweep.programs.find(run.key.framework); program != m_sweep.programs.end())
        copies = placePrograms(program->second, run.key.nodes, places);
    const auto prepared =
        framework ? prepareLaunch(*framework, run.key, run.id, places)
                  : Result<Launch>(Error{ErrorCode::NotFound,
                                         "There is no plugin \"" + run.key.framework + "\" any more."});
    m_live = LiveRun();
    m_live->caseIndex = m_current->caseIndex;
    m_live->ranks.resize(prepared ? prepared->commands.size() : static_cast<std::size_t>(run.ranks()));
    for (std::size_t rank = 0; rank < m_live->ranks.size(); ++rank)
        m_live->ranks[rank].rank = static_cast<int>(rank);
    m_rank0.clear();
    m_unsaved.clear();
    m_runClock.start();
    run.state = RunState::Starting;
    if (run.startedUtc.empty())
        run.startedUtc = nowUtc();
    if (prepared) {
        run.commands = prepared->commands;
        run.launchCommand = prepared->command;
        run.hosts.clear();
        run.remoteFolders.clear();
        for (const NodeLaunch &node : prepared->nodes) {
            run.hosts.push_back(node.host);
            run.remoteFolders.push_back(node.folder);
        }
        run.nodeFacts.clear();
        if (!isJob(prepared->nodes.front().role)) // the node that submits is none of those that train
            run.nodeFacts.assign(m_sweep.nodes.begin(),
                                 m_sweep.nodes.begin() +
                                     std::min<std::ptrdiff_t>(run.key.nodes, std::ssize(m_sweep.nodes)));
    }
    m_live->run = run;
    recount();
    Q_EMIT liveRunChanged();
    const QString id = QString::fromStdString(run.id);
    if (!prepared)
        return takeEnd(id, {RunState::Lost, prepared.error().message, {}, false});
    if (!save(m_live->run)) { // nothing was started: a run without a record would be lost
        m_stop = true;
        m_current.reset();
        return finishSweep();
    }
    RunOrder order{run.id, *prepared, framework->log, m_workspace.runFolder(run.id), {}};
    if (m_current->run.id.empty()) // one that goes on has its program already
        order.programs = std::move(copies);
    else
        for (NodeLaunch &node : order.launch.nodes)
            node.check.clear();
    QMetaObject::invokeMethod(&m_worker, [worker = &m_worker, order] { worker->startRun(order); });
}

bool PlanRunner::isCurrent(const QString &runId) const
{
    return m_current && m_live && m_live->run.id == runId.toStdString();
}

void PlanRunner::takeStarted(const QString &runId)
{
    if (!isCurrent(runId) || m_live->run.state == RunState::Running)
        return;
    m_live->run.state = RunState::Running;
    save(m_live->run);
    Q_EMIT liveRunChanged();
}

void PlanRunner::takeJob(const QString &runId, const RunJob &job)
{
    if (!isCurrent(runId) || m_live->run.job == job)
        return;
    m_live->run.job = job;
    save(m_live->run);
    Q_EMIT liveRunChanged();
}

void PlanRunner::takeBatch(const QString &runId, const LogBatch &batch)
{
    if (!isCurrent(runId))
        return;
    LiveRun &live = *m_live;
    if (batch.facts)
        live.run.facts = *batch.facts;
    if (!live.run.facts.globalBatchSize) // an official script may log only its steps
        live.run.facts.globalBatchSize = live.run.key.globalBatchSize();
    for (const Sample &sample : batch.samples) {
        if (sample.rank < 0 || sample.rank >= static_cast<int>(live.ranks.size()))
            continue;
        live.ranks[static_cast<std::size_t>(sample.rank)].append(sample, live.run.facts.globalBatchSize);
        if (sample.rank == 0)
            m_rank0.push_back(sample);
        m_unsaved.push_back(sample);
    }
    for (const LogLine &line : batch.lines)
        live.log.push_back(line);
    while (live.log.size() > LiveRun::kMostLogLines)
        live.log.pop_front();
    live.logLines += batch.lineCount;
    if (m_unsaved.size() >= kSaveEvery && !m_indexBroken) {
        if (const auto saved = m_workspace.appendSamples(live.run.id, m_unsaved); !saved) {
            m_indexBroken = true; // the raw logs are complete; rebuild repairs the index
            Q_EMIT problem(QString::fromStdString(saved.error().message));
        }
        m_unsaved.clear();
    }
    Q_EMIT liveDataAppended();
}

void PlanRunner::takeTelemetry(const QString &runId, const TelemetrySample &sample)
{
    if (!isCurrent(runId))
        return;
    if (!m_live->telemetryStartS)
        m_live->telemetryStartS = sample.timeS;
    m_live->telemetry.push_back(sample);
    Q_EMIT liveDataAppended();
}

void PlanRunner::takeEnd(const QString &runId, const RunOutcome &outcome)
{
    if (!isCurrent(runId))
        return;
    Run &run = m_live->run;
    if (outcome.keepRunning) { // our side gave up, the run did not: it is attached to at the next start
        m_stop = true;
        m_current.reset();
        Q_EMIT problem(QString::fromStdString(outcome.reason));
        return finishSweep();
    }
    run.state = outcome.state;
    run.reason = outcome.reason;
    run.exitCode = outcome.exitCode;
    run.finishedUtc = nowUtc();
    if (run.state == RunState::Done) {
        const MeasurementRule rule{run.key.warmupSteps, run.key.measuredSteps, 1};
        const Framework *framework = findFramework(m_frameworks, run.key.framework);
        const auto from = framework ? framework->log.from : ThroughputFrom::Clock;
        if (auto measured = measure(m_rank0, rule, run.facts.globalBatchSize, from)) {
            run.measurement = *measured;
        } else { // green only with the asked number of steps
            run.state = RunState::Failed;
            run.reason = measured.error().message;
        }
    }
    // A run of an earlier session that its node forgot is missing again.
    if (run.state == RunState::Lost && m_current->caseIndex && !m_current->run.id.empty()) {
        const auto items = missingItems(m_sweep, {}, m_frameworks);
        const auto again = std::find_if(items.begin(), items.end(), [&](const SweepItem &item) {
            return item.caseIndex == m_current->caseIndex && item.run.repeat == run.repeat;
        });
        if (again != items.end())
            m_queue.push_front(*again);
    }
    finishRun();
}

void PlanRunner::finishRun()
{
    Run &run = m_live->run;
    m_progress.deviceHours += static_cast<double>(m_runClock.elapsed()) / 3.6e6 * run.key.devices();
    if (!m_unsaved.empty() && !m_indexBroken)
        if (const auto saved = m_workspace.appendSamples(run.id, m_unsaved); !saved)
            Q_EMIT problem(QString::fromStdString(saved.error().message));
    m_unsaved.clear();
    const bool saved = save(run);
    if (saved && m_live->telemetryStartS)
        if (const auto kept = writeTelemetry(m_workspace.runFolder(run.id) + '/' + kTelemetryFile,
                                             m_live->telemetry, *m_live->telemetryStartS);
            !kept)
            Q_EMIT problem(QString::fromStdString(kept.error().message));
    m_current.reset();
    recount();
    Q_EMIT liveRunChanged();
    if (saved)
        Q_EMIT runFinished(run);
    else
        m_stop = true;
    next();
}

bool PlanRunner::save(Run &run)
{
    const auto saved = m_workspace.saveRun(run);
    if (!saved)
        Q_EMIT problem(QString::fromStdString(saved.error().message));
    return saved.ok();
}

void PlanRunner::finishSweep()
{
    m_progress.active = false;
    m_progress.pauseRequested = false;
    recount();
    const bool everyRunDone = m_queue.empty() && m_progress.doneRuns == m_progress.totalRuns;
    Q_EMIT progressChanged();
    Q_EMIT planFinished(everyRunDone);
}

void PlanRunner::recount()
{
    m_progress.cases = countCases(m_sweep, m_workspace.runs(), m_queue, m_current ? &*m_current : nullptr);
    m_progress.totalRuns = 0;
    m_progress.doneRuns = 0;
    m_progress.failedRuns = 0;
    for (const CaseProgress &progress : m_progress.cases) {
        m_progress.totalRuns += progress.repeats;
        m_progress.doneRuns += progress.done;
        m_progress.failedRuns += progress.failed;
    }
    Q_EMIT progressChanged();
}

const SweepProgress &PlanRunner::progress()
{
    m_progress.pauseRequested = m_pause && m_progress.active;
    if (!m_progress.active)
        return m_progress;
    m_progress.elapsedS = static_cast<double>(m_sweepClock.elapsed()) / 1000.0;
    double left = 0;
    bool known = true;
    const auto add = [&](std::optional<std::size_t> caseIndex, double alreadyS) {
        const auto expected =
            caseIndex ? expectedRunS(m_sweep, m_workspace.runs(), *caseIndex) : std::nullopt;
        known = known && (expected || !caseIndex);
        left += std::max(0.0, expected.value_or(0) - alreadyS);
    };
    for (const SweepItem &item : m_queue)
        add(item.caseIndex, 0);
    if (m_current)
        add(m_live->caseIndex, static_cast<double>(m_runClock.elapsed()) / 1000.0);
    m_progress.leftS = known ? std::optional(left) : std::nullopt;
    return m_progress;
}

} // namespace sb
