// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_worker.h"

#include "session/job_queue.h"

#include <utility>

namespace sb {

void RunWorker::setUp(const QString &sshConfig)
{
    m_nodes = std::make_unique<NodePool>(sshConfig.toStdString());
    connect(m_nodes.get(), &NodePool::statusChanged, this, &RunWorker::nodeChanged);
    connect(m_nodes.get(), &NodePool::topologyRead, this, &RunWorker::topologyRead);
    connect(m_nodes.get(), &NodePool::asked, this, &RunWorker::asked);
    connect(m_nodes.get(), &NodePool::questionGone, this, &RunWorker::questionGone);
}

void RunWorker::tearDown()
{
    forgetRun();
    m_nodeSsh.reset();
    m_nodes.reset();
}

void RunWorker::addNode(const QString &name)
{
    m_nodes->add(name.toStdString());
}

void RunWorker::removeNode(const QString &name)
{
    m_nodes->remove(name.toStdString());
}

void RunWorker::connectNode(const QString &name)
{
    m_nodes->connectNode(name.toStdString());
}

void RunWorker::readTopology(const QString &name)
{
    m_nodes->readTopology(name.toStdString());
}

void RunWorker::answer(quint64 question, const SshAnswer &answer)
{
    m_nodes->answer(question, answer);
}

void RunWorker::nodeSsh(const NodeSshOrder &order)
{
    m_nodeSsh = std::make_unique<NodeSsh>(order, m_nodes->hosts());
    connect(m_nodeSsh.get(), &NodeSsh::told, this, [this](const std::string &sentence, bool good) {
        Q_EMIT nodeSshTold(QString::fromStdString(sentence), good);
    });
    connect(m_nodeSsh.get(), &NodeSsh::finished, this, &RunWorker::nodeSshDone);
    m_nodeSsh->start();
}

void RunWorker::startRun(const RunOrder &order)
{
    forgetRun();
    m_deploying = order;
    m_deployer = std::make_unique<Deployer>(order.programs, m_nodes->hosts(), nullptr);
    connect(
        m_deployer.get(), &Deployer::progressed, this,
        [this, id = QString::fromStdString(order.runId)](const std::string &host, qint64 sent, qint64 total) {
            Q_EMIT deployProgressed(id, QString::fromStdString(host), sent, total);
        });
    connect(m_deployer.get(), &Deployer::building, this, [this](const std::string &host, int percent) {
        Q_EMIT programBuilding(QString::fromStdString(host), percent);
    });
    connect(
        m_deployer.get(), &Deployer::finished, this,
        [this](const std::string &error) {
            m_deployer.reset();
            if (!error.empty())
                return endUnstarted(*std::exchange(m_deploying, std::nullopt), RunState::Failed, error);
            checkRun(*m_deploying);
        },
        Qt::QueuedConnection);
    m_deployer->start();
}

void RunWorker::checkRun(const RunOrder &order)
{
    m_checker = std::make_unique<RunChecker>(order.launch, m_nodes->hosts());
    connect(m_checker.get(), &RunChecker::progressed, this,
            [this](const std::string &host, const std::string &words) {
                Q_EMIT imagePulling(QString::fromStdString(host), QString::fromStdString(words));
            });
    connect(
        m_checker.get(), &RunChecker::finished, this,
        [this](const std::string &problem) {
            const RunOrder ready = *std::exchange(m_deploying, std::nullopt);
            m_checker.reset();
            if (!problem.empty())
                return endUnstarted(ready, RunState::Failed, problem);
            beginRun(ready);
        },
        Qt::QueuedConnection);
    m_checker->start();
}

void RunWorker::endUnstarted(const RunOrder &order, RunState state, const std::string &reason)
{
    RunOutcome outcome;
    outcome.state = state;
    outcome.reason = reason;
    Q_EMIT runEnded(QString::fromStdString(order.runId), outcome);
}

void RunWorker::beginRun(const RunOrder &order)
{
    const QString id = QString::fromStdString(order.runId);
    const std::map<std::string, Host *> hosts = m_nodes->hosts();
    m_run = std::make_unique<RunController>(order, hosts);
    connect(m_run.get(), &RunController::running, this, [this, id] { Q_EMIT runStarted(id); });
    connect(m_run.get(), &RunController::jobChanged, this,
            [this, id](const RunJob &job) { Q_EMIT jobChanged(id, job); });
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
    if (!order.launch.nodes.empty() && !isJob(order.launch.nodes.front().role))
        if (const auto host = hosts.find(order.launch.nodes.front().host); host != hosts.end()) {
            m_telemetry = std::make_unique<Telemetry>(host->second);
            connect(m_telemetry.get(), &Telemetry::sampled, this,
                    [this, id](const TelemetrySample &sample) { Q_EMIT telemetryReady(id, sample); });
        }
    m_run->start();
}

void RunWorker::stopRun(int graceS)
{
    if (m_deploying) { // nothing runs yet
        const RunOrder order = *std::exchange(m_deploying, std::nullopt);
        m_deployer.reset();
        m_checker.reset();
        return endUnstarted(order, RunState::Cancelled, "Stopped by the user.");
    }
    if (m_run)
        m_run->stop(graceS);
}

void RunWorker::forgetRun()
{
    m_deployer.reset();
    m_checker.reset();
    m_deploying.reset();
    m_telemetry.reset();
    m_run.reset();
}

} // namespace sb
