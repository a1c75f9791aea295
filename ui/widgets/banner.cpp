// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/banner.h"

#include "widgets/icon.h"
#include "widgets/sb_style.h"
#include "widgets/style_painting.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

namespace {
constexpr int kGapBelow = 8; // to what the page shows next
}

Banner::Banner(QWidget *parent)
    : QWidget(parent)
    , m_lead(new TextLabel(TextRole::Strong, this))
    , m_detail(new TextLabel(TextRole::Body, this))
    , m_copy(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(40, 7, 8, 7 + kGapBelow);
    layout->setSpacing(4);
    auto *texts = new QVBoxLayout;
    texts->setSpacing(1);
    for (TextLabel *label : {m_lead, m_detail}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        texts->addWidget(label);
    }
    layout->addLayout(texts, 1);
    for (QPushButton *button : {m_copy, m_close}) {
        setButtonRole(button, ButtonRole::Quiet);
        setControlSize(button, ControlSize::Small);
        layout->addWidget(button, 0, Qt::AlignTop);
    }
    m_close->setIcon(toneIcon(QStringLiteral("close")));
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text()); });
    connect(m_close, &QPushButton::clicked, this, &Banner::clear);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    retranslate();
    hide();
}

void Banner::showMessage(Kind kind, const QString &lead, const QString &detail)
{
    m_kind = kind;
    m_shown = true;
    m_lead->setText(lead);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    setAccessibleName(text());
    show();
    update();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Banner::clear()
{
    m_shown = false;
    hide();
}

QString Banner::text() const
{
    return m_detail->text().isEmpty() ? m_lead->text() : m_lead->text() + u'\n' + m_detail->text();
}

void Banner::paintEvent(QPaintEvent *)
{
    const Tokens &tokens = Tokens::of(palette());
    QPainter painter(this);
    const QColor fill = m_kind == Kind::Error     ? tokens.errBg
                        : m_kind == Kind::Warning ? tokens.warnBg
                                                  : tokens.infoBg;
    const QColor line = m_kind == Kind::Error     ? tokens.errLine
                        : m_kind == Kind::Warning ? tokens.warnLine
                                                  : tokens.infoLine;
    const QColor ink = m_kind == Kind::Error     ? tokens.err
                       : m_kind == Kind::Warning ? tokens.warn
                                                 : tokens.info;
    paintCard(&painter, QRectF(rect()).adjusted(0, 0, 0, -kGapBelow), fill, line);
    const QString icon = m_kind == Kind::Error     ? QStringLiteral("error")
                         : m_kind == Kind::Warning ? QStringLiteral("warning")
                                                   : QStringLiteral("info");
    paintIcon(&painter, icon, QRectF(14, 10, 16, 16), ink);
}

void Banner::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void Banner::retranslate()
{
    m_copy->setText(tr("Copy"));
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(m_close->toolTip());
}

} // namespace sb
