// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of a session.
#include "remote/credentials.h"
#include "remote/node_names.h"
#include "remote/ssh_config.h"
#include "session/session_model_private.h"

#include <algorithm>

namespace sb {

void SessionModel::takeNode(const NodeStatus &status)
{
    const auto known = std::find_if(d->statuses.begin(), d->statuses.end(),
                                    [&](const NodeStatus &one) { return one.name == status.name; });
    if (known == d->statuses.end())
        return; // removed since
    if (status.name == kLocalNode && status.ssh.problem && status.ssh.problem != known->ssh.problem)
        Q_EMIT problem(QString::fromStdString(status.ssh.problem->text()));
    const bool firstFacts = status.facts && !known->facts;
    *known = status;
    if (d->options.readTopologies && firstFacts)
        readTopology(status.name);
    const bool changed = d->collectNodes();
    if (changed)
        d->expand();
    Q_EMIT nodesChanged();
    if (changed)
        Q_EMIT planChanged();
}

const std::vector<NodeFacts> &SessionModel::nodes() const
{
    return d->nodes;
}
const std::vector<NodeStatus> &SessionModel::nodeStatuses() const
{
    return d->statuses;
}

bool SessionModel::probing() const
{
    return std::any_of(d->statuses.begin(), d->statuses.end(), [this](const NodeStatus &status) {
        const SshState state = status.ssh.state;
        return state == SshState::Connecting || state == SshState::Asking || state == SshState::Idle ||
               (state == SshState::Ready && !status.facts) ||
               (d->options.readTopologies && state == SshState::Ready && !status.facts->gpus.empty() &&
                !d->topologies.contains(status.name));
    });
}

void SessionModel::probeNodes()
{
    for (const NodeStatus &status : d->statuses)
        connectNode(status.name);
}

void SessionModel::connectNode(const std::string &name)
{
    QMetaObject::invokeMethod(
        d->worker, [worker = d->worker, name] { worker->connectNode(QString::fromStdString(name)); });
}

Result<void> SessionModel::addNodes(const std::string &names)
{
    const auto expanded = expandNodeNames(names);
    if (!expanded)
        return expanded.error();
    if (d->find(kLocalNode)) {
        if (progress().active)
            return Error{ErrorCode::Unavailable,
                         "A plan is running on this machine; add nodes when it is done."};
        d->drop(kLocalNode);
    }
    for (const std::string &name : *expanded)
        if (!d->find(name) && name != kLocalNode)
            d->add(name);
    if (d->statuses.empty())
        d->add(kLocalNode);
    if (d->collectNodes()) {
        d->expand();
        Q_EMIT planChanged();
    }
    Q_EMIT nodesChanged();
    return {};
}

Result<void> SessionModel::removeNode(const std::string &name)
{
    if (progress().active)
        return Error{ErrorCode::Unavailable, "A plan is running; nodes can be removed when it is done."};
    d->drop(name);
    if (d->statuses.empty())
        d->add(kLocalNode);
    d->collectNodes();
    d->expand();
    Q_EMIT nodesChanged();
    Q_EMIT planChanged();
    return {};
}

std::optional<NetworkChoice> SessionModel::network(int nodeCount) const
{
    if (nodeCount < 2 || static_cast<std::size_t>(nodeCount) > d->nodes.size())
        return std::nullopt;
    return chooseNetwork(d->nodes);
}

Result<void> SessionModel::nodeSsh(NodeSshAction action)
{
    if (d->nodes.size() < 2)
        return Error{ErrorCode::BadInput, "Log-ins from node to node need at least two nodes."};
    NodeSshOrder order;
    order.action = action;
    for (const LaunchPlace &place : d->places()) {
        order.hosts.push_back({place.host, place.address, place.sshPort, place.user});
        order.hostKeys.push_back(d->find(place.host)->hostKey);
        if (order.sshFolder.empty())
            order.sshFolder = nodeSshFolder(place.workFolder);
    }
    QMetaObject::invokeMethod(d->worker, [worker = d->worker, order] { worker->nodeSsh(order); });
    return {};
}

std::vector<std::string> SessionModel::knownAliases() const
{
    const auto config = SshConfig::load(d->options.sshConfig);
    return config ? config->aliases() : std::vector<std::string>();
}

const std::vector<SshQuestion> &SessionModel::questions() const
{
    return d->questions;
}

void SessionModel::answer(std::uint64_t question, const SshAnswer &answer)
{
    QMetaObject::invokeMethod(d->worker,
                              [worker = d->worker, question, answer] { worker->answer(question, answer); });
}

bool SessionModel::hasKeychain()
{
    return Credentials::hasKeychain();
}

} // namespace sb
