// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_model.h"

#include "session/session_model_private.h"

#include "catalog/manifest.h"
#include "catalog/plan_file.h"
#include "remote/node_names.h"
#include "session/plan_runner.h"
#include "session/rebuild.h"
#include "session/run_worker.h"
#include "session/step_parts.h"
#include "store/workspace.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace sb {

SessionModel::SessionModel(Options options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->options = std::move(options);
    d->catalog = readCatalog(d->options.pluginFolder, d->options.userPluginFolder);
    d->worker = new RunWorker;
    d->worker->moveToThread(d->ioThread.qt());
    connect(d->worker, &RunWorker::nodeChanged, this, &SessionModel::takeNode);
    connect(d->worker, &RunWorker::programBuilding, this, &SessionModel::programBuilding);
    connect(d->worker, &RunWorker::imagePulling, this, &SessionModel::imagePulling);
    connect(d->worker, &RunWorker::nodeSshTold, this, &SessionModel::nodeSshTold);
    connect(d->worker, &RunWorker::nodeSshDone, this, &SessionModel::nodeSshDone);
    connect(d->worker, &RunWorker::topologyRead, this, &SessionModel::takeTopology);
    connect(d->worker, &RunWorker::asked, this, [this](const SshQuestion &question) {
        d->questions.push_back(question);
        Q_EMIT questionsChanged();
    });
    connect(d->worker, &RunWorker::questionGone, this, [this](quint64 id) {
        std::erase_if(d->questions, [id](const SshQuestion &question) { return question.id == id; });
        Q_EMIT questionsChanged();
    });
    connect(d->worker, &RunWorker::deployProgressed, this,
            [this](const QString &, const QString &host, qint64 sent, qint64 total) {
                Q_EMIT deployProgressed(host, sent, total);
            });
    QMetaObject::invokeMethod(d->worker,
                              [worker = d->worker, config = QString::fromStdString(d->options.sshConfig)] {
                                  worker->setUp(config);
                              });
    if (d->options.thisMachine)
        d->add(kLocalNode);
}

SessionModel::~SessionModel()
{
    closeWorkspace();
    d->ioThread.end([worker = d->worker] { worker->tearDown(); }, d->worker);
}

const std::vector<Framework> &SessionModel::frameworks() const
{
    return d->catalog.frameworks;
}
const std::vector<std::string> &SessionModel::catalogProblems() const
{
    return d->catalog.problems;
}

Result<void> SessionModel::createWorkspace(const std::string &folder)
{
    return changeWorkspace(folder, Workspace::create);
}

Result<void> SessionModel::openWorkspace(const std::string &folder)
{
    return changeWorkspace(folder, Workspace::open);
}

Result<void> SessionModel::changeWorkspace(const std::string &folder, WorkspaceOpener opener)
{
    if (progress().active)
        return Error{ErrorCode::Unavailable,
                     "A plan is running; stop it or wait for its end, then open the other workspace."};
    const QString wanted = QFileInfo(QString::fromStdString(folder)).canonicalFilePath();
    if (d->workspace && !wanted.isEmpty() &&
        wanted == QFileInfo(QString::fromStdString(d->workspace->folder())).canonicalFilePath())
        closeWorkspace(); // its own lock would be in the way
    auto workspace = opener(folder);
    if (!workspace)
        return workspace.error();
    if ((*workspace)->needsRebuild())
        if (const auto rebuilt = rebuild(**workspace, d->catalog.frameworks); !rebuilt)
            return rebuilt.error();
    closeWorkspace();
    takeWorkspace(std::move(*workspace));
    return {};
}

void SessionModel::takeWorkspace(std::unique_ptr<Workspace> workspace)
{
    d->workspace = std::move(workspace);
    d->results = aggregate(d->workspace->runs());
    d->runner = std::make_unique<PlanRunner>(*d->workspace, d->catalog.frameworks, *d->worker);
    PlanRunner *runner = d->runner.get();
    connect(runner, &PlanRunner::progressChanged, this, &SessionModel::progressChanged);
    connect(runner, &PlanRunner::liveRunChanged, this, &SessionModel::liveRunChanged);
    connect(runner, &PlanRunner::liveDataAppended, this, &SessionModel::liveDataAppended);
    connect(runner, &PlanRunner::problem, this, &SessionModel::problem);
    connect(runner, &PlanRunner::planFinished, this, &SessionModel::planFinished);
    connect(runner, &PlanRunner::runFinished, this, [this](const Run &run) {
        d->results = aggregate(d->workspace->runs());
        Q_EMIT resultsChanged();
        Q_EMIT runFinished(run);
    });
    Q_EMIT workspaceChanged();
    Q_EMIT resultsChanged();
    for (const std::string &sentence : d->workspace->problems())
        Q_EMIT problem(QString::fromStdString(sentence));
}

void SessionModel::closeWorkspace()
{
    if (!d->workspace)
        return;
    QMetaObject::invokeMethod(d->worker, &RunWorker::forgetRun); // runs go on on their nodes
    d->runner.reset();
    d->workspace.reset();
    d->results.clear();
    Q_EMIT workspaceChanged();
    Q_EMIT resultsChanged();
}

const Catalog &SessionModel::catalog() const
{
    return d->catalog;
}

Result<ImportReport> SessionModel::importRuns(const ImportPreview &preview)
{
    if (!d->workspace)
        return Error{ErrorCode::Unavailable, "Open or make a workspace first: results need a place."};
    auto report = applyImport(*d->workspace, preview, d->catalog);
    d->results = aggregate(d->workspace->runs()); // also what came before an error
    Q_EMIT resultsChanged();
    return report;
}

bool SessionModel::hasWorkspace() const
{
    return d->workspace != nullptr;
}
std::string SessionModel::workspaceFolder() const
{
    return d->workspace ? d->workspace->folder() : "";
}
std::string SessionModel::pluginFolder() const
{
    return d->options.pluginFolder;
}

std::string SessionModel::userPluginFolder() const
{
    return d->options.userPluginFolder;
}

std::string SessionModel::workspaceName() const
{
    return d->workspace ? d->workspace->name() : "";
}
const std::vector<Run> &SessionModel::runs() const
{
    return d->workspace ? d->workspace->runs() : d->noRuns;
}
const std::vector<CaseResult> &SessionModel::results() const
{
    return d->results;
}

Result<std::vector<Sample>> SessionModel::samples(const std::string &runId, int rank) const
{
    if (!d->workspace)
        return Error{ErrorCode::Unavailable, "No workspace is open."};
    return d->workspace->samples(runId, rank);
}

std::optional<StepParts> SessionModel::stepParts(const CaseResult &result) const
{
    return d->workspace ? stepPartsOf(*d->workspace, result) : std::nullopt;
}

bool SessionModel::readOnly() const
{
    return d->workspace && d->workspace->readOnly();
}

std::string SessionModel::rawLogPath(const std::string &runId, int rank) const
{
    return d->workspace ? d->workspace->rankLogPath(runId, rank) : "";
}

const Plan &SessionModel::plan() const
{
    return d->plan;
}

void SessionModel::setPlan(const Plan &plan)
{
    d->plan = plan;
    d->expand();
    Q_EMIT planChanged();
}

Result<void> SessionModel::loadPlan(const std::string &path)
{
    auto plan = readPlanFile(path);
    if (!plan)
        return plan.error();
    if (auto checked = checkPlan(*plan, d->catalog.frameworks); !checked)
        return Error{checked.error().code, path + ": " + checked.error().message};
    setPlan(*plan);
    return {};
}

Result<void> SessionModel::savePlan(const std::string &path) const
{
    return writePlanFile(d->plan, path);
}
const std::optional<Error> &SessionModel::planProblem() const
{
    return d->planProblem;
}
const std::vector<PlannedCase> &SessionModel::cases() const
{
    return d->cases;
}

std::vector<std::string> SessionModel::commandsFor(std::size_t caseIndex) const
{
    const auto launch = d->launchFor(caseIndex);
    if (!launch)
        return {launch.error().message};
    std::vector<std::string> lines = launch->commands;
    if (!launch->command.empty())
        lines.insert(lines.begin(), launch->command);
    return lines;
}

std::string SessionModel::manifestFor(std::size_t caseIndex) const
{
    const auto launch = d->launchFor(caseIndex);
    return launch ? launch->manifest : std::string();
}

Result<void> SessionModel::startPlan()
{
    if (!d->workspace)
        return Error{ErrorCode::Unavailable, "Open or make a workspace first: results need a place."};
    if (d->workspace->readOnly())
        return Error{ErrorCode::Unavailable, "This workspace is a bundle and read-only. Make a new workspace "
                                             "and run the plan there; the bundle has it below plans/."};
    if (d->planProblem)
        return *d->planProblem;
    if (progress().active)
        return Error{ErrorCode::Unavailable, "A plan is running already."};
    if (d->nodes.empty())
        return Error{ErrorCode::Unavailable,
                     probing() ? "The nodes are still being connected to; try again in a moment."
                               : "No node is connected. Connect one first."};
    Sweep sweep;
    sweep.planName = d->plan.name;
    sweep.cases = d->cases;
    sweep.rule = d->plan.measurement;
    sweep.nodes = d->nodes;
    for (NodeFacts &node : sweep.nodes) // so that a report can draw it
        if (const auto wiring = d->topologies.find(node.name);
            wiring != d->topologies.end() && !wiring->second.text.empty())
            node.topologyText = wiring->second.text;
    sweep.places = d->places();
    for (const LaunchPlace &place : sweep.places)
        if (place.workFolder.empty())
            return Error{ErrorCode::Unavailable,
                         "The node " + place.host + " has no home folder for its runs."};
    for (const Framework &framework : d->catalog.frameworks) {
        const auto wanted = std::find(d->plan.frameworks.begin(), d->plan.frameworks.end(), framework.name);
        auto program = d->findProgram(framework);
        if (!program && wanted != d->plan.frameworks.end())
            return program.error();
        if (program) {
            auto ready = d->sweepProgram(framework, *program);
            if (!ready)
                return ready.error();
            sweep.programs[framework.name] = *ready;
        }
    }
    const bool somethingRuns = std::any_of(sweep.cases.begin(), sweep.cases.end(),
                                           [](const PlannedCase &planned) { return !planned.refused(); });
    if (!somethingRuns)
        return Error{ErrorCode::BadInput,
                     "Every case of the plan is refused: " +
                         (sweep.cases.empty() ? "it has none." : sweep.cases.front().refusalReason)};
    d->runner->start(std::move(sweep));
    return {};
}

void SessionModel::setPauseAfterRun(bool pause)
{
    if (d->runner)
        d->runner->setPauseAfterRun(pause);
}

void SessionModel::stopRun()
{
    if (d->runner && progress().active)
        d->runner->stop();
}

const SweepProgress &SessionModel::progress() const
{
    return d->runner ? d->runner->progress() : d->idle;
}
const std::optional<LiveRun> &SessionModel::live() const
{
    return d->runner ? d->runner->live() : d->noRun;
}

} // namespace sb
