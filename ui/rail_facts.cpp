// SPDX-License-Identifier: GPL-3.0-or-later
#include "rail_facts.h"

#include "widgets/text.h"

#include <algorithm>

namespace sb {

RailFacts railFacts(const SessionModel &session, bool stale)
{
    const SweepProgress &progress = session.progress();
    RailFacts facts;
    facts.workspaceName = toQString(session.workspaceName());
    facts.cases = static_cast<int>(std::count_if(session.cases().begin(), session.cases().end(),
                                                 [](const PlannedCase &c) { return !c.refused(); }));
    facts.planBroken = session.planProblem().has_value();
    facts.sweepActive = progress.active;
    facts.stale = stale;
    facts.pausing = progress.pauseRequested;
    facts.totalRuns = progress.totalRuns;
    facts.doneRuns = progress.doneRuns;
    facts.failedRuns = progress.failedRuns;
    facts.storedRuns = static_cast<int>(session.runs().size());
    facts.results = static_cast<int>(session.results().size());
    for (const ScalingCurve &curve : scalingCurves(session.results()))
        facts.curves += curve.points.size() >= 2 ? 1 : 0;
    return facts;
}

} // namespace sb
