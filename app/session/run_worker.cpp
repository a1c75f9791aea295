// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_worker.h"

#include "remote/local_host.h"
#include "session/node_prober.h"
#include "session/node_scripts.h"

namespace sb {

void RunWorker::setUp()
{
    m_hosts["local"] = new LocalHost(this);
}

void RunWorker::tearDown()
{
    forgetRun();
    for (const auto &[name, host] : m_hosts)
        delete host;
    m_hosts.clear();
}

void RunWorker::probe(const QString &host)
{
    const auto found = m_hosts.find(host.toStdString());
    if (found == m_hosts.end())
        return;
    auto output = std::make_shared<QByteArray>();
    HostProcess *process = found->second->start(probeSpec());
    connect(process, &HostProcess::outputReady, this, [output](const QByteArray &bytes) {
        constexpr qsizetype kMost = 1 << 20; // a start-up file that never stops talking
        if (output->size() < kMost)
            *output += bytes;
    });
    connect(process, &HostProcess::finished, this, [this, host, output](const ProcessEnd &end) {
        const std::string text = output->toStdString();
        QString problem;
        if (!end.ok())
            problem = QString::fromStdString("The probe of " + host.toStdString() +
                                             " failed: " + nodeScriptError(end, ""));
        Q_EMIT probed(parseProbe(text, host.toStdString()), QString::fromStdString(parseWorkFolder(text)),
                      problem);
    });
}

void RunWorker::startRun(const RunOrder &order)
{
    forgetRun();
    const QString id = QString::fromStdString(order.runId);
    m_run = std::make_unique<RunController>(order, m_hosts);
    connect(m_run.get(), &RunController::running, this, [this, id] { Q_EMIT runStarted(id); });
    connect(m_run.get(), &RunController::batchReady, this,
            [this, id](const LogBatch &batch) { Q_EMIT batchReady(id, batch); });
    connect(m_run.get(), &RunController::linkLost, this,
            [this](const std::string &host, const std::string &why) {
                Q_EMIT linkChanged(QString::fromStdString(host), true, QString::fromStdString(why));
            });
    connect(m_run.get(), &RunController::linkBack, this,
            [this](const std::string &host) { Q_EMIT linkChanged(QString::fromStdString(host), false, {}); });
    connect(m_run.get(), &RunController::ended, this, [this, id](const RunOutcome &outcome) {
        m_telemetry.reset();
        Q_EMIT runEnded(id, outcome);
    });
    if (!order.launch.nodes.empty())
        if (const auto host = m_hosts.find(order.launch.nodes.front().host); host != m_hosts.end()) {
            m_telemetry = std::make_unique<Telemetry>(host->second);
            connect(m_telemetry.get(), &Telemetry::sampled, this,
                    [this, id](const TelemetrySample &sample) { Q_EMIT telemetryReady(id, sample); });
        }
    m_run->start();
}

void RunWorker::stopRun(int graceS)
{
    if (m_run)
        m_run->stop(graceS);
}

void RunWorker::forgetRun()
{
    m_telemetry.reset();
    m_run.reset();
}

} // namespace sb
