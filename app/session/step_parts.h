// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of a measured case were spent on, from the samples that a workspace keeps.
#pragma once

#include "core/scaling.h"
#include "core/scaling_loss.h"

#include <optional>

namespace sb {

class Workspace;

// Of the case's run with the median throughput. Waits and work by rank where their logs have them. Nothing
// when the workspace has no samples of that run. Reads the index; call from the thread that opened it.
std::optional<StepParts> stepPartsOf(const Workspace &workspace, const CaseResult &result);

} // namespace sb
