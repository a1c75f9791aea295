// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QAbstractButton;

namespace sb {

// Plain: a framed button. Primary: filled, at most one a page. Danger: framed with the text of an error.
// Quiet: no frame.
enum class ButtonRole { Plain, Primary, Danger, Quiet };
// Heights of ui: 24 in panel titles and filter rows, 28 usually, 32 for the one start or export button.
enum class ControlSize { Small, Normal, Large };

void setButtonRole(QAbstractButton *button, ButtonRole role);
ButtonRole buttonRole(const QWidget *widget);
void setControlSize(QWidget *widget, ControlSize size);
ControlSize controlSize(const QWidget *widget);

// Fusion with the metrics and outlines of the dashboard. Colours come from the palette alone, so a change of
// palette is a change of theme. Heights grow with the font and never cut a text.
class SbStyle : public QProxyStyle {
    Q_OBJECT
public:
    SbStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option,
                         const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returnData) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;

    // Height of a button or field whose text has this font.
    static int controlHeight(ControlSize size, const QFontMetrics &metrics);
};

} // namespace sb
