// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/door.h"

#include "widgets/icon.h"
#include "widgets/sb_style.h"
#include "widgets/style_painting.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

namespace {
constexpr int kPadding = 18;
constexpr int kIcon = 26;
} // namespace

Door::Door(const QString &icon, bool isDefault, QWidget *parent)
    : QWidget(parent)
    , m_icon(icon)
    , m_default(isDefault)
    , m_title(new TextLabel(TextRole::Strong, this))
    , m_text(new TextLabel(TextRole::Body, Tone::Muted, this))
    , m_shortcut(new TextLabel(TextRole::Fine, this))
    , m_button(new QPushButton(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPadding, kPadding + kIcon + 10, kPadding, 15);
    layout->setSpacing(4);
    QFont titleFont = m_title->font();
    titleFont.setPointSizeF(titleFont.pointSizeF() + 1.0);
    m_title->setFont(titleFont);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(m_title);
    layout->addWidget(m_text, 1);
    auto *foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addWidget(m_button);
    foot->addStretch(1);
    m_shortcut->setContentsMargins(5, 2, 5, 2);
    m_shortcut->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    foot->addWidget(m_shortcut, 0, Qt::AlignVCenter);
    m_shortcut->hide();
    layout->addSpacing(4);
    layout->addLayout(foot);
    if (isDefault) {
        setButtonRole(m_button, ButtonRole::Primary);
        m_button->setDefault(true);
    }
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void Door::setTexts(const QString &title, const QString &text, const QString &button)
{
    m_title->setText(title);
    m_text->setText(text);
    m_button->setText(button);
    m_button->setAccessibleDescription(text);
    setAccessibleName(title);
}

void Door::setShortcutText(const QString &shortcut)
{
    m_shortcut->setText(shortcut);
    m_shortcut->setVisible(!shortcut.isEmpty());
}

QSize Door::sizeHint() const
{
    const QSize wanted = QWidget::sizeHint();
    return {wanted.width(), std::max(206, wanted.height())};
}

void Door::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &tokens = Tokens::of(palette());
    paintCard(&painter, QRectF(rect()), tokens.base, m_default ? tokens.accent : tokens.border);
    if (m_default)
        paintFocusRing(&painter, rect(), tokens);
    paintIcon(&painter, m_icon, QRectF(kPadding, kPadding, kIcon, kIcon), tokens.accent);
    if (m_shortcut->isVisible())
        paintCard(&painter, QRectF(m_shortcut->geometry()), tokens.alt, tokens.border);
}

} // namespace sb
