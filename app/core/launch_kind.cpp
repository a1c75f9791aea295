// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch_kind.h"

#include <array>
#include <utility>

namespace sb {

namespace {

constexpr std::array<std::pair<LaunchKind, const char *>, 5> kNames{{{LaunchKind::PerRank, "per_rank"},
                                                                     {LaunchKind::Mpirun, "mpirun"},
                                                                     {LaunchKind::Horovodrun, "horovodrun"},
                                                                     {LaunchKind::Slurm, "slurm"},
                                                                     {LaunchKind::Kubernetes, "kubernetes"}}};

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

bool isQueue(LaunchKind kind)
{
    return kind == LaunchKind::Slurm || kind == LaunchKind::Kubernetes;
}

bool isQueue(const std::string &name)
{
    const auto kind = launchKindFromName(name);
    return kind && isQueue(*kind);
}

std::string kubernetesMark()
{
    return "The launcher kubernetes was not run against a cluster yet: its manifests are checked against the "
           "published schemas, and kubectl against a stand-in for the API server.";
}

} // namespace sb
