// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/node_model.h"

#include "core/units.h"
#include "widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

struct NodeText {
    Q_DECLARE_TR_FUNCTIONS(NodeText)
};

const SshStepReport *currentStep(const NodeStatus &node)
{
    const SshStepReport *last = nullptr;
    for (const SshStepReport &step : node.ssh.steps)
        if (step.state == SshStepReport::State::Active || step.state == SshStepReport::State::Failed)
            last = &step;
    return last;
}

QString stepsTime(const NodeStatus &node)
{
    double timeMs = 0;
    for (const SshStepReport &step : node.ssh.steps)
        timeMs += step.timeMs.value_or(0);
    return NodeText::tr("%1 s in all").arg(toQString(formatNumber(timeMs / 1000, 2)));
}

// "8 × NVIDIA H200" and its memory; the first kind when they differ.
QStringList gpuLines(const NodeFacts &facts)
{
    if (facts.gpus.empty())
        return {NodeText::tr("none"), {}};
    const GpuFacts &first = facts.gpus.front();
    return {QString::number(facts.gpus.size()) + QStringLiteral(" × ") + toQString(first.name),
            first.memoryBytes ? toQString(formatBytes(*first.memoryBytes)) : QString()};
}

QStringList networkLines(const NodeFacts &facts)
{
    const NetworkInterface *fastest = nullptr;
    for (const NetworkInterface &interface : facts.interfaces)
        if (!interface.addresses.empty() &&
            (!fastest || interface.speedGbps.value_or(0) > fastest->speedGbps.value_or(0)))
            fastest = &interface;
    if (!fastest)
        return {QStringLiteral("—"), {}};
    return {toQString(fastest->name),
            fastest->speedGbps ? toQString(plainNumber(*fastest->speedGbps)) + QStringLiteral(" Gbit/s")
                               : toQString(fastest->addresses.front())};
}

QString clockText(const NodeFacts &facts)
{
    if (!facts.clockOffsetS)
        return QStringLiteral("—");
    const double offset = *facts.clockOffsetS;
    const QString sign = offset < 0 ? QStringLiteral("−") : QStringLiteral("+");
    if (std::abs(offset) >= 1)
        return sign + durationText(std::abs(offset));
    return sign + toQString(formatNumber(std::abs(offset) * 1000, 0)) + QStringLiteral(" ms");
}

} // namespace

QString nodeStepTitle(SshStep step)
{
    switch (step) {
    case SshStep::Resolve:
        return NodeText::tr("Resolve");
    case SshStep::Connect:
        return NodeText::tr("Connect");
    case SshStep::KeyExchange:
        return NodeText::tr("Key exchange");
    case SshStep::HostKey:
        return NodeText::tr("Host key");
    case SshStep::SignIn:
        return NodeText::tr("Sign in");
    case SshStep::Probe:
        return NodeText::tr("Probe");
    }
    return {};
}

QString nodeStateText(const NodeStatus &node)
{
    switch (node.ssh.state) {
    case SshState::Ready:
        return NodeText::tr("Ready");
    case SshState::Asking:
        return NodeText::tr("Asks you");
    case SshState::Lost:
        return NodeText::tr("Lost, trying again");
    case SshState::Failed:
        return node.ssh.problem ? NodeText::tr("%1 failed").arg(nodeStepTitle(node.ssh.problem->step))
                                : NodeText::tr("Failed");
    case SshState::Idle:
        return NodeText::tr("Not connected");
    case SshState::Connecting:
        break;
    }
    const SshStepReport *step = currentStep(node);
    return step ? nodeStepTitle(step->step) + QStringLiteral("…") : NodeText::tr("Connecting…");
}

StepState nodeMark(const NodeStatus &node)
{
    switch (node.ssh.state) {
    case SshState::Ready:
        return StepState::Done;
    case SshState::Asking:
    case SshState::Lost:
        return StepState::NeedsYou;
    case SshState::Failed:
        return StepState::Broken;
    case SshState::Idle:
        return StepState::Nothing;
    case SshState::Connecting:
        break;
    }
    return StepState::Current;
}

void NodeModel::setNodes(const std::vector<NodeStatus> &nodes)
{
    const bool sameRows = nodes.size() == m_nodes.size() &&
                          std::equal(nodes.begin(), nodes.end(), m_nodes.begin(),
                                     [](const auto &a, const auto &b) { return a.name == b.name; });
    if (!sameRows) {
        beginResetModel();
        m_nodes = nodes;
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (m_nodes[i] != nodes[i]) {
            m_nodes[i] = nodes[i];
            const int row = static_cast<int>(i);
            Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
        }
}

const NodeStatus *NodeModel::nodeAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_nodes[static_cast<std::size_t>(row)] : nullptr;
}

int NodeModel::rowOf(const std::string &name) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (nodeAt(row)->name == name)
            return row;
    return -1;
}

void NodeModel::retranslate()
{
    beginResetModel();
    endResetModel();
}

int NodeModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_nodes.size());
}

int NodeModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant NodeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return NodeText::tr("Node");
    case State:
        return NodeText::tr("State");
    case Gpus:
        return NodeText::tr("GPUs");
    case Driver:
        return NodeText::tr("Driver");
    case Network:
        return NodeText::tr("Network");
    default:
        return NodeText::tr("Clock offset");
    }
}

QVariant NodeModel::data(const QModelIndex &index, int role) const
{
    const NodeStatus *node = nodeAt(index.row());
    if (!node)
        return {};
    if (role == MarkRole)
        return QVariant::fromValue(nodeMark(*node));
    if (role == NeedsYouRole)
        return node->ssh.state == SshState::Failed || node->ssh.state == SshState::Asking;
    if (role == StepsRole) { // one letter a step, for the dots
        QString states;
        for (const SshStepReport &step : node->ssh.steps)
            states += step.state == SshStepReport::State::Done     ? u'd'
                      : step.state == SshStepReport::State::Active ? u'a'
                      : step.state == SshStepReport::State::Failed ? u'f'
                                                                   : u'w';
        return states;
    }
    const bool local = node->name == kLocalNode;
    QStringList lines{QStringLiteral("—"), {}};
    switch (index.column()) {
    case Name:
        lines = {local ? NodeText::tr("This machine") : toQString(node->name),
                 local ? NodeText::tr("no SSH needed") : toQString(node->address)};
        break;
    case State:
        lines = {nodeStateText(*node),
                 node->ssh.state == SshState::Ready && !local ? stepsTime(*node) : QString()};
        break;
    case Gpus:
        if (node->facts)
            lines = gpuLines(*node->facts);
        break;
    case Driver:
        if (node->facts && node->facts->driverVersion)
            lines = {toQString(*node->facts->driverVersion),
                     node->facts->cudaVersion ? QStringLiteral("CUDA ") + toQString(*node->facts->cudaVersion)
                                              : QString()};
        break;
    case Network:
        if (node->facts)
            lines = networkLines(*node->facts);
        break;
    default:
        if (node->facts)
            lines = {local ? QStringLiteral("—") : clockText(*node->facts), {}};
    }
    if (role == Qt::DisplayRole)
        return lines[0];
    if (role == SecondLineRole)
        return lines[1];
    if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
        return lines[1].isEmpty() ? lines[0] : QString(lines[0] + QStringLiteral(", ") + lines[1]);
    if (role == Qt::TextAlignmentRole && index.column() == Clock)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace sb
