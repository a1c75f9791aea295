// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/link_palette.h"

#include <algorithm>

namespace sb {

namespace {

QColor rgb(unsigned value)
{
    return QColor::fromRgb(value | 0xFF000000U);
}

LinkColours fabric(unsigned fill, unsigned text, double width)
{
    return {rgb(fill), rgb(text), rgb(fill), Qt::SolidLine, {}, width, true};
}

LinkColours dashed(unsigned fill, unsigned text, unsigned line, QList<qreal> dashes)
{
    return {rgb(fill), rgb(text), rgb(line), Qt::CustomDashLine, std::move(dashes), 1.6, true};
}

LinkColours solid(unsigned fill, unsigned text, unsigned line)
{
    return {rgb(fill), rgb(text), rgb(line), Qt::SolidLine, {}, 1.6, true};
}

} // namespace

bool isDark(const Tokens &tokens)
{
    return tokens.base.lightnessF() < 0.5F;
}

int strokesFor(int lanes)
{
    return lanes >= 8 ? 1 : std::clamp(lanes, 1, 4);
}

LinkColours linkColours(const LinkKind &kind, const Tokens &tokens)
{
    const bool dark = isDark(tokens);
    switch (kind.linkClass) {
    case LinkClass::Fabric:
        if (kind.lanes >= 8)
            return dark ? fabric(0xD6F8E3, 0x08130D, 5) : fabric(0x06331D, 0xFFFFFF, 5);
        if (kind.lanes >= 3)
            return dark ? fabric(0xAEEBC7, 0x08130D, 1.6) : fabric(0x0C4B2C, 0xFFFFFF, 1.6);
        if (kind.lanes == 2)
            return dark ? fabric(0x86D9AA, 0x08130D, 1.8) : fabric(0x17683F, 0xFFFFFF, 1.8);
        return dark ? fabric(0x5FBF8C, 0x08130D, 1.5) : fabric(0x2C8556, 0xFFFFFF, 1.5);
    case LinkClass::Pix:
        return dark ? solid(0x5A93C7, 0x0B1016, 0x5A93C7) : solid(0x4E8FC4, 0x10151C, 0x4E8FC4);
    case LinkClass::Pxb:
        return dark ? solid(0x4C78AE, 0xFFFFFF, 0x7FA9DB) : solid(0x74A2DC, 0x10151C, 0x3D76BE);
    case LinkClass::Phb:
    case LinkClass::Pcie:
        return dark ? dashed(0x5B5699, 0xFFFFFF, 0xA49BE0, {6, 3})
                    : dashed(0xC6BCEE, 0x10151C, 0x6F62B8, {6, 3});
    case LinkClass::Node:
        return dark ? dashed(0x574A33, 0xF2ECDF, 0xC9A865, {4, 3})
                    : dashed(0xE3D6B6, 0x10151C, 0x8C713A, {4, 3});
    case LinkClass::Sys:
        return dark ? dashed(0x383231, 0xD9D2CE, 0xA89A92, {3, 3})
                    : dashed(0xF5EEE9, 0x3A3431, 0x7A6A60, {3, 3});
    case LinkClass::Self:
        return {tokens.base, tokens.text2, tokens.border, Qt::SolidLine, {}, 1, true};
    case LinkClass::Unknown:
        break;
    }
    return {tokens.base, tokens.text, tokens.strong, Qt::CustomDashLine, {1, 3}, 1.6, false};
}

} // namespace sb
