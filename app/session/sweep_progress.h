// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace sb {

struct CaseProgress {
    int repeats = 0; // planned
    int done = 0;
    int failed = 0;  // failed or lost, and not tried again in this sweep
    int stopped = 0; // by the user; still to do when the plan goes on
    bool running = false;

    bool operator==(const CaseProgress &) const = default;
};

struct SweepProgress {
    bool active = false; // a plan is being worked on
    bool pauseRequested = false;
    int totalRuns = 0;
    int doneRuns = 0; // measured
    int failedRuns = 0;
    std::vector<CaseProgress> cases; // parallel to SessionModel::cases()
    double elapsedS = 0;
    std::optional<double> leftS; // absent until it can be estimated
    double deviceHours = 0;      // used so far

    bool operator==(const SweepProgress &) const = default;
};

} // namespace sb
