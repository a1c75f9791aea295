// SPDX-License-Identifier: GPL-3.0-or-later
// The table under the scaling charts; it is their legend.
#pragma once

#include "charts/chart_style.h"
#include "core/comm_model.h"
#include "core/report.h"
#include "core/scaling_fit.h"
#include "core/utilisation.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <optional>
#include <set>
#include <span>
#include <vector>

namespace sb {

// What a fit says of a curve: a cell for each of its parameters, and what it expects at a number of devices.
struct TableFit {
    QStringList parameters; // "0.0123 (0.0101 – 0.0145)"
    std::optional<FitBand> expected;
    QString tip;
    bool operator==(const TableFit &) const = default;
};
struct TableFits {
    QStringList names;          // of the parameters: "σ", "κ"
    QStringList tips;           // parallel to them
    int devices = 0;            // of `expected`
    std::vector<TableFit> rows; // one a curve; empty: no fit is shown
    bool operator==(const TableFits &) const = default;
};
TableFits tableFits(std::span<const ScalingFit> fits, int devices);
// The communication model's; `gradientBytes` one a curve.
TableFits tableFits(std::span<const ExposedFit> fits, const CommFit &comm,
                    std::span<const std::optional<double>> gradientBytes, int devices);

class ScalingTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { ValueRole = Qt::UserRole, StyleRole, NoiseRole, HiddenRole, CoverageRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setGroup(const ScalingGroup &group);
    const ScalingGroup &group() const { return m_group; }
    void setHidden(const std::set<std::size_t> &hidden);
    void setFits(const TableFits &fits);
    // Model FLOPs utilisation at the largest scale, one a curve; no column when none is known.
    void setUtilisation(const std::vector<Utilisation> &uses);
    void retranslate();
    const SeriesStyle &styleOf(int row) const { return m_styles.at(static_cast<std::size_t>(row)); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // The point that a cell stands for; null where the curve has none at that scale.
    const CaseResult *pointAt(const QModelIndex &index) const;

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
        Utilisation,
        Interval,
        Runs,
        Noise,
        Parameter,
        Expected,
    };
    struct Column {
        Kind kind;
        int devices = 0;
        int parameter = 0; // of the fit
    };
    const CaseResult *pointOf(int row, int devices) const;
    std::optional<double> valueOf(int row, const Column &column) const;
    QString textOf(int row, const Column &column) const;
    QString headerOf(const Column &column) const;
    QString tipOf(int row, const Column &column) const;
    void makeColumns();
    const TableFit *fitOf(int row) const;
    QString fitText(int row, const Column &column) const;
    const sb::Utilisation *useOf(int row) const;

    ScalingGroup m_group;
    std::vector<int> m_devices;
    std::vector<Column> m_columns;
    std::vector<SeriesStyle> m_styles;
    std::set<std::size_t> m_hidden;
    TableFits m_fits;
    std::vector<sb::Utilisation> m_uses;
};

// Why a fit is none, in the window's language: "Not identifiable from 4 scales"; empty for a good one.
QString fitFaultText(FitFault fault, int scales);
// Why there is no utilisation, or what it was computed from.
QString utilisationText(const Utilisation &use);

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
