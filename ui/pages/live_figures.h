// SPDX-License-Identifier: GPL-3.0-or-later
// What the Live page says about a run, computed from the session's values; no widgets.
#pragma once

#include "core/scaling.h"
#include "core/statistics.h"
#include "session/session_model.h"
#include "widgets/figure_strip.h"

#include <optional>
#include <span>
#include <vector>

namespace sb {

struct LiveFigures {
    std::vector<Figure> figures;  // throughput, step time, speedup, steps, energy or load
    std::optional<double> median; // of the measured steps so far, samples/s
    std::optional<MedianInterval> interval;
    std::int64_t stepsDone = 0;
};

// `results` are the workspace's, for the baseline; `staleS` = seconds without data, if that is too long.
LiveFigures liveFigures(const LiveRun &live, std::span<const CaseResult> results,
                        std::optional<double> staleS);

// How many seconds without a step are too many: 2 s, or three times the median step where steps are slow.
double staleAfterS(const LiveRun &live);

// Deviation of each rank's step time from the median of all ranks, over the last `steps` steps of each.
// Empty unless every rank has data and there are at least two. 0.05 = 5 % slower.
std::vector<double> rankDeviations(const LiveRun &live, int steps);

// "Native (sbtrain) · ResNet-50 v1.5 · FP32 · 4 · 1n2g"
QString runTitle(const Run &run);
// "Slurm job 4711: PENDING (Resources)", "Kubernetes job sb-…: Running".
QString jobText(const RunJob &job);
// A word for a state: "running", "failed".
QString runStateText(RunState state);

} // namespace sb
