// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "topology/topology_painter.h"

#include <QAbstractTableModel>

namespace sb {

// The matrix as the tool printed it: a row a device that has one, a column a device, then CPU cores and NUMA
// where the text has them. Cells are typed; the delegate draws them.
class MatrixModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        KindRole = Qt::UserRole, // LinkClass as int
        LanesRole,
        CellStateRole, // CellState as int
        DamagedRole,   // the row is damaged
        IsLinkRole,    // false: an affinity column
        SlowRole,      // measured, and well below the nominal rate
    };
    explicit MatrixModel(QObject *parent = nullptr);

    void setTopology(const Topology &topology);
    // Rates in GB/s in place of the words, where there are some; nothing: words.
    void setMeasured(const std::optional<LinkMeasurements> &measured);
    const Topology &topology() const { return m_topology; }
    // Devices of a cell; nothing for affinities.
    std::optional<DevicePair> pairAt(const QModelIndex &index) const;
    QModelIndex
    indexOf(const DevicePair &pair) const; // row of the first; of the second where the first has none
    int deviceOfRow(int row) const { return static_cast<int>(m_rows[static_cast<std::size_t>(row)]); }
    int affinityColumns() const { return static_cast<int>(m_affinities.size()); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    enum class Affinity { Cores, Numa, GpuNuma };
    QString affinityText(const TopologyDevice &device, Affinity affinity) const;
    QString spokenCell(std::size_t a, std::size_t b) const;

    std::optional<double> measuredAt(std::size_t a, std::size_t b) const;

    Topology m_topology;
    std::optional<LinkMeasurements> m_measured;
    std::vector<std::size_t> m_rows;
    std::vector<Affinity> m_affinities;
};

} // namespace sb
