// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch_kind.h"

#include <array>
#include <utility>

namespace sb {

namespace {

constexpr std::array<std::pair<LaunchKind, const char *>, 4> kNames{{{LaunchKind::PerRank, "per_rank"},
                                                                     {LaunchKind::Mpirun, "mpirun"},
                                                                     {LaunchKind::Horovodrun, "horovodrun"},
                                                                     {LaunchKind::Slurm, "slurm"}}};

} // namespace

std::string launchKindName(LaunchKind kind)
{
    for (const auto &[known, name] : kNames)
        if (known == kind)
            return name;
    return {};
}

std::optional<LaunchKind> launchKindFromName(const std::string &name)
{
    for (const auto &[kind, known] : kNames)
        if (name == known)
            return kind;
    return std::nullopt;
}

std::vector<std::string> launchKindNames()
{
    std::vector<std::string> names;
    for (const auto &[kind, name] : kNames)
        names.emplace_back(name);
    return names;
}

} // namespace sb
