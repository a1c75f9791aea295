// SPDX-License-Identifier: GPL-3.0-or-later
// Where compare and fit get results from.
#pragma once

#include "core/result.h"
#include "core/run.h"
#include "core/scaling.h"
#include "core/scaling_loss.h"
#include "session/collective_files.h"

#include <functional>
#include <string>
#include <vector>

namespace sb::cli {

struct ResultSource {
    std::string name; // as it is called in what is printed
    std::vector<CaseResult> results;
    std::vector<ScalingCurve> curves;        // of the results
    std::vector<Run> runs;                   // of a workspace or a bundle only
    std::vector<CollectiveFile> collectives; // measured ones that the workspace keeps
    // What the steps of a workspace's case were spent on, from its samples; nothing without samples.
    std::function<std::optional<StepParts>(const CaseResult &)> partsOf;
};

// `text` is a workspace's folder, a bundle, a file that `results --json` printed, or published results:
// "dlperf-2020-10" (all its tables), "dlperf-2020-10/resnet50-fp32" (a table) or
// "dlperf-2020-10/ngc-mxnet-resnet50-fp32-b128-dali" (a series). "#native" behind it leaves only that
// framework's results.
Result<ResultSource> openResultSource(const std::string &text);

// What an argument of that kind is, for help texts.
inline constexpr const char *kSourceHelp =
    "A workspace's folder, a bundle, a file that results --json printed, or published results such as "
    "dlperf-2020-10/resnet50-fp32; #NAME behind it leaves only the framework NAME.";

} // namespace sb::cli
