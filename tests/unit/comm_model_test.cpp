// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis_values.h"

#include "core/comm_model.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace sb {
namespace {

using test::numberOf;
using test::numbersOf;

// Two ranks over a slow network, as all_reduce_perf of 2023 prints them.
constexpr const char *kTable =
    R"(# nThread 1 nGpus 1 minBytes 1048576 maxBytes 67108864 step: 4(factor) warmup iters: 5
# Using devices
#   Rank  0 Pid   9192 on node1 device  0 [0x00] Tesla K80
#   Rank  1 Pid   9178 on node2 device  0 [0x00] Tesla K80
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
node1:9192:9192 [0] NCCL INFO Launch mode Parallel
     1048576        262144     float     sum      -1   2410.0    0.44    0.44    N/A   2709.7    0.39    0.39    N/A
     4194304       1048576     float     sum      -1   8116.1    0.52    0.52    N/A   7552.3    0.56    0.56    N/A
    16777216       4194304     float     sum      -1    28317    0.59    0.59    N/A    27090    0.62    0.62    N/A
    67108864      16777216     float     sum      -1   111592    0.60    0.60    N/A   111041    0.60    0.60    N/A
# Avg bus bandwidth    : 0.565546
)";

TEST(CollectiveBench, ReadsTheTableOfNcclTests)
{
    const auto bench = readCollectiveBench(kTable, "all_reduce.txt");
    ASSERT_TRUE(bench) << bench.error().message;
    EXPECT_EQ(bench->program, "nccl-tests");
    EXPECT_EQ(bench->ranks, 2);
    ASSERT_EQ(bench->times.size(), 4u);
    EXPECT_EQ(bench->times[2], (CollectiveBench::Time{16777216, 0.028317}));
    const CommFit fit = fitCommunication(*bench);
    ASSERT_TRUE(fit.identifiable());
    EXPECT_FALSE(fit.latencyKnown);             // nothing below 1 MiB
    EXPECT_NEAR(fit.busGBps.value, 0.60, 0.02); // what the table calls busbw for large messages
}

TEST(CollectiveBench, ReadsAnOlderTableWithoutARoot)
{
    const std::string old =
        "#   Rank  0 Pid 1 on a device 0\n#   Rank  1 Pid 2 on a device 1\n"
        "     1024    256   float   sum    20.5    0.05    0.05  0e+00    21.0    0.05    0.05  0e+00\n";
    const auto bench = readCollectiveBench(old, "old.txt");
    ASSERT_TRUE(bench);
    EXPECT_NEAR(bench->times[0].seconds, 20.5e-6, 1e-12);
}

TEST(CollectiveBench, ReadsEventsOfTheNativeBackend)
{
    const std::string events =
        R"({"event":"bench","kind":"copy","bytes":1024,"time_ms":1}
{"event":"bench","kind":"allreduce","device":0,"world_size":8,"bytes":1048576,"time_ms":0.125,"busbw_GBps":14.7}
)";
    const auto bench = readCollectiveBench(events, "bench.log");
    ASSERT_TRUE(bench);
    EXPECT_EQ(bench->ranks, 8);
    EXPECT_EQ(bench->times, (std::vector<CollectiveBench::Time>{{1048576, 0.000125}}));
    EXPECT_FALSE(fitCommunication(*bench).identifiable());
}

TEST(CollectiveBench, SaysWhatIsMissing)
{
    const auto nothing = readCollectiveBench("hello\n", "x.txt");
    ASSERT_FALSE(nothing);
    EXPECT_NE(nothing.error().message.find("x.txt has no all-reduce times"), std::string::npos);
    const auto ranks =
        readCollectiveBench("1024 256 float sum 20.5 0.05 0.05 0e+00 21.0 0.05 0.05 0e+00\n", "x.txt");
    ASSERT_FALSE(ranks);
    EXPECT_NE(ranks.error().message.find("how many ranks"), std::string::npos);
}

TEST(CommFit, AgreesWithSciPy)
{
    const JsonNode &node = *test::scipyValues().find("collective");
    CollectiveBench bench;
    bench.ranks = 8;
    const std::vector<double> bytes = numbersOf(node, "bytes");
    const std::vector<double> seconds = numbersOf(node, "seconds");
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bench.times.push_back({static_cast<std::int64_t>(bytes[i]), seconds[i]});
    const CommFit fit = fitCommunication(bench);
    ASSERT_TRUE(fit.identifiable());
    EXPECT_NEAR(fit.latencyUs.value, numberOf(node, "latency_us"), 1e-5);
    EXPECT_NEAR(fit.busGBps.value, numberOf(node, "bus_gbps"), 1e-5);
    EXPECT_NEAR(std::log(fit.busGBps.high / fit.busGBps.value), numbersOf(node, "reach")[1], 1e-5);
}

TEST(CommFit, DoesNotClaimALatencyFromLargeMessagesAlone)
{
    CollectiveBench bench{.ranks = 4, .times = {}, .program = "nccl-tests"};
    test::Noise noise(3);
    for (const std::int64_t mega : {256, 512, 1024, 2048})
        bench.times.push_back(
            {mega << 20, ringAllReduceSeconds(static_cast<double>(mega << 20), 4, 1e10, 5e-6) *
                             std::exp(0.02 * noise.normal())});
    const CommFit fit = fitCommunication(bench);
    EXPECT_TRUE(fit.identifiable());
    EXPECT_FALSE(fit.latencyKnown);
}

// A reader of the 2020-10 report asked what a 250 MB model costs on 1 Gbit/s Ethernet that gives 60 MB/s.
TEST(CommForecast, GivesTheGigabitEstimateOfAReader)
{
    const double model = 250e6;
    EXPECT_NEAR(ringAllReduceSeconds(model, 2, 60e6), 4.17, 0.01);
    const CommForecast two = forecastStep(330, model, 2, 60e6);
    EXPECT_GT(two.worstStepMs, 4000);
    EXPECT_LT(two.worstStepMs, 5000);
    EXPECT_NEAR(two.bestStepMs, 4167, 1);
    // At the nominal 125 MB/s it would be half of that: the measured rate is what counts.
    EXPECT_NEAR(ringAllReduceSeconds(model, 2, 125e6), 2.0, 0.01);
    EXPECT_EQ(ringAllReduceSeconds(model, 1, 60e6), 0);
}

TEST(ExposedFit, FindsHowMuchCommunicationACurvePaid)
{
    CommFit comm;
    comm.fault = FitFault::None;
    comm.latencyKnown = true;
    comm.ranks = 8;
    comm.latencyUs.value = 10;
    comm.busGBps.value = 10;
    const double gradients = 100e6;
    std::vector<std::pair<int, double>> points;
    for (const int n : {1, 2, 4, 8, 16}) {
        const double step = 0.080 + 0.4 * ringAllReduceSeconds(gradients, n, 10e9, 10e-6);
        points.emplace_back(n, 32 * n / step);
    }
    const ExposedFit fit = fitExposed(test::curveOf(points), comm, gradients);
    ASSERT_TRUE(fit.identifiable());
    EXPECT_NEAR(fit.exposed.value, 0.4, 1e-9);
    const double step = 0.080 + 0.4 * ringAllReduceSeconds(gradients, 64, 10e9, 10e-6);
    EXPECT_NEAR(exposedAt(fit, comm, gradients, 64)->value, 32 * 64 / step, 1e-6);
    EXPECT_FALSE(fitExposed(test::curveOf({{1, 100}, {2, 190}}), comm, gradients).identifiable());
    EXPECT_EQ(fitExposed(test::curveOf(points), comm, 1000).fault, FitFault::Confounded);
}

} // namespace
} // namespace sb
