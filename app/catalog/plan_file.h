// SPDX-License-Identifier: GPL-3.0-or-later
// Plans as JSON files. The keys are described in resources/plans/README.md.
#pragma once

#include "core/plan.h"
#include "core/result.h"

#include <string>
#include <string_view>

namespace sb {

// Errors name file, line and key ("Did you mean …?"). Call checkPlan for what the values mean.
Result<Plan> readPlan(std::string_view text, const std::string &source);
Result<Plan> readPlanFile(const std::string &path);

std::string writePlan(const Plan &plan);
Result<void> writePlanFile(const Plan &plan, const std::string &path); // atomic

} // namespace sb
