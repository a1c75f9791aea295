// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rank_strip.h"

#include "core/units.h"
#include "widgets/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace sb {

namespace {

constexpr double kLeast = 0.02; // less than 2 % is nobody's fault
constexpr int kAxisWidth = 62;

QString signedPercent(double share)
{
    return (share > 0 ? QStringLiteral("+") : QString()) + toQString(formatPercent(share));
}

} // namespace

std::optional<int> oddRank(const std::vector<double> &deviations)
{
    if (deviations.size() < 3) // of two, either could be the odd one
        return std::nullopt;
    const auto further = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto most = std::max_element(deviations.begin(), deviations.end(), further);
    double next = 0;
    for (auto at = deviations.begin(); at != deviations.end(); ++at)
        if (at != most)
            next = std::max(next, std::abs(*at));
    if (std::abs(*most) <= kLeast || std::abs(*most) <= 2 * next)
        return std::nullopt;
    return static_cast<int>(most - deviations.begin());
}

RankStrip::RankStrip(QWidget *parent)
    : QWidget(parent)
{
}

void RankStrip::setRanks(const std::vector<double> &deviations, const std::vector<QString> &hosts,
                         std::optional<int> odd)
{
    m_deviations = deviations;
    m_hosts = hosts;
    m_odd = odd;
    setAccessibleDescription(odd ? tr("Rank %1 on %2 is %3 from the median.")
                                       .arg(*odd)
                                       .arg(m_hosts.at(static_cast<std::size_t>(*odd)),
                                            signedPercent(m_deviations.at(static_cast<std::size_t>(*odd))))
                                 : tr("All ranks are alike."));
    update();
}

QRectF RankStrip::area() const
{
    return QRectF(rect()).adjusted(kAxisWidth, 4, -12, -fontMetrics().height() - 4);
}

double RankStrip::range() const
{
    double most = 0;
    for (const double deviation : m_deviations)
        most = std::max(most, std::abs(deviation));
    for (const double step : std::array{0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0})
        if (most <= step)
            return step;
    return most;
}

QRectF RankStrip::barRect(const QRectF &area, int rank, int ranks, double deviation, double range)
{
    const double pitch = area.width() / ranks;
    const double width = std::max(1.0, std::min(pitch - 2, 40.0));
    const double height = deviation / range * area.height() / 2;
    const double middle = area.center().y();
    const double x = area.left() + pitch * rank + (pitch - width) / 2;
    return QRectF(x, std::min(middle, middle - height), width, std::max(1.5, std::abs(height)));
}

void RankStrip::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    painter.setFont(roleFont(TextRole::Fine));
    const QFontMetrics metrics(painter.font());
    const QRectF inside = area();
    const int ranks = static_cast<int>(m_deviations.size());
    if (ranks == 0)
        return;
    const double middle = std::round(inside.center().y());
    painter.setPen(tokens.text2);
    const auto axisText = [&](double y, const QString &text) {
        painter.drawText(QRectF(0, y - metrics.height() / 2.0, kAxisWidth - 8, metrics.height()),
                         static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), text);
    };
    if (inside.height() > 2.2 * metrics.height()) {
        axisText(inside.top() + metrics.height() / 2.0, signedPercent(range()));
        axisText(inside.bottom() - metrics.height() / 2.0, signedPercent(-range()));
    }
    axisText(middle, QStringLiteral("0"));
    painter.fillRect(QRectF(inside.left(), middle, inside.width(), 1), tokens.axis);
    int hostStart = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const QString &host = m_hosts[static_cast<std::size_t>(rank)];
        const QRectF bar =
            barRect(inside, rank, ranks, m_deviations[static_cast<std::size_t>(rank)], range());
        painter.fillRect(bar, m_odd == rank ? tokens.warnLine : tokens.infoLine);
        if (rank + 1 == ranks || m_hosts[static_cast<std::size_t>(rank) + 1] != host) {
            const double pitch = inside.width() / ranks;
            const QRectF box(inside.left() + pitch * hostStart, height() - metrics.height() - 2,
                             pitch * (rank + 1 - hostStart), metrics.height());
            painter.setPen(tokens.text2);
            painter.drawText(box, static_cast<int>(Qt::AlignCenter),
                             hostStart == rank ? tr("%1 · rank %2").arg(host).arg(rank)
                                               : tr("%1 · ranks %2–%3").arg(host).arg(hostStart).arg(rank));
            if (hostStart > 0)
                painter.fillRect(QRectF(box.left(), inside.top(), 1, height() - inside.top()), tokens.border);
            hostStart = rank + 1;
        }
    }
    if (m_odd) {
        const double deviation = m_deviations[static_cast<std::size_t>(*m_odd)];
        const QRectF bar = barRect(inside, *m_odd, ranks, deviation, range());
        const QString text = tr("rank %1 · %2").arg(*m_odd).arg(signedPercent(deviation));
        const double width = metrics.horizontalAdvance(text);
        const double x = bar.right() + 6 + width < inside.right() ? bar.right() + 6 : bar.left() - 6 - width;
        painter.setPen(tokens.warn);
        painter.drawText(QPointF(x, bar.center().y() + metrics.ascent() / 2.0), text);
    }
}

bool RankStrip::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || m_deviations.empty())
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QRectF inside = area();
    const int ranks = static_cast<int>(m_deviations.size());
    const int rank = static_cast<int>((help->pos().x() - inside.left()) / (inside.width() / ranks));
    if (help->pos().x() < inside.left() || rank >= ranks) {
        QToolTip::hideText();
        return true;
    }
    const auto at = static_cast<std::size_t>(rank);
    QToolTip::showText(help->globalPos(),
                       tr("rank %1 · %2 · %3").arg(rank).arg(m_hosts[at], signedPercent(m_deviations[at])),
                       this);
    return true;
}

} // namespace sb
