// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page_frame.h"

#include "widgets/empty_state.h"
#include "widgets/panel.h"

#include <QEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sb {

PageFrame::PageFrame(const QString &icon, QWidget *parent)
    : QWidget(parent)
    , m_header(new PageHeader(this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(icon, this))
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(16, 0, 16, 12);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_header);
    auto *content = new QWidget(this);
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(10);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(content);
    m_layout->addWidget(m_stack, 1);
}

void PageFrame::addBanner(QWidget *banner)
{
    m_layout->insertWidget(1, banner);
}

void PageFrame::showContent(bool shown)
{
    m_stack->setCurrentIndex(shown ? 1 : 0);
}

void PageFrame::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_texts.refresh();
}

} // namespace sb
