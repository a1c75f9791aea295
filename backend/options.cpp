// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

namespace sbtrain {

namespace {

using Setter = std::function<std::string(Options &, std::string_view)>; // what is wrong; empty: nothing

struct OptionSpec {
    std::string_view name;     // with the dashes
    std::string_view argument; // empty: a flag
    std::string_view help;
    Setter set;
};

template <typename T>
Setter integer(T Options::*field, std::int64_t least, std::int64_t most)
{
    return [=](Options &options, std::string_view text) -> std::string {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error != std::errc::invalid_argument && end == text.data() + text.size();
        if (!whole)
            return "needs a whole number, not \"" + std::string(text) + "\"";
        if (error == std::errc::result_out_of_range || value < least || value > most)
            return "must be between " + std::to_string(least) + " and " + std::to_string(most) + ", not " +
                   std::string(text);
        options.*field = static_cast<T>(value);
        return {};
    };
}

// Optional numbers have their own type.
Setter optional_integer(std::optional<std::int64_t> Options::*field, std::int64_t least, std::int64_t most)
{
    return integer(field, least, most);
}

template <typename T>
Setter real(T Options::*field, double least, double most)
{
    return [=](Options &options, std::string_view text) -> std::string {
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            return "needs a number, not \"" + std::string(text) + "\"";
        if (value < least || value > most) {
            char range[96];
            std::snprintf(range, sizeof range, "must be between %g and %g, not ", least, most);
            return range + std::string(text);
        }
        options.*field = value;
        return {};
    };
}

template <typename T>
Setter word(T Options::*field)
{
    return [=](Options &options, std::string_view text) -> std::string {
        if (text.empty())
            return "needs a value";
        options.*field = std::string(text);
        return {};
    };
}

Setter flag(bool Options::*field)
{
    return [=](Options &options, std::string_view) -> std::string {
        options.*field = true;
        return {};
    };
}

Setter action(Options::Action value)
{
    return [=](Options &options, std::string_view) -> std::string {
        options.action = value;
        return {};
    };
}

std::string check_optimizer(Options &options, std::string_view text)
{
    if (text != "sgd" && text != "adamw" && text != "lamb")
        return "knows sgd, adamw and lamb, not \"" + std::string(text) + "\"";
    options.optimizer = std::string(text);
    return {};
}

std::string check_rendezvous(Options &options, std::string_view text)
{
    if (text != "env" && (!text.starts_with("file:") || text.size() == 5))
        return "is env or file:PATH, not \"" + std::string(text) + "\"";
    options.rendezvous = std::string(text);
    return {};
}

std::string check_exchange_precision(Options &options, std::string_view text)
{
    if (text != "own" && text != "fp16" && text != "bf16")
        return "knows own, fp16 and bf16, not \"" + std::string(text) + "\"";
    options.exchange_precision = std::string(text);
    return {};
}

std::string check_communicator(Options &options, std::string_view text)
{
    if (text != "auto" && text != "nccl" && text != "gloo")
        return "knows auto, nccl and gloo, not \"" + std::string(text) + "\"";
    options.communicator = std::string(text);
    return {};
}

std::string check_jpeg(Options &options, std::string_view text)
{
    if (text != "gpu" && text != "cpu")
        return "knows gpu and cpu, not \"" + std::string(text) + "\"";
    options.jpeg = std::string(text);
    return {};
}

const std::vector<OptionSpec> &table()
{
    using O = Options;
    static const std::vector<OptionSpec> kTable{
        {"--device", "NAME", "what computes: cpu, or cuda where it is built in (default cpu)",
         word(&O::device)},
        {"--model", "NAME", "what is trained, see --list-models (default resnet50)", word(&O::model)},
        {"--precision", "NAME", "of the arithmetic: fp32; on cuda also tf32, fp16, bf16 (default fp32)",
         word(&O::precision)},
        {"--batch-size", "N", "samples a process and step (default 8)", integer(&O::batch_size, 1, 65536)},
        {"--steps", "N", "optimizer steps (default 50)", integer(&O::steps, 1, 1000000000)},
        {"--accumulate", "N",
         "batches a step: gradients of so many are added up before they are exchanged (default 1)",
         integer(&O::accumulate, 1, 65536)},
        {"--threads", "N",
         "threads a process (default: OMP_NUM_THREADS, SLURM_CPUS_PER_TASK, or else\nusable cores / "
         "processes on this host)",
         optional_integer(&O::threads, 1, 4096)},
        {"--seed", "N", "of weights, data and dropout (default 1)", integer(&O::seed, 0, INT64_MAX)},
        {"--data", "NAME",
         "where samples come from: synthetic; cifar10:FOLDER with data_batch_*.bin; images:FOLDER with\n"
         "CLASS/*.jpg; tokens:FOLDER with *.bin of 16-bit token ids (default synthetic)",
         word(&O::data)},
        {"--data-threads", "N",
         "that read samples beside training (default: 1 on cpu, usable cores / processes on cuda)",
         optional_integer(&O::data_threads, 1, 1024)},
        {"--jpeg", "NAME",
         "what decodes JPEG files: gpu (nvJPEG), cpu (libjpeg) (default: gpu on cuda where nvJPEG is built "
         "in)",
         check_jpeg},
        {"--optimizer", "NAME", "sgd, adamw or lamb (default: sgd for images, adamw for sequences)",
         check_optimizer},
        {"--learning-rate", "X", "constant (default: sgd 0.1 * global batch / 256, adamw 0.0001, lamb 0.001)",
         real(&O::learning_rate, 0, 1e6)},
        {"--weight-decay", "X", "of weights, not of biases and norms (default: sgd 0.0001, others 0.01)",
         real(&O::weight_decay, 0, 1e6)},
        {"--momentum", "X", "of sgd (default 0.9)", real(&O::momentum, 0, 1)},
        {"--clip-norm", "X", "largest norm of the whole gradient, 0 = no limit (default: sgd 0, others 1)",
         real(&O::clip_norm, 0, 1e30)},
        {"--label-smoothing", "X", "share of the target spread over all classes (default 0; images only)",
         real(&O::label_smoothing, 0, 0.999)},
        {"--dropout", "X", "probability of dropping (default 0.1; sequences only)",
         real(&O::dropout, 0, 0.999)},
        {"--image-size", "PIXELS", "height and width (default 224, cifar models 32)",
         optional_integer(&O::image_size, 8, 1024)},
        {"--sequence-length", "TOKENS", "(default 128)", optional_integer(&O::sequence_length, 8, 512)},
        {"--rendezvous", "HOW",
         "how processes meet: env (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT or those of mpirun and\n"
         "srun) or file:PATH on a shared file system, a new name for every run (default env)",
         check_rendezvous},
        {"--communicator", "NAME",
         "how gradients are exchanged: auto (nccl on cuda where it is built in, otherwise gloo), nccl or "
         "gloo\n"
         "(default auto)",
         check_communicator},
        {"--bucket-size", "MIB",
         "gradients leave in pieces of about so much while backward goes on (default: 8 on cpu, 64 on cuda)",
         optional_integer(&O::bucket_mib, 1, 65536)},
        {"--exchange-precision", "NAME",
         "of fp32 gradients on their way between processes: own, fp16 or bf16 (default own; needs nccl)",
         check_exchange_precision},
        {"--timeout", "SECONDS", "to wait for other processes, at the start and in a step (default 60)",
         real(&O::timeout_s, 1, 86400)},
        {"--freeze-bn", "", "batch norm uses and keeps its initial statistics (mean 0, variance 1)",
         flag(&O::freeze_bn)},
        {"--zero-init-residual", "", "the last norm scale of every residual block starts at 0, not 1",
         flag(&O::zero_init_residual)},
        {"--overfit", "", "the same batch in every step", flag(&O::overfit)},
        {"--save", "FILE", "rank 0 writes the final parameters: float32, little endian, in model order",
         word(&O::save)},
        {"--list-models", "", "print the models as JSON and end", action(O::Action::ListModels)},
        {"--list-devices", "", "print the devices that can be used here as JSON and end",
         action(O::Action::ListDevices)},
        {"--version", "", "print the version and end", action(O::Action::Version)},
        {"--help", "", "print this and end", action(O::Action::Help)},
    };
    return kTable;
}

// Edits (insert, delete, replace) from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

std::string unknown_option(std::string_view name)
{
    const auto nearest =
        std::min_element(table().begin(), table().end(), [name](const OptionSpec &a, const OptionSpec &b) {
            return edit_distance(name, a.name) < edit_distance(name, b.name);
        });
    std::string message = "unknown option \"" + std::string(name) + "\"";
    if (edit_distance(name, nearest->name) <= std::max<std::size_t>(2, name.size() / 3))
        message += ", did you mean " + std::string(nearest->name) + "?";
    else
        message += ", see sbtrain --help";
    return message;
}

} // namespace

Result<Options> parse_options(std::span<const char *const> arguments)
{
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const std::size_t equals = argument.find('=');
        const std::string_view name = argument.substr(0, equals);
        const auto spec = std::find_if(table().begin(), table().end(),
                                       [name](const OptionSpec &entry) { return entry.name == name; });
        if (spec == table().end())
            return Error{ExitCode::Usage, unknown_option(name)};

        std::string_view value;
        if (spec->argument.empty()) {
            if (equals != std::string_view::npos)
                return Error{ExitCode::Usage, std::string(name) + " takes no value"};
        } else if (equals != std::string_view::npos) {
            value = argument.substr(equals + 1);
        } else if (i + 1 < arguments.size()) {
            value = arguments[++i];
        } else {
            return Error{ExitCode::Usage, std::string(name) + " needs a value: " + std::string(name) + " " +
                                              std::string(spec->argument)};
        }
        if (const std::string problem = spec->set(options, value); !problem.empty())
            return Error{ExitCode::Usage, std::string(name) + " " + problem};
    }
    return options;
}

std::string help_text()
{
    std::string text = "sbtrain trains a model and reports every step as a line of JSON.\n\n"
                       "usage: sbtrain [options]\n       sbtrain bench copy|matmul|p2p|allreduce\n\n";
    constexpr std::size_t kIndent = 28;
    for (const OptionSpec &spec : table()) {
        std::string line("  ");
        line.append(spec.name);
        if (!spec.argument.empty())
            line.append(" ").append(spec.argument);
        line.resize(std::max(kIndent, line.size() + 2), ' ');
        for (const char c : spec.help) {
            line += c;
            if (c == '\n')
                line.append(kIndent, ' ');
        }
        text += line + "\n";
    }
    text +=
        "\nEvents go to standard output, see EVENTS.md; words for people go to standard error.\n"
        "Exit status: 0 done, 1 internal, 2 usage, 3 not supported, 4 processes did not meet, 5 a process\n"
        "was lost, 6 out of memory, 7 the loss is not finite, 8 output lost, 130 SIGINT, 143 SIGTERM.\n";
    return text;
}

} // namespace sbtrain
