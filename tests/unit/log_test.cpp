// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/log_reader.h"
#include "remote/line_splitter.h"
#include "remote/shell_quote.h"
#include "session/node_prober.h"
#include "session/telemetry.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

namespace sb {
namespace {

using Lines = std::vector<std::pair<std::string, std::int64_t>>;

Lines splitIn(const std::string &bytes, const std::function<std::size_t()> &chunk)
{
    Lines lines;
    LineSplitter splitter;
    const auto give = [&](std::string_view line, std::int64_t offset) { lines.emplace_back(line, offset); };
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t size = std::min(chunk(), bytes.size() - at);
        splitter.feed(std::string_view(bytes).substr(at, size), give);
        at += size;
    }
    splitter.finish(give);
    return lines;
}

TEST(LineSplitter, EndsLinesAtNewlineAndReturn)
{
    const Lines lines = splitIn("a\nbc\r\n 10 %\r 20 %\r\n\nend", [] { return std::size_t{100}; });
    EXPECT_EQ(lines, (Lines{{"a", 0}, {"bc", 2}, {" 10 %", 6}, {" 20 %", 12}, {"end", 20}}));
}

TEST(LineSplitter, DoesNotDependOnHowTheBytesCome)
{
    std::mt19937 random(1);
    std::string bytes;
    for (int i = 0; i < 5000; ++i)
        bytes += "\n\r abcdefgh"[random() % 11];
    const Lines whole = splitIn(bytes, [&] { return bytes.size(); });
    EXPECT_EQ(splitIn(bytes, [] { return std::size_t{1}; }), whole);
    for (int round = 0; round < 20; ++round)
        EXPECT_EQ(splitIn(bytes, [&] { return std::size_t{1} + random() % 40; }), whole);
    for (const auto &[line, offset] : whole)
        EXPECT_EQ(bytes.substr(static_cast<std::size_t>(offset), line.size()), line);
}

TEST(LineSplitter, BoundsALineWithoutEnd)
{
    const std::string bytes(3 * LineSplitter::kLongestLine + 5, 'x');
    const Lines lines = splitIn(bytes, [] { return std::size_t{65536}; });
    ASSERT_EQ(lines.size(), 4U);
    std::int64_t expected = 0;
    for (const auto &[line, offset] : lines) {
        EXPECT_EQ(offset, expected);
        EXPECT_LE(line.size(), LineSplitter::kLongestLine);
        expected += static_cast<std::int64_t>(line.size());
    }
}

TEST(LogReader, ReadsTheEventsOfTheNativeBackend)
{
    LogReader reader({LogRule::JsonLines}, 3);
    EXPECT_EQ(reader.readLine(
                  R"({"schema":1,"event":"start","version":"0.1.0","device_name":"CPU","unit":"images",)"
                  R"("global_batch_size":8,"world_size":2,"parameters":25557032,"flops_per_sample":2.45e10})",
                  0),
              LogReader::Kind::Start);
    EXPECT_EQ(reader.facts().globalBatchSize, 8);
    EXPECT_EQ(reader.facts().unit, "images");
    EXPECT_EQ(reader.readLine(R"({"event":"ready","time_s":1.5})", 50), LogReader::Kind::Ready);
    ASSERT_EQ(
        reader.readLine(R"({"event":"step","step":7,"time_s":12.5,"step_ms":800,"loss":6.9,"samples":8,)"
                        R"("data_ms":0.1,"comm_ms":12,"compute_ms":788})",
                        100),
        LogReader::Kind::Step);
    Sample expected;
    expected.rank = 3;
    expected.step = 7;
    expected.timeS = 12.5;
    expected.stepTimeMs = 800;
    expected.loss = 6.9;
    expected.samples = 8;
    expected.dataTimeMs = 0.1;
    expected.commTimeMs = 12;
    expected.computeTimeMs = 788;
    expected.logOffset = 100;
    EXPECT_EQ(reader.sample(), expected);
    EXPECT_EQ(reader.readLine(R"({"event":"end","status":"ok","steps":7,"peak_memory_bytes":5})", 200),
              LogReader::Kind::End);
    EXPECT_TRUE(reader.end()->ok);
}

TEST(LogReader, TakesNothingFromLinesThatMeanNothing)
{
    LogReader reader({LogRule::JsonLines}, 0);
    for (const char *line :
         {"", "step 1", "{", R"({"event":"step","step":1,"step_ms")", R"({"event":"step"})",
          R"({"event":"step","step":"1"})", R"({"event":"step","step":-1})", "[1]", "\xFF\xFE",
          R"({"event":["step"],"step":1})"})
        EXPECT_EQ(reader.readLine(line, 0), LogReader::Kind::Other) << line;
}

TEST(LogReader, DoesNotCarryValuesFromStepToStep)
{
    LogReader reader({LogRule::JsonLines}, 0);
    reader.readLine(R"({"event":"step","step":1,"step_ms":800,"loss":6.9})", 0);
    reader.readLine(R"({"event":"step","step":2,"step_ms":801})", 10);
    EXPECT_EQ(reader.sample().loss, std::nullopt);
}

TEST(LogReader, KeepsWhyAProgramFailed)
{
    LogReader reader({LogRule::JsonLines}, 0);
    reader.readLine(R"({"event":"error","exit_code":6,"message":"out of memory"})", 0);
    EXPECT_FALSE(reader.end()->ok);
    EXPECT_EQ(reader.end()->message, "out of memory");
}

// The real shell is the judge.
std::string throughShell(const std::string &argument)
{
    const std::string command = "printf '[%s]' " + shellQuote(argument);
    std::string output;
    FILE *pipe = popen(command.c_str(), "r");
    char buffer[4096];
    for (std::size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        output.append(buffer, got);
    pclose(pipe);
    return output;
}

TEST(ShellQuote, SurvivesTheShell)
{
    for (const std::string argument :
         {"", "plain", "two words", "it's", "$(reboot)", "`x`", "a\nb", "*", "~", "=x", "-n", "\\", "\"",
          "!x", "{a,b}", "节点", "#c", "a;b", "\x01\x7f"})
        EXPECT_EQ(throughShell(argument), "[" + argument + "]");
    std::mt19937 random(2);
    for (int round = 0; round < 50; ++round) {
        std::string argument;
        for (int i = 0; i < 20; ++i)
            argument += static_cast<char>(1 + random() % 255);
        EXPECT_EQ(throughShell(argument), "[" + argument + "]");
    }
}

TEST(ShellQuote, WritesEnvironmentBeforeTheCommand)
{
    EXPECT_EQ(shellCommand({{"A", "1"}, {"B", "x y"}, {"C", ""}, {"bad name", "z"}}, {"prog", "a b"}),
              "A=1 B='x y' C= prog 'a b'");
}

TEST(Probe, ReadsFactsAndIgnoresNoise)
{
    const NodeFacts facts =
        parseProbe("Welcome to node1!\n@sb hostname node1\n@sb cores 64\n@sb quota 800000 100000\r\n"
                   "@sb memory 1048576\n@sb flags fpu avx2 avx512f\n"
                   "@sb interface eth0 100000\n@sb interface wlan0 \n@sb address eth0 10.0.0.1\n"
                   "@sb gpu 0, NVIDIA H200, GPU-1, 00000000:18:00.0, 143771, 580.159\n@sb gpu nonsense\n"
                   "@sb environment venv:/opt/torch\n@sb environment module:cuda/12.4\n"
                   "@sb infiniband /dev/infiniband\n"
                   "@sb engine podman 4.3.1\n@sb future thing\n@sb\n",
                   "n1");
    EXPECT_EQ(facts.name, "n1");
    EXPECT_EQ(facts.hostname, "node1");
    EXPECT_EQ(facts.cores, 8); // the quota is tighter than the processor
    EXPECT_EQ(facts.simd, "AVX-512");
    EXPECT_EQ(facts.memoryBytes, 1048576.0 * 1024);
    ASSERT_EQ(facts.interfaces.size(), 2U);
    EXPECT_EQ(facts.interfaces[0].speedGbps, 100.0);
    EXPECT_EQ(facts.interfaces[0].addresses, std::vector<std::string>{"10.0.0.1"});
    EXPECT_EQ(facts.interfaces[1].speedGbps, std::nullopt);
    ASSERT_EQ(facts.gpus.size(), 1U);
    EXPECT_EQ(facts.gpus[0].name, "NVIDIA H200");
    EXPECT_EQ(facts.driverVersion, "580.159");
    EXPECT_EQ(facts.containerEngines, std::vector<std::string>{"podman 4.3.1"});
    EXPECT_EQ(facts.environments, (std::vector<std::string>{"venv:/opt/torch", "module:cuda/12.4"}));
    EXPECT_TRUE(facts.infiniband);
    EXPECT_EQ(facts.os, std::nullopt);
}

TEST(Telemetry, LoadsAreDifferencesOfCounters)
{
    TelemetryReader reader;
    EXPECT_EQ(reader.readLine("mem 1000 400"), std::nullopt);
    EXPECT_EQ(reader.readLine("cpu  100 0 0 900 0 0 0 0 0 0"), std::nullopt);
    const auto first = reader.readLine("end 50.00");
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->cpuLoadPercent, std::nullopt); // one reading has no difference
    EXPECT_EQ(first->memoryUsedBytes, 600.0 * 1024);
    EXPECT_EQ(first->timeS, 0.0);
    reader.readLine("gpu 0, 97, 1980, [N/A], 1024, 60");
    reader.readLine("cpu  250 0 0 950 0 0 0 0 0 0");
    const auto second = reader.readLine("end 51.00");
    EXPECT_NEAR(*second->cpuLoadPercent, 75.0, 1e-9);
    EXPECT_EQ(second->timeS, 1.0);
    ASSERT_EQ(second->gpus.size(), 1U);
    EXPECT_EQ(second->gpus[0].smClockMHz, 1980);
    EXPECT_EQ(second->gpus[0].powerW, std::nullopt);
    EXPECT_EQ(second->memoryUsedBytes, std::nullopt); // not said this time
}

} // namespace
} // namespace sb
