// SPDX-License-Identifier: Apache-2.0
#include "launch_env.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace sbtrain {

namespace {

struct Source {
    const char *rank;
    const char *world_size;
    const char *local_rank;
    const char *local_world_size;
};

constexpr Source kSources[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
};

constexpr int kMaxWorld = 65536;

Result<std::optional<int>> read_int(const GetEnv &get, const char *name, int least)
{
    const char *text = get(name);
    if (text == nullptr || *text == '\0')
        return std::optional<int>();
    int value = 0;
    const char *end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, value);
    if (error != std::errc() || stop != end || value < least || value > kMaxWorld)
        return Error{ExitCode::Usage, std::string("the environment variable ") + name + " is \"" + text +
                                          "\", which is no number from " + std::to_string(least) + " to " +
                                          std::to_string(kMaxWorld)};
    return std::optional<int>(value);
}

Result<bool> read_source(const GetEnv &get, const Source &source, LaunchEnv &env)
{
    const auto rank = read_int(get, source.rank, 0);
    if (!rank)
        return rank.error();
    const auto world = read_int(get, source.world_size, 1);
    if (!world)
        return world.error();
    if (!*rank && !*world)
        return false;
    if (!*rank || !*world)
        return Error{ExitCode::Usage, std::string("only one of ") + source.rank + " and " +
                                          source.world_size + " is in the environment: set both or none"};
    if (**rank >= **world)
        return Error{ExitCode::Usage, std::string(source.rank) + " is " + std::to_string(**rank) + " but " +
                                          source.world_size + " is " + std::to_string(**world) +
                                          ": ranks count from 0"};
    env.rank = **rank;
    env.world_size = **world;

    // "2(x3),1" of SLURM_NTASKS_PER_NODE and the like: a hint only, so what is no number is ignored.
    const auto local_rank = read_int(get, source.local_rank, 0);
    const auto local_size = read_int(get, source.local_world_size, 1);
    env.local_rank = local_rank && *local_rank ? **local_rank : 0;
    env.local_world_size = std::max(local_size && *local_size ? **local_size : 1, env.local_rank + 1);
    return true;
}

// Slurm says which hosts a step has ("a[1-3],b"); the first of them has rank 0.
std::string first_slurm_host(const char *list)
{
    if (list == nullptr)
        return {};
    std::string text(list);
    const std::size_t bracket = text.find('[');
    const std::size_t comma = text.find(',');
    if (bracket == std::string::npos || comma < bracket)
        return text.substr(0, comma);
    const std::size_t end = text.find_first_of(",-]", bracket);
    return text.substr(0, bracket) + text.substr(bracket + 1, end - bracket - 1);
}

} // namespace

Result<LaunchEnv> read_launch_env(const GetEnv &get)
{
    LaunchEnv env;
    // A batch script has SLURM_PROCID and SLURM_NTASKS too, but is one process: only srun sets the step.
    const bool in_batch_script = get("SLURM_JOB_ID") != nullptr && get("SLURM_STEP_ID") == nullptr;
    for (const Source &source : kSources) {
        if (in_batch_script && std::string_view(source.rank) == "SLURM_PROCID")
            continue;
        const Result<bool> found = read_source(get, source, env);
        if (!found)
            return found.error();
        if (*found)
            break;
    }
    const auto port = read_int(get, "MASTER_PORT", 1);
    if (!port)
        return port.error();
    if (*port && **port > 65535)
        return Error{ExitCode::Usage, "the environment variable MASTER_PORT is no port from 1 to 65535"};
    if (*port)
        env.master_port = static_cast<std::uint16_t>(**port);
    if (const char *address = get("MASTER_ADDR"); address != nullptr && *address != '\0')
        env.master_addr = address;
    else
        env.master_addr = first_slurm_host(get("SLURM_STEP_NODELIST"));
    if (env.master_addr.empty() && env.local_world_size == env.world_size)
        env.master_addr = "127.0.0.1"; // everybody is here
    return env;
}

} // namespace sbtrain
