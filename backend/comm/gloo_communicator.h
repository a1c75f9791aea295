// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "communicator.h"
#include "launch_env.h"

#include <memory>

namespace sbtrain {

struct GlooSettings {
    std::string rendezvous = "env"; // or file:PATH
    double timeout_s = 60.0;        // for the start and for every call
};

// Connects all processes of env (world_size > 1) with each other over TCP. The network interface is that of
// GLOO_SOCKET_IFNAME, otherwise the one on the way to MASTER_ADDR. Failure: ExitCode::Rendezvous.
Result<std::unique_ptr<Communicator>> connect_gloo(const LaunchEnv &env, const GlooSettings &settings);

} // namespace sbtrain
