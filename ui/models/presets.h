// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/framework.h"
#include "core/node.h"
#include "core/plan.h"

#include <optional>
#include <span>

namespace sb {

// A plan that ends within minutes on these nodes: one model, one device and then two, four … up to what the
// smallest node has. Nothing if no framework runs on the device these nodes have.
std::optional<Plan> firstStudyPlan(std::span<const Framework> frameworks, std::span<const NodeFacts> nodes);

// The 2020-10 report's plan with every framework that can run its model.
Plan reportPlan(std::span<const Framework> frameworks);

} // namespace sb
