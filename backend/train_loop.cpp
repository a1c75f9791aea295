// SPDX-License-Identifier: Apache-2.0
#include "train_loop.h"

#include "clock.h"
#include "comm/gloo_communicator.h"
#include "cpu/cpu_device.h"
#ifdef SBTRAIN_WITH_CUDA
#include "cuda/cuda_device.h"
#endif
#ifdef SBTRAIN_WITH_NCCL
#include "comm/nccl_communicator.h"
#endif
#include "data/synthetic.h"
#include "models/model.h"
#include "step_timer.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sbtrain {

namespace {

volatile std::sig_atomic_t g_signal = 0; // a handler can reach nothing else

extern "C" void remember_signal(int number)
{
    g_signal = number;
}

void catch_signals()
{
    struct sigaction action = {};
    action.sa_handler = remember_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
}

// Everything a run consists of, in the order in which it comes into being.
struct Run {
    const Options &options;
    EventWriter &events;
    double start_time_s;
    LaunchEnv env;
    const ModelInfo *model = nullptr;
    int threads = 1;
    OptimizerSettings optimizer;
    Graph graph;
    std::unique_ptr<Device> device;
    std::unique_ptr<Communicator> communicator; // null for one process
    std::unique_ptr<Program> program;

    std::int64_t global_batch() const { return options.batch_size * env.world_size; }
};

Error unknown_data(const Options &options)
{
    return {ExitCode::Unsupported, "there is no data source \"" + options.data + "\": use --data synthetic"};
}

Result<void> check_names(const Options &options)
{
#ifdef SBTRAIN_WITH_CUDA
    if (options.device == "cuda") {
        if (!cuda::find_precision(options.precision))
            return Error{ExitCode::Unsupported,
                         "the CUDA device computes in fp32, tf32, fp16 and bf16, not in \"" +
                             options.precision + "\""};
        return options.data == "synthetic" ? Result<void>{} : unknown_data(options);
    }
#endif
    if (options.device != "cpu")
        return Error{ExitCode::Unsupported,
                     "this build has no device \"" + options.device + "\": use --device cpu"};
    if (options.precision != "fp32")
        return Error{ExitCode::Unsupported, "the CPU device computes in fp32 only, not in \"" +
                                                options.precision + "\": use --precision fp32"};
    if (options.data != "synthetic")
        return unknown_data(options);
    return {};
}

Result<void> check_model_options(const Options &options, const ModelInfo &model)
{
    const bool images = model.unit == "images";
    const auto refuse = [&](const char *option) {
        return Error{ExitCode::Usage,
                     std::string(option) + " means nothing to " + std::string(model.name) + ": leave it out"};
    };
    if (images && options.sequence_length)
        return refuse("--sequence-length");
    if (images && options.dropout)
        return refuse("--dropout");
    if (!images && options.image_size)
        return refuse("--image-size");
    if (!images && options.label_smoothing > 0.0)
        return refuse("--label-smoothing");
    if (!images && options.freeze_bn)
        return refuse("--freeze-bn");
    if (!images && options.zero_init_residual)
        return refuse("--zero-init-residual");
    return {};
}

Result<void> choose_model(Run &run)
{
    run.model = find_model(run.options.model);
    if (run.model == nullptr) {
        std::string names;
        for (const ModelInfo &info : all_models())
            names += (names.empty() ? "" : ", ") + std::string(info.name);
        return Error{ExitCode::Unsupported,
                     "there is no model \"" + run.options.model + "\": choose from " + names};
    }
    if (const Result<void> fine = check_model_options(run.options, *run.model); !fine)
        return fine;
    ModelSettings settings;
    settings.batch_size = run.options.batch_size;
    settings.image_size = run.options.image_size;
    settings.sequence_length = run.options.sequence_length;
    settings.dropout = run.options.dropout;
    settings.label_smoothing = run.options.label_smoothing;
    settings.zero_init_residual = run.options.zero_init_residual;
    Result<Graph> graph = run.model->build(*run.model, settings);
    if (!graph)
        return graph.error();
    run.graph = std::move(*graph);
    return {};
}

// The model's optimizer, or the other one with its usual numbers, with what the options change.
OptimizerSettings choose_optimizer(const Run &run)
{
    const Options &options = run.options;
    OptimizerSettings settings = run.model->optimizer;
    bool scale = run.model->scale_learning_rate;
    if (options.optimizer) {
        const bool adamw = *options.optimizer == "adamw";
        settings = find_model(adamw ? "bert-base" : "resnet50")->optimizer;
        scale = !adamw;
    }
    if (scale)
        settings.learning_rate *= static_cast<double>(run.global_batch()) / 256.0;
    settings.learning_rate = options.learning_rate.value_or(settings.learning_rate);
    settings.weight_decay = options.weight_decay.value_or(settings.weight_decay);
    settings.momentum = options.momentum.value_or(settings.momentum);
    if (options.clip_norm)
        settings.clip_norm = *options.clip_norm > 0.0 ? options.clip_norm : std::nullopt;
    return settings;
}

RunFacts facts_of(const Run &run)
{
    RunFacts facts;
    facts.model = run.model->name;
    facts.device = run.options.device;
    facts.device_name = run.device->name();
    facts.precision = run.options.precision;
    facts.unit = run.model->unit;
    facts.optimizer = run.optimizer.kind == OptimizerKind::Sgd ? "sgd" : "adamw";
    facts.data = run.options.data;
    facts.path = run.device->path();
    facts.batch_size = run.options.batch_size;
    facts.rank = run.env.rank;
    facts.world_size = run.env.world_size;
    facts.local_rank = run.env.local_rank;
    facts.threads = run.threads;
    facts.steps = run.options.steps;
    facts.parameters = run.graph.parameter_count();
    facts.flops_per_sample = run.graph.flops_per_sample;
    facts.seed = run.options.seed;
    return facts;
}

Result<void> make_device(Run &run)
{
#ifdef SBTRAIN_WITH_CUDA
    if (run.options.device == "cuda") {
        auto device =
            cuda::make_cuda_device(run.env.local_rank, *cuda::find_precision(run.options.precision));
        if (!device)
            return device.error();
        run.device = std::move(*device);
        return {};
    }
#endif
    run.device = cpu::make_cpu_device(run.threads);
    return {};
}

// NCCL also alone if it is asked for by name: a job of one process then takes the path of many.
Result<void> connect(Run &run)
{
    const std::string &wanted = run.options.communicator;
#ifdef SBTRAIN_WITH_NCCL
    const bool nccl = run.options.device == "cuda" && wanted != "gloo";
    if (nccl && (run.env.world_size > 1 || wanted == "nccl")) {
        auto connected = NcclCommunicator::connect(run.env, run.options.rendezvous, run.options.timeout_s);
        if (!connected)
            return connected.error();
        run.communicator = std::move(*connected);
        return {};
    }
#endif
    if (wanted == "nccl")
        return Error{ExitCode::Unsupported,
                     "NCCL needs --device cuda and a build with it: use --communicator gloo"};
    if (run.env.world_size > 1) {
        auto connected = connect_gloo(run.env, {run.options.rendezvous, run.options.timeout_s});
        if (!connected)
            return connected.error();
        run.communicator = std::move(*connected);
    }
    return {};
}

Result<void> set_up(Run &run)
{
    if (const Result<void> fine = check_names(run.options); !fine)
        return fine;
    const Result<LaunchEnv> env = read_launch_env([](const char *name) { return std::getenv(name); });
    if (!env)
        return env.error();
    run.env = *env;
    if (const Result<void> chosen = choose_model(run); !chosen)
        return chosen;
    const std::int64_t share = std::max(cpu::usable_cores() / run.env.local_world_size, 1);
    run.threads = static_cast<int>(run.options.threads.value_or(share));
    if (const Result<void> made = make_device(run); !made)
        return made;
    run.optimizer = choose_optimizer(run);
    if (const Result<void> written = run.events.start(facts_of(run)); !written)
        return written;

    if (const Result<void> connected = connect(run); !connected)
        return connected;
    ProgramSettings settings;
    settings.optimizer = run.optimizer;
    settings.seed = run.options.seed;
    settings.rank = run.env.rank;
    settings.freeze_bn = run.options.freeze_bn;
    settings.communicator = run.communicator.get();
    settings.start_time_s = run.start_time_s;
    auto program = run.device->compile(run.graph, settings);
    if (!program)
        return program.error();
    run.program = std::move(*program);
    write_initial_parameters(*run.program, run.graph, run.options.seed);
    return run.program->broadcast_parameters();
}

// Reports that are there, as events. Stops at a loss that is not a number.
Result<void> write_reports(Run &run, StepTimer &timer, bool wait)
{
    while (const std::optional<StepReport> report = run.program->next_report(wait)) {
        const StepFacts facts{*report, timer.step_ms(report->end_time_s), run.global_batch()};
        if (const Result<void> written = run.events.step(facts); !written)
            return written;
        if (!std::isfinite(report->loss))
            return Error{ExitCode::Diverged, "the loss is not finite in step " +
                                                 std::to_string(report->step) + ": lower --learning-rate"};
    }
    return {};
}

// All steps, or fewer after a signal. The value is the number of steps taken.
Result<std::int64_t> train(Run &run)
{
    const SyntheticData data(run.graph, run.options.seed);
    Batch batch;
    const auto fill = [&](std::int64_t step) {
        const double begin_s = monotonic_s();
        const std::int64_t first = step * run.global_batch() + run.env.rank * run.options.batch_size;
        if (run.program->makes_synthetic_data()) {
            batch.serial = first + 1;
            batch.synthetic = SyntheticSource{run.options.seed, first};
            return;
        }
        data.fill(batch, first);
        batch.fill_ms = 1e3 * (monotonic_s() - begin_s);
    };
    fill(0);
    run.program->warm_up(batch);
    batch.fill_ms = 0.0; // was before the first step
    catch_signals();
    if (const Result<void> written = run.events.ready(); !written)
        return written.error();
    StepTimer timer(monotonic_s() - run.start_time_s);

    std::int64_t step = 0;
    while (step < run.options.steps && g_signal == 0) {
        if (step > 0) {
            if (run.options.overfit)
                batch.fill_ms = 0.0;
            else
                fill(step);
        }
        const Result<void> done = run.program->enqueue_step(batch);
        if (!done && g_signal != 0)
            return step; // the others were told to stop as well and are gone
        if (!done)
            return done.error();
        ++step;
        if (const Result<void> written = write_reports(run, timer, false); !written)
            return written.error();
    }
    if (const Result<void> written = write_reports(run, timer, true); !written)
        return written.error();
    return step;
}

Result<void> save_parameters(Run &run)
{
    if (run.options.save.empty() || run.env.rank != 0)
        return {};
    const std::string temporary = run.options.save + ".part";
    const auto problem = [&](const char *what) {
        const Error error{ExitCode::Internal, std::string("cannot ") + what + " " + run.options.save + ": " +
                                                  std::strerror(errno)};
        std::remove(temporary.c_str());
        return error;
    };
    std::FILE *file = std::fopen(temporary.c_str(), "wb");
    if (file == nullptr)
        return problem("make");
    std::vector<float> values;
    bool fine = true;
    for (std::size_t i = 0; i < run.graph.parameters.size(); ++i) {
        values.resize(static_cast<std::size_t>(run.graph.parameters[i].count));
        run.program->read_parameter(ParameterId{i}, values);
        fine = fine && std::fwrite(values.data(), sizeof(float), values.size(), file) == values.size();
    }
    fine = std::fclose(file) == 0 && fine;
    if (!fine || std::rename(temporary.c_str(), run.options.save.c_str()) != 0)
        return problem("write");
    return {};
}

} // namespace

Result<ExitCode> run_training(const Options &options, EventWriter &events, double start_time_s)
{
    Run run{options, events, start_time_s, {}, nullptr, 1, {}, {}, nullptr, nullptr, nullptr};
    if (const Result<void> ready = set_up(run); !ready)
        return ready.error();
    const Result<std::int64_t> steps = train(run);
    if (!steps)
        return steps.error();

    const int signal = g_signal;
    if (signal == 0) {
        if (const Result<void> saved = save_parameters(run); !saved)
            return saved.error();
        // A process that leaves early looks like a lost one to those that still work.
        if (run.communicator) {
            if (const Result<void> together = run.communicator->barrier(); !together)
                return together.error();
        }
    }
    const char *status = signal == 0 ? "ok" : "cancelled";
    const Result<void> written = events.end(status, *steps, run.program->device_memory_bytes());
    if (!written)
        return written.error();
    return signal == 0 ? ExitCode::Ok : signal == SIGINT ? ExitCode::Interrupted : ExitCode::Terminated;
}

} // namespace sbtrain
