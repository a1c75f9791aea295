// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_controller.h"

#include "core/text.h"
#include "session/node_scripts.h"

#include <algorithm>

namespace sb {

namespace {
constexpr int kFlushMs = 33;
constexpr int kReattachMs = 1000;
constexpr int kRemoveMs = 5000;
constexpr int kWaitForNodeMs = 60000; // after the rest of the run has ended
constexpr int kWaitForStopMs = 20000; // for a node that must be stopped and cannot be reached
} // namespace

RunController::RunController(RunOrder order, std::map<std::string, Host *> hosts, QObject *parent)
    : QObject(parent)
    , m_order(std::move(order))
{
    for (std::size_t i = 0; i < m_order.launch.nodes.size(); ++i) {
        auto node = std::make_unique<Node>();
        node->launch = m_order.launch.nodes[i];
        node->host = hosts[node->launch.host];
        for (const int rank : node->launch.ranks) {
            const std::string name = rankLogName(rank);
            node->streams.push_back(
                {name,
                 std::make_unique<LogPipeline>(m_order.log, rank, m_order.localFolder + "/" + name),
                 {},
                 {}});
        }
        const std::string errors = m_order.localFolder + "/node" + std::to_string(i) + ".err";
        node->streams.push_back(
            {kNodeErrorName, std::make_unique<LogPipeline>(m_order.log, -1, errors), {}, {}});
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
        attach(*node);
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
        endIfOver();
        return;
    }
    HostProcess *process = node.host->start(startSpec(node.launch.folder, node.launch.script));
    connect(process, &HostProcess::finished, this, [this, &node](const ProcessEnd &result) {
        if (!result.exitCode)
            return linkBroken(node, result.error);
        if (!result.ok()) {
            node.lostReason = "On " + node.launch.host + ", " + nodeScriptError(result, node.launch.folder);
            return endIfOver();
        }
        node.started = true;
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
        if (std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto &n) { return n->started; }))
            Q_EMIT running();
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

void RunController::waitForEnd(Node &node)
{
    node.waiting = true;
    auto codes = std::make_shared<QByteArray>();
    HostProcess *process = node.host->start(waitSpec(node.launch.folder));
    connect(process, &HostProcess::outputReady, this, [codes](const QByteArray &bytes) { *codes += bytes; });
    connect(process, &HostProcess::finished, this, [this, &node, codes](const ProcessEnd &result) {
        node.waiting = false;
        if (!result.exitCode)
            return linkBroken(node, result.error);
        if (!result.ok()) {
            node.lostReason = "On " + node.launch.host + ", " + nodeScriptError(result, node.launch.folder);
        } else {
            std::vector<int> exitCodes;
            for (const QByteArray &code : codes->simplified().split(' '))
                exitCodes.push_back(code.toInt());
            node.exitCodes = std::move(exitCodes);
        }
        askSizes(node);
    });
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
    for (const auto &node : m_nodes)
        if (node->host && !node->over())
            stopNode(*node, graceS);
}

void RunController::stopNode(Node &node, int graceS)
{
    HostProcess *process = node.host->start(stopSpec(node.launch.folder, graceS));
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

void RunController::flush()
{
    if (m_batch.empty())
        return;
    for (const auto &[rank, rankEnd] : m_batch.ends)
        m_rankEnds[rank] = rankEnd;
    for (const LogLine &line : m_batch.lines)
        if (line.rank < 0 && !trimmed(line.text).empty())
            m_lastErrorLine = line.text;
    LogBatch batch;
    std::swap(batch, m_batch);
    Q_EMIT batchReady(batch);
}

void RunController::endIfOver()
{
    if (m_ended)
        return;
    for (const auto &node : m_nodes) {
        if (!node->over())
            return;
        const bool complete = std::all_of(node->streams.begin(), node->streams.end(),
                                          [](const Stream &stream) { return stream.complete(); });
        if (node->started && !complete)
            return;
    }
    for (const auto &node : m_nodes)
        for (Stream &stream : node->streams)
            stream.pipeline->finish(m_batch);
    flush();
    end(outcome());
}

void RunController::end(const RunOutcome &result)
{
    if (m_ended)
        return;
    flush();
    m_ended = true;
    m_flushTimer.stop();
    for (const auto &node : m_nodes) {
        for (Stream &stream : node->streams)
            if (stream.process)
                stream.process->close();
    }
    if (result.keepRunning)
        return Q_EMIT ended(result);
    removeFolders(result);
}

// Told only when the nodes are tidy (or cannot be reached in time), since the program may leave then.
void RunController::removeFolders(const RunOutcome &result)
{
    auto open = std::make_shared<int>(1);
    const auto one = [this, open, result] {
        if (*open > 0 && --*open == 0)
            Q_EMIT ended(result);
    };
    for (const auto &node : m_nodes) {
        if (!node->host || !node->started || node->linkLost)
            continue;
        ++*open;
        HostProcess *process = node->host->start(removeSpec(node->launch.folder));
        connect(process, &HostProcess::finished, this, one);
    }
    QTimer::singleShot(kRemoveMs, this, [open, this, result] {
        if (*open > 0) {
            *open = 0;
            Q_EMIT ended(result);
        }
    });
    one();
}

// What a rank's own log names, else its node's standard error.
std::optional<LogFailure> RunController::failureOf(const Node &node, int rank) const
{
    std::optional<LogFailure> found;
    for (const Stream &stream : node.streams)
        if (stream.pipeline->failure() &&
            (stream.file == rankLogName(rank) || (!found && stream.file == kNodeErrorName)))
            found = stream.pipeline->failure();
    return found;
}

RunOutcome RunController::outcome() const
{
    RunOutcome result;
    for (const auto &node : m_nodes) {
        if (node->exitCodes) {
            for (std::size_t i = 0; i < node->exitCodes->size(); ++i) {
                const int code = (*node->exitCodes)[i];
                if (code == 0 || result.exitCode.value_or(0) != 0)
                    continue;
                result.exitCode = code;
                result.state = RunState::Failed;
                const int rank = i < node->launch.ranks.size() ? node->launch.ranks[i] : 0;
                result.reason = "Rank " + std::to_string(rank) + " on " + node->launch.host +
                                " ended with status " + std::to_string(code);
                const auto said = m_rankEnds.find(rank);
                if (said != m_rankEnds.end() && !said->second.message.empty())
                    result.reason += ": " + said->second.message;
                const auto failure = failureOf(*node, rank);
                if (said == m_rankEnds.end() || said->second.message.empty()) {
                    if (failure)
                        result.reason += ": " + failure->line;
                    else if (!m_lastErrorLine.empty())
                        result.reason += ": " + m_lastErrorLine;
                }
                if (!result.reason.ends_with('.'))
                    result.reason += '.';
                if (failure)
                    result.reason += " " + failure->advice;
            }
        } else if (result.state == RunState::Done) {
            result.state = RunState::Lost;
            result.reason = node->lostReason;
        }
    }
    if (result.state == RunState::Done)
        result.exitCode = 0;
    if (m_stopping) {
        result.state = RunState::Cancelled;
        result.reason = "Stopped by the user.";
    }
    return result;
}

} // namespace sb
