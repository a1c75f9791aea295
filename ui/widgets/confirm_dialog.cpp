// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/confirm_dialog.h"

#include "widgets/icon.h"
#include "widgets/sb_style.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

ConfirmDialog::ConfirmDialog(const Words &words, QWidget *parent)
    : QDialog(parent)
    , m_icon(words.icon)
    , m_foot(new QWidget(this))
    , m_accept(new QPushButton(words.doIt, m_foot))
    , m_reject(new QPushButton(words.leaveIt, m_foot))
{
    setWindowTitle(words.title);
    setModal(true);
    setMinimumWidth(520);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *body = new QVBoxLayout;
    body->setContentsMargins(62, 14, 20, 16);
    body->setSpacing(3);
    auto *title = new TextLabel(TextRole::Strong, this);
    title->setText(words.title);
    auto *subject = new TextLabel(TextRole::Body, this);
    subject->setText(words.subject);
    subject->setWordWrap(true);
    auto *text = new TextLabel(TextRole::Body, this);
    text->setText(words.text);
    text->setWordWrap(true);
    body->addWidget(title);
    body->addWidget(subject);
    body->addSpacing(7);
    body->addWidget(text);
    body->addStretch(1);
    layout->addLayout(body, 1);

    auto *foot = new QHBoxLayout(m_foot);
    foot->setContentsMargins(18, 10, 18, 10);
    foot->setSpacing(8);
    foot->addStretch(1);
    foot->addWidget(m_accept);
    foot->addWidget(m_reject);
    layout->addWidget(m_foot);
    setButtonRole(m_accept, ButtonRole::Danger);
    m_accept->setAutoDefault(false);
    m_reject->setDefault(true);
    m_reject->setFocus();
    connect(m_accept, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_reject, &QPushButton::clicked, this, &QDialog::reject);
    setAttribute(Qt::WA_DeleteOnClose);
    resize(560, layout->heightForWidth(560));
}

void ConfirmDialog::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &tokens = Tokens::of(palette());
    painter.fillRect(rect(), tokens.window);
    painter.fillRect(m_foot->geometry(), tokens.bar);
    painter.fillRect(QRect(0, m_foot->y(), width(), 1), tokens.border);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.warnBg);
    painter.drawEllipse(QRectF(18, 14, 30, 30));
    paintIcon(&painter, m_icon, QRectF(25, 21, 16, 16), tokens.warn);
}

} // namespace sb
