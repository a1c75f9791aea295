// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling_table.h"

#include "charts/chart_text.h"
#include "charts/scaling_figure.h"
#include "core/units.h"
#include "pages/unlike_text.h"

#include <algorithm>

namespace sb {

void ScalingTableModel::setGroup(const ScalingGroup &group)
{
    beginResetModel();
    m_group = group;
    m_devices = groupDevices(group.curves);
    m_styles = curveStyles(group.curves);
    m_fits = {};
    m_uses.clear();
    makeColumns();
    m_hidden.clear();
    endResetModel();
}

void ScalingTableModel::makeColumns()
{
    m_columns.clear();
    if (!m_devices.empty())
        m_columns.push_back({Kind::Framework});
    for (const int devices : m_devices)
        m_columns.push_back({Kind::Throughput, devices});
    for (const int devices : m_devices)
        if (devices > 1)
            m_columns.push_back({Kind::Speedup, devices});
    if (!m_devices.empty()) {
        if (m_devices.back() > 1)
            m_columns.push_back({Kind::Efficiency, m_devices.back()});
        if (std::any_of(m_uses.begin(), m_uses.end(), [](const auto &use) { return use.known(); }))
            m_columns.push_back({Kind::Utilisation, m_devices.back()});
        for (const Kind kind : {Kind::Interval, Kind::Runs, Kind::Noise})
            m_columns.push_back({kind, m_devices.back()});
    }
    if (m_fits.rows.empty() || m_devices.empty())
        return;
    const std::size_t end = m_columns.size() - 3; // before the interval
    std::vector<Column> fitted;
    for (int i = 0; i < m_fits.names.size(); ++i)
        fitted.push_back({Kind::Parameter, m_devices.back(), i});
    if (m_fits.devices > 0)
        fitted.push_back({Kind::Expected, m_fits.devices});
    m_columns.insert(m_columns.begin() + static_cast<std::ptrdiff_t>(end), fitted.begin(), fitted.end());
}

void ScalingTableModel::setFits(const TableFits &fits)
{
    if (fits == m_fits)
        return;
    beginResetModel();
    m_fits = fits;
    makeColumns();
    endResetModel();
}

void ScalingTableModel::setUtilisation(const std::vector<sb::Utilisation> &uses)
{
    if (uses == m_uses)
        return;
    beginResetModel();
    m_uses = uses;
    makeColumns();
    endResetModel();
}

const sb::Utilisation *ScalingTableModel::useOf(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return at < m_uses.size() ? &m_uses[at] : nullptr;
}

const CaseResult *ScalingTableModel::pointAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return nullptr;
    const Column &column = m_columns.at(static_cast<std::size_t>(index.column()));
    if (column.kind == Kind::Framework)
        return &m_group.curves.at(static_cast<std::size_t>(index.row())).points.back();
    return pointOf(index.row(), column.devices);
}

void ScalingTableModel::setHidden(const std::set<std::size_t> &hidden)
{
    m_hidden = hidden;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ScalingTableModel::retranslate()
{
    if (columnCount() > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int ScalingTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_group.curves.size());
}

int ScalingTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

const CaseResult *ScalingTableModel::pointOf(int row, int devices) const
{
    for (const CaseResult &point : m_group.curves.at(static_cast<std::size_t>(row)).points)
        if (point.key.devices() == devices)
            return &point;
    return nullptr;
}

std::optional<double> ScalingTableModel::valueOf(int row, const Column &column) const
{
    const CaseResult *point = pointOf(row, column.devices);
    if (!point)
        return std::nullopt;
    if (column.kind == Kind::Utilisation) {
        const sb::Utilisation *use = useOf(row);
        return use && use->known() ? std::optional(use->share) : std::nullopt;
    }
    switch (column.kind) {
    case Kind::Throughput:
        return point->throughput;
    case Kind::Speedup:
        return point->speedup;
    case Kind::Efficiency:
        return point->efficiency;
    case Kind::Runs: // single runs of published results are not known
        return point->repeats > 0 ? std::optional<double>(point->repeats) : std::nullopt;
    default:
        return std::nullopt;
    }
}

QString ScalingTableModel::textOf(int row, const Column &column) const
{
    if (column.kind == Kind::Framework)
        return curveLabel(m_group.curves.at(static_cast<std::size_t>(row)));
    if (column.kind == Kind::Parameter || column.kind == Kind::Expected)
        return fitText(row, column);
    const CaseResult *point = pointOf(row, column.devices);
    const QString dash = QStringLiteral("—");
    if (column.kind == Kind::Interval)
        return point && point->interval
                   ? QString::fromStdString(formatThroughput(point->interval->low) + " – " +
                                            formatThroughput(point->interval->high))
                   : dash;
    if (column.kind == Kind::Noise)
        return point && point->noise ? QString(QLatin1Char(noiseGradeLetter(*point->noise))) : dash;
    const auto value = valueOf(row, column);
    if (!value)
        return dash;
    return QString::fromStdString(column.kind == Kind::Efficiency || column.kind == Kind::Utilisation
                                      ? formatPercent(*value)
                                  : column.kind == Kind::Runs ? formatNumber(*value, 0)
                                                              : formatNumber(*value, 2));
}

QString ScalingTableModel::headerOf(const Column &column) const
{
    const bool first = column.devices == m_devices.front();
    const bool last = column.devices == m_devices.back();
    const QString count = QString::number(column.devices);
    switch (column.kind) {
    case Kind::Framework:
        return tr("Framework");
    case Kind::Throughput: {
        QString text = count;
        if (first)
            text = m_group.device == "cuda" ? tr("%n GPU(s)", nullptr, column.devices)
                                            : tr("%n device(s)", nullptr, column.devices);
        return last ? text + QStringLiteral("  ") + rateUnit(m_group.unit) : text;
    }
    case Kind::Speedup:
        return QStringLiteral("×") + count + (last ? QStringLiteral("  ") + tr("speedup") : QString());
    case Kind::Efficiency:
        return tr("Efficiency");
    case Kind::Interval:
        return tr("Interval at %1").arg(count);
    case Kind::Runs:
        return tr("Runs");
    case Kind::Noise:
        return tr("Noise");
    case Kind::Utilisation:
        return tr("MFU at %1").arg(count);
    case Kind::Parameter:
        return m_fits.names.value(column.parameter);
    case Kind::Expected:
        return tr("Expected at %1").arg(count);
    }
    return {};
}

QString ScalingTableModel::tipOf(int row, const Column &column) const
{
    if (column.kind == Kind::Noise)
        return tr("Range of the repeats over their median: A up to 1 %, B up to 3 %, C more.");
    if (column.kind == Kind::Parameter || column.kind == Kind::Expected)
        return fitOf(row) ? fitOf(row)->tip : QString();
    if (column.kind == Kind::Utilisation)
        return useOf(row) ? utilisationText(*useOf(row)) : QString();
    const CaseResult *point = pointOf(row, column.devices);
    if (!point)
        return {};
    QString tip = QString::fromStdString(point->key.scaleName()) + QStringLiteral(" · ") +
                  tr("skip %1 steps, average %2").arg(point->key.warmupSteps).arg(point->key.measuredSteps);
    for (const std::string &id : point->runIds)
        tip += QLatin1Char('\n') + QString::fromStdString(id);
    if (!point->source.empty())
        tip += QLatin1Char('\n') + QString::fromStdString(point->source);
    for (const std::string &unlike : m_group.curves.at(static_cast<std::size_t>(row)).unlike)
        tip += QStringLiteral("\n† ") + unlikeText(unlike);
    return tip;
}

QVariant ScalingTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const Column &column = m_columns.at(static_cast<std::size_t>(index.column()));
    const CaseResult *point = pointOf(index.row(), column.devices);
    switch (role) {
    case Qt::DisplayRole:
        return textOf(index.row(), column);
    case ValueRole:
        if (const auto value = valueOf(index.row(), column))
            return *value;
        return {};
    case StyleRole:
        return column.kind == Kind::Framework ? QVariant(static_cast<int>(row)) : QVariant();
    case NoiseRole:
        return column.kind == Kind::Noise && point && point->noise ? QVariant(static_cast<int>(*point->noise))
                                                                   : QVariant();
    case CoverageRole:
        return column.kind == Kind::Interval && point && point->interval && point->interval->coverage < 0.95
                   ? QVariant(QString::fromStdString(formatPercent(point->interval->coverage)))
                   : QVariant();
    case HiddenRole:
        return m_hidden.contains(row);
    case Qt::ToolTipRole:
        return tipOf(index.row(), column);
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | (column.kind == Kind::Framework ? Qt::AlignLeft
                                                    : column.kind == Kind::Noise   ? Qt::AlignHCenter
                                                                                   : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant ScalingTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column &column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return headerOf(column);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (column.kind == Kind::Framework ? Qt::AlignLeft
                                                    : column.kind == Kind::Noise   ? Qt::AlignHCenter
                                                                                   : Qt::AlignRight));
    if (role == Qt::ToolTipRole) {
        if (column.kind == Kind::Speedup)
            return tr("Speedup: throughput divided by that of the same framework, batch and precision on one "
                      "device.");
        if (column.kind == Kind::Parameter)
            return m_fits.tips.value(column.parameter);
        if (column.kind == Kind::Utilisation)
            return tr("Model FLOPs utilisation: the arithmetic that the model needs over what the devices "
                      "could do by their data sheet.");
        if (column.kind == Kind::Expected)
            return tr("What the fit expects, and the interval in which 95 % of measurements would lie.");
        if (column.kind == Kind::Efficiency)
            return tr("Efficiency: speedup divided by the number of devices.");
        if (column.kind == Kind::Throughput)
            return tr(
                "Throughput: samples all devices finish in a second, averaged over the measured steps.");
    }
    return {};
}

ReportTable ScalingTableModel::asTable() const
{
    ReportTable table;
    table.id = groupId(m_group);
    for (const Column &column : m_columns) {
        ReportColumn made{
            headerOf(column).toStdString(), column.kind != Kind::Framework && column.kind != Kind::Noise, {}};
        if (column.kind == Kind::Interval)
            made.parts = {tr("low").toStdString(), tr("high").toStdString(), tr("coverage").toStdString()};
        table.columns.push_back(std::move(made));
    }
    for (int row = 0; row < rowCount(); ++row) {
        std::vector<ReportCell> cells;
        for (const Column &column : m_columns) {
            ReportCell cell{textOf(row, column).toStdString(), valueOf(row, column), {}, {}};
            const CaseResult *point = pointOf(row, column.devices);
            if (column.kind == Kind::Interval && point && point->interval) {
                const MedianInterval &found = *point->interval;
                cell.text += " (" + formatPercent(found.coverage) + ")";
                cell.parts = {found.low, found.high, found.coverage};
            }
            cells.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(cells));
        table.simulated = table.simulated || m_group.curves[static_cast<std::size_t>(row)].simulated;
    }
    return table;
}

QString ScalingTableModel::asTabs() const
{
    const ReportTable table = asTable();
    QString text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i > 0 ? QStringLiteral("\t") : QString()) + QString::fromStdString(table.columns[i].title);
    for (const auto &row : table.rows) {
        text += QLatin1Char('\n');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string cell = row[i].value ? plainNumber(*row[i].value) : row[i].text;
            text += (i > 0 ? QStringLiteral("\t") : QString()) + QString::fromStdString(cell);
        }
    }
    return text + QLatin1Char('\n');
}

} // namespace sb
