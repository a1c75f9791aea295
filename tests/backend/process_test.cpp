// SPDX-License-Identifier: Apache-2.0

// sbtrain as others see it: a process with events, exit codes and, with several of them, one training run.

#include "process.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <sys/stat.h>

namespace sbtrain::test {
namespace {

constexpr double kPatience = 60.0; // seconds for what takes one or two on an idle machine

using Arguments = std::vector<std::string>;

const Arguments kSmall{"--model", "resnet20-cifar", "--batch-size", "4", "--threads", "1", "--steps", "3"};

Arguments with(Arguments arguments, const Arguments &more)
{
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(Events, TellAWholeRun)
{
    Process process({kSmall, {}, {}});
    ASSERT_EQ(process.wait(kPatience), 0) << process.err();
    const std::vector<Fields> events = process.events();
    ASSERT_EQ(events.size(), 6U);
    EXPECT_EQ(events[0].at("gradient_bytes"), std::to_string(4 * std::stoll(events[0].at("parameters"))));

    for (const char *key : {"schema",
                            "time_utc",
                            "program",
                            "version",
                            "model",
                            "device",
                            "device_name",
                            "precision",
                            "batch_size",
                            "global_batch_size",
                            "rank",
                            "world_size",
                            "local_rank",
                            "hostname",
                            "threads",
                            "steps",
                            "parameters",
                            "gradient_bytes",
                            "flops_per_sample",
                            "unit",
                            "optimizer",
                            "data",
                            "seed",
                            "path",
                            "pid"})
        EXPECT_EQ(events[0].count(key), 1U) << key;
    EXPECT_EQ(events[0].at("event"), "start");
    EXPECT_EQ(events[0].at("global_batch_size"), "4");
    EXPECT_EQ(events[0].at("unit"), "images");
    EXPECT_EQ(events[1].at("event"), "ready");
    double last_s = std::stod(events[1].at("time_s"));
    for (int step = 1; step <= 3; ++step) {
        const Fields &event = events[static_cast<std::size_t>(step) + 1];
        EXPECT_EQ(event.at("event"), "step");
        EXPECT_EQ(event.at("step"), std::to_string(step));
        EXPECT_EQ(event.at("samples"), "4");
        const double time_s = std::stod(event.at("time_s"));
        const double step_ms = std::stod(event.at("step_ms"));
        EXPECT_NEAR(1e3 * (time_s - last_s), step_ms, step > 1 ? 0.01 : 5.0);
        const double parts = std::stod(event.at("data_ms")) + std::stod(event.at("comm_ms")) +
                             std::stod(event.at("compute_ms"));
        EXPECT_LE(parts, step_ms + 0.01);
        EXPECT_GT(parts, 0.5 * step_ms);
        last_s = time_s;
    }
    EXPECT_EQ(events[5].at("event"), "end");
    EXPECT_EQ(events[5].at("status"), "ok");
    EXPECT_GT(std::stod(events[5].at("peak_memory_bytes")), 1e6);
}

TEST(Run, IsReproducible)
{
    Process first({kSmall, {}, {}});
    ASSERT_EQ(first.wait(kPatience), 0);
    Process second({kSmall, {}, {}});
    ASSERT_EQ(second.wait(kPatience), 0);
    Process other(Process::Setup{with(kSmall, {"--seed", "2"}), {}, {}});
    ASSERT_EQ(other.wait(kPatience), 0);
    EXPECT_EQ(first.steps()[2].at("loss"), second.steps()[2].at("loss"));
    EXPECT_NE(first.steps()[2].at("loss"), other.steps()[2].at("loss"));
}

// Narrower instruction sets take other image orders and kernels: the same losses must come out.
TEST(Run, GivesTheSameLossesOnLesserProcessors)
{
    const Arguments arguments{
        "--model", "resnet20-cifar", "--image-size", "16", "--batch-size", "2", "--threads", "1", "--steps",
        "2"};
    Process best({arguments, {}, {}});
    ASSERT_EQ(best.wait(kPatience), 0);
    for (const char *isa : {"AVX2", "SSE41"}) {
        Process lesser({arguments,
                        {std::string("ONEDNN_MAX_CPU_ISA=") + isa, std::string("DNNL_MAX_CPU_ISA=") + isa},
                        {}});
        ASSERT_EQ(lesser.wait(kPatience), 0) << lesser.err();
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_NEAR(std::stod(lesser.steps()[i].at("loss")), std::stod(best.steps()[i].at("loss")), 2e-4)
                << isa;
    }
}

// ---- several processes ----

std::vector<std::unique_ptr<Process>> start_ranks(int world_size, const Arguments &arguments)
{
    const int port = free_port();
    std::vector<std::unique_ptr<Process>> ranks;
    for (int rank = 0; rank < world_size; ++rank)
        ranks.push_back(std::make_unique<Process>(
            Process::Setup{arguments, rank_environment(rank, world_size, port), {}}));
    return ranks;
}

std::vector<float> parameters_after(int world_size, const Arguments &arguments, const Arguments &batch)
{
    const std::string folder = make_folder();
    const std::string file = folder + "/parameters";
    const auto ranks = start_ranks(world_size, with(with(arguments, batch), {"--save", file}));
    for (const auto &rank : ranks)
        EXPECT_EQ(rank->wait(kPatience), 0) << rank->err();
    const std::string bytes = read_file(file);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    std::remove(file.c_str());
    std::remove(folder.c_str());
    return values;
}

double largest_difference(const std::vector<float> &a, const std::vector<float> &b)
{
    EXPECT_EQ(a.size(), b.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return largest;
}

// Batch norm makes samples of one process depend on each other; frozen, the update is a plain mean.
TEST(Processes, WithPartsOfABatchUpdateLikeOneWithAll)
{
    const Arguments resnet{"--model", "resnet20-cifar", "--threads",       "1",    "--steps",
                           "3",       "--freeze-bn",    "--learning-rate", "0.01", "--zero-init-residual"};
    const std::vector<float> one = parameters_after(1, resnet, {"--batch-size", "6"});
    ASSERT_EQ(one.size(), 272474U);
    EXPECT_LT(largest_difference(one, parameters_after(2, resnet, {"--batch-size", "3"})), 2e-5);
    EXPECT_LT(largest_difference(one, parameters_after(3, resnet, {"--batch-size", "2"})), 2e-5);
}

// A step is the same however its samples are spread over processes and passes.
TEST(Processes, AccumulateLikeOne)
{
    const Arguments resnet{"--model", "resnet20-cifar", "--threads",       "1",    "--steps",
                           "2",       "--freeze-bn",    "--learning-rate", "0.01", "--zero-init-residual"};
    const std::vector<float> one = parameters_after(1, resnet, {"--batch-size", "8"});
    EXPECT_LT(
        largest_difference(one, parameters_after(1, resnet, {"--batch-size", "2", "--accumulate", "4"})),
        2e-5);
    EXPECT_LT(
        largest_difference(one, parameters_after(2, resnet, {"--batch-size", "2", "--accumulate", "2"})),
        2e-5);
}

TEST(Processes, TrainBertLikeOne)
{
    // SGD, because the square root in AdamW turns rounding of tiny gradients into whole steps.
    const Arguments bert{"--model",         "bert-tiny", "--threads",         "1",  "--steps",     "2",
                         "--dropout",       "0",         "--sequence-length", "32", "--optimizer", "sgd",
                         "--learning-rate", "0.1",       "--clip-norm",       "1"};
    const std::vector<float> one = parameters_after(1, bert, {"--batch-size", "4"});
    ASSERT_EQ(one.size(), 4433468U);
    EXPECT_LT(largest_difference(one, parameters_after(2, bert, {"--batch-size", "2"})), 2e-6);
}

TEST(Processes, MeetThroughAFile)
{
    const std::string folder = make_folder();
    const Arguments arguments = with(kSmall, {"--rendezvous", "file:" + folder + "/meet"});
    Process first({arguments, {"RANK=0", "WORLD_SIZE=2", "LOCAL_WORLD_SIZE=2"}, {}});
    Process second({arguments, {"RANK=1", "WORLD_SIZE=2", "LOCAL_WORLD_SIZE=2"}, {}});
    EXPECT_EQ(first.wait(kPatience), 0) << first.err();
    EXPECT_EQ(second.wait(kPatience), 0) << second.err();
    EXPECT_EQ(first.events()[0].at("world_size"), "2");
}

TEST(Processes, NoticeThatOneDied)
{
    const auto ranks = start_ranks(3, {"--model", "resnet20-cifar", "--batch-size", "4", "--threads", "1",
                                       "--steps", "100000", "--timeout", "10"});
    for (const auto &rank : ranks)
        ASSERT_TRUE(rank->wait_for_step(1, kPatience)) << rank->err();
    ranks[1]->signal(SIGKILL);
    for (const std::size_t i : {0U, 2U}) {
        ASSERT_EQ(ranks[i]->wait(20.0), 5) << "rank " << i;
        const Fields last = ranks[i]->events().back();
        EXPECT_EQ(last.at("event"), "error");
        EXPECT_EQ(last.at("exit_code"), "5");
    }
}

TEST(Processes, DoNotWaitForeverForAStoppedOne)
{
    const auto ranks = start_ranks(2, {"--model", "resnet20-cifar", "--batch-size", "4", "--threads", "1",
                                       "--steps", "100000", "--timeout", "2"});
    for (const auto &rank : ranks)
        ASSERT_TRUE(rank->wait_for_step(1, kPatience)) << rank->err();
    ranks[1]->signal(SIGSTOP);
    EXPECT_EQ(ranks[0]->wait(20.0), 5);
}

TEST(Processes, EndCleanlyWhenAllAreTerminated)
{
    const auto ranks = start_ranks(
        2, {"--model", "resnet20-cifar", "--batch-size", "4", "--threads", "1", "--steps", "100000"});
    for (const auto &rank : ranks)
        ASSERT_TRUE(rank->wait_for_step(1, kPatience)) << rank->err();
    for (const auto &rank : ranks)
        rank->signal(SIGTERM);
    for (const auto &rank : ranks) {
        EXPECT_EQ(rank->wait(20.0), 143) << rank->err();
        EXPECT_EQ(rank->events().back().at("status"), "cancelled");
    }
}

TEST(Rendezvous, FailsInTimeWhenRanksAreMissing)
{
    Process alone({with(kSmall, {"--timeout", "1"}), rank_environment(0, 2, free_port()), {}});
    EXPECT_EQ(alone.wait(20.0), 4) << alone.err();
    Process without_master({with(kSmall, {"--timeout", "1"}), rank_environment(1, 2, free_port()), {}});
    EXPECT_EQ(without_master.wait(20.0), 4);
    EXPECT_NE(without_master.err().find("rank 0"), std::string::npos) << without_master.err();
    EXPECT_EQ(without_master.events().back().at("exit_code"), "4");
}

TEST(Rendezvous, NamesAnInterfaceThatIsNotThere)
{
    std::vector<std::string> environment = rank_environment(0, 2, free_port());
    environment.emplace_back("GLOO_SOCKET_IFNAME=nosuch0");
    Process process({kSmall, environment, {}});
    EXPECT_EQ(process.wait(20.0), 4) << process.err();
    EXPECT_NE(process.err().find("nosuch0"), std::string::npos) << process.err();
}

// ---- things that go wrong ----

void expect_failure(const Arguments &arguments, int code, const std::string &word)
{
    Process process({arguments, {}, {}});
    EXPECT_EQ(process.wait(kPatience), code) << process.err();
    const std::string message = process.err();
    EXPECT_NE(message.find(word), std::string::npos) << message;
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
    const std::vector<Fields> events = process.events();
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().at("event"), "error");
    EXPECT_EQ(events.back().at("exit_code"), std::to_string(code));
}

TEST(Failure, HasOneSentenceAndItsOwnCode)
{
    expect_failure({"--step", "3"}, 2, "did you mean --steps");
    expect_failure({"--steps", "0"}, 2, "--steps");
    expect_failure({"--batch-size", "-4"}, 2, "--batch-size");
    expect_failure({"--batch-size", "99999999999999999999"}, 2, "--batch-size");
    expect_failure({"--precision", "bf16"}, 3, "fp32");
    expect_failure({"--device", "tpu"}, 3, "--device");
    expect_failure({"--data", "imagenet"}, 3, "images:FOLDER");
    expect_failure({"--exchange-precision", "bf16"}, 3, "NCCL");
    expect_failure({"--model", "alexnet"}, 3, "resnet50");
    expect_failure({"--model", "bert-tiny", "--image-size", "64"}, 2, "--image-size");
    expect_failure({"--model", "resnet50", "--image-size", "1024", "--batch-size", "65536"}, 6,
                   "--batch-size");
    expect_failure(with(kSmall, {"--learning-rate", "1e6", "--steps", "200"}), 7, "--learning-rate");
}

TEST(Failure, OfTheOutputEndsTheRun)
{
    struct stat full {};
    if (stat("/dev/full", &full) != 0)
        GTEST_SKIP() << "needs /dev/full, which this system does not have";
    Process process({with(kSmall, {"--steps", "100000"}), {}, "/dev/full"});
    EXPECT_EQ(process.wait(kPatience), 8);
    EXPECT_NE(process.err().find("standard output"), std::string::npos) << process.err();
}

TEST(Failure, OfTheReaderEndsTheRun)
{
    const std::string folder = make_folder();
    const std::string pipe = folder + "/pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    Process process({with(kSmall, {"--steps", "100000"}), {}, pipe});
    {
        std::FILE *reader = std::fopen(pipe.c_str(), "r");
        ASSERT_NE(reader, nullptr);
        char line[4096];
        EXPECT_NE(std::fgets(line, sizeof line, reader), nullptr);
        std::fclose(reader);
    }
    EXPECT_EQ(process.wait(kPatience), 8) << process.err();
    std::remove(pipe.c_str());
    std::remove(folder.c_str());
}

TEST(Program, ListsModelsAndHelps)
{
    Process help({{"--help"}, {}, {}});
    EXPECT_EQ(help.wait(kPatience), 0);
    EXPECT_NE(help.out().find("--sequence-length TOKENS"), std::string::npos);
    Process version({{"--version"}, {}, {}});
    EXPECT_EQ(version.wait(kPatience), 0);
    EXPECT_TRUE(version.out().starts_with("sbtrain "));
    Process models({{"--list-models"}, {}, {}});
    EXPECT_EQ(models.wait(kPatience), 0);
    EXPECT_NE(models.out().find("\"name\":\"resnet110-cifar\""), std::string::npos);
    // Recorded for the dashboard's table of models, which a unit test holds against the same file.
    std::ifstream recorded(SCALEBOARD_TEST_DATA "/models.json");
    const std::string file{std::istreambuf_iterator<char>(recorded), std::istreambuf_iterator<char>()};
    EXPECT_EQ(models.out(), file);
    Process devices({{"--list-devices"}, {}, {}});
    EXPECT_EQ(devices.wait(kPatience), 0);
    EXPECT_TRUE(devices.out().starts_with("{\"schema\":1,\"devices\":[{\"device\":\"cpu\",\"name\":\""))
        << devices.out();
    const bool gpu = devices.out().find("\"device\":\"cuda\"") != std::string::npos;
    EXPECT_NE(gpu, devices.out().find("\"cuda_problem\":\"") != std::string::npos) << devices.out();
}

} // namespace
} // namespace sbtrain::test
