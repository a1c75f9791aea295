// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QFontInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QPalette>
#include <QStyle>
#include <QToolTip>

#include <cmath>

namespace sb {

namespace {

double sizeOffsetPt(TextRole role)
{
    switch (role) {
    case TextRole::PageTitle:
    case TextRole::Total:
        return 3.0;
    case TextRole::Secondary:
    case TextRole::Mono:
        return -0.75;
    case TextRole::Fine:
        return -1.5;
    case TextRole::Figure:
        return 8.0;
    case TextRole::PanelTitle:
    case TextRole::Body:
    case TextRole::Strong:
        break;
    }
    return 0.0;
}

bool isSemibold(TextRole role)
{
    return role == TextRole::PageTitle || role == TextRole::PanelTitle || role == TextRole::Strong ||
           role == TextRole::Figure || role == TextRole::Total;
}

} // namespace

QFont roleFont(TextRole role)
{
    const QFont general = QApplication::font();
    QFont font = role == TextRole::Mono ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : general;
    font.setPointSizeF(QFontInfo(general).pointSizeF() + sizeOffsetPt(role));
    font.setWeight(isSemibold(role) ? QFont::DemiBold : QFont::Normal);
    return font;
}

QColor toneColor(Tone tone, const Tokens &tokens)
{
    switch (tone) {
    case Tone::Normal:
        return tokens.text;
    case Tone::Muted:
        return tokens.text2;
    case Tone::Disabled:
        return tokens.dis;
    case Tone::Accent:
        return tokens.accent;
    case Tone::OnAccent:
        return tokens.onAccent;
    case Tone::Ok:
        return tokens.ok;
    case Tone::Warn:
        return tokens.warn;
    case Tone::Err:
        return tokens.err;
    }
    return tokens.text;
}

TextLabel::TextLabel(TextRole role, QWidget *parent)
    : TextLabel(role, role == TextRole::Secondary || role == TextRole::Fine ? Tone::Muted : Tone::Normal,
                parent)
{
}

TextLabel::TextLabel(TextRole role, Tone tone, QWidget *parent)
    : QLabel(parent)
    , m_role(role)
    , m_tone(tone)
{
    setFont(roleFont(role));
    setTextFormat(Qt::PlainText);
    setForegroundRole(QPalette::WindowText); // else a Base background would choose another role
    applyTone();
}

void TextLabel::setTone(Tone tone)
{
    if (m_tone == tone)
        return;
    m_tone = tone;
    applyTone();
}

void TextLabel::setElided(bool elided)
{
    m_elided = elided;
    setSizePolicy(elided ? QSizePolicy::Ignored : QSizePolicy::Preferred, sizePolicy().verticalPolicy());
    updateGeometry();
}

void TextLabel::setOpacity(double opacity)
{
    if (m_opacity == opacity)
        return;
    m_opacity = opacity;
    applyTone();
}

QSize TextLabel::minimumSizeHint() const
{
    const QSize whole = QLabel::minimumSizeHint();
    return m_elided ? QSize(fontMetrics().horizontalAdvance(u'…') * 2, whole.height()) : whole;
}

void TextLabel::applyTone()
{
    const QPalette everywhere = QApplication::palette();
    const Tokens &tokens = Tokens::of(everywhere);
    QColor colour = toneColor(m_tone, tokens);
    if (m_opacity < 1.0)
        colour.setAlphaF(static_cast<float>(m_opacity));
    if (palette().color(QPalette::WindowText) == colour)
        return;
    QPalette own;
    own.setColor(QPalette::WindowText, colour);
    setPalette(own);
}

void TextLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        applyTone();
    else if (event->type() == QEvent::ApplicationFontChange)
        setFont(roleFont(m_role));
}

void TextLabel::paintEvent(QPaintEvent *event)
{
    if (!m_elided)
        return QLabel::paintEvent(event);
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(),
                          shown, QPalette::WindowText);
}

bool TextLabel::event(QEvent *event)
{
    if (m_elided && event->type() == QEvent::ToolTip && toolTip().isEmpty() &&
        fontMetrics().horizontalAdvance(text()) > contentsRect().width()) {
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), text(), this);
        return true;
    }
    return QLabel::event(event);
}

QString durationText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return QStringLiteral("—");
    const auto text = [](const char *source) { return QCoreApplication::translate("Duration", source); };
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60)
        return text(QT_TRANSLATE_NOOP("Duration", "%1 s")).arg(whole);
    if (whole < 600 && whole % 60 != 0)
        return text(QT_TRANSLATE_NOOP("Duration", "%1 min %2 s")).arg(whole / 60).arg(whole % 60);
    const qint64 minutes = (whole + 30) / 60;
    if (minutes < 60)
        return text(QT_TRANSLATE_NOOP("Duration", "%1 min")).arg(minutes);
    if (minutes % 60 == 0)
        return text(QT_TRANSLATE_NOOP("Duration", "%1 h")).arg(minutes / 60);
    return text(QT_TRANSLATE_NOOP("Duration", "%1 h %2 min")).arg(minutes / 60).arg(minutes % 60);
}

QString precisionText(const std::string &precision)
{
    return toQString(precision).toUpper();
}

} // namespace sb
