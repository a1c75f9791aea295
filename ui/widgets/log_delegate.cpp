// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log_delegate.h"

#include "models/log_model.h"
#include "widgets/text.h"

#include <QPainter>

#include <algorithm>

namespace sb {

namespace {
constexpr int kLeft = 11;
constexpr int kMostShownCharacters = 2000; // longer lines are cut on screen; the file has them whole
} // namespace

void LogDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Tokens &tokens = Tokens::of(option.palette);
    const bool selected = option.state & QStyle::State_Selected;
    const bool warning = index.data(LogModel::WarningRole).toBool();
    const QFont font = roleFont(TextRole::Mono);
    const QFontMetrics metrics(font);
    painter->save();
    painter->setFont(font);
    if (selected)
        painter->fillRect(option.rect, tokens.sel);
    if (warning)
        painter->fillRect(QRect(option.rect.left() + 3, option.rect.top() + 1, 3, option.rect.height() - 2),
                          tokens.warnLine);
    const int base = option.rect.top() + (option.rect.height() - metrics.height()) / 2 + metrics.ascent();
    const QString rank = QStringLiteral("r%1").arg(index.data(LogModel::RankRole).toInt()).leftJustified(4);
    int x = option.rect.left() + kLeft;
    painter->setPen(selected ? tokens.onSel : tokens.text2);
    painter->drawText(x, base, rank);
    x += metrics.horizontalAdvance(rank);
    const QString text = index.data().toString().left(kMostShownCharacters);
    if (!m_highlight.isEmpty())
        for (qsizetype at = text.indexOf(m_highlight, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(m_highlight, at + m_highlight.size(), Qt::CaseInsensitive)) {
            const int from = x + metrics.horizontalAdvance(text.left(at));
            painter->fillRect(QRect(from, option.rect.top(),
                                    metrics.horizontalAdvance(text.mid(at, m_highlight.size())),
                                    option.rect.height()),
                              tokens.warnBg);
        }
    painter->setPen(selected ? tokens.onSel : warning ? tokens.warn : tokens.text);
    painter->drawText(x, base, text);
    painter->restore();
}

QSize LogDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QFontMetrics metrics(roleFont(TextRole::Mono));
    const auto characters = std::min<qsizetype>(index.data().toString().size(), kMostShownCharacters) + 6;
    return {kLeft + static_cast<int>(characters) * metrics.horizontalAdvance(u'0'),
            std::max(17, metrics.height() + 2)};
}

} // namespace sb
