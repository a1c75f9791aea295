// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sbtrain {

// Who we are among the processes of the job, as the launcher says in the environment.
struct LaunchEnv {
    int rank = 0;
    int world_size = 1;
    int local_rank = 0;
    int local_world_size = 1; // processes on this host
    std::string master_addr;  // where rank 0 listens; empty if the launcher does not say
    std::uint16_t master_port = 29500;
};

// RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT; what of these is missing is taken
// from OpenMPI (OMPI_COMM_WORLD_*), Slurm (SLURM_*) or PMI (PMI_*), in this order. A rank needs its world
// size from the same source. Failure: ExitCode::Usage, a variable that is not a number or ranks out of range.
using GetEnv = std::function<const char *(const char *name)>;
Result<LaunchEnv> read_launch_env(const GetEnv &get);

} // namespace sbtrain
