// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/link_legend.h"

#include "topology/link_palette.h"

#include <QPainter>

#include <algorithm>

namespace sb {

LinkLegend::LinkLegend(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LinkLegend::setTopology(const Topology &topology)
{
    m_entries.clear();
    m_damaged = topology.damaged();
    for (std::size_t a = 0; a < topology.size(); ++a)
        for (std::size_t b = 0; b < topology.size(); ++b) {
            const LinkCell &cell = topology.cell(a, b);
            if (a == b || cell.word.empty())
                continue;
            const LinkKind kind = linkKind(cell.word);
            const QString word = QString::fromStdString(cell.word);
            // One entry for all NVLink words: the widest.
            const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &e) {
                return kind.linkClass == LinkClass::Unknown ? e.word == word
                                                            : e.kind.linkClass == kind.linkClass;
            });
            if (same == m_entries.end())
                m_entries.push_back({word, kind});
            else if (kind.lanes > same->kind.lanes)
                *same = {word, kind};
        }
    std::sort(m_entries.begin(), m_entries.end(),
              [](const Entry &a, const Entry &b) { return a.kind.linkClass < b.kind.linkClass; });
    update();
}

QString LinkLegend::meaningOf(const LinkKind &kind, const QString &word)
{
    switch (kind.linkClass) {
    case LinkClass::Fabric:
        return word.startsWith(QLatin1String("NV")) ? tr("NVLinks") : tr("direct");
    case LinkClass::Pix:
        return tr("1 bridge");
    case LinkClass::Pxb:
        return tr("bridges");
    case LinkClass::Phb:
        return tr("host bridge");
    case LinkClass::Pcie:
        return tr("PCIe");
    case LinkClass::Node:
        return tr("in one NUMA");
    case LinkClass::Sys:
        return tr("across sockets");
    default:
        break;
    }
    if (word == QLatin1String("OK"))
        return tr("can reach each other");
    if (word == QLatin1String("NS"))
        return tr("cannot");
    if (word == QLatin1String("CNS"))
        return tr("chipset cannot");
    if (word == QLatin1String("GNS"))
        return tr("GPU cannot");
    if (word == QLatin1String("TNS"))
        return tr("topology cannot");
    return tr("not known here");
}

void LinkLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &tokens = Tokens::of(palette());
    QFont font = this->font();
    font.setPointSizeF(font.pointSizeF() * 11.0 / 13.0);
    QFont small = font;
    small.setPointSizeF(font.pointSizeF() * 10.0 / 11.0);
    const QFontMetricsF metrics(font);
    double x = 0;
    for (const Entry &entry : m_entries) {
        const LinkColours colours = linkColours(entry.kind, tokens);
        const double chip = std::max(34.0, QFontMetricsF(small).horizontalAdvance(entry.word) + 8);
        const QString text = meaningOf(entry.kind, entry.word);
        const double width = chip + 6 + metrics.horizontalAdvance(text);
        if (x + width > this->width())
            break;
        const QRectF rect(x, (height() - 17) / 2.0, chip, 17);
        painter.fillRect(rect, colours.fill);
        if (!colours.known) {
            painter.setPen(QPen(tokens.strong, 1, Qt::DashLine));
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        painter.setFont(small);
        painter.setPen(colours.text);
        painter.drawText(rect, Qt::AlignCenter, entry.word);
        painter.setFont(font);
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(x + chip + 6, 0, width, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + 14;
    }
    if (m_damaged) {
        painter.setFont(font);
        painter.setPen(tokens.text2);
        painter.drawText(
            QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(
                tr("Hatched: the row is damaged; values are its column's, ! where neither can be read"),
                Qt::ElideRight, width() - x));
    }
}

} // namespace sb
