// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/case_delegate.h"

#include "core/units.h"
#include "models/case_grid_model.h"
#include "widgets/icon.h"
#include "widgets/style_painting.h"
#include "widgets/text.h"

#include <QPainter>

namespace sb {

namespace {

// "7 × 1.4 min": minutes with a decimal from one minute on, so that cases can be compared.
QString timeText(int repeats, const QVariant &runTimeS)
{
    if (!runTimeS.isValid())
        return CaseDelegate::tr("%1 ×", "repeats of unknown length").arg(repeats);
    const double seconds = runTimeS.toDouble();
    const QString time = seconds < 60
                             ? CaseDelegate::tr("%1 s").arg(toQString(formatNumber(seconds, 0)))
                             : CaseDelegate::tr("%1 min").arg(toQString(formatNumber(seconds / 60, 1)));
    return QStringLiteral("%1 × %2").arg(repeats).arg(time);
}

QString stateIcon(CaseState state)
{
    switch (state) {
    case CaseState::Done:
        return QStringLiteral("ok");
    case CaseState::Failed:
        return QStringLiteral("warning");
    case CaseState::Running:
        return QStringLiteral("play");
    case CaseState::Absent:
    case CaseState::Planned:
    case CaseState::Refused:
    case CaseState::Partial:
        break;
    }
    return {};
}

} // namespace

QString CaseDelegate::cellText(const QModelIndex &index) const
{
    const auto state = index.data(CaseGridModel::StateRole).value<CaseState>();
    if (state == CaseState::Absent)
        return {};
    if (state == CaseState::Refused)
        return index.data(CaseGridModel::RefusalRole).toString();
    const int repeats = index.data(CaseGridModel::RepeatsRole).toInt();
    const int done = index.data(CaseGridModel::DoneRole).toInt();
    switch (m_show) {
    case Show::Order:
        return tr("no. %1").arg(index.data(CaseGridModel::OrderRole).toInt());
    case Show::Result: {
        const QVariant throughput = index.data(CaseGridModel::ThroughputRole);
        return throughput.isValid() ? toQString(formatThroughput(throughput.toDouble()))
                                    : QStringLiteral("—");
    }
    case Show::Time:
        break;
    }
    if (state == CaseState::Done)
        return tr("done");
    if (done > 0 || state == CaseState::Running || state == CaseState::Failed)
        return tr("%1 of %2").arg(done).arg(repeats);
    return timeText(repeats, index.data(CaseGridModel::RunTimeRole));
}

void CaseDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const Tokens &tokens = Tokens::of(option.palette);
    const auto state = index.data(CaseGridModel::StateRole).value<CaseState>();
    const bool selected = option.state & QStyle::State_Selected;
    const QRect cell = option.rect;
    painter->save();
    painter->setClipRect(cell);
    painter->fillRect(cell, selected ? tokens.sel : state == CaseState::Failed ? tokens.warnBg : tokens.base);
    if (state == CaseState::Refused && !selected) {
        painter->fillRect(cell, tokens.alt);
        paintHatch(painter, QRectF(cell), tokens.border);
    }
    if (state == CaseState::Absent)
        painter->fillRect(cell, tokens.window);
    const bool groupStart = index.data(CaseGridModel::GroupStartRole).toBool();
    painter->fillRect(QRect(cell.left(), cell.top(), 1, cell.height()),
                      groupStart ? tokens.border : tokens.grid);
    painter->fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), tokens.grid);

    const QString text = cellText(index);
    const QFont font = roleFont(TextRole::Secondary);
    const QFontMetrics metrics(font);
    const QString icon = stateIcon(state);
    const int iconSpace = icon.isEmpty() || m_show == Show::Order ? 0 : 18;
    const int width = metrics.horizontalAdvance(text) + iconSpace;
    int x = cell.left() + (cell.width() - width) / 2;
    if (iconSpace > 0) {
        const QColor ink = state == CaseState::Done     ? tokens.ok
                           : state == CaseState::Failed ? tokens.warn
                                                        : tokens.accent;
        paintIcon(painter, icon, QRectF(x, cell.center().y() - 6.5, 14, 14), ink);
        x += iconSpace;
    }
    const QRect textBox(x, cell.top(), metrics.horizontalAdvance(text) + 2, cell.height() - 1);
    if (state == CaseState::Refused && !selected) // the words stand on a clear ground, not on the hatch
        painter->fillRect(QRect(textBox.left() - 3, cell.center().y() - metrics.height() / 2,
                                textBox.width() + 4, metrics.height()),
                          tokens.alt);
    painter->setFont(font);
    painter->setPen(selected ? tokens.onSel : state == CaseState::Refused ? tokens.text2 : tokens.text);
    painter->drawText(textBox, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text);
    if (option.state & QStyle::State_HasFocus || selected) {
        painter->setPen(QPen(tokens.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(cell).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

QSize CaseDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QFontMetrics metrics(roleFont(TextRole::Secondary));
    return {metrics.horizontalAdvance(cellText(index)) + 36, metrics.height() + 16};
}

} // namespace sb
