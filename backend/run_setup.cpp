// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include "comm/gloo_communicator.h"
#include "cpu/cpu_device.h"
#ifdef SBTRAIN_WITH_CUDA
#include "cuda/cuda_device.h"
#endif
#ifdef SBTRAIN_WITH_NCCL
#include "comm/nccl_communicator.h"
#endif

#include <algorithm>
#include <cstdlib>

namespace sbtrain {

namespace {

Result<void> check_names(const Options &options)
{
#ifdef SBTRAIN_WITH_CUDA
    if (options.device == "cuda") {
        if (!cuda::find_precision(options.precision))
            return Error{ExitCode::Unsupported,
                         "the CUDA device computes in fp32, tf32, fp16 and bf16, not in \"" +
                             options.precision + "\""};
        return {};
    }
#endif
    if (options.device != "cpu")
        return Error{ExitCode::Unsupported,
                     "this build has no device \"" + options.device + "\": use --device cpu"};
    if (options.precision != "fp32")
        return Error{ExitCode::Unsupported, "the CPU device computes in fp32 only, not in \"" +
                                                options.precision + "\": use --precision fp32"};
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
        const bool sgd = *options.optimizer == "sgd";
        settings = find_model(sgd ? "resnet50" : "bert-base")->optimizer;
        scale = sgd;
        if (*options.optimizer == "lamb") {
            settings.kind = OptimizerKind::Lamb;
            settings.learning_rate = 1e-3;
        }
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

// What one process sends. In 16 bit the CUDA device keeps 16-bit gradients of weights, but fp32 ones of
// tables (rows are added one by one) and of all that is small; --exchange-precision narrows those, too.
std::int64_t gradient_bytes(const Run &run)
{
    const bool half = run.options.precision == "fp16" || run.options.precision == "bf16";
    std::vector<bool> narrow(run.graph.parameters.size(), run.options.exchange_precision != "own");
    for (const Node &node : run.graph.nodes) {
        if (const auto *conv = std::get_if<ConvBn>(&node); conv != nullptr && half)
            narrow[conv->weight.index] = true;
        else if (const auto *linear = std::get_if<Linear>(&node); linear != nullptr && half)
            narrow[linear->weight.index] = true;
    }
    for (const Node &node : run.graph.nodes) {
        if (const auto *table = std::get_if<Embedding>(&node))
            narrow[table->token.index] = run.options.exchange_precision != "own";
    }
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < narrow.size(); ++i)
        bytes += run.graph.parameters[i].count * (narrow[i] ? 2 : 4);
    return bytes;
}

RunFacts facts_of(const Run &run)
{
    RunFacts facts;
    facts.model = run.model->name;
    facts.device = run.options.device;
    facts.device_name = run.device->name();
    facts.precision = run.options.precision;
    facts.unit = run.model->unit;
    facts.optimizer = run.optimizer.kind == OptimizerKind::Sgd     ? "sgd"
                      : run.optimizer.kind == OptimizerKind::AdamW ? "adamw"
                                                                   : "lamb";
    facts.data = run.options.data;
    facts.path = run.device->path();
    if (run.source && run.source->has_pictures())
        facts.jpeg = run.pictures ? run.pictures->name() : "libjpeg";
    facts.batch_size = run.options.batch_size;
    facts.micro_batches = run.options.accumulate;
    facts.rank = run.env.rank;
    facts.world_size = run.env.world_size;
    facts.local_rank = run.env.local_rank;
    facts.threads = run.threads;
    facts.steps = run.options.steps;
    facts.parameters = run.graph.parameter_count();
    facts.gradient_bytes = gradient_bytes(run);
    facts.flops_per_sample = run.graph.flops_per_sample;
    facts.seed = run.options.seed;
    return facts;
}

// What the user says, what the launcher set aside for this process, or a fair share of the cores.
int choose_threads(const Run &run)
{
    if (run.options.threads)
        return static_cast<int>(*run.options.threads);
    for (const char *name : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) {
        const char *text = std::getenv(name);
        const int threads = text != nullptr ? std::atoi(text) : 0;
        if (threads > 0 && threads <= 4096)
            return threads;
    }
    return std::max(cpu::usable_cores() / run.env.local_world_size, 1);
}

Result<void> make_device(Run &run)
{
#ifdef SBTRAIN_WITH_CUDA
    if (run.options.device == "cuda") {
        const bool pictures = run.source && run.source->has_pictures() && run.options.jpeg != "cpu";
        auto device = cuda::make_cuda_device(run.env.local_rank, *cuda::find_precision(run.options.precision),
                                             pictures);
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
    if (run.options.exchange_precision != "own")
        return Error{ExitCode::Unsupported, "--exchange-precision " + run.options.exchange_precision +
                                                " needs NCCL: use --device cuda, or leave it out"};
    if (run.env.world_size > 1) {
        auto connected = connect_gloo(run.env, {run.options.rendezvous, run.options.timeout_s});
        if (!connected)
            return connected.error();
        run.communicator = std::move(*connected);
    }
    return {};
}

// Fails before anything is built if what is on disk is not what the options say.
Result<void> open_source(Run &run)
{
    if (run.options.data == "synthetic")
        return {};
    const int cores = std::max(cpu::usable_cores() / run.env.local_world_size, 1);
    const int threads =
        static_cast<int>(run.options.data_threads.value_or(run.options.device == "cpu" ? 1 : cores));
    auto opened = open_data({run.options.data, run.options.seed, threads}, run.graph);
    if (!opened)
        return opened.error();
    run.source = std::move(*opened);
    return {};
}

// JPEG files to the device's decoder, if there are such files and such a decoder.
Result<void> choose_decoder(Run &run)
{
    const bool asked = run.options.jpeg == "gpu";
    if (!run.source || !run.source->has_pictures())
        return asked ? Error{ExitCode::Usage, "--jpeg gpu is for --data images:FOLDER: leave it out"}
                     : Result<void>();
    if (run.options.jpeg == "cpu")
        return {};
    auto made = run.device->make_picture_decoder();
    if (!made)
        return asked ? Error{made.error().code, made.error().message + ": use --jpeg cpu"} : Result<void>();
    run.pictures = std::move(*made);
    run.source->decode_with(*run.pictures);
    return {};
}

} // namespace

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
    if (const Result<void> opened = open_source(run); !opened)
        return opened;
    run.threads = choose_threads(run);
    if (const Result<void> made = make_device(run); !made)
        return made;
    if (const Result<void> chosen = choose_decoder(run); !chosen)
        return chosen;
    run.optimizer = choose_optimizer(run);
    if (const Result<void> written = run.events.start(facts_of(run)); !written)
        return written;

    if (const Result<void> connected = connect(run); !connected)
        return connected;
    ProgramSettings settings;
    settings.optimizer = run.optimizer;
    settings.seed = run.options.seed;
    settings.rank = run.env.rank;
    settings.micro_batches = static_cast<int>(run.options.accumulate);
    settings.freeze_bn = run.options.freeze_bn;
    settings.communicator = run.communicator.get();
    settings.bucket_bytes = run.options.bucket_mib.value_or(0) << 20;
    settings.exchange = run.options.exchange_precision == "fp16"   ? ExchangePrecision::Fp16
                        : run.options.exchange_precision == "bf16" ? ExchangePrecision::Bf16
                                                                   : ExchangePrecision::Own;
    settings.start_time_s = run.start_time_s;
    auto program = run.device->compile(run.graph, settings);
    if (!program)
        return program.error();
    run.program = std::move(*program);
    write_initial_parameters(*run.program, run.graph, run.options.seed);
    return run.program->broadcast_parameters();
}

} // namespace sbtrain
