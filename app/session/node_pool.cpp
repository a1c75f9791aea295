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

namespace {
constexpr std::size_t kMostOutput = 1 << 20; // a start-up file that never stops talking
} // namespace

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
        if (node->prober)
            node->prober->disconnect(this);
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
    node.status.sshPort = target->port;
    node.status.user = target->user;
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
    if (node->prober)
        node->prober->disconnect(this);
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
        node->status.hostKey = node->ssh->hostKey();
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
    node->clock.start();
    if (!node->prober) {
        node->prober = new NodeProbe(node->host, node->host);
        connect(node->prober, &NodeProbe::answered, this,
                [this, name](const ProbeAnswer &answer) { probeAnswered(name, answer); });
    }
    node->prober->ask();
}

void NodePool::probeAnswered(const std::string &name, const ProbeAnswer &answer)
{
    Node *node = find(name);
    if (!node)
        return;
    if (answer.whole) {
        node->status.facts = answer.facts;
        node->status.workFolder = answer.workFolder;
        if (node->ssh)
            node->status.programFolder = programFolderFor(node->status.workFolder);
    }
    probeEnded(*node, answer);
}

void NodePool::readTopology(const std::string &name)
{
    Node *node = find(name);
    if (!node || !node->host || node->readingTopology)
        return;
    node->readingTopology = true;
    auto output = std::make_shared<std::string>();
    HostProcess *process = node->host->start(topologySpec());
    connect(process, &HostProcess::outputReady, this, [output](const QByteArray &bytes) {
        if (output->size() < kMostOutput)
            *output += bytes.toStdString();
    });
    connect(process, &HostProcess::finished, this, [this, name, output](const ProcessEnd &end) {
        if (Node *asked = find(name))
            asked->readingTopology = false;
        NodeTopology topology = chooseTopology(*output, name);
        if (topology.text.empty() && !end.exitCode)
            topology.error = "The topology of " + name + " was not read: " + end.error;
        topology.readAtUtcS = QDateTime::currentSecsSinceEpoch();
        Q_EMIT topologyRead(topology);
    });
}

void NodePool::probeEnded(Node &node, const ProbeAnswer &answer)
{
    node.probing = false;
    ++node.status.probes;
    node.probeStep.timeMs = static_cast<double>(node.clock.nsecsElapsed()) / 1e6;
    const bool good = answer.whole && !node.status.workFolder.empty();
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
        (answer.whole || answer.end.ok()
             ? "the node says of no home folder" +
                   (answer.saidSomething ? std::string(".") : std::string(", nor anything else."))
             : nodeScriptError(answer.end, ""));
    problem.cause = "The login shell of the user runs no commands, or standard programs are missing.";
    problem.action = "Sign in by hand and run: sh -c 'uname -n'";
    problem.needsUser = true;
    node.status.ssh.state = SshState::Failed;
    node.status.ssh.problem = problem;
    Q_EMIT statusChanged(node.status);
}

} // namespace sb
