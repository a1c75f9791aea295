// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sample.h"
#include "session/node_pool.h"
#include "session/node_ssh.h"
#include "session/run_checker.h"
#include "session/run_controller.h"
#include "session/telemetry.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace sb {

// Everything that happens in the I/O thread, behind signals and slots that carry values. Lives in the I/O
// thread after moveToThread; call its slots by queued invocation only.
class RunWorker : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

public Q_SLOTS:
    // First: makes the nodes' owner in the I/O thread. `sshConfig` may be empty: the user's own.
    void setUp(const QString &sshConfig);
    void tearDown();
    void addNode(const QString &name);
    void removeNode(const QString &name);
    void connectNode(const QString &name); // again, and probes
    void readTopology(const QString &name);
    void answer(quint64 question, const sb::SshAnswer &answer);
    void nodeSsh(const sb::NodeSshOrder &order);
    void startRun(const sb::RunOrder &order);
    void stopRun(int graceS);
    void forgetRun(); // lets go of the run without ending it; it goes on on its nodes

Q_SIGNALS:
    void nodeChanged(const sb::NodeStatus &status);
    void topologyRead(const sb::NodeTopology &topology);
    void asked(const sb::SshQuestion &question);
    void questionGone(quint64 question);
    void nodeSshTold(const QString &sentence, bool good);
    void nodeSshDone(bool good);
    void deployProgressed(const QString &runId, const QString &host, qint64 sentBytes, qint64 totalBytes);
    void programBuilding(const QString &host, int percent);
    void imagePulling(const QString &host, const QString &words);
    void runStarted(const QString &runId);
    void jobChanged(const QString &runId, const sb::RunJob &job);
    void batchReady(const QString &runId, const sb::LogBatch &batch);
    void telemetryReady(const QString &runId, const sb::TelemetrySample &sample);
    void linkChanged(const QString &host, bool lost, const QString &why);
    void runEnded(const QString &runId, const sb::RunOutcome &outcome);

private:
    void checkRun(const RunOrder &order);
    void beginRun(const RunOrder &order);
    void endUnstarted(const RunOrder &order, RunState state, const std::string &reason);

    std::unique_ptr<NodePool> m_nodes;
    std::unique_ptr<NodeSsh> m_nodeSsh;
    std::unique_ptr<Deployer> m_deployer;
    std::unique_ptr<RunChecker> m_checker;
    std::optional<RunOrder>
        m_deploying; // its run begins when the programs are in place and the nodes checked
    std::unique_ptr<RunController> m_run;
    std::unique_ptr<Telemetry> m_telemetry;
};

} // namespace sb
