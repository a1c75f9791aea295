// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_tip.h"

#include "charts/chart_text.h"
#include "charts/tokens.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace sb {

namespace {
constexpr int kWidestTitle = 320;
}

ChartTip::ChartTip(QWidget *chart)
    : QFrame(chart)
    , m_chart(chart)
    , m_grid(new QGridLayout(this))
{
    setFrameShape(QFrame::Box);
    setLineWidth(1);
    setAutoFillBackground(true);
    setFocusPolicy(Qt::NoFocus);
    m_grid->setContentsMargins(9, 5, 9, 6);
    m_grid->setHorizontalSpacing(24);
    m_grid->setVerticalSpacing(1);
    applyColours();
    hide();
    chart->installEventFilter(this);
    connect(chart, &QObject::destroyed, this, &QObject::deleteLater); // it may be the window's child by then
}

void ChartTip::applyColours()
{
    const Tokens &tokens = Tokens::of(m_chart->palette());
    QPalette colours = m_chart->palette();
    colours.setColor(QPalette::Window, tokens.base);
    colours.setColor(QPalette::WindowText, tokens.text);
    setPalette(colours);
}

bool ChartTip::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Hide || event->type() == QEvent::PaletteChange ||
        event->type() == QEvent::LanguageChange)
        dismiss();
    return QFrame::eventFilter(watched, event);
}

void ChartTip::showAt(QPoint anchor, const std::vector<TipRow> &rows, const QString &linkId)
{
    if (parentWidget() != m_chart->window())
        setParent(m_chart->window());
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    applyColours();
    const Tokens &tokens = Tokens::of(palette());
    int line = 0;
    for (const TipRow &row : rows) {
        const bool fine = row.kind == TipRow::Kind::Fine;
        const auto add = [&](const QString &text, int column, int span) {
            auto *label = new QLabel(this);
            label->setTextFormat(Qt::PlainText);
            const bool title = row.kind == TipRow::Kind::Title && column == 0;
            label->setFont(resized(font(), -1.5, title ? QFont::DemiBold : QFont::Normal));
            label->setText(title ? label->fontMetrics().elidedText(text, Qt::ElideRight, kWidestTitle)
                                 : text);
            if (fine) {
                QPalette colours = palette();
                colours.setColor(QPalette::WindowText, tokens.text2);
                label->setPalette(colours);
            }
            label->show(); // the tip itself may be visible already
            m_grid->addWidget(label, line, column, 1, span, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        };
        add(row.left, 0, row.right.isEmpty() ? 2 : 1);
        if (!row.right.isEmpty())
            add(row.right, 1, 1);
        ++line;
    }
    if (!linkId.isEmpty()) {
        auto *link = new QToolButton(this);
        link->setText(tr("Show the run"));
        link->setFont(resized(font(), -1.5));
        connect(link, &QToolButton::clicked, this, [this, linkId] { Q_EMIT linkActivated(linkId); });
        link->show();
        m_grid->addWidget(link, line, 0, 1, 2, Qt::AlignLeft);
        setTabOrder(m_chart, link);
    }
    m_grid->activate();
    resize(sizeHint());
    place(m_chart->mapTo(parentWidget(), anchor));
    show();
    raise();
}

void ChartTip::place(QPoint anchor)
{
    const QRect area = parentWidget()->rect().adjusted(2, 2, -2, -2);
    QPoint place = anchor + QPoint(16, 14);
    if (place.x() + width() > area.right())
        place.setX(anchor.x() - 16 - width());
    if (place.y() + height() > area.bottom())
        place.setY(anchor.y() - 14 - height());
    place.setX(std::clamp(place.x(), area.left(), std::max(area.left(), area.right() - width())));
    place.setY(std::clamp(place.y(), area.top(), std::max(area.top(), area.bottom() - height())));
    move(place);
}

void ChartTip::setPinned(bool pinned)
{
    m_pinned = pinned;
}

void ChartTip::leave()
{
    if (!m_pinned && !underMouse())
        hide();
}

void ChartTip::dismiss()
{
    m_pinned = false;
    hide();
}

void ChartTip::leaveEvent(QEvent *event)
{
    QFrame::leaveEvent(event);
    if (!m_pinned)
        hide();
}

} // namespace sb
