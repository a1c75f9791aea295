// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/framework.h"
#include "session/run_worker.h"
#include "session/session_model.h"
#include "session/sweep.h"
#include "store/workspace.h"

#include <QElapsedTimer>
#include <QObject>

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sb {

// Works through a plan, one run after the other: makes the record, orders the run, takes in what its logs
// say, measures, saves. UI thread. The worker does what touches nodes.
class PlanRunner : public QObject {
    Q_OBJECT
public:
    PlanRunner(Workspace &workspace, const std::vector<Framework> &frameworks, RunWorker &worker);

    void start(Sweep sweep);
    void setPauseAfterRun(bool pause);
    void stop();

    const SweepProgress &progress(); // with times as of now
    const std::optional<LiveRun> &live() const { return m_live; }

Q_SIGNALS:
    void progressChanged();
    void liveRunChanged();
    void liveDataAppended();
    void runFinished(const sb::Run &run);
    void planFinished(bool everyRunDone);
    void problem(const QString &sentence);

private:
    void next();
    void launch();
    std::optional<std::vector<LaunchPlace>> placesFor(const Run &run) const;
    void takeStarted(const QString &runId);
    void takeJob(const QString &runId, const RunJob &job);
    void takeBatch(const QString &runId, const LogBatch &batch);
    void takeTelemetry(const QString &runId, const TelemetrySample &sample);
    void takeEnd(const QString &runId, const RunOutcome &outcome);
    void finishRun();
    void finishSweep();
    bool save(Run &run);
    void recount();
    bool isCurrent(const QString &runId) const;

    Workspace &m_workspace;
    const std::vector<Framework> &m_frameworks;
    RunWorker &m_worker;
    Sweep m_sweep;
    std::deque<SweepItem> m_queue;
    std::optional<SweepItem> m_current;
    std::optional<LiveRun> m_live;
    std::vector<Sample> m_rank0;   // of the current run, for its measurement
    std::vector<Sample> m_unsaved; // for the index
    QElapsedTimer m_runClock;
    QElapsedTimer m_sweepClock;
    SweepProgress m_progress;
    bool m_pause = false;
    bool m_stop = false;
    bool m_indexBroken = false; // told once
};

} // namespace sb
