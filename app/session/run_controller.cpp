// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_controller.h"

#include "core/text.h"
#include "session/job_queue.h"
#include "session/launch_scripts.h"
#include "session/node_scripts.h"

#include <algorithm>

namespace sb {

namespace {
constexpr int kFlushMs = 33;
constexpr int kReattachMs = 1000;
constexpr int kWaitForNodeMs = 60000; // after the rest of the run has ended
constexpr int kWaitForStopMs = 20000; // for a node that must be stopped and cannot be reached
constexpr int kMpirunStopS = 5;       // that mpirun takes to end its ranks, on top of their own time
} // namespace

RunController::RunController(RunOrder order, std::map<std::string, Host *> hosts, QObject *parent)
    : QObject(parent)
    , m_order(std::move(order))
{
    const auto rules = LogReader::rulesOf(m_order.log);
    for (std::size_t i = 0; i < m_order.launch.nodes.size(); ++i) {
        auto node = std::make_unique<Node>();
        node->launch = m_order.launch.nodes[i];
        node->host = hosts[node->launch.host];
        for (const int rank : node->launch.ranks) {
            const std::string name = rankLogName(rank);
            node->streams.push_back(
                {name, std::make_unique<LogPipeline>(rules, rank, m_order.localFolder + "/" + name), {}, {}});
        }
        const std::string errors = m_order.localFolder + "/node" + std::to_string(i) + ".err";
        node->streams.push_back({kNodeErrorName, std::make_unique<LogPipeline>(rules, -1, errors), {}, {}});
        m_nodes.push_back(std::move(node));
    }
    m_flushTimer.setInterval(kFlushMs);
    connect(&m_flushTimer, &QTimer::timeout, this, &RunController::flush);
}

RunController::~RunController()
{
    for (const auto &node : m_nodes)
        for (Stream &stream : node->streams)
            if (stream.process) {
                stream.process->disconnect(this);
                stream.process->close();
            }
}

void RunController::start()
{
    m_flushTimer.start();
    if (!openStreams())
        return;
    for (const auto &node : m_nodes)
        if (node->launch.role != NodeRole::Leads)
            attach(*node);
    attachLeader();
}

// mpirun finds nothing to start on a node without its part of the run, so that comes first.
void RunController::attachLeader()
{
    Node *leader = this->leader();
    const bool othersReady = std::all_of(m_nodes.begin(), m_nodes.end(), [leader](const auto &node) {
        return node.get() == leader || node->started || node->over();
    });
    if (!leader || m_leaderAttached || !othersReady)
        return;
    m_leaderAttached = true;
    if (!m_stopping)
        return attach(*leader);
    leader->lostReason = "It was stopped before mpirun was started.";
    waitForLed();
    endIfOver();
}

void RunController::waitForLed()
{
    for (const auto &node : m_nodes)
        if (node->launch.role == NodeRole::Led && node->started && !node->over() && !node->waiting)
            waitForEnd(*node);
}

RunController::Node *RunController::leader() const
{
    for (const auto &node : m_nodes)
        if (node->launch.role == NodeRole::Leads)
            return node.get();
    return nullptr;
}

ProcessSpec RunController::startOf(const Node &node) const
{
    const NodeLaunch &launch = node.launch;
    if (!isJob(launch.role))
        return startSpec(launch.folder, launch.script);
    std::vector<std::string> logs;
    for (const Stream &stream : node.streams)
        logs.push_back(stream.file);
    return submitJob(launch, m_order.runId, logs);
}

bool RunController::openStreams()
{
    for (const auto &node : m_nodes)
        for (Stream &stream : node->streams)
            if (const auto opened = stream.pipeline->open(m_batch); !opened) {
                failEverywhere(opened.error().message);
                return false;
            }
    return true;
}

void RunController::attach(Node &node)
{
    if (!node.host) {
        node.lostReason = "The node " + node.launch.host + " is not connected.";
        attachLeader();
        waitForLed();
        return endIfOver();
    }
    HostProcess *process = node.host->start(startOf(node));
    connect(process, &HostProcess::finished, this, [this, &node](const ProcessEnd &result) {
        if (!result.exitCode)
            return linkBroken(node, result.error);
        if (!result.ok()) {
            node.lostReason = "On " + node.launch.host + ", " + nodeScriptError(result, node.launch.folder);
            node.refused = isJobRefused(*result.exitCode);
            attachLeader();
            waitForLed();
            return endIfOver();
        }
        node.started = true;
        attachLeader();
        if (node.linkLost) {
            node.linkLost = false;
            Q_EMIT linkBack(node.launch.host);
        }
        for (Stream &stream : node.streams)
            if (!stream.process && !stream.complete())
                follow(node, stream);
        if (!node.over() && !node.waiting)
            waitForEnd(node);
        else if (node.over())
            askSizes(node);
        if (std::all_of(m_nodes.begin(), m_nodes.end(),
                        [](const auto &n) { return n->started && !isJob(n->launch.role); }))
            Q_EMIT running(); // a job may have to wait; its queue says when it runs
    });
}

void RunController::follow(Node &node, Stream &stream)
{
    HostProcess *process =
        node.host->start(followSpec(node.launch.folder, stream.file, stream.pipeline->size()));
    stream.process = process;
    connect(process, &HostProcess::outputReady, this, [this, &stream](const QByteArray &bytes) {
        if (!m_failure.empty())
            return;
        if (const auto kept = stream.pipeline->append(bytes, m_batch); !kept)
            return failEverywhere(kept.error().message);
        if (stream.complete() && stream.process)
            stream.process->close();
        endIfOver();
    });
    connect(process, &HostProcess::finished, this,
            [this, &node, &stream](const ProcessEnd &result) { streamEnded(node, stream, result); });
}

void RunController::streamEnded(Node &node, Stream &stream, const ProcessEnd &result)
{
    stream.process = nullptr;
    if (m_ended || stream.complete())
        return endIfOver();
    if (!result.exitCode)
        return linkBroken(node, result.error);
    if (node.over() && !stream.wanted)
        return; // the sizes are being asked; that starts it again if bytes are missing
    linkBroken(node, nodeScriptError(result, node.launch.folder));
}

ProcessSpec RunController::waitOf(const Node &node) const
{
    const NodeLaunch &launch = node.launch;
    switch (launch.role) {
    case NodeRole::Own:
        break;
    case NodeRole::Leads:
    case NodeRole::Led:
        return waitRanksSpec(launch.folder, launch.role == NodeRole::Leads, launch.ranks);
    case NodeRole::Job:
    case NodeRole::Pods:
        return watchJob(launch);
    }
    return waitSpec(launch.folder);
}

void RunController::waitForEnd(Node &node)
{
    // A node whose ranks mpirun starts is at its end when mpirun is.
    if (const Node *leads = leader(); leads && node.launch.role == NodeRole::Led && !leads->over())
        return;
    node.waiting = true;
    auto text = std::make_shared<QByteArray>();
    HostProcess *process = node.host->start(waitOf(node));
    connect(process, &HostProcess::outputReady, this, [this, &node, text](const QByteArray &bytes) {
        *text += bytes;
        if (isJob(node.launch.role))
            readJobLines(node.launch.role, *text);
    });
    connect(process, &HostProcess::finished, this, [this, &node, text](const ProcessEnd &result) {
        node.waiting = false;
        if (!result.exitCode)
            return linkBroken(node, result.error);
        if (!result.ok())
            node.lostReason = "On " + node.launch.host + ", " + nodeScriptError(result, node.launch.folder);
        else
            takeCodes(node, *text);
        askSizes(node);
        if (node.launch.role == NodeRole::Leads)
            waitForLed();
    });
}

void RunController::takeCodes(Node &node, const QByteArray &text)
{
    std::vector<int> codes;
    for (const QByteArray &code : text.simplified().split(' '))
        if (code != "codes") // of a job's last line
            codes.push_back(code.toInt());
    if ((node.launch.role == NodeRole::Leads || node.launch.role == NodeRole::Led) && !codes.empty()) {
        node.launcherCode = codes.front();
        codes.erase(codes.begin());
    }
    node.exitCodes = std::move(codes);
}

// Takes whole lines of a job's state out of `text`; what is no such line stays.
void RunController::readJobLines(NodeRole role, QByteArray &text)
{
    for (qsizetype end = text.indexOf('\n'); end >= 0 && text.startsWith('@'); end = text.indexOf('\n')) {
        const auto job = readJob(role, validUtf8(text.left(end).toStdString()));
        text.remove(0, end + 1);
        if (!job)
            continue;
        m_job = joined(m_job, *job);
        if (hasBegun(*m_job))
            Q_EMIT running();
        Q_EMIT jobChanged(*m_job);
    }
}

// Nothing can be added to the logs any more: their sizes say when the last byte has come.
void RunController::askSizes(Node &node)
{
    std::vector<std::string> files;
    for (const Stream &stream : node.streams)
        files.push_back(stream.file);
    auto text = std::make_shared<QByteArray>();
    HostProcess *process = node.host->start(sizesSpec(node.launch.folder, files));
    connect(process, &HostProcess::outputReady, this, [text](const QByteArray &bytes) { *text += bytes; });
    connect(process, &HostProcess::finished, this, [this, &node, text](const ProcessEnd &result) {
        if (!result.exitCode)
            return linkBroken(node, result.error);
        const QList<QByteArray> sizes = text->simplified().split(' ');
        for (std::size_t i = 0; i < node.streams.size(); ++i) {
            Stream &stream = node.streams[i];
            // A folder that is gone has no more bytes to give.
            stream.wanted = result.ok() && static_cast<qsizetype>(i) < sizes.size()
                                ? sizes[static_cast<qsizetype>(i)].toLongLong()
                                : stream.pipeline->size();
            if (stream.complete() && stream.process)
                stream.process->close();
            else if (!stream.complete() && !stream.process)
                follow(node, stream);
        }
        endIfOver();
    });
}

// Several channels of one link break together; one try to attach a second is enough for all of them.
void RunController::linkBroken(Node &node, const std::string &why)
{
    if (m_ended || node.reattaching)
        return;
    if (!node.linkLost) {
        node.linkLost = true;
        node.lost.start();
        Q_EMIT linkLost(node.launch.host, why);
    }
    node.reattaching = true;
    QTimer::singleShot(kReattachMs, this, [this, &node] {
        node.reattaching = false;
        if (m_ended)
            return;
        if (!isGivenUp(node))
            return attach(node);
        node.lostReason =
            node.launch.host + " has not answered for " + std::to_string(node.lost.elapsed() / 1000) +
            " s. When it is back, see whether processes of the run are left there: their folder is " +
            node.launch.folder + ".";
        for (Stream &stream : node.streams)
            stream.wanted = stream.pipeline->size();
        endIfOver();
    });
}

// A run lives on without us, so a link may stay away for hours. But when the rest of the run is over, a node
// that does not come back must not keep everybody waiting.
bool RunController::isGivenUp(const Node &node) const
{
    const bool restIsOver =
        m_nodes.size() > 1 && std::all_of(m_nodes.begin(), m_nodes.end(), [&](const auto &other) {
            return other.get() == &node || other->over();
        });
    return restIsOver && node.lost.elapsed() > kWaitForNodeMs;
}

void RunController::stop(int graceS)
{
    m_stopping = true;
    m_stopClock.start();
    for (const auto &node : m_nodes) {
        const bool unstarted = node.get() == leader() && !m_leaderAttached; // and will not be
        if (node->host && !node->over() && !unstarted)
            stopNode(*node, graceS);
    }
}

void RunController::stopNode(Node &node, int graceS)
{
    const int waitS = node.launch.role == NodeRole::Own ? graceS : graceS + kMpirunStopS;
    HostProcess *process = node.host->start(isJob(node.launch.role) ? cancelJob(node.launch)
                                                                    : stopSpec(node.launch.folder, waitS));
    connect(process, &HostProcess::finished, this, [this, &node, graceS](const ProcessEnd &result) {
        if (result.ok() || node.over() || m_ended)
            return;
        if (!result.exitCode && m_stopClock.elapsed() < kWaitForStopMs) { // the link; it may come back
            QTimer::singleShot(kReattachMs, this, [this, &node, graceS] {
                if (!m_ended && !node.over())
                    stopNode(node, graceS);
            });
            return;
        }
        failEverywhere("The run could not be stopped. On " + node.launch.host + ", " +
                       nodeScriptError(result, node.launch.folder));
    });
}

void RunController::failEverywhere(const std::string &reason)
{
    m_failure = reason;
    RunOutcome failed;
    failed.state = RunState::Failed;
    failed.reason = reason;
    failed.keepRunning = true;
    end(failed);
}

} // namespace sb
