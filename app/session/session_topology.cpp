// SPDX-License-Identifier: GPL-3.0-or-later
// How the nodes of a session are wired, and which GPUs a plan takes by default.
#include "core/topology_meaning.h"
#include "core/topology_parser.h"
#include "session/session_model_private.h"

namespace sb {

namespace {

// By size, without the set of all: those need no choosing.
std::map<int, std::string> bestSets(const std::string &text)
{
    std::map<int, std::string> sets;
    const Topology topology = parseTopology(text);
    if (topology.error || topology.kind == TopologyKind::RocmTopology)
        return sets;
    for (const BestSet &set : topologyMeaning(topology).bestSets)
        if (static_cast<int>(set.gpus.size()) < topology.gpuCount())
            sets[static_cast<int>(set.gpus.size())] = deviceNumbers(topology, set);
    return sets;
}

} // namespace

const std::map<std::string, NodeTopology> &SessionModel::topologies() const
{
    return d->topologies;
}

void SessionModel::readTopology(const std::string &node)
{
    QMetaObject::invokeMethod(
        d->worker, [worker = d->worker, node] { worker->readTopology(QString::fromStdString(node)); });
}

void SessionModel::takeTopology(const NodeTopology &topology)
{
    if (!d->find(topology.node))
        return; // removed since
    // A node that does not answer now is still wired as it was.
    if (!topology.text.empty() || !d->topologies.contains(topology.node)) {
        d->topologies[topology.node] = topology;
        d->gpuSets[topology.node] = bestSets(topology.text);
    }
    Q_EMIT topologyRead(topology);
    Q_EMIT nodesChanged();
    Q_EMIT planChanged();
}

} // namespace sb
