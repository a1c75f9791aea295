// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/segmented.h"

#include "widgets/sb_style.h"
#include "widgets/style_painting.h"
#include "widgets/text.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QToolButton>

namespace sb {

namespace {

// One segment; only the outer corners are round.
class SegmentButton : public QToolButton {
public:
    SegmentButton(bool first, bool last, QWidget *parent)
        : QToolButton(parent)
        , m_first(first)
        , m_last(last)
    {
        setCheckable(true);
        setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        setFocusPolicy(Qt::StrongFocus);
        setControlSize(this, ControlSize::Small);
    }

    QSize sizeHint() const override
    {
        const int iconWidth = icon().isNull() ? 0 : 20;
        return {fontMetrics().horizontalAdvance(text()) + iconWidth + 22,
                SbStyle::controlHeight(ControlSize::Small, fontMetrics())};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void changeEvent(QEvent *event) override
    {
        QToolButton::changeEvent(event);
        if (event->type() == QEvent::ApplicationFontChange)
            setFont(roleFont(TextRole::Secondary));
    }

    void paintEvent(QPaintEvent *) override
    {
        const Tokens &tokens = Tokens::of(palette());
        QStyleOptionToolButton option;
        initStyleOption(&option);
        QStylePainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QPainterPath shape;
        // The rounded rectangle reaches beyond a side that joins a neighbour; the widget cuts it off there.
        const QRectF outline = QRectF(rect()).adjusted(m_first ? 0.5 : -5.5, 0.5, m_last ? -0.5 : 5.0, -0.5);
        shape.addRoundedRect(outline, 4, 4);
        const bool hover = underMouse() && isEnabled();
        painter.setPen(Qt::NoPen);
        painter.fillPath(shape, isChecked() ? tokens.sel : hover ? tokens.alt : tokens.btn);
        painter.strokePath(shape, QPen(tokens.border, 1));
        painter.setPen(QPen(tokens.strong, 1));
        painter.drawLine(QPointF(m_first ? 3 : 0, height() - 0.5),
                         QPointF(width() - (m_last ? 3 : 0), height() - 0.5));
        if (!m_last)
            painter.fillRect(QRectF(width() - 1, 1, 1, height() - 2), tokens.border);

        int x = 11;
        if (!icon().isNull()) {
            icon().paint(&painter, QRect(x - 2, (height() - 16) / 2, 16, 16), Qt::AlignCenter,
                         isEnabled() ? QIcon::Normal : QIcon::Disabled);
            x += 18;
        }
        painter.setPen(!isEnabled() ? tokens.dis : isChecked() ? tokens.onSel : tokens.text);
        painter.drawText(QRect(x, 0, width() - x, height()),
                         static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), text());
        if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange)
            paintFocusRing(&painter, rect(), tokens);
    }

private:
    bool m_first;
    bool m_last;
};

} // namespace

Segmented::Segmented(int segments, QWidget *parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (int i = 0; i < segments; ++i) {
        auto *button = new SegmentButton(i == 0, i == segments - 1, this);
        m_group->addButton(button, i);
        layout->addWidget(button);
    }
    m_group->button(0)->setChecked(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_group, &QButtonGroup::idClicked, this, &Segmented::chosen);
}

void Segmented::setTexts(const QStringList &texts)
{
    for (int i = 0; i < texts.size(); ++i) {
        QAbstractButton *button = m_group->button(i);
        button->setText(texts[i]);
        button->setAccessibleName(texts[i]);
        button->updateGeometry();
    }
}

void Segmented::setSegmentIcon(int segment, const QIcon &icon)
{
    m_group->button(segment)->setIcon(icon);
}

void Segmented::setSegmentEnabled(int segment, bool enabled)
{
    m_group->button(segment)->setEnabled(enabled);
}

int Segmented::current() const
{
    return m_group->checkedId();
}

void Segmented::setCurrent(int segment)
{
    if (QAbstractButton *button = m_group->button(segment))
        button->setChecked(true);
}

} // namespace sb
