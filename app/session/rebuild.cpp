// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rebuild.h"

#include "core/measurement.h"
#include "session/import.h"
#include "session/log_files.h"

namespace sb {

namespace {

// An imported log may be of a program that has no plugin: its form is in logs.json.
std::optional<Framework> formNamed(std::span<const Framework> frameworks, const std::string &name)
{
    if (frameworks.empty() || !frameworks.front().log.words)
        return std::nullopt;
    for (const LineFormat &form : frameworks.front().log.words->formats)
        if (form.name == name) {
            Framework framework;
            framework.name = name;
            framework.log = {LogRule::Lines, form.lines, ThroughputFrom::Printed,
                             frameworks.front().log.words};
            return framework;
        }
    return std::nullopt;
}

// A run that ended well is Done exactly if its log gives a measurement; how it ended otherwise stays.
void measureAgain(Run &run, const std::vector<Sample> &rank0, ThroughputFrom from)
{
    run.measurement.reset();
    if (run.exitCode != 0 || (run.state != RunState::Done && run.state != RunState::Failed))
        return;
    auto measured =
        measure(rank0, {run.key.warmupSteps, run.key.measuredSteps, 1}, run.facts.globalBatchSize, from);
    run.state = measured ? RunState::Done : RunState::Failed;
    run.reason = measured ? "" : measured.error().message;
    if (measured)
        run.measurement = *measured;
}

Result<void> rebuildRun(Workspace &workspace, const Framework &framework, Run run, RebuildReport &report)
{
    if (auto dropped = workspace.dropSamples(run.id); !dropped)
        return dropped;
    std::vector<Sample> rank0;
    // An import brings one log, whatever the number of its ranks was.
    const int ranks = run.planName == kImportPlan ? 1 : run.processes();
    for (int rank = 0; rank < ranks; ++rank) {
        auto log = readRankLog(workspace.rankLogPath(run.id, rank), framework.log, rank);
        if (!log) {
            report.problems.push_back(log.error().message);
            continue;
        }
        if (auto appended = workspace.appendSamples(run.id, log->samples); !appended)
            return appended;
        report.samples += static_cast<std::int64_t>(log->samples.size());
        if (rank == 0) {
            if (run.planName != kImportPlan) // what an import knows is from paths, too
                run.facts = log->facts;
            if (run.planName != kImportPlan && !run.facts.globalBatchSize)
                run.facts.globalBatchSize = run.key.globalBatchSize();
            rank0 = std::move(log->samples);
        }
    }
    measureAgain(run, rank0, framework.log.from);
    report.measured += run.measurement ? 1 : 0;
    return workspace.saveRun(run);
}

} // namespace

Result<RebuildReport> rebuild(Workspace &workspace, std::span<const Framework> frameworks,
                              const std::function<void(int, int)> &step)
{
    RebuildReport report;
    const std::vector<Run> runs = workspace.runs(); // a copy: saving changes the workspace's own list
    for (const Run &run : runs) {
        const bool isRow = run.planName == kImportPlan && run.key.measuredSteps == 0; // of a table: no log
        if (isFinal(run.state) && !isRow) {
            const Framework *framework = findFramework(frameworks, run.key.framework);
            const auto form = framework ? std::nullopt : formNamed(frameworks, run.key.framework);
            if (form)
                framework = &*form;
            if (!framework)
                report.problems.push_back(run.id + ": there is no plugin \"" + run.key.framework + "\".");
            else if (auto rebuilt = rebuildRun(workspace, *framework, run, report); !rebuilt)
                return rebuilt.error();
        }
        report.runs += 1;
        if (step)
            step(report.runs, static_cast<int>(runs.size()));
    }
    return report;
}

} // namespace sb
