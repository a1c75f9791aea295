// SPDX-License-Identifier: GPL-3.0-or-later
// The table under the scaling charts; it is their legend.
#pragma once

#include "charts/chart_style.h"
#include "core/report.h"
#include "core/scaling_fit.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <optional>
#include <set>
#include <vector>

namespace sb {

class ScalingTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { ValueRole = Qt::UserRole, StyleRole, NoiseRole, HiddenRole, CoverageRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setGroup(const ScalingGroup &group);
    const ScalingGroup &group() const { return m_group; }
    void setHidden(const std::set<std::size_t> &hidden);
    // One fit a curve, or none; `devices` > 0 adds a column with what they expect there.
    void setFits(const std::vector<ScalingFit> &fits, int devices);
    void retranslate();
    const SeriesStyle &styleOf(int row) const { return m_styles.at(static_cast<std::size_t>(row)); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // The table with plain numbers behind its cells, for copying.
    ReportTable asTable() const;
    // Tab-separated with headers and plain numbers.
    QString asTabs() const;

private:
    enum class Kind {
        Framework,
        Throughput,
        Speedup,
        Efficiency,
        Interval,
        Runs,
        Noise,
        Serial,
        Crosstalk,
        Expected,
    };
    struct Column {
        Kind kind;
        int devices = 0;
    };
    const CaseResult *pointOf(int row, int devices) const;
    std::optional<double> valueOf(int row, const Column &column) const;
    QString textOf(int row, const Column &column) const;
    QString headerOf(const Column &column) const;
    QString tipOf(int row, const Column &column) const;
    void makeColumns();
    const ScalingFit *fitOf(int row) const;
    QString fitText(int row, const Column &column) const;
    QString fitTip(int row) const;

    ScalingGroup m_group;
    std::vector<int> m_devices;
    std::vector<Column> m_columns;
    std::vector<SeriesStyle> m_styles;
    std::set<std::size_t> m_hidden;
    std::vector<ScalingFit> m_fits;
    int m_expectedDevices = 0;
};

// Why a fit is none, in the window's language: "Not identifiable from 4 scales"; empty for a good one.
QString fitFaultText(const ScalingFit &fit);

// Keys in the first column, grade tags in the last.
class ScalingTableDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace sb
