// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/node.h"
#include "core/sample.h"
#include "session/run_controller.h"
#include "session/telemetry.h"

#include <QObject>

#include <map>
#include <memory>
#include <string>

namespace sb {

// Everything that happens in the I/O thread, behind signals and slots that carry values. Lives in the I/O
// thread after moveToThread; call its slots by queued invocation only.
class RunWorker : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

public Q_SLOTS:
    void setUp(); // first: makes the hosts in the I/O thread
    void tearDown();
    void probe(const QString &host);
    void startRun(const sb::RunOrder &order);
    void stopRun(int graceS);
    void forgetRun(); // lets go of the run without ending it; it goes on on its nodes

Q_SIGNALS:
    void probed(const sb::NodeFacts &facts, const QString &workFolder, const QString &problem);
    void runStarted(const QString &runId);
    void batchReady(const QString &runId, const sb::LogBatch &batch);
    void telemetryReady(const QString &runId, const sb::TelemetrySample &sample);
    void linkChanged(const QString &host, bool lost, const QString &why);
    void runEnded(const QString &runId, const sb::RunOutcome &outcome);

private:
    std::map<std::string, Host *> m_hosts;
    std::unique_ptr<RunController> m_run;
    std::unique_ptr<Telemetry> m_telemetry;
};

} // namespace sb
