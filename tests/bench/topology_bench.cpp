// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a matrix, searching sixteen GPUs, drawing eight.
#include "core/topology_meaning.h"
#include "core/topology_parser.h"
#include "topology/topology_painter.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>

namespace {

std::string text(const char *name)
{
    std::ifstream file(std::string(SCALEBOARD_TEST_DATA) + "/topology/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void parseDgx1(benchmark::State &state)
{
    const std::string input = text("dgx1.txt");
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(sb::parseTopology(input));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(parseDgx1);

void parseH100With10Cards(benchmark::State &state)
{
    const std::string input = text("h100x8-10nics.txt");
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(sb::parseTopology(input));
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(parseH100With10Cards);

// The worst that sixteen GPUs can ask for: sparse links, so that every set needs the search for a ring.
void bestEightOfSixteen(benchmark::State &state)
{
    sb::Topology topology = sb::parseTopology(text("v100x16.txt"));
    for (std::size_t a = 0; a < 16; ++a)
        for (std::size_t b = 0; b < 16; ++b)
            if (a != b)
                topology.cell(a, b).word = (a + b) % 3 == 0 ? "NV1" : a / 8 == b / 8 ? "NODE" : "SYS";
    const sb::GpuGraph graph = sb::gpuGraph(topology);
    const auto advice = sb::gpuAdvice(topology);
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(sb::bestSet(topology, graph, advice, 8));
}
BENCHMARK(bestEightOfSixteen)->Unit(benchmark::kMillisecond);

void meaningOfSixteen(benchmark::State &state)
{
    const sb::Topology topology = sb::parseTopology(text("v100x16.txt"));
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(sb::topologyMeaning(topology));
}
BENCHMARK(meaningOfSixteen)->Unit(benchmark::kMillisecond);

void layOutAndDrawEight(benchmark::State &state)
{
    const sb::Topology topology = sb::parseTopology(text("dgx1.txt"));
    QImage image(808, 620, QImage::Format_ARGB32_Premultiplied);
    for ([[maybe_unused]] auto _ : state) {
        const sb::GraphLayout layout = sb::layoutTopology(topology, 776, 588);
        image.fill(Qt::white);
        QPainter painter(&image);
        sb::GraphStyle style;
        style.font.setPixelSize(13);
        sb::paintTopology(painter, topology, layout, style);
    }
}
BENCHMARK(layOutAndDrawEight)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QGuiApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
