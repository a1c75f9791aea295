// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/plan_runner.h"

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

std::optional<double> runDurationS(const Run &run)
{
    const auto start = QDateTime::fromString(QString::fromStdString(run.startedUtc), Qt::ISODateWithMs);
    const auto end = QDateTime::fromString(QString::fromStdString(run.finishedUtc), Qt::ISODateWithMs);
    if (!start.isValid() || !end.isValid())
        return std::nullopt;
    return static_cast<double>(start.msecsTo(end)) / 1000.0;
}

} // namespace

PlanRunner::PlanRunner(Workspace &workspace, const std::vector<Framework> &frameworks, RunWorker &worker)
    : m_workspace(workspace)
    , m_frameworks(frameworks)
    , m_worker(worker)
{
    connect(&worker, &RunWorker::runStarted, this, &PlanRunner::takeStarted);
    connect(&worker, &RunWorker::batchReady, this, &PlanRunner::takeBatch);
    connect(&worker, &RunWorker::telemetryReady, this, &PlanRunner::takeTelemetry);
    connect(&worker, &RunWorker::runEnded, this, &PlanRunner::takeEnd);
    connect(&worker, &RunWorker::linkChanged, this,
            [this](const QString &host, bool lost, const QString &why) {
                if (lost)
                    Q_EMIT problem(host + QStringLiteral(": ") + why);
            });
}

const Framework *PlanRunner::frameworkOf(const Run &run) const
{
    for (const Framework &framework : m_frameworks)
        if (framework.name == run.key.framework)
            return &framework;
    return nullptr;
}

namespace {

bool isDone(const std::vector<Run> &runs, const CaseKey &key, int repeat)
{
    return std::any_of(runs.begin(), runs.end(), [&](const Run &run) {
        return run.state == RunState::Done && run.repeat == repeat && run.key == key;
    });
}

} // namespace

std::size_t PlanRunner::missingRuns(const Sweep &sweep) const
{
    std::size_t missing = 0;
    for (const PlannedRun &planned : runOrder(sweep.cases, sweep.rule))
        if (!isDone(m_workspace.runs(), sweep.cases[planned.caseIndex].key, planned.repeat))
            ++missing;
    return missing;
}

void PlanRunner::buildQueue()
{
    m_queue.clear();
    const auto caseOf = [this](const CaseKey &key) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < m_sweep.cases.size(); ++i)
            if (m_sweep.cases[i].key == key && !m_sweep.cases[i].refused())
                return i;
        return std::nullopt;
    };
    for (const Run &run : m_workspace.runs())
        if (!isFinal(run.state))
            m_queue.push_back({run, caseOf(run.key)});
    const std::size_t adopted = m_queue.size();
    for (const PlannedRun &planned : runOrder(m_sweep.cases, m_sweep.rule)) {
        const CaseKey &key = m_sweep.cases[planned.caseIndex].key;
        const auto end = m_queue.begin() + static_cast<std::ptrdiff_t>(adopted);
        const bool going = std::any_of(m_queue.begin(), end, [&](const Item &item) {
            return item.run.key == key && item.run.repeat == planned.repeat;
        });
        if (!going && !isDone(m_workspace.runs(), key, planned.repeat))
            m_queue.push_back(newItem(planned.caseIndex, planned.repeat));
    }
}

PlanRunner::Item PlanRunner::newItem(std::size_t caseIndex, int repeat) const
{
    Run run;
    run.key = m_sweep.cases[caseIndex].key;
    run.caseName = caseId(run.key);
    run.planName = m_sweep.planName;
    run.repeat = repeat;
    if (const Framework *framework = frameworkOf(run)) {
        run.frameworkTitle = framework->title;
        if (const Workload *workload = framework->findWorkload(run.key.workload)) {
            run.workloadTitle = workload->title;
            run.unit = workload->unit;
            run.datasetSize = workload->datasetSize;
        }
    }
    return {run, caseIndex};
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
    buildQueue();
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
    if (!m_runActive)
        return finishSweep();
    m_live->stopping = true;
    QMetaObject::invokeMethod(&m_worker, [worker = &m_worker] { worker->stopRun(kStopGraceS); });
    Q_EMIT liveRunChanged();
}

void PlanRunner::next()
{
    if (m_stop || m_pause || m_queue.empty())
        return finishSweep();
    Item item = std::move(m_queue.front());
    m_queue.pop_front();
    launch(std::move(item));
}

void PlanRunner::launch(Item item)
{
    Run &run = item.run;
    const Framework *framework = frameworkOf(run);
    if (run.id.empty()) {
        const QString stamp = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmsszzz"));
        run.id = stamp.toStdString() + "-" + run.caseName + "-r" + std::to_string(run.repeat);
        run.createdUtc = nowUtc();
    }
    std::vector<LaunchPlace> places = m_sweep.places;
    for (LaunchPlace &place : places)
        if (const auto program = m_sweep.programs.find(run.key.framework); program != m_sweep.programs.end())
            place.program = program->second;
    const auto prepared =
        framework ? prepareLaunch(*framework, run.key, run.id, places)
                  : Result<Launch>(Error{ErrorCode::NotFound,
                                         "There is no plugin \"" + run.key.framework + "\" any more."});
    m_live = LiveRun();
    m_live->caseIndex = item.caseIndex;
    m_live->ranks.resize(static_cast<std::size_t>(run.ranks()));
    for (std::size_t rank = 0; rank < m_live->ranks.size(); ++rank)
        m_live->ranks[rank].rank = static_cast<int>(rank);
    m_rank0.clear();
    m_unsaved.clear();
    m_runActive = true;
    m_runClock.start();
    run.state = RunState::Starting;
    if (run.startedUtc.empty())
        run.startedUtc = nowUtc();
    if (prepared) {
        run.commands = prepared->commands;
        run.hosts.clear();
        run.remoteFolders.clear();
        for (const NodeLaunch &node : prepared->nodes) {
            run.hosts.push_back(node.host);
            run.remoteFolders.push_back(node.folder);
        }
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
        m_runActive = false;
        return finishSweep();
    }
    RunOrder order{run.id, *prepared, framework->log, m_workspace.runFolder(run.id)};
    QMetaObject::invokeMethod(&m_worker, [worker = &m_worker, order] { worker->startRun(order); });
}

bool PlanRunner::isCurrent(const QString &runId) const
{
    return m_runActive && m_live && m_live->run.id == runId.toStdString();
}

void PlanRunner::takeStarted(const QString &runId)
{
    if (!isCurrent(runId) || m_live->run.state == RunState::Running)
        return;
    m_live->run.state = RunState::Running;
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
        m_runActive = false;
        Q_EMIT problem(QString::fromStdString(outcome.reason));
        return finishSweep();
    }
    run.state = outcome.state;
    run.reason = outcome.reason;
    run.exitCode = outcome.exitCode;
    run.finishedUtc = nowUtc();
    if (run.state == RunState::Done) {
        const MeasurementRule rule{run.key.warmupSteps, run.key.measuredSteps, 1};
        if (auto measured = measure(m_rank0, rule, run.facts.globalBatchSize)) {
            run.measurement = *measured;
        } else { // green only with the asked number of steps
            run.state = RunState::Failed;
            run.reason = measured.error().message;
        }
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
    m_runActive = false;
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
    m_progress.cases.assign(m_sweep.cases.size(), {});
    m_progress.totalRuns = 0;
    m_progress.doneRuns = 0;
    m_progress.failedRuns = 0;
    for (std::size_t i = 0; i < m_sweep.cases.size(); ++i) {
        CaseProgress &progress = m_progress.cases[i];
        if (m_sweep.cases[i].refused())
            continue;
        progress.repeats = m_sweep.rule.repeats;
        progress.running = m_runActive && m_live && m_live->caseIndex == i;
        for (int repeat = 1; repeat <= progress.repeats; ++repeat) {
            if (isDone(m_workspace.runs(), m_sweep.cases[i].key, repeat)) {
                ++progress.done;
                continue;
            }
            const bool waits = std::any_of(m_queue.begin(), m_queue.end(), [&](const Item &item) {
                return item.caseIndex == i && item.run.repeat == repeat;
            });
            const bool runs = progress.running && m_live->run.repeat == repeat;
            if (!waits && !runs)
                ++progress.failed;
        }
        m_progress.totalRuns += progress.repeats;
        m_progress.doneRuns += progress.done;
        m_progress.failedRuns += progress.failed;
    }
    Q_EMIT progressChanged();
}

// Best guess first: this case's own runs, then the plan's estimate corrected by how the others turned out.
std::optional<double> PlanRunner::expectedRunS(std::size_t caseIndex) const
{
    double own = 0;
    int ownCount = 0;
    double ratio = 0;
    int ratioCount = 0;
    for (const Run &run : m_workspace.runs()) {
        if (run.state != RunState::Done)
            continue;
        const auto took = runDurationS(run);
        if (!took)
            continue;
        if (run.key == m_sweep.cases[caseIndex].key) {
            own += *took;
            ++ownCount;
        }
        for (const PlannedCase &planned : m_sweep.cases)
            if (planned.key == run.key && planned.estimatedRunTimeS && *planned.estimatedRunTimeS > 0) {
                ratio += *took / *planned.estimatedRunTimeS;
                ++ratioCount;
            }
    }
    if (ownCount > 0)
        return own / ownCount;
    const auto guess = m_sweep.cases[caseIndex].estimatedRunTimeS;
    if (!guess)
        return std::nullopt;
    return *guess * (ratioCount > 0 ? ratio / ratioCount : 1.0);
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
        const auto expected = caseIndex ? expectedRunS(*caseIndex) : std::nullopt;
        known = known && (expected || !caseIndex);
        left += std::max(0.0, expected.value_or(0) - alreadyS);
    };
    for (const Item &item : m_queue)
        add(item.caseIndex, 0);
    if (m_runActive)
        add(m_live->caseIndex, static_cast<double>(m_runClock.elapsed()) / 1000.0);
    m_progress.leftS = known ? std::optional(left) : std::nullopt;
    return m_progress;
}

} // namespace sb
