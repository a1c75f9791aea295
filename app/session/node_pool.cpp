// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/node_pool.h"

#include "core/text.h"
#include "remote/local_host.h"
#include "remote/ssh_host.h"
#include "session/deployer.h"
#include "session/node_prober.h"
#include "session/node_scripts.h"

#include <QDateTime>
#include <QElapsedTimer>

namespace sb {

NodePool::NodePool(std::string sshConfig, QObject *parent)
    : QObject(parent)
    , m_sshConfig(std::move(sshConfig))
{
}

NodePool::~NodePool()
{
    for (const auto &[name, node] : m_nodes) {
        if (node->host)
            node->host->disconnect(this);
        delete node->host; // before the hub, which they use
    }
}

NodePool::Node *NodePool::find(const std::string &name)
{
    const auto found = m_nodes.find(name);
    return found == m_nodes.end() ? nullptr : found->second.get();
}

std::map<std::string, Host *> NodePool::hosts() const
{
    std::map<std::string, Host *> hosts;
    for (const auto &[name, node] : m_nodes)
        if (node->host)
            hosts[name] = node->host;
    return hosts;
}

void NodePool::add(const std::string &name)
{
    if (find(name))
        return;
    auto &node = m_nodes[name] = std::make_unique<Node>();
    node->status.name = name;
    if (name != kLocalNode)
        return addSsh(*node);
    node->host = new LocalHost(this);
    node->status.ssh.state = SshState::Ready;
    node->status.address = "127.0.0.1";
    node->wasReady = true;
    probe(name);
}

void NodePool::addSsh(Node &node)
{
    auto config = SshConfig::load(m_sshConfig); // anew each time: the user may have mended it
    if (!config)
        return refuse(node, config.error());
    const auto target = config->resolve(node.status.name);
    if (!target)
        return refuse(node, target.error());
    if (!m_hub) {
        m_hub = std::make_unique<SshHub>(*config);
        connect(m_hub.get(), &SshHub::asked, this, &NodePool::asked);
        connect(m_hub.get(), &SshHub::questionGone, this, &NodePool::questionGone);
    } else {
        m_hub->setConfig(std::move(*config));
    }
    node.ssh = new SshHost(node.status.name, *target, *m_hub, this);
    node.host = node.ssh;
    node.probeStep.hop = node.status.name;
    node.probeStep.step = SshStep::Probe;
    connect(node.ssh, &SshHost::statusChanged, this, [this, name = node.status.name] { sshChanged(name); });
    node.ssh->connectNow();
}

void NodePool::refuse(Node &node, const Error &error)
{
    SshProblem problem;
    problem.message = error.message;
    problem.needsUser = true;
    node.status.ssh.state = SshState::Failed;
    node.status.ssh.problem = problem;
    Q_EMIT statusChanged(node.status);
}

void NodePool::remove(const std::string &name)
{
    Node *node = find(name);
    if (!node)
        return;
    if (node->host) {
        node->host->disconnect(this);
        node->host->deleteLater();
    }
    m_nodes.erase(name);
}

void NodePool::connectNode(const std::string &name)
{
    Node *node = find(name);
    if (!node)
        return;
    if (!node->host && name != kLocalNode)
        return addSsh(*node); // its address or ssh_config was wrong before
    if (node->ssh && node->ssh->status().state != SshState::Ready) {
        node->wasReady = false;
        return node->ssh->connectNow();
    }
    probe(name);
}

void NodePool::answer(std::uint64_t id, const SshAnswer &answer)
{
    if (m_hub)
        m_hub->answer(id, answer);
}

void NodePool::sshChanged(const std::string &name)
{
    Node *node = find(name);
    if (!node)
        return;
    const bool ready = node->ssh->status().state == SshState::Ready;
    if (ready && !node->wasReady) {
        node->wasReady = true;
        node->status.address = node->ssh->peerAddress();
        return probe(name);
    }
    tell(*node);
}

void NodePool::tell(Node &node)
{
    if (node.ssh) {
        node.status.ssh = node.ssh->status();
        node.status.ssh.steps.push_back(node.probeStep);
        if (node.probing && node.status.ssh.state == SshState::Ready && !node.status.facts)
            node.status.ssh.state = SshState::Connecting; // not usable before it is known
    }
    Q_EMIT statusChanged(node.status);
}

void NodePool::probe(const std::string &name)
{
    Node *node = find(name);
    if (!node || !node->host || node->probing)
        return;
    node->probing = true;
    node->probeStep.state = SshStepReport::State::Active;
    tell(*node);
    struct Seen {
        std::string output;
        QElapsedTimer clock;
        std::optional<double> timeSeenUtcS; // when the node's time came in
    };
    auto seen = std::make_shared<Seen>();
    seen->clock.start();
    HostProcess *process = node->host->start(probeSpec());
    connect(process, &HostProcess::outputReady, this, [seen](const QByteArray &bytes) {
        constexpr std::size_t kMost = 1 << 20; // a start-up file that never stops talking
        if (seen->output.size() < kMost)
            seen->output += bytes.toStdString();
        if (!seen->timeSeenUtcS && seen->output.find("@sb time ") != std::string::npos)
            seen->timeSeenUtcS = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000.0;
    });
    connect(process, &HostProcess::finished, this, [this, name, seen](const ProcessEnd &end) {
        Node *probed = find(name);
        if (!probed)
            return;
        NodeFacts facts = parseProbe(seen->output, name);
        if (const auto time = parseProbeTime(seen->output); time && seen->timeSeenUtcS)
            facts.clockOffsetS = *time - *seen->timeSeenUtcS;
        if (end.ok()) {
            probed->status.facts = facts;
            probed->status.workFolder = parseWorkFolder(seen->output);
            if (probed->ssh)
                probed->status.programFolder = programFolderFor(probed->status.workFolder);
        }
        probeEnded(*probed, seen->output, end, static_cast<double>(seen->clock.nsecsElapsed()) / 1e6);
    });
}

void NodePool::probeEnded(Node &node, const std::string &output, const ProcessEnd &end, double tookMs)
{
    node.probing = false;
    ++node.status.probes;
    node.probeStep.timeMs = tookMs;
    const bool good = end.ok() && !node.status.workFolder.empty();
    node.probeStep.state = good ? SshStepReport::State::Done : SshStepReport::State::Failed;
    if (good && node.status.facts) {
        node.probeStep.found = std::to_string(node.status.facts->gpus.size()) + " GPUs, " +
                               std::to_string(node.status.facts->cores.value_or(0)) + " cores";
        return tell(node);
    }
    tell(node);
    if (node.ssh && node.status.ssh.state != SshState::Ready)
        return; // the link broke; it is told already, and probed again when it is back
    SshProblem problem;
    problem.step = SshStep::Probe;
    problem.hop = node.status.name;
    problem.message =
        "The probe of " + node.status.name + " failed: " +
        (end.ok() ? "the node says of no home folder" +
                        (output.empty() ? std::string(", nor anything else.") : std::string("."))
                  : nodeScriptError(end, ""));
    problem.cause = "The login shell of the user runs no commands, or standard programs are missing.";
    problem.action = "Sign in by hand and run: sh -c 'uname -n'";
    problem.needsUser = true;
    node.status.ssh.state = SshState::Failed;
    node.status.ssh.problem = problem;
    Q_EMIT statusChanged(node.status);
}

} // namespace sb
