// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/tokens.h"

namespace sb {

namespace {
QColor rgb(unsigned value)
{
    return QColor::fromRgb(value | 0xFF000000U);
}
} // namespace

const Tokens &Tokens::light()
{
    static const Tokens tokens{.window = rgb(0xF2F3F5),
                               .base = rgb(0xFFFFFF),
                               .alt = rgb(0xF7F8FA),
                               .rail = rgb(0xE8EAED),
                               .bar = rgb(0xECEEF1),
                               .btn = rgb(0xFCFCFD),
                               .border = rgb(0xCDD2D9),
                               .strong = rgb(0x858D99),
                               .text = rgb(0x1B1F24),
                               .text2 = rgb(0x525A66),
                               .dis = rgb(0x8A929E),
                               .accent = rgb(0x1F5FBF),
                               .onAccent = rgb(0xFFFFFF),
                               .sel = rgb(0xD9E6FA),
                               .onSel = rgb(0x1B1F24),
                               .ok = rgb(0x1E7440),
                               .okBg = rgb(0xE4F3E9),
                               .warn = rgb(0x885200),
                               .warnBg = rgb(0xFFF3D6),
                               .warnLine = rgb(0xB87A0E),
                               .err = rgb(0xB3261E),
                               .errBg = rgb(0xFDEBE9),
                               .errLine = rgb(0xC9473F),
                               .info = rgb(0x1F5FBF),
                               .infoBg = rgb(0xE7F0FC),
                               .infoLine = rgb(0x4C86D9),
                               .sim = rgb(0x6438A8),
                               .simBg = rgb(0xF0E9FB),
                               .simLine = rgb(0x8D63CF),
                               .axis = rgb(0x5F6873),
                               .grid = rgb(0xE3E6EA),
                               .shade = rgb(0xE9EBEF),
                               .steady = rgb(0xEAF2FD)};
    return tokens;
}

const Tokens &Tokens::dark()
{
    static const Tokens tokens{.window = rgb(0x26292E),
                               .base = rgb(0x1E2126),
                               .alt = rgb(0x23262C),
                               .rail = rgb(0x1B1E22),
                               .bar = rgb(0x2B2F35),
                               .btn = rgb(0x31363D),
                               .border = rgb(0x3D434C),
                               .strong = rgb(0x7C8591),
                               .text = rgb(0xE6E8EB),
                               .text2 = rgb(0xA9B0BB),
                               .dis = rgb(0x6E7681),
                               .accent = rgb(0x6AA5FF),
                               .onAccent = rgb(0x10151C),
                               .sel = rgb(0x27406A),
                               .onSel = rgb(0xF1F4F8),
                               .ok = rgb(0x62CB8D),
                               .okBg = rgb(0x1D3427),
                               .warn = rgb(0xE8B44F),
                               .warnBg = rgb(0x3A2F18),
                               .warnLine = rgb(0xB98A2C),
                               .err = rgb(0xFF8F85),
                               .errBg = rgb(0x412422),
                               .errLine = rgb(0xD9645B),
                               .info = rgb(0x7FB2FF),
                               .infoBg = rgb(0x1F2F48),
                               .infoLine = rgb(0x4C7DC4),
                               .sim = rgb(0xC6A8FF),
                               .simBg = rgb(0x2F2644),
                               .simLine = rgb(0x8D70C9),
                               .axis = rgb(0x8C95A1),
                               .grid = rgb(0x30353C),
                               .shade = rgb(0x2A2E35),
                               .steady = rgb(0x1F2B3E)};
    return tokens;
}

const Tokens &Tokens::of(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5F ? dark() : light();
}

QPalette Tokens::toPalette() const
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor &colour) {
        palette.setColor(QPalette::All, role, colour);
    };
    set(QPalette::Window, window);
    set(QPalette::Base, base);
    set(QPalette::AlternateBase, alt);
    set(QPalette::WindowText, text);
    set(QPalette::Text, text);
    set(QPalette::ButtonText, text);
    set(QPalette::BrightText, onAccent);
    set(QPalette::PlaceholderText, text2);
    set(QPalette::Button, btn);
    set(QPalette::Highlight, sel);
    set(QPalette::HighlightedText, onSel);
    set(QPalette::Link, accent);
    set(QPalette::LinkVisited, accent);
    set(QPalette::ToolTipBase, base);
    set(QPalette::ToolTipText, text);
    set(QPalette::Mid, border);
    set(QPalette::Dark, strong);
    set(QPalette::Shadow, strong);
    set(QPalette::Light, alt);
    set(QPalette::Midlight, alt);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, dis);
    return palette;
}

} // namespace sb
