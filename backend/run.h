// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "comm/communicator.h"
#include "comm/launch_env.h"
#include "data/data_source.h"
#include "device.h"
#include "events.h"
#include "models/model.h"
#include "options.h"

namespace sbtrain {

// Everything a run consists of, in the order in which it comes into being.
struct Run {
    const Options &options;
    EventWriter &events;
    double start_time_s;
    LaunchEnv env = {};
    const ModelInfo *model = nullptr;
    int threads = 1;
    OptimizerSettings optimizer = {};
    Graph graph = {};
    std::unique_ptr<DataSource> source = nullptr; // null for made-up samples
    std::unique_ptr<Device> device = nullptr;
    std::unique_ptr<PictureDecoder> pictures = nullptr;   // null: the host decodes
    std::unique_ptr<Communicator> communicator = nullptr; // null for one process
    std::unique_ptr<Program> program = nullptr;

    std::int64_t pass_samples() const { return options.batch_size * env.world_size; } // of all processes
    std::int64_t global_batch() const { return pass_samples() * options.accumulate; }
};

// From the options to a program with its first parameters; writes the start event.
Result<void> set_up(Run &run);

} // namespace sbtrain
