// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan.h"

namespace sb {

// What a plan must say where a queue (Slurm, Kubernetes) chooses the nodes, and what it may ask of the queue.
// Names are held against the queue's own rules, so that nothing hostile gets into a script or a manifest.
Result<void> checkQueue(const Plan &plan);

// The image of a framework whose environment in the plan is one of docker or podman ("docker:a/b:1" →
// "a/b:1"); empty for anything else.
std::string imageOf(const std::string &environment);

} // namespace sb
