// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/empty_state.h"

#include "widgets/icon.h"
#include "widgets/style_painting.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

EmptyState::EmptyState(const QString &icon, QWidget *parent)
    : QWidget(parent)
    , m_icon(icon)
    , m_title(new TextLabel(TextRole::PageTitle, this))
    , m_text(new TextLabel(TextRole::Body, Tone::Muted, this))
    , m_button(new QPushButton(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addStretch(3);
    layout->addSpacing(44);
    m_title->setAlignment(Qt::AlignHCenter);
    m_text->setAlignment(Qt::AlignHCenter);
    m_text->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addSpacing(6);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(4);
}

void EmptyState::setTexts(const QString &title, const QString &text, const QString &button)
{
    m_title->setText(title);
    m_text->setText(text);
    m_button->setText(button);
}

void EmptyState::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    paintCard(&painter, QRectF(rect()), tokens.base, tokens.border);
    paintIcon(&painter, m_icon, QRectF(width() / 2.0 - 16, m_title->y() - 44, 32, 32), tokens.text2);
}

} // namespace sb
