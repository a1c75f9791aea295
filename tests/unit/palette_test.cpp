// SPDX-License-Identifier: GPL-3.0-or-later
// Recomputes how far apart the frameworks' colours are for every kind of colour vision, from the palette file
// that is compiled in. Simulation: Machado, Oliveira and Fernandes 2009, severity 1, in linear RGB. Distance:
// CIEDE2000 (Sharma, Wu and Dalal 2005), under D65.
#include "charts/chart_style.h"
#include "charts/tokens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace sb {

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Triple times(const Matrix &m, const Triple &v)
{
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return out;
}

Triple linear(const QColor &colour)
{
    const auto part = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {part(colour.red() / 255.0), part(colour.green() / 255.0), part(colour.blue() / 255.0)};
}

Triple lab(Triple rgb)
{
    for (double &c : rgb)
        c = std::clamp(c, 0.0, 1.0);
    constexpr Matrix kToXyz{{{0.4124564, 0.3575761, 0.1804375},
                             {0.2126729, 0.7151522, 0.0721750},
                             {0.0193339, 0.1191920, 0.9503041}}};
    Triple xyz = times(kToXyz, rgb);
    const Triple white{0.95047, 1.0, 1.08883};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / white[i];
        xyz[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double degrees(double radians)
{
    const double d = radians * 180 / std::numbers::pi;
    return d < 0 ? d + 360 : d;
}

double cosDeg(double d)
{
    return std::cos(d * std::numbers::pi / 180);
}

double ciede2000(const Triple &p, const Triple &q)
{
    const auto pow7 = [](double c) { return std::pow(c, 7); };
    const double meanC = (std::hypot(p[1], p[2]) + std::hypot(q[1], q[2])) / 2;
    const double g = 0.5 * (1 - std::sqrt(pow7(meanC) / (pow7(meanC) + pow7(25))));
    const double a1 = p[1] * (1 + g);
    const double a2 = q[1] * (1 + g);
    const double c1 = std::hypot(a1, p[2]);
    const double c2 = std::hypot(a2, q[2]);
    const double h1 = c1 == 0 ? 0 : degrees(std::atan2(p[2], a1));
    const double h2 = c2 == 0 ? 0 : degrees(std::atan2(q[2], a2));
    double dh = 0;
    double meanH = h1 + h2;
    if (c1 * c2 != 0) {
        dh = h2 - h1;
        dh += dh > 180 ? -360 : dh < -180 ? 360 : 0;
        meanH = std::abs(h1 - h2) <= 180 ? meanH / 2 : meanH < 360 ? (meanH + 360) / 2 : (meanH - 360) / 2;
    }
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(dh * std::numbers::pi / 360);
    const double meanL = (p[0] + q[0]) / 2;
    const double meanCp = (c1 + c2) / 2;
    const double t = 1 - 0.17 * cosDeg(meanH - 30) + 0.24 * cosDeg(2 * meanH) + 0.32 * cosDeg(3 * meanH + 6) -
                     0.20 * cosDeg(4 * meanH - 63);
    const double sl = 1 + 0.015 * std::pow(meanL - 50, 2) / std::sqrt(20 + std::pow(meanL - 50, 2));
    const double sc = 1 + 0.045 * meanCp;
    const double sh = 1 + 0.015 * meanCp * t;
    const double turn = 30 * std::exp(-std::pow((meanH - 275) / 25, 2));
    const double rt = -2 * std::sqrt(pow7(meanCp) / (pow7(meanCp) + pow7(25))) *
                      std::sin(2 * turn * std::numbers::pi / 180);
    const double l = (q[0] - p[0]) / sl;
    const double c = (c2 - c1) / sc;
    const double h = dH / sh;
    return std::sqrt(l * l + c * c + h * h + rt * c * h);
}

double leastDistance(ChartPalette palette, const Matrix &vision, bool withSpares)
{
    std::vector<Triple> colours;
    for (const PaletteEntry &entry : frameworkPalette())
        if (withSpares || !entry.spare)
            colours.push_back(lab(times(vision, linear(entry.style.colour(palette)))));
    double least = 1000;
    for (std::size_t i = 0; i < colours.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            least = std::min(least, ciede2000(colours[i], colours[j]));
    return least;
}

double luminance(const QColor &colour)
{
    const Triple rgb = linear(colour);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double contrast(const QColor &a, const QColor &b)
{
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

// Two pairs of the test data of Sharma, Wu and Dalal (2005), table 1: rows 1 and 25.
TEST(Ciede2000, AgreesWithPublishedPairs)
{
    EXPECT_NEAR(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 1e-4);
}

TEST(Palette, KeepsFrameworksApartForEveryColourVision)
{
    for (const ChartPalette palette : {ChartPalette::Light, ChartPalette::Dark}) {
        for (const bool spares : {false, true}) {
            SCOPED_TRACE(testing::Message()
                         << "dark " << (palette == ChartPalette::Dark) << ", spares " << spares);
            EXPECT_GE(leastDistance(palette, kNormal, spares), 7);
            EXPECT_GE(leastDistance(palette, kDeutan, spares), 7);
            EXPECT_GE(leastDistance(palette, kProtan, spares), 7);
            EXPECT_GE(leastDistance(palette, kTritan, spares), 5);
        }
    }
    EXPECT_NEAR(leastDistance(ChartPalette::Light, kNormal, false), 19.3, 0.1);
    EXPECT_NEAR(leastDistance(ChartPalette::Dark, kNormal, false), 17.8, 0.1);
}

TEST(Palette, StandsOutFromItsGround)
{
    for (const PaletteEntry &entry : frameworkPalette()) {
        EXPECT_GE(contrast(entry.style.light, Tokens::light().base), 3.1) << entry.name;
        EXPECT_GE(contrast(entry.style.dark, Tokens::dark().base), 5.0) << entry.name;
    }
}

TEST(Palette, GivesEachOfManySeriesItsOwnLook)
{
    std::vector<std::string> names;
    for (const PaletteEntry &entry : frameworkPalette())
        names.push_back(entry.name);
    for (int i = 0; i < 12; ++i)
        names.push_back("my_plugin_" + std::to_string(i));
    for (int i = 0; i < 12; ++i)
        names.push_back("native");
    const std::vector<SeriesStyle> styles = seriesStyles(names);
    ASSERT_EQ(styles.size(), 36U);
    for (std::size_t i = 0; i < styles.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(styles[i] == styles[j]) << names[i] << " and " << names[j];
}

TEST(Palette, IsFixedByTheFrameworkAndNotByItsPlace)
{
    const std::vector<std::string> two{"pytorch", "oneflow"};
    EXPECT_EQ(seriesStyles(two).at(1), frameworkStyle("oneflow"));
    EXPECT_EQ(frameworkStyle("OneFlow"), frameworkStyle("oneflow"));
    EXPECT_EQ(frameworkStyle("oneflow").light, QColor(0x15, 0x6B, 0xE7));
}

} // namespace

} // namespace sb
