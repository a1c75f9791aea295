// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.h"
#include "clock.h"
#include "cpu/cpu_device.h"
#ifdef SBTRAIN_WITH_CUDA
#include "cuda/cuda_device.h"
#endif
#include "events.h"
#include "models/model.h"
#include "options.h"
#include "train_loop.h"
#include "version.h"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace {

using namespace sbtrain;

std::string models_json()
{
    std::string text = "{\"schema\":1,\"models\":[";
    for (const ModelInfo &info : all_models()) {
        JsonLine line;
        line.text("name", info.name).text("title", info.title).text("unit", info.unit);
        line.integer(info.unit == "images" ? "image_size" : "sequence_length", info.size);
        if (const Result<Graph> graph = info.build(info, ModelSettings{})) {
            line.integer("parameters", graph->parameter_count());
            line.fixed("flops_per_sample", graph->flops_per_sample, 0);
            line.fixed("activation_elements_per_sample", graph->activation_elements_per_sample(), 0);
        }
        if (text.back() != '[')
            text += ',';
        text += line.str();
    }
    return text + "]}";
}

// The processor, and what the driver shows; without a driver `cuda_problem` says why there is no more.
std::string devices_json()
{
    JsonLine cpu;
    cpu.text("device", "cpu")
        .text("name", cpu::make_cpu_device(1)->name())
        .integer("cores", cpu::usable_cores());
    std::string text = "{\"schema\":1,\"devices\":[" + cpu.str();
    std::string problem;
#ifdef SBTRAIN_WITH_CUDA
    const auto devices = cuda::list_cuda_devices();
    if (!devices)
        problem = devices.error().message;
    for (const cuda::DeviceFacts &facts : devices ? *devices : std::vector<cuda::DeviceFacts>{}) {
        JsonLine line;
        line.text("device", "cuda").text("name", facts.name).integer("index", facts.ordinal);
        line.integer("compute_capability", facts.capability);
        line.integer("memory_bytes", static_cast<std::int64_t>(facts.memory_bytes));
        text += ',';
        text += line.str();
    }
#else
    problem = "this build has no CUDA device";
#endif
    text += ']';
    if (!problem.empty()) {
        JsonLine end;
        end.text("cuda_problem", problem);
        text += ',';
        text += end.str().substr(1);
    } else {
        text += '}';
    }
    return text;
}

ExitCode print(const std::string &text)
{
    std::cout << text << '\n' << std::flush;
    if (std::cout)
        return ExitCode::Ok;
    std::cerr << "sbtrain: cannot write to standard output\n";
    return ExitCode::OutputLost;
}

// Destructors of a broken communicator may wait for peers that are gone, so a failed run ends at once.
[[noreturn]] void leave(const Error &error, EventWriter &events)
{
    std::cerr << "sbtrain: " << error.message << '\n' << std::flush;
    if (error.code != ExitCode::OutputLost && !events.error(error))
        std::cerr << "sbtrain: cannot write this to standard output either\n" << std::flush;
    _exit(static_cast<int>(error.code));
}

ExitCode run(std::span<const char *const> arguments, double start_time_s)
{
    EventWriter events(STDOUT_FILENO, start_time_s);
    if (!arguments.empty() && std::string_view(arguments[0]) == "bench") {
        const Result<void> measured = run_bench(arguments.subspan(1));
        if (!measured)
            leave(measured.error(), events);
        return ExitCode::Ok;
    }
    const Result<Options> options = parse_options(arguments);
    if (!options)
        leave(options.error(), events);
    switch (options->action) {
    case Options::Action::Help:
        return print(help_text());
    case Options::Action::Version:
        return print("sbtrain " + std::string(kVersion));
    case Options::Action::ListModels:
        return print(models_json());
    case Options::Action::ListDevices:
        return print(devices_json());
    case Options::Action::Train:
        break;
    }
    Result<ExitCode> code = Error{};
    try {
        code = run_training(*options, events, start_time_s);
    } catch (const std::bad_alloc &) {
        code = Error{ExitCode::OutOfMemory, "out of memory: choose a smaller --batch-size"};
    } catch (const std::exception &error) {
        code = Error{ExitCode::Internal, std::string("internal error: ") + error.what()};
    }
    if (!code)
        leave(code.error(), events);
    return *code;
}

} // namespace

int main(int argc, char **argv)
{
    const double start_time_s = monotonic_s();
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of write(), with a sentence
    const std::vector<const char *> arguments(argv + std::min(argc, 1), argv + argc);
    return static_cast<int>(run(arguments, start_time_s));
}
