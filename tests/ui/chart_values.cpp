// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_values.h"

#include <QApplication>
#include <QDir>
#include <QPixmap>

#include <cmath>

namespace sb::test {

namespace {

double noise(std::uint64_t i)
{
    i *= 0x9E3779B97F4A7C15ULL;
    i ^= i >> 31;
    i *= 0xBF58476D1CE4E5B9ULL;
    return static_cast<double>(i >> 40) / 16777216.0 - 0.5;
}

} // namespace

std::vector<Series> madeSeries(int ranks, int steps, double rate)
{
    std::vector<Series> all;
    for (int rank = 0; rank < ranks; ++rank) {
        Series series;
        series.rank = rank;
        double timeS = 2;
        for (int step = 1; step <= steps; ++step) {
            const double ramp = step < 20 ? 1 - 0.7 * std::exp(-step / 4.0) : 1.0;
            const auto seed = static_cast<std::uint64_t>(step * 1024 + rank);
            const double now = rate * ramp * (1 + 0.01 * noise(seed) - (step == 48 ? 0.07 : 0.0));
            series.step.push_back(step);
            series.throughput.push_back(now);
            series.stepTimeMs.push_back(4096e3 / now);
            timeS += 4096 / now;
            series.timeS.push_back(timeS);
        }
        all.push_back(std::move(series));
    }
    return all;
}

std::vector<TelemetrySample> madeTelemetry(double seconds, int gpus)
{
    std::vector<TelemetrySample> telemetry;
    for (int i = 0; i < static_cast<int>(seconds); ++i) {
        TelemetrySample sample;
        sample.timeS = i;
        sample.cpuLoadPercent = 93 + 8 * noise(static_cast<std::uint64_t>(i));
        sample.memoryUsedBytes = 3.2e9 + 1e7 * i;
        for (int gpu = 0; gpu < gpus; ++gpu) {
            const auto seed = static_cast<std::uint64_t>(1000 * i + gpu);
            sample.gpus.push_back({gpu, 97 + noise(seed), 1530 - (i == 20 ? 60.0 : 0.0),
                                   281 + 20 * noise(seed + 7), 12e9, 61.0});
        }
        telemetry.push_back(std::move(sample));
    }
    return telemetry;
}

void useTheme(const Tokens &tokens)
{
    QApplication::setPalette(tokens.toPalette());
    QApplication::processEvents();
}

void keepPicture(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("SCALEBOARD_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace sb::test
