// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/matrix_model.h"

#include "core/topology_rates.h"
#include "core/units.h"
#include "topology/measured_labels.h"

#include <algorithm>

namespace sb {

MatrixModel::MatrixModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void MatrixModel::setTopology(const Topology &topology)
{
    beginResetModel();
    m_topology = topology;
    m_rows.clear();
    m_affinities.clear();
    bool cores = false;
    bool numa = false;
    bool gpuNuma = false;
    for (std::size_t i = 0; i < topology.size(); ++i) {
        const TopologyDevice &device = topology.devices[i];
        if (device.hasRow || device.damaged)
            m_rows.push_back(i);
        cores |= device.cpuAffinity && !device.cpuAffinity->empty();
        numa |= device.numaAffinity && !device.numaAffinity->empty();
        gpuNuma |= device.gpuNumaId && !device.gpuNumaId->empty() && *device.gpuNumaId != "N/A";
    }
    if (cores)
        m_affinities.push_back(Affinity::Cores);
    if (numa)
        m_affinities.push_back(Affinity::Numa);
    if (gpuNuma)
        m_affinities.push_back(Affinity::GpuNuma);
    endResetModel();
}

void MatrixModel::setMeasured(const std::optional<LinkMeasurements> &measured)
{
    if (m_measured == measured)
        return;
    m_measured = measured;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

std::optional<double> MatrixModel::measuredAt(std::size_t a, std::size_t b) const
{
    return m_measured && a != b ? measuredGBps(*m_measured, m_topology, a, b) : std::nullopt;
}

int MatrixModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MatrixModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_topology.size() + m_affinities.size());
}

std::optional<DevicePair> MatrixModel::pairAt(const QModelIndex &index) const
{
    if (!index.isValid() || index.column() >= static_cast<int>(m_topology.size()))
        return std::nullopt;
    return DevicePair{m_rows[static_cast<std::size_t>(index.row())],
                      static_cast<std::size_t>(index.column())};
}

QModelIndex MatrixModel::indexOf(const DevicePair &pair) const
{
    for (const auto &[row, column] : {pair, DevicePair{pair.second, pair.first}}) {
        const auto at = std::find(m_rows.begin(), m_rows.end(), row);
        if (at != m_rows.end())
            return index(static_cast<int>(at - m_rows.begin()), static_cast<int>(column));
    }
    return {};
}

QString MatrixModel::affinityText(const TopologyDevice &device, Affinity affinity) const
{
    const auto &text = affinity == Affinity::Cores  ? device.cpuAffinity
                       : affinity == Affinity::Numa ? device.numaAffinity
                                                    : device.gpuNumaId;
    if (!device.gpu)
        return {};
    return text && !text->empty() ? QString::fromStdString(*text) : QStringLiteral("—");
}

// "GPU2 to GPU6, NV1, 1 NVLink, 25 gigabytes per second"
QString MatrixModel::spokenCell(std::size_t a, std::size_t b) const
{
    const LinkCell &cell = m_topology.cell(a, b);
    const QString from = QString::fromStdString(m_topology.devices[a].name);
    const QString to = QString::fromStdString(m_topology.devices[b].name);
    if (a == b)
        return tr("%1 itself").arg(from);
    if (cell.state == CellState::Unreadable)
        return tr("%1 to %2, could not be read").arg(from, to);
    QString text = tr("%1 to %2, %3").arg(from, to, QString::fromStdString(cell.word));
    const LinkKind kind = linkKind(cell.word);
    if (kind.linkClass == LinkClass::Fabric)
        text += tr(", %n link(s)", nullptr, kind.lanes);
    if (const auto rate = nominalRate(m_topology, a, b))
        text += tr(", %1 gigabytes per second").arg(QString::fromStdString(plainNumber(rate->gbps)));
    if (const auto gbps = measuredAt(a, b))
        text += tr(", measured %1").arg(QString::fromStdString(rateFigure(*gbps)));
    if (cell.state == CellState::Mirrored)
        text += tr(", taken from the column");
    return text;
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const std::size_t row = m_rows[static_cast<std::size_t>(index.row())];
    const TopologyDevice &device = m_topology.devices[row];
    const auto column = static_cast<std::size_t>(index.column());
    if (role == DamagedRole)
        return device.damaged;
    if (role == IsLinkRole)
        return column < m_topology.size();
    if (column >= m_topology.size()) {
        const QString text = affinityText(device, m_affinities[column - m_topology.size()]);
        return role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole
                   ? QVariant(text)
                   : QVariant();
    }
    const LinkCell &cell = m_topology.cell(row, column);
    const LinkKind kind = linkKind(cell.word);
    switch (role) {
    case Qt::DisplayRole:
        if (cell.state == CellState::Unreadable)
            return QStringLiteral("!");
        if (const auto gbps = measuredAt(row, column))
            return QString::fromStdString(rateFigure(*gbps));
        return QString::fromStdString(cell.word);
    case Qt::AccessibleTextRole:
        return spokenCell(row, column);
    case Qt::ToolTipRole:
        return device.damaged ? QVariant(QString::fromStdString(device.rawLine).left(400))
                              : QVariant(spokenCell(row, column));
    case SlowRole: {
        const auto gbps = measuredAt(row, column);
        return gbps && isSlowLink(m_topology, row, column, *gbps);
    }
    case KindRole:
        return static_cast<int>(kind.linkClass);
    case LanesRole:
        return kind.lanes;
    case CellStateRole:
        return static_cast<int>(cell.state);
    default:
        return {};
    }
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const auto at = static_cast<std::size_t>(section);
    if (orientation == Qt::Horizontal && at >= m_topology.size()) {
        switch (m_affinities[at - m_topology.size()]) {
        case Affinity::Cores:
            return tr("CPU cores");
        case Affinity::Numa:
            return tr("NUMA");
        case Affinity::GpuNuma:
            return tr("GPU NUMA");
        }
    }
    const std::size_t device = orientation == Qt::Horizontal ? at : m_rows[at];
    if (role == Qt::DisplayRole)
        return QString::fromStdString(m_topology.devices[device].name);
    if (m_topology.devices[device].damaged)
        return tr("Row %1 is damaged; values come from its column where that is whole")
            .arg(QString::fromStdString(m_topology.devices[device].name));
    return QString::fromStdString(m_topology.displayName(device));
}

} // namespace sb
