// SPDX-License-Identifier: GPL-3.0-or-later
// What must be true on every node before a run may start there, as one shell script a node and the reading of
// what it prints: the image is there, its container sees the GPUs, the framework's packages are there and
// alike on all nodes, official scripts are at their commit. Pure.
#pragma once

#include "core/framework.h"
#include "core/result.h"
#include "core/run.h"
#include "session/run_environment.h"

#include <span>
#include <string>
#include <vector>

namespace sb {

// What a run asks of its nodes.
struct RunWants {
    std::string framework;   // title
    std::string environment; // as in the plan; empty: as the node is
    std::vector<std::string> packages;
    std::string image;        // of a container, else empty
    std::string sourceFolder; // of official scripts, else empty
    std::string commit;       // that it must be at; empty: any
    std::string dataFolder;   // of real data, else empty
    int gpusInContainer = 0;  // that a container must show; 0: none are wanted

    bool operator==(const RunWants &) const = default;
};

RunWants wantsOf(const Framework &framework, const CaseKey &key, const RunEnvironment &environment);

// Empty where there is nothing to check. Prints "@sb key value" lines, between them an engine's own words
// while it pulls. `container` is that of the node's first rank, with another name.
std::string checkScript(const RunWants &wants, const RunEnvironment &environment,
                        const ContainerPlace &container);

// How one node's script ended.
struct RunCheckAnswer {
    std::string host;
    std::string output;          // standard output
    std::string errorOutput;     // standard error
    std::optional<int> exitCode; // absent: `error` says why
    std::string error;
};

// Nothing when the run may start; else one sentence that names the node and what to do.
std::optional<std::string> runCheckProblem(const RunWants &wants, std::span<const RunCheckAnswer> answers);

// What an engine says while it pulls, short enough for a status line; empty for a line that tells nothing.
std::string pullProgress(const std::string &line);

} // namespace sb
