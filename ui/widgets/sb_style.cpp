// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sb_style.h"

#include "charts/tokens.h"
#include "widgets/style_painting.h"
#include "widgets/text.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace sb {

namespace {
constexpr const char *kRoleProperty = "sbButtonRole";
constexpr const char *kSizeProperty = "sbControlSize";
} // namespace

void setButtonRole(QAbstractButton *button, ButtonRole role)
{
    button->setProperty(kRoleProperty, static_cast<int>(role));
    if (role == ButtonRole::Primary) {
        QFont font = button->font();
        font.setWeight(QFont::DemiBold);
        button->setFont(font);
    }
}

ButtonRole buttonRole(const QWidget *widget)
{
    const QVariant value = widget ? widget->property(kRoleProperty) : QVariant();
    return value.isValid() ? static_cast<ButtonRole>(value.toInt()) : ButtonRole::Plain;
}

void setControlSize(QWidget *widget, ControlSize size)
{
    widget->setProperty(kSizeProperty, static_cast<int>(size));
    if (size == ControlSize::Small)
        widget->setFont(roleFont(TextRole::Secondary));
}

ControlSize controlSize(const QWidget *widget)
{
    const QVariant value = widget ? widget->property(kSizeProperty) : QVariant();
    return value.isValid() ? static_cast<ControlSize>(value.toInt()) : ControlSize::Normal;
}

SbStyle::SbStyle()
    : QProxyStyle(QStringLiteral("fusion"))
{
}

int SbStyle::controlHeight(ControlSize size, const QFontMetrics &metrics)
{
    const int wanted = size == ControlSize::Small ? 24 : size == ControlSize::Large ? 32 : 28;
    return std::max(wanted, metrics.height() + 8);
}

int SbStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
        return 15;
    case PM_CheckBoxLabelSpacing:
        return 7;
    case PM_SplitterWidth:
        return 12;
    case PM_DefaultFrameWidth:
        return 1;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
        return 16;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarVMargin:
        return 0;
    case PM_MenuBarHMargin:
        return 4;
    case PM_MenuBarItemSpacing:
        return 0;
    case PM_ToolTipLabelFrameWidth:
        return 5;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QRect SbStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    if (element != SE_LineEditContents)
        return rect;
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    return frame && frame->lineWidth > 0 ? rect.adjusted(6, 0, -4, 0) : rect;
}

int SbStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                       QStyleHintReturn *returnData) const
{
    switch (hint) {
    case SH_EtchDisabledText:
        return 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_Table_GridLineColor:
        return static_cast<int>(Tokens::of(option ? option->palette : QPalette()).border.rgba());
    case SH_ComboBox_Popup:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize SbStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton: {
        const bool small = controlSize(widget) == ControlSize::Small;
        const bool link = buttonRole(widget) == ButtonRole::Quiet;
        result = {size.width() + (link    ? 8
                                  : small ? 20
                                          : 26),
                  controlHeight(controlSize(widget), option->fontMetrics)};
        break;
    }
    case CT_LineEdit:
    case CT_SpinBox:
        result.setHeight(controlHeight(controlSize(widget), option->fontMetrics));
        break;
    case CT_ComboBox:
        result = {size.width() + 38, controlHeight(controlSize(widget), option->fontMetrics)};
        break;
    case CT_CheckBox:
        result.setHeight(std::max(22, option->fontMetrics.height() + 4));
        break;
    case CT_HeaderSection:
        result.setHeight(std::max(28, option->fontMetrics.height() + 8));
        break;
    case CT_MenuBarItem:
        result = {size.width() + 18, std::max(27, option->fontMetrics.height() + 8)};
        break;
    case CT_MenuItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
            item && item->menuItemType != QStyleOptionMenuItem::Separator)
            result.setHeight(std::max(result.height(), 26));
        break;
    default:
        break;
    }
    return result;
}

void SbStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                            const QWidget *widget) const
{
    const Tokens &tokens = Tokens::of(option->palette);
    switch (element) {
    case PE_PanelButtonCommand:
        paintButtonFace(painter, *option, buttonRole(widget), tokens);
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
            button && (button->features & QStyleOptionButton::DefaultButton))
            paintFocusRing(painter, option->rect, tokens); // what Enter will press
        return;
    case PE_FrameDefaultButton:
        return;
    case PE_FrameFocusRect:
        if (option->state & State_KeyboardFocusChange)
            paintFocusRing(painter, option->rect, tokens);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        return paintCheckBox(painter, *option, tokens);
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame && frame->lineWidth > 0)
            return paintField(painter, *option, tokens);
        painter->fillRect(option->rect, option->palette.base());
        return;
    case PE_FrameLineEdit:
        return paintField(painter, *option, tokens);
    case PE_PanelMenuBar:
    case PE_FrameStatusBarItem:
        return;
    case PE_PanelStatusBar:
        painter->fillRect(option->rect, tokens.bar);
        painter->fillRect(QRect(option->rect.topLeft(), QSize(option->rect.width(), 1)), tokens.border);
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void SbStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                          const QWidget *widget) const
{
    const Tokens &tokens = Tokens::of(option->palette);
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option))
            return paintButtonLabel(painter, *button, buttonRole(widget), tokens);
        break;
    case CE_HeaderSection:
        painter->fillRect(option->rect, tokens.alt);
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                          tokens.border);
        return;
    case CE_HeaderEmptyArea:
    case CE_Splitter:
        if (element == CE_HeaderEmptyArea)
            painter->fillRect(option->rect, tokens.alt);
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, tokens.bar);
        return;
    case CE_MenuBarItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            const bool on = option->state & (State_Selected | State_Sunken);
            painter->fillRect(option->rect, on ? tokens.sel : tokens.bar);
            const int flags =
                static_cast<int>(Qt::AlignCenter) |
                (proxy()->styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? Qt::TextShowMnemonic
                                                                                   : Qt::TextHideMnemonic);
            drawItemText(painter, option->rect, flags, option->palette, option->state & State_Enabled,
                         item->text, QPalette::ButtonText);
            return;
        }
        break;
    case CE_ComboBoxLabel:
        if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
            combo && !combo->editable) {
            const QRect inside = option->rect.adjusted(10, 0, -26, 0);
            drawItemText(painter, inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), option->palette,
                         option->state & State_Enabled,
                         option->fontMetrics.elidedText(combo->currentText, Qt::ElideRight, inside.width()),
                         QPalette::ButtonText);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void SbStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                 const QWidget *widget) const
{
    const Tokens &tokens = Tokens::of(option->palette);
    if (control == CC_ComboBox) {
        if (const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
            combo && !combo->editable) {
            paintButtonFace(painter, *option, ButtonRole::Plain, tokens);
            paintChevron(painter,
                         QRect(option->rect.right() - 22, option->rect.top(), 16, option->rect.height()),
                         (option->state & State_Enabled) ? tokens.text2 : tokens.dis);
            if ((option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange))
                paintFocusRing(painter, option->rect, tokens);
            return;
        }
    }
    if (control == CC_SpinBox) {
        if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
            spin && spin->buttonSymbols == QAbstractSpinBox::NoButtons)
            return paintField(painter, *option, tokens);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace sb
