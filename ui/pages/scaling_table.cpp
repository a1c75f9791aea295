// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling_table.h"

#include "charts/chart_text.h"
#include "charts/scaling_figure.h"
#include "charts/tokens.h"
#include "core/units.h"

#include <QPainter>
#include <QStyle>
#include <QWidget>

namespace sb {

namespace {
constexpr int kKeyWidth = 30;
constexpr int kGap = 14; // between columns
} // namespace

void ScalingTableModel::setGroup(const ScalingGroup &group)
{
    beginResetModel();
    m_group = group;
    m_devices = groupDevices(group.curves);
    m_styles = curveStyles(group.curves);
    m_fits.clear();
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
        for (const Kind kind : {Kind::Interval, Kind::Runs, Kind::Noise})
            m_columns.push_back({kind, m_devices.back()});
    }
    if (m_fits.empty() || m_devices.empty())
        return;
    const std::size_t end = m_columns.size() - 3; // before the interval
    std::vector<Column> fitted{{Kind::Serial, m_devices.back()}};
    if (m_fits.front().model == ScalingModel::Usl)
        fitted.push_back({Kind::Crosstalk, m_devices.back()});
    if (m_expectedDevices > 0)
        fitted.push_back({Kind::Expected, m_expectedDevices});
    m_columns.insert(m_columns.begin() + static_cast<std::ptrdiff_t>(end), fitted.begin(), fitted.end());
}

void ScalingTableModel::setFits(const std::vector<ScalingFit> &fits, int devices)
{
    if (fits == m_fits && devices == m_expectedDevices)
        return;
    beginResetModel();
    m_fits = fits;
    m_expectedDevices = devices;
    makeColumns();
    endResetModel();
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
    switch (column.kind) {
    case Kind::Throughput:
        return point->throughput;
    case Kind::Speedup:
        return point->speedup;
    case Kind::Efficiency:
        return point->efficiency;
    case Kind::Runs:
        return point->repeats;
    default:
        return std::nullopt;
    }
}

QString ScalingTableModel::textOf(int row, const Column &column) const
{
    if (column.kind == Kind::Framework)
        return curveLabel(m_group.curves.at(static_cast<std::size_t>(row)));
    if (column.kind == Kind::Serial || column.kind == Kind::Crosstalk || column.kind == Kind::Expected)
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
    return QString::fromStdString(column.kind == Kind::Efficiency ? formatPercent(*value)
                                  : column.kind == Kind::Runs     ? formatNumber(*value, 0)
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
    case Kind::Serial:
        return QStringLiteral("σ");
    case Kind::Crosstalk:
        return QStringLiteral("κ");
    case Kind::Expected:
        return tr("Expected at %1").arg(count);
    }
    return {};
}

QString ScalingTableModel::tipOf(int row, const Column &column) const
{
    if (column.kind == Kind::Noise)
        return tr("Range of the repeats over their median: A up to 1 %, B up to 3 %, C more.");
    if (column.kind == Kind::Serial || column.kind == Kind::Crosstalk || column.kind == Kind::Expected)
        return fitTip(row);
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
        tip += QStringLiteral("\n† ") + QString::fromStdString(unlike);
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
        if (column.kind == Kind::Serial)
            return tr("Share of a step that does not get shorter by sharing it, with its 95 % interval.");
        if (column.kind == Kind::Crosstalk)
            return tr("Cost of every pair of devices talking to each other, with its 95 % interval.");
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

void ScalingTableDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const auto *model = static_cast<const ScalingTableModel *>(index.model());
    const Tokens &tokens = Tokens::of(item.palette);
    const bool hidden = index.data(ScalingTableModel::HiddenRole).toBool();
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    painter->save();
    if (selected)
        painter->fillRect(item.rect, tokens.sel);
    painter->setPen(tokens.grid);
    painter->drawLine(item.rect.bottomLeft(), item.rect.bottomRight());
    // As far from the edge as the header's text, so that figures stand under their heading.
    const int margin = item.widget ? item.widget->style()->pixelMetric(QStyle::PM_HeaderMargin) : 4;
    QRect area = item.rect.adjusted(margin, 0, -margin, 0);
    const QColor ink = selected ? tokens.onSel : tokens.text;
    painter->setFont(item.font);
    painter->setPen(hidden || item.text == QStringLiteral("—") ? tokens.text2 : ink);
    if (index.data(ScalingTableModel::StyleRole).isValid()) {
        const SeriesStyle &style = model->styleOf(index.row());
        const QRectF key(area.left(), area.center().y() - 7.5, kKeyWidth, 16);
        if (!hidden)
            drawSeriesKey(*painter, key, style,
                          &tokens == &Tokens::dark() ? ChartPalette::Dark : ChartPalette::Light,
                          selected ? tokens.sel : tokens.base);
        area.setLeft(area.left() + kKeyWidth + 8);
        if (hidden)
            item.text += QStringLiteral(" (") + ScalingTableModel::tr("hidden") + QLatin1Char(')');
    }
    if (const QVariant noise = index.data(ScalingTableModel::NoiseRole); noise.isValid()) {
        const int grade = noise.toInt();
        const QRectF tag(area.center().x() - 9, area.center().y() - 8.5, 19, 18);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(grade == 0 ? tokens.ok : grade == 2 ? tokens.warn : tokens.strong);
        painter->setBrush(grade == 0 ? tokens.okBg : grade == 2 ? tokens.warnBg : tokens.alt);
        painter->drawRoundedRect(tag, 3, 3);
        painter->setPen(grade == 0 ? tokens.ok : grade == 2 ? tokens.warn : tokens.text2);
        painter->setFont(resized(item.font, -1.5));
        painter->drawText(tag, Qt::AlignCenter, item.text);
    } else {
        if (const QVariant coverage = index.data(ScalingTableModel::CoverageRole); coverage.isValid()) {
            const QFont fine = resized(item.font, -1.5);
            const QString text = coverage.toString();
            painter->setFont(fine);
            const QPen pen = painter->pen();
            painter->setPen(selected ? tokens.onSel : tokens.text2);
            painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, text);
            area.setRight(area.right() - QFontMetrics(fine).horizontalAdvance(text) - 5);
            painter->setPen(pen);
            painter->setFont(item.font);
        }
        const QFontMetrics metrics(item.font);
        painter->drawText(area, static_cast<int>(item.displayAlignment),
                          metrics.elidedText(item.text, Qt::ElideRight, area.width()));
    }
    painter->restore();
}

QSize ScalingTableDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    int width = item.fontMetrics.horizontalAdvance(item.text) + kGap;
    if (index.data(ScalingTableModel::StyleRole).isValid())
        width += kKeyWidth + 8;
    if (const QVariant coverage = index.data(ScalingTableModel::CoverageRole); coverage.isValid())
        width += QFontMetrics(resized(item.font, -1.5)).horizontalAdvance(coverage.toString()) + 8;
    return {width, 24};
}

} // namespace sb
