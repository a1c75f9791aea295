// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/sweep.h"

#include <QDateTime>

#include <algorithm>

namespace sb {

namespace {

bool isDone(std::span<const Run> runs, const CaseKey &key, int repeat)
{
    return std::any_of(runs.begin(), runs.end(), [&](const Run &run) {
        return run.state == RunState::Done && run.repeat == repeat && run.key == key;
    });
}

// Whether the latest try ended by the user's wish. Runs are in the order in which they began.
bool wasStopped(std::span<const Run> runs, const CaseKey &key, int repeat)
{
    const auto latest = std::find_if(runs.rbegin(), runs.rend(),
                                     [&](const Run &run) { return run.repeat == repeat && run.key == key; });
    return latest != runs.rend() && latest->state == RunState::Cancelled;
}

SweepItem newItem(const Sweep &sweep, const PlannedRun &planned, std::span<const Framework> frameworks)
{
    Run run;
    run.key = sweep.cases[planned.caseIndex].key;
    run.caseName = caseId(run.key);
    run.planName = sweep.planName;
    run.repeat = planned.repeat;
    if (const Framework *framework = findFramework(frameworks, run.key.framework)) {
        run.frameworkTitle = framework->title;
        run.origin = {framework->image, framework->source, framework->commit, framework->features};
        if (const Workload *workload = framework->findWorkload(run.key.workload)) {
            run.workloadTitle = workload->title;
            run.unit = workload->unit;
            run.datasetSize = workload->datasetSize;
        }
    }
    return {run, planned.caseIndex};
}

std::optional<double> runDurationS(const Run &run)
{
    const auto start = QDateTime::fromString(QString::fromStdString(run.startedUtc), Qt::ISODateWithMs);
    const auto end = QDateTime::fromString(QString::fromStdString(run.finishedUtc), Qt::ISODateWithMs);
    if (!start.isValid() || !end.isValid())
        return std::nullopt;
    return static_cast<double>(start.msecsTo(end)) / 1000.0;
}

} // namespace

std::deque<SweepItem> missingItems(const Sweep &sweep, std::span<const Run> runs,
                                   std::span<const Framework> frameworks)
{
    std::deque<SweepItem> items;
    const auto caseOf = [&sweep](const CaseKey &key) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < sweep.cases.size(); ++i)
            if (sweep.cases[i].key == key && !sweep.cases[i].refused())
                return i;
        return std::nullopt;
    };
    for (const Run &run : runs)
        if (!isFinal(run.state))
            items.push_back({run, caseOf(run.key)});
    const std::size_t begun = items.size();
    for (const PlannedRun &planned : runOrder(sweep.cases, sweep.rule)) {
        const CaseKey &key = sweep.cases[planned.caseIndex].key;
        const bool going = std::any_of(
            items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begun),
            [&](const SweepItem &item) { return item.run.key == key && item.run.repeat == planned.repeat; });
        if (!going && !isDone(runs, key, planned.repeat))
            items.push_back(newItem(sweep, planned, frameworks));
    }
    return items;
}

std::vector<CaseProgress> countCases(const Sweep &sweep, std::span<const Run> runs,
                                     const std::deque<SweepItem> &queue, const SweepItem *current)
{
    std::vector<CaseProgress> cases(sweep.cases.size());
    for (std::size_t i = 0; i < sweep.cases.size(); ++i) {
        if (sweep.cases[i].refused())
            continue;
        CaseProgress &progress = cases[i];
        progress.repeats = sweep.rule.repeats;
        progress.running = current && current->caseIndex == i;
        for (int repeat = 1; repeat <= progress.repeats; ++repeat) {
            if (isDone(runs, sweep.cases[i].key, repeat)) {
                ++progress.done;
                continue;
            }
            const auto isThis = [&](const SweepItem &item) {
                return item.caseIndex == i && item.run.repeat == repeat;
            };
            const bool waits = std::any_of(queue.begin(), queue.end(), isThis);
            if (waits || (current && isThis(*current)))
                continue;
            ++(wasStopped(runs, sweep.cases[i].key, repeat) ? progress.stopped : progress.failed);
        }
    }
    return cases;
}

std::optional<double> expectedRunS(const Sweep &sweep, std::span<const Run> runs, std::size_t caseIndex)
{
    double own = 0;
    int ownCount = 0;
    double ratio = 0;
    int ratioCount = 0;
    for (const Run &run : runs) {
        const auto took = run.state == RunState::Done ? runDurationS(run) : std::nullopt;
        if (!took)
            continue;
        if (run.key == sweep.cases[caseIndex].key) {
            own += *took;
            ++ownCount;
        }
        for (const PlannedCase &planned : sweep.cases)
            if (planned.key == run.key && planned.estimatedRunTimeS && *planned.estimatedRunTimeS > 0) {
                ratio += *took / *planned.estimatedRunTimeS;
                ++ratioCount;
            }
    }
    if (ownCount > 0)
        return own / ownCount;
    const auto guess = sweep.cases[caseIndex].estimatedRunTimeS;
    if (!guess)
        return std::nullopt;
    return *guess * (ratioCount > 0 ? ratio / ratioCount : 1.0);
}

std::vector<ProgramCopy> placePrograms(const SweepProgram &program, int nodes,
                                       std::vector<LaunchPlace> &places)
{
    std::vector<ProgramCopy> copies;
    // All files of a plugin share a folder, so it is named after all of them.
    std::string together;
    for (const auto &[path, checksum] : program.files)
        together += checksum.substr(0, 8);
    for (std::size_t i = 0; i < places.size(); ++i) {
        LaunchPlace &place = places[i];
        if (place.kubernetes) { // the image has the program; scripts come with the job
            place.program = program.localPath.substr(program.localPath.rfind('/') + 1);
            place.filesFolder = kPodFilesFolder;
            place.podFiles = program.podFiles;
            continue;
        }
        const bool here = place.programFolder.empty();
        const bool used = i < static_cast<std::size_t>(nodes);
        place.program = here || program.onNode
                            ? program.localPath
                            : deployedPath(place.programFolder, program.checksum, program.localPath);
        if (!here && !program.onNode && used)
            copies.push_back(
                {place.host, {program.localPath, place.program, program.checksum}, program.sourceFolder});
        if (!program.files.empty()) {
            const std::string &first = program.files.front().first;
            place.filesFolder =
                here ? first.substr(0, first.rfind('/')) : place.programFolder + "/" + together;
        }
        for (const auto &[path, checksum] : program.files)
            if (!here && used)
                copies.push_back({place.host,
                                  {path, place.filesFolder + path.substr(path.rfind('/')), checksum},
                                  {},
                                  false});
    }
    return copies;
}

} // namespace sb
