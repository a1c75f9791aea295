// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "result.h"

#include <cstdint>
#include <span>
#include <string>

namespace sbtrain {

// What the command line asks for. Absent: the model's or the machine's own value.
struct Options {
    enum class Action { Train, Help, Version, ListModels, ListDevices };
    Action action = Action::Train;

    std::string device = "cpu";
    std::string model = "resnet50";
    std::string precision = "fp32";
    std::string data = "synthetic";
    std::int64_t batch_size = 8; // samples a process
    std::int64_t steps = 50;
    std::int64_t accumulate = 1;         // micro-batches a step
    std::optional<std::int64_t> threads; // a process
    std::optional<std::int64_t> data_threads;
    std::optional<std::string> jpeg; // gpu or cpu
    std::uint64_t seed = 1;

    std::optional<std::string> optimizer;
    std::optional<double> learning_rate;
    std::optional<double> weight_decay;
    std::optional<double> momentum;
    std::optional<double> clip_norm; // 0: no clipping
    double label_smoothing = 0.0;
    std::optional<double> dropout;

    std::optional<std::int64_t> image_size;      // pixels
    std::optional<std::int64_t> sequence_length; // tokens

    std::string rendezvous = "env";    // or file:PATH
    std::string communicator = "auto"; // auto, nccl or gloo
    std::optional<std::int64_t> bucket_mib;
    std::string exchange_precision = "own"; // own, fp16 or bf16
    double timeout_s = 60.0;
    bool freeze_bn = false;
    bool zero_init_residual = false;
    bool overfit = false;
    std::string save; // file for the final parameters; empty: none
};

// Arguments without the program's name. Failure: ExitCode::Usage and a sentence that names the option, what
// is wrong with it and, for a misspelt option, the one that was probably meant.
Result<Options> parse_options(std::span<const char *const> arguments);

// Every option with its unit and default.
std::string help_text();

} // namespace sbtrain
