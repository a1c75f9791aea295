// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/compare_models.h"

#include "charts/chart_text.h"
#include "charts/tokens.h"
#include "core/units.h"
#include "widgets/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

QString roleText(KeyRole role)
{
    switch (role) {
    case KeyRole::Same:
        return KeyTableModel::tr("same");
    case KeyRole::Compared:
        return KeyTableModel::tr("compared");
    case KeyRole::Differs:
        return KeyTableModel::tr("differs");
    case KeyRole::Blocks:
        break;
    }
    return KeyTableModel::tr("unlike");
}

QString dashed(const std::string &text)
{
    return text.empty() ? QStringLiteral("—") : toQString(text);
}

} // namespace

QString keyFieldText(const std::string &field)
{
    static const std::vector<std::pair<std::string, const char *>> kNames{
        {"framework", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Framework")},
        {"threads per device", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Threads per device")},
        {"workload", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Workload")},
        {"precision", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Precision")},
        {"batch per device", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Batch per device")},
        {"scale", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Scale")},
        {"device", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Device")},
        {"data", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Data")},
        {"steps skipped + averaged", QT_TRANSLATE_NOOP("sb::KeyTableModel", "Steps skipped + averaged")},
    };
    for (const auto &[name, text] : kNames)
        if (name == field)
            return KeyTableModel::tr(text);
    // A switch of the framework keeps its own name.
    return toQString(field.starts_with("option ") ? field.substr(7) : field);
}

void KeyTableModel::setKeys(const std::vector<KeyDifference> &keys, bool onlyDifferences)
{
    beginResetModel();
    m_all = keys;
    m_keys = keys;
    if (onlyDifferences)
        std::erase_if(m_keys, [](const KeyDifference &key) { return key.role == KeyRole::Same; });
    // Differences first: they are what has to be read.
    std::stable_partition(m_keys.begin(), m_keys.end(),
                          [](const KeyDifference &key) { return key.role != KeyRole::Same; });
    endResetModel();
}

int KeyTableModel::differing() const
{
    return static_cast<int>(std::count_if(
        m_all.begin(), m_all.end(), [](const KeyDifference &key) { return key.role != KeyRole::Same; }));
}

int KeyTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_keys.size());
}

int KeyTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 4;
}

QVariant KeyTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const KeyDifference &key = m_keys.at(static_cast<std::size_t>(index.row()));
    if (role == KeyRoleRole)
        return static_cast<int>(key.role);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case 0:
        return keyFieldText(key.field);
    case 1:
        return dashed(key.a);
    case 2:
        return dashed(key.b);
    default:
        return roleText(key.role);
    }
}

QVariant KeyTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == 0   ? tr("Key")
           : section == 1 ? QStringLiteral("A")
           : section == 2 ? QStringLiteral("B")
                          : QString();
}

QString verdictText(const Comparison &comparison)
{
    const QString change = (comparison.ratio >= 1 ? QStringLiteral(" +") : QStringLiteral(" ")) +
                           toQString(formatPercent(comparison.ratio - 1));
    switch (comparison.verdict) {
    case Verdict::Faster:
        return QStringLiteral("▲ ") + CaseTableModel::tr("faster") + change;
    case Verdict::Slower:
        return QStringLiteral("▼ ") + CaseTableModel::tr("slower") + change;
    case Verdict::Same:
        return QStringLiteral("＝ ") + CaseTableModel::tr("the same");
    case Verdict::CannotTell:
        break;
    }
    return QStringLiteral("◆ ") + CaseTableModel::tr("cannot tell");
}

void CaseTableModel::setCases(const std::vector<Comparison> &cases)
{
    beginResetModel();
    m_cases = cases;
    m_reach = 0.01;
    for (const Comparison &one : cases) {
        m_reach = std::max(m_reach, std::abs(one.ratio - 1) * 1.15);
        if (one.interval)
            m_reach = std::max(
                {m_reach, std::abs(one.interval->low - 1) * 1.15, std::abs(one.interval->high - 1) * 1.15});
    }
    endResetModel();
}

int CaseTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_cases.size());
}

int CaseTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant CaseTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Comparison &one = m_cases.at(static_cast<std::size_t>(index.row()));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            Qt::AlignVCenter |
            (index.column() == Case || index.column() == VerdictColumn ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::AccessibleTextRole && index.column() == Plot)
        return data(this->index(index.row(), Interval), Qt::DisplayRole);
    if (role == Qt::ToolTipRole && index.column() >= Ratio && one.interval)
        return one.interval->method == RatioInterval::Method::RankSum
                   ? tr("95 % interval of the ratio, by inverting the rank-sum test")
                   : tr("95 % interval of the ratio, Welch's on logarithms: few runs");
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Case:
        return toQString(one.a.key.scaleName()) + (one.unlike ? QStringLiteral(" †") : QString());
    case Devices:
        return QString::number(one.a.key.devices());
    case ThroughputA:
        return toQString(formatThroughput(one.a.throughput));
    case ThroughputB:
        return toQString(formatThroughput(one.b.throughput));
    case Ratio:
        return toQString(formatNumber(one.ratio, 3));
    case Interval:
        return one.interval ? toQString(formatNumber(one.interval->low, 3) + " – " +
                                        formatNumber(one.interval->high, 3))
                            : QStringLiteral("—");
    case VerdictColumn:
        return verdictText(one);
    default:
        return {};
    }
}

QVariant CaseTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter |
                                (section == Case || section == VerdictColumn ? Qt::AlignLeft
                                 : section == Plot                           ? Qt::AlignHCenter
                                                                             : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    const QString unit = m_cases.empty() ? QString() : rateUnit(m_cases.front().a.unit);
    switch (section) {
    case Case:
        return tr("Case");
    case Devices:
        return tr("Devices");
    case ThroughputA:
        return unit.isEmpty() ? QStringLiteral("A") : QStringLiteral("A, ") + unit;
    case ThroughputB:
        return unit.isEmpty() ? QStringLiteral("B") : QStringLiteral("B, ") + unit;
    case Ratio:
        return QStringLiteral("A ÷ B");
    case Interval:
        return tr("95 % interval");
    case Plot:
        return QStringLiteral("%1 · 1 · %2")
            .arg(toQString(formatNumber(1 - m_reach, 2)), toQString(formatNumber(1 + m_reach, 2)));
    case VerdictColumn:
        return tr("Verdict");
    default:
        return {};
    }
}

QString CaseTableModel::asTabs() const
{
    QString text = QStringLiteral("case\tdevices\ta\tb\tratio\tlow\thigh\tverdict\n");
    for (const Comparison &one : m_cases) {
        const QString low = one.interval ? toQString(plainNumber(one.interval->low)) : QString();
        const QString high = one.interval ? toQString(plainNumber(one.interval->high)) : QString();
        text += QStringList{toQString(one.a.key.scaleName()),
                            QString::number(one.a.key.devices()),
                            toQString(plainNumber(one.a.throughput)),
                            toQString(plainNumber(one.b.throughput)),
                            toQString(plainNumber(one.ratio)),
                            low,
                            high,
                            toQString(verdictName(one.verdict))}
                    .join(QLatin1Char('\t')) +
                QLatin1Char('\n');
    }
    return text;
}

} // namespace sb
