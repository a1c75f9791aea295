// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_painter.h"

#include "topology/link_palette.h"
#include "topology/measured_labels.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr double kDimmed = 0.4;

QRectF rectOf(const LayoutRect &rect)
{
    return {rect.x, rect.y, rect.w, rect.h};
}

QPointF pointOf(const LayoutPoint &point)
{
    return {point.x, point.y};
}

bool samePair(const std::optional<DevicePair> &pair, std::size_t a, std::size_t b)
{
    return pair && ((pair->first == a && pair->second == b) || (pair->first == b && pair->second == a));
}

class Painter {
public:
    Painter(QPainter &painter, const Topology &topology, const GraphLayout &layout, const GraphStyle &style)
        : m_painter(painter)
        , m_topology(topology)
        , m_layout(layout)
        , m_style(style)
        , m_tokens(*style.tokens)
        , m_fine(style.font)
    {
        scaleFont(m_fine, 11.0 / 13.0);
    }

    void run()
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        for (const LayoutBox &box : m_layout.boxes)
            drawBox(box);
        for (const LayoutEdge &edge : m_layout.edges)
            drawEdge(edge);
        for (const LayoutBar &bar : m_layout.bars)
            drawBar(bar);
        for (const LayoutEdge &edge : m_layout.edges)
            drawLabel(edge);
        if (m_style.measured)
            for (const MeasuredLabel &label : measuredLabels(m_topology, m_layout, *m_style.measured))
                drawMeasured(label);
        drawSocketLink();
        for (const LayoutNode &node : m_layout.nodes)
            drawNode(node);
        for (const LayoutPoint &remark : m_layout.idleCards) {
            m_painter.setFont(m_fine);
            m_painter.setPen(m_tokens.text2);
            centred(pointOf(remark), m_style.language == WordLanguage::English
                                         ? QStringLiteral("beside no GPU")
                                         : QStringLiteral("没有紧邻的 GPU"));
        }
    }

private:
    static void scaleFont(QFont &font, double factor)
    {
        if (font.pixelSize() > 0)
            font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
        else
            font.setPointSizeF(font.pointSizeF() * factor);
    }

    void centred(QPointF at, const QString &text)
    {
        m_painter.drawText(QRectF(at.x() - 200, at.y() - 12, 400, 24), Qt::AlignCenter, text);
    }

    QString socketTitle(const LayoutBox &box) const
    {
        QString title;
        if (box.cpu)
            title = QStringLiteral("CPU %1").arg(*box.cpu);
        // A list of NUMA nodes is too long for the title; its first one is the CPU's.
        const QString numa = QString::fromStdString(box.numa).section(QLatin1Char(','), 0, 0);
        if (!numa.isEmpty())
            title +=
                (title.isEmpty() ? QString() : QStringLiteral(" · ")) + QStringLiteral("NUMA %1").arg(numa);
        return title;
    }

    void drawBox(const LayoutBox &box)
    {
        const QRectF rect = rectOf(box.rect).adjusted(0.5, 0.5, -0.5, -0.5);
        if (box.kind == LayoutBox::Kind::Switch) {
            m_painter.setPen(QPen(m_tokens.strong, 1, Qt::DashLine));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRoundedRect(rect, 4, 4);
            return;
        }
        m_painter.setPen(QPen(m_tokens.border, 1));
        m_painter.setBrush(m_tokens.alt);
        m_painter.drawRoundedRect(rect, 4, 4);
        QFont strong = m_style.font;
        strong.setWeight(QFont::DemiBold);
        scaleFont(strong, 12.0 / 13.0);
        m_painter.setFont(strong);
        m_painter.setPen(m_tokens.text);
        const QRectF title(rect.x() + 12, rect.y() + 4, rect.width() - 24, 26);
        const QString name = socketTitle(box);
        m_painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, name);
        const double used = QFontMetricsF(strong).horizontalAdvance(name) + 12;
        m_painter.setFont(m_fine);
        m_painter.setPen(m_tokens.text2);
        QString cores = QString::fromStdString(box.cores);
        if (cores.isEmpty())
            return;
        cores.replace(QLatin1Char('-'), QStringLiteral("–")).replace(QLatin1Char(','), QStringLiteral(", "));
        cores =
            (m_style.language == WordLanguage::English ? QStringLiteral("cores ") : QStringLiteral("核 ")) +
            cores;
        // The word gives way before the figures do.
        const QFontMetricsF metrics(m_fine);
        if (metrics.horizontalAdvance(cores) > title.width() - used)
            cores = cores.mid(cores.indexOf(QLatin1Char(' ')) + 1);
        cores = metrics.elidedText(cores, Qt::ElideRight, title.width() - used);
        m_painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter, cores);
    }

    // While something is under the pointer, what does not belong to it steps back.
    double opacityOf(std::size_t a, std::size_t b) const
    {
        if (m_style.hovered)
            return samePair(m_style.hovered, a, b) ? 1 : kDimmed;
        if (m_style.hoveredDevice)
            return *m_style.hoveredDevice == a || *m_style.hoveredDevice == b ? 1 : kDimmed;
        return 1;
    }

    static QPainterPath pathOf(const LayoutEdge &edge, double shift)
    {
        const QPointF from = pointOf(edge.from);
        const QPointF to = pointOf(edge.to);
        const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
        const QPointF normal =
            length <= 0 ? QPointF()
                        : QPointF((to.y() - from.y()) / length, (from.x() - to.x()) / length) * shift;
        QPainterPath path(from + normal);
        if (edge.bow > 0)
            path.quadTo((from + to) / 2 + normal - QPointF(0, edge.bow), to + normal);
        else
            path.lineTo(to + normal);
        return path;
    }

    void drawEdge(const LayoutEdge &edge)
    {
        LinkColours colours = linkColours(edge.link, m_tokens);
        const bool selected = samePair(m_style.selected, edge.a, edge.b);
        m_painter.setOpacity(opacityOf(edge.a, edge.b));
        if (selected) {
            colours.line = m_tokens.accent;
            colours.width += 0.8;
        }
        QPen pen(colours.line, colours.width);
        pen.setCapStyle(Qt::FlatCap);
        if (colours.style == Qt::CustomDashLine) {
            QList<qreal> dashes;
            for (const qreal dash : colours.dashes) // a pen counts in its own width
                dashes.append(dash / colours.width);
            pen.setDashPattern(dashes);
        }
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        const int strokes = edge.link.linkClass == LinkClass::Fabric ? strokesFor(edge.link.lanes) : 1;
        const double gap = strokes > 2 ? 3.0 : 4.0;
        for (int i = 0; i < strokes; ++i)
            m_painter.drawPath(pathOf(edge, (i - (strokes - 1) / 2.0) * gap));
        m_painter.setOpacity(1);
    }

    void drawLabel(const LayoutEdge &edge)
    {
        if (!edge.label ||
            (m_style.measured && measuredPairGBps(*m_style.measured, m_topology, edge.a, edge.b)))
            return;
        m_painter.setOpacity(opacityOf(edge.a, edge.b));
        const QString word = QString::fromStdString(edge.word);
        if (edge.pill) {
            const LinkColours colours = linkColours(edge.link, m_tokens);
            drawPill(pointOf(*edge.label), word, colours.line, samePair(m_style.selected, edge.a, edge.b),
                     false);
        } else {
            m_painter.setFont(m_fine);
            m_painter.setPen(m_tokens.text2);
            centred(pointOf(*edge.label), word);
        }
        m_painter.setOpacity(1);
    }

    void drawMeasured(const MeasuredLabel &label)
    {
        m_painter.setOpacity(opacityOf(label.a, label.b));
        const QString text = QString::fromStdString(label.text);
        QFont font = m_fine;
        if (label.slow)
            font.setWeight(QFont::DemiBold);
        m_painter.setFont(font);
        const double width = QFontMetricsF(font).horizontalAdvance(text) + 6;
        const QRectF rect(label.centre.x - width / 2, label.centre.y - 7.5, width, 15);
        const bool selected = samePair(m_style.selected, label.a, label.b);
        m_painter.setPen(label.slow ? QPen(m_tokens.warnLine, 1) : QPen(Qt::NoPen));
        m_painter.setBrush(selected ? m_tokens.accent : label.slow ? m_tokens.warnBg : m_tokens.alt);
        m_painter.drawRoundedRect(rect, 3, 3);
        m_painter.setPen(selected ? m_tokens.onAccent : label.slow ? m_tokens.warn : m_tokens.text);
        m_painter.drawText(rect, Qt::AlignCenter, text);
        m_painter.setOpacity(1);
    }

    void drawPill(QPointF at, const QString &word, const QColor &line, bool selected, bool dashed)
    {
        QFont bold = m_fine;
        bold.setWeight(QFont::DemiBold);
        m_painter.setFont(bold);
        const double width = QFontMetricsF(bold).horizontalAdvance(word) + 10;
        const QRectF rect(at.x() - width / 2, at.y() - 9, width, 18);
        m_painter.setPen(QPen(selected ? m_tokens.accent : line, 1, dashed ? Qt::DashLine : Qt::SolidLine));
        m_painter.setBrush(selected ? m_tokens.accent : m_tokens.base);
        m_painter.drawRoundedRect(rect, 3, 3);
        m_painter.setPen(selected ? m_tokens.onAccent : dashed ? m_tokens.text2 : m_tokens.text);
        m_painter.drawText(rect, Qt::AlignCenter, word);
    }

    void drawSocketLink()
    {
        if (!m_layout.socketLink)
            return;
        drawPill(pointOf(*m_layout.socketLink), QString::fromStdString(m_layout.socketWord), m_tokens.strong,
                 false, true);
    }

    void drawBar(const LayoutBar &bar)
    {
        const LinkColours colours = linkColours({LinkClass::Fabric, bar.lanes}, m_tokens);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(colours.fill);
        m_painter.drawRoundedRect(rectOf(bar.rect), 3, 3);
        const QString word = QString::fromStdString(bar.word);
        const bool english = m_style.language == WordLanguage::English;
        QString text =
            bar.isSwitch ? (english ? QStringLiteral("NVSwitch · %1 to each of %2")
                                    : QStringLiteral("NVSwitch · 到 %2 卡各 %1"))
                               .arg(word)
                               .arg(bar.gpus)
                         : (english ? QStringLiteral("%1 from each to each") : QStringLiteral("两两之间 %1"))
                               .arg(word);
        if (const std::string figure =
                m_style.measured ? barFigure(m_topology, bar, *m_style.measured) : std::string();
            !figure.empty())
            text = QString::fromStdString(figure) + QStringLiteral(" GB/s");
        QFont bold = m_fine;
        bold.setWeight(QFont::DemiBold);
        // Less is said in a short bar, but never half a word.
        for (const QString &shorter : {QStringLiteral("NVSwitch · ") + word, word})
            if (QFontMetricsF(bold).horizontalAdvance(text) > bar.rect.h - 8)
                text = bar.isSwitch ? shorter : word;
        m_painter.save();
        m_painter.translate(rectOf(bar.rect).center());
        m_painter.rotate(-90);
        m_painter.setFont(bold);
        m_painter.setPen(colours.text);
        m_painter.drawText(QRectF(-bar.rect.h / 2, -bar.rect.w / 2, bar.rect.h, bar.rect.w), Qt::AlignCenter,
                           text);
        m_painter.restore();
    }

    bool isSelected(const LayoutNode &node) const
    {
        return m_style.selected &&
               std::any_of(node.devices.begin(), node.devices.end(), [&](std::size_t device) {
                   return device == m_style.selected->first || device == m_style.selected->second;
               });
    }

    double nodeOpacity(const LayoutNode &node) const
    {
        if (!m_style.hovered)
            return 1;
        return std::any_of(node.devices.begin(), node.devices.end(),
                           [&](std::size_t device) {
                               return device == m_style.hovered->first || device == m_style.hovered->second;
                           })
                   ? 1
                   : kDimmed;
    }

    void drawNode(const LayoutNode &node)
    {
        const bool selected = isSelected(node);
        const bool card = node.kind == LayoutNode::Kind::Card;
        m_painter.setOpacity(nodeOpacity(node));
        const QColor cardLine = linkColours({LinkClass::Pix, 0}, m_tokens).line;
        QPen pen(selected                    ? m_tokens.accent
                 : node.unread || node.apart ? m_tokens.errLine
                 : card                      ? cardLine
                                             : m_tokens.strong,
                 selected ? 2 : 1);
        if ((node.unread || node.apart) && !selected)
            pen.setStyle(Qt::DashLine);
        m_painter.setPen(pen);
        m_painter.setBrush(selected ? m_tokens.sel : m_tokens.base);
        m_painter.drawRoundedRect(rectOf(node.rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        QFont font = m_style.font;
        scaleFont(font, node.rect.h < 24 ? 11.0 / 13.0 : 12.0 / 13.0);
        if (selected)
            font.setWeight(QFont::DemiBold);
        QString text = nodeText(m_topology, node, m_style.language);
        // Long names give way to the short ones of the matrix, then to fewer letters.
        const QFontMetricsF metrics(font);
        if (metrics.horizontalAdvance(text) > node.rect.w - 6 && node.devices.size() == 1)
            text = QString::fromStdString(m_topology.devices[node.devices[0]].name);
        // "GPU12" in a small box is set smaller before it loses letters.
        for (int step = 0; step < 3 && QFontMetricsF(font).horizontalAdvance(text) > node.rect.w - 4; ++step)
            scaleFont(font, 0.92);
        text = QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, node.rect.w - 2);
        m_painter.setFont(font);
        m_painter.setPen(selected                    ? m_tokens.onSel
                         : node.unread || node.apart ? m_tokens.err
                                                     : m_tokens.text);
        m_painter.drawText(rectOf(node.rect), Qt::AlignCenter, text);
        m_painter.setOpacity(1);
    }

    QPainter &m_painter;
    const Topology &m_topology;
    const GraphLayout &m_layout;
    const GraphStyle &m_style;
    const Tokens &m_tokens;
    QFont m_fine;
};

} // namespace

QString nodeText(const Topology &topology, const LayoutNode &node, WordLanguage language)
{
    if (node.devices.size() > 2)
        return (language == WordLanguage::English ? QStringLiteral("%1 NICs") : QStringLiteral("%1 块网卡"))
            .arg(node.devices.size());
    std::vector<std::string> names;
    for (const std::size_t device : node.devices)
        names.push_back(node.devices.size() == 1 ? topology.displayName(device)
                                                 : topology.devices[device].name);
    QString text;
    for (const std::string &name : names)
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + QString::fromStdString(name);
    return text;
}

void paintTopology(QPainter &painter, const Topology &topology, const GraphLayout &layout,
                   const GraphStyle &style)
{
    painter.save();
    Painter(painter, topology, layout, style).run();
    painter.restore();
}

} // namespace sb
