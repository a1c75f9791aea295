// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel.h"

#include "widgets/style_painting.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

Panel::Panel(TitleRow titleRow, QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    if (titleRow != TitleRow::None) {
        m_titleRow = new QWidget(this);
        m_tools = new QHBoxLayout(m_titleRow);
        m_tools->setContentsMargins(11, 0, 11, 1);
        m_tools->setSpacing(8);
        m_title = new TextLabel(TextRole::PanelTitle, m_titleRow);
        m_hint = new TextLabel(TextRole::Secondary, m_titleRow);
        m_hint->setElided(true);
        m_tools->addWidget(m_title);
        m_tools->addWidget(m_hint, 1);
        const int wanted = titleRow == TitleRow::Dense ? 30 : 34;
        m_titleRow->setMinimumHeight(std::max(wanted, m_title->fontMetrics().height() + 12));
        m_titleRow->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        layout->addWidget(m_titleRow);
    }
    auto *body = new QWidget(this);
    m_body = new QVBoxLayout(body);
    m_body->setContentsMargins(11, 10, 11, 11);
    m_body->setSpacing(6);
    layout->addWidget(body, 1);
}

void Panel::setTitle(const QString &title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

void Panel::setHint(const QString &hint)
{
    m_hint->setText(hint);
}

void Panel::addTool(QWidget *tool)
{
    m_tools->addWidget(tool);
}

void Panel::setBodyMargins(int left, int top, int right, int bottom)
{
    m_body->setContentsMargins(left, top, right, bottom);
}

void Panel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &tokens = Tokens::of(palette());
    paintCard(&painter, QRectF(rect()), tokens.base, tokens.border);
    if (m_titleRow)
        painter.fillRect(QRect(1, m_titleRow->geometry().bottom(), width() - 2, 1), tokens.border);
}

void Panel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

PageHeader::PageHeader(QWidget *parent)
    : QWidget(parent)
    , m_title(new TextLabel(TextRole::PageTitle, this))
    , m_subtitle(new TextLabel(TextRole::Secondary, this))
{
    m_tools = new QHBoxLayout(this);
    m_tools->setContentsMargins(0, 0, 0, 0);
    m_tools->setSpacing(8);
    m_subtitle->setElided(true);
    m_tools->addWidget(m_title);
    m_tools->addSpacing(6);
    m_tools->addWidget(m_subtitle, 1);
    setMinimumHeight(50);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PageHeader::setTitle(const QString &title)
{
    m_title->setText(title);
}

void PageHeader::setSubtitle(const QString &subtitle)
{
    m_subtitle->setText(subtitle);
}

QString PageHeader::subtitle() const
{
    return m_subtitle->text();
}

void PageHeader::addTool(QWidget *tool)
{
    m_tools->addWidget(tool);
}

} // namespace sb
