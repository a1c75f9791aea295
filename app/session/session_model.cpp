// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_model.h"

#include "catalog/manifest.h"
#include "catalog/plan_file.h"
#include "remote/node_names.h"
#include "session/plan_runner.h"
#include "session/rebuild.h"
#include "session/run_worker.h"
#include "store/workspace.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>

namespace sb {

class SessionModel::Private {
public:
    Options options;
    Catalog catalog;
    std::unique_ptr<Workspace> workspace;
    std::vector<CaseResult> results;
    std::vector<NodeFacts> nodes;
    std::vector<NodeStatus> statuses; // all nodes, in the order they were added
    std::vector<SshQuestion> questions;
    std::map<std::string, std::string> checksums; // of program files, by path and time
    Plan plan;
    std::optional<Error> planProblem;
    std::vector<PlannedCase> cases;
    QThread ioThread;
    RunWorker *worker = nullptr; // lives in ioThread
    std::unique_ptr<PlanRunner> runner;
    SweepProgress idle;
    std::optional<LiveRun> noRun;
    std::vector<Run> noRuns;

    // A program of a plugin: an absolute path, a program folder, then PATH.
    Result<std::string> findProgram(const Framework &framework) const
    {
        QStringList folders;
        for (const std::string &folder : options.programFolders)
            folders << QString::fromStdString(folder);
        const QString name = QString::fromStdString(framework.program);
        QString found = QStandardPaths::findExecutable(name, folders);
        if (found.isEmpty())
            found = QStandardPaths::findExecutable(name);
        if (!found.isEmpty())
            return QFileInfo(found).absoluteFilePath().toStdString();
        return Error{ErrorCode::Unavailable,
                     "The program \"" + framework.program + "\" of " + framework.title +
                         " was not found in " + folders.join(QStringLiteral(", ")).toStdString() +
                         " or PATH. Build it with packaging/run, or take the framework out of the plan."};
    }

    // Where each usable node is, for runs over `nodeCount` of them.
    std::vector<LaunchPlace> places() const
    {
        std::vector<LaunchPlace> result;
        const auto choice = nodes.size() > 1 ? chooseNetwork(nodes) : std::nullopt;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const NodeStatus *status = find(nodes[i].name);
            LaunchPlace place{
                nodes[i].name, status->address, status->workFolder, {}, status->programFolder, {}};
            if (!options.nodeWorkFolder.empty())
                place.workFolder = options.nodeWorkFolder;
            if (choice) {
                place.address = choice->places[i].address;
                place.interface = choice->places[i].interface;
            }
            result.push_back(std::move(place));
        }
        return result;
    }

    const NodeStatus *find(const std::string &name) const
    {
        const auto found = std::find_if(statuses.begin(), statuses.end(),
                                        [&](const NodeStatus &status) { return status.name == name; });
        return found == statuses.end() ? nullptr : &*found;
    }

    // Facts of the nodes that can be used; true when that changed.
    bool collectNodes()
    {
        std::vector<NodeFacts> usable;
        for (const NodeStatus &status : statuses)
            if (status.facts && (status.ssh.state == SshState::Ready || status.ssh.state == SshState::Lost))
                usable.push_back(*status.facts);
        const bool changed = usable != nodes;
        nodes = std::move(usable);
        return changed;
    }

    void add(const std::string &name)
    {
        NodeStatus status;
        status.name = name;
        status.ssh.state = SshState::Connecting;
        statuses.push_back(std::move(status));
        QMetaObject::invokeMethod(worker,
                                  [worker = worker, name] { worker->addNode(QString::fromStdString(name)); });
    }

    void drop(const std::string &name)
    {
        std::erase_if(statuses, [&](const NodeStatus &status) { return status.name == name; });
        QMetaObject::invokeMethod(
            worker, [worker = worker, name] { worker->removeNode(QString::fromStdString(name)); });
    }

    Result<SweepProgram> sweepProgram(const std::string &path)
    {
        SweepProgram program{path, {}};
        const bool away = std::any_of(statuses.begin(), statuses.end(),
                                      [](const NodeStatus &status) { return !status.programFolder.empty(); });
        if (!away)
            return program;
        const QFileInfo file(QString::fromStdString(path));
        std::string &known = checksums[path + file.lastModified().toString(Qt::ISODateWithMs).toStdString()];
        if (known.empty()) {
            auto checksum = fileChecksum(path);
            if (!checksum)
                return checksum.error();
            known = *checksum;
        }
        program.checksum = known;
        return program;
    }

    void expand()
    {
        planProblem.reset();
        cases.clear();
        if (const auto checked = checkPlan(plan, catalog.frameworks); !checked) {
            planProblem = checked.error();
            return;
        }
        cases = expandPlan(plan, catalog.frameworks, nodes);
    }
};

SessionModel::SessionModel(Options options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->options = std::move(options);
    d->catalog = readCatalog(d->options.pluginFolder);
    d->worker = new RunWorker;
    d->worker->moveToThread(&d->ioThread);
    connect(d->worker, &RunWorker::nodeChanged, this, &SessionModel::takeNode);
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
    d->ioThread.setObjectName(QStringLiteral("io"));
    d->ioThread.start();
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
    QMetaObject::invokeMethod(d->worker, &RunWorker::tearDown, Qt::BlockingQueuedConnection);
    d->ioThread.quit();
    d->ioThread.wait();
    delete d->worker;
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
    closeWorkspace();
    auto created = Workspace::create(folder);
    if (!created)
        return created.error();
    return takeWorkspace(std::move(*created));
}

Result<void> SessionModel::openWorkspace(const std::string &folder)
{
    closeWorkspace();
    auto opened = Workspace::open(folder);
    if (!opened)
        return opened.error();
    return takeWorkspace(std::move(*opened));
}

Result<void> SessionModel::takeWorkspace(std::unique_ptr<Workspace> workspace)
{
    if (workspace->needsRebuild())
        if (const auto rebuilt = rebuild(*workspace, d->catalog.frameworks); !rebuilt)
            return rebuilt.error();
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
    return {};
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

bool SessionModel::hasWorkspace() const
{
    return d->workspace != nullptr;
}
std::string SessionModel::workspaceFolder() const
{
    return d->workspace ? d->workspace->folder() : "";
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

std::string SessionModel::rawLogPath(const std::string &runId, int rank) const
{
    return d->workspace ? d->workspace->rankLogPath(runId, rank) : "";
}

void SessionModel::takeNode(const NodeStatus &status)
{
    const auto known = std::find_if(d->statuses.begin(), d->statuses.end(),
                                    [&](const NodeStatus &one) { return one.name == status.name; });
    if (known == d->statuses.end())
        return; // removed since
    if (status.name == kLocalNode && status.ssh.problem && status.ssh.problem != known->ssh.problem)
        Q_EMIT problem(QString::fromStdString(status.ssh.problem->text()));
    *known = status;
    const bool changed = d->collectNodes();
    if (changed)
        d->expand();
    Q_EMIT nodesChanged();
    if (changed)
        Q_EMIT planChanged();
}

const std::vector<NodeFacts> &SessionModel::nodes() const
{
    return d->nodes;
}
const std::vector<NodeStatus> &SessionModel::nodeStatuses() const
{
    return d->statuses;
}

bool SessionModel::probing() const
{
    return std::any_of(d->statuses.begin(), d->statuses.end(), [](const NodeStatus &status) {
        const SshState state = status.ssh.state;
        return state == SshState::Connecting || state == SshState::Asking || state == SshState::Idle ||
               (state == SshState::Ready && !status.facts);
    });
}

void SessionModel::probeNodes()
{
    for (const NodeStatus &status : d->statuses)
        connectNode(status.name);
}

void SessionModel::connectNode(const std::string &name)
{
    QMetaObject::invokeMethod(
        d->worker, [worker = d->worker, name] { worker->connectNode(QString::fromStdString(name)); });
}

Result<void> SessionModel::addNodes(const std::string &names)
{
    const auto expanded = expandNodeNames(names);
    if (!expanded)
        return expanded.error();
    if (d->find(kLocalNode)) {
        if (progress().active)
            return Error{ErrorCode::Unavailable,
                         "A plan is running on this machine; add nodes when it is done."};
        d->drop(kLocalNode);
    }
    for (const std::string &name : *expanded)
        if (!d->find(name) && name != kLocalNode)
            d->add(name);
    if (d->statuses.empty())
        d->add(kLocalNode);
    if (d->collectNodes()) {
        d->expand();
        Q_EMIT planChanged();
    }
    Q_EMIT nodesChanged();
    return {};
}

Result<void> SessionModel::removeNode(const std::string &name)
{
    if (progress().active)
        return Error{ErrorCode::Unavailable, "A plan is running; nodes can be removed when it is done."};
    d->drop(name);
    if (d->statuses.empty())
        d->add(kLocalNode);
    d->collectNodes();
    d->expand();
    Q_EMIT nodesChanged();
    Q_EMIT planChanged();
    return {};
}

std::optional<NetworkChoice> SessionModel::network(int nodeCount) const
{
    if (nodeCount < 2 || static_cast<std::size_t>(nodeCount) > d->nodes.size())
        return std::nullopt;
    return chooseNetwork(d->nodes);
}

std::vector<std::string> SessionModel::knownAliases() const
{
    const auto config = SshConfig::load(d->options.sshConfig);
    return config ? config->aliases() : std::vector<std::string>();
}

const std::vector<SshQuestion> &SessionModel::questions() const
{
    return d->questions;
}

void SessionModel::answer(std::uint64_t question, const SshAnswer &answer)
{
    QMetaObject::invokeMethod(d->worker,
                              [worker = d->worker, question, answer] { worker->answer(question, answer); });
}

bool SessionModel::hasKeychain()
{
    return Credentials::hasKeychain();
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
    if (caseIndex >= d->cases.size())
        return {};
    const CaseKey &key = d->cases[caseIndex].key;
    for (const Framework &framework : d->catalog.frameworks) {
        if (framework.name != key.framework)
            continue;
        std::vector<LaunchPlace> places = d->places();
        const auto path = d->findProgram(framework);
        const auto program = d->sweepProgram(path ? *path : framework.program);
        placePrograms(program ? *program : SweepProgram{framework.program, {}}, key.nodes, places);
        const auto launch = prepareLaunch(framework, key, caseId(key), places);
        return launch ? launch->commands : std::vector<std::string>{launch.error().message};
    }
    return {};
}

std::optional<double> SessionModel::estimatedTotalS() const
{
    double total = 0;
    for (const PlannedCase &planned : d->cases) {
        if (planned.refused())
            continue;
        if (!planned.estimatedRunTimeS)
            return std::nullopt;
        total += *planned.estimatedRunTimeS * d->plan.measurement.repeats;
    }
    return total;
}

Result<void> SessionModel::startPlan()
{
    if (!d->workspace)
        return Error{ErrorCode::Unavailable, "Open or make a workspace first: results need a place."};
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
            auto ready = d->sweepProgram(*program);
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
