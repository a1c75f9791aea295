// SPDX-License-Identifier: GPL-3.0-or-later
// Type scale and the few text conversions that every widget needs.
#pragma once

#include "charts/tokens.h"

#include <QFont>
#include <QLabel>
#include <QString>

#include <string>

namespace sb {

inline QString toQString(const std::string &text)
{
    return QString::fromStdString(text);
}

// Sizes are relative to the desktop's general font, which is the application's font.
enum class TextRole { PageTitle, PanelTitle, Body, Strong, Secondary, Fine, Figure, Total, Mono };
QFont roleFont(TextRole role);

// What a text says beyond its words. Tone never stands alone: a shape or word is beside it.
enum class Tone { Normal, Muted, Disabled, Accent, OnAccent, Ok, Warn, Err };
QColor toneColor(Tone tone, const Tokens &tokens);

// A label of the type scale. It follows changes of theme and of the application's font; with setElided(true)
// it gives way and shows its whole text as a tool tip.
class TextLabel : public QLabel {
    Q_OBJECT
public:
    explicit TextLabel(TextRole role, QWidget *parent = nullptr);
    TextLabel(TextRole role, Tone tone, QWidget *parent = nullptr);

    void setTone(Tone tone);
    void setElided(bool elided);
    bool isElided() const { return m_elided; }
    // Part of full opacity at which the text is drawn, for stale values.
    void setOpacity(double opacity);

    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    void applyTone();

    TextRole m_role;
    Tone m_tone = Tone::Normal;
    bool m_elided = false;
    double m_opacity = 1.0;
};

// "10 h 19 min" in the window's language. Whole seconds; a dash where the value is not finite or negative.
QString durationText(double seconds);

// Precision as the window writes it: "FP32".
QString precisionText(const std::string &precision);

} // namespace sb
