// SPDX-License-Identifier: GPL-3.0-or-later
// What SessionModel is made of. For session_model.cpp and session_nodes.cpp only.
#pragma once

#include "session/session_model.h"

#include "catalog/manifest.h"
#include "session/deployer.h"
#include "session/io_thread.h"
#include "session/plan_runner.h"
#include "session/run_worker.h"
#include "store/workspace.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <map>

namespace sb {

inline constexpr qint64 kMostPodFileBytes = 2 * 1024 * 1024; // the launcher refuses less than that

class SessionModel::Private {
public:
    Options options;
    Catalog catalog;
    std::unique_ptr<Workspace> workspace;
    std::vector<CaseResult> results;
    std::vector<NodeFacts> nodes;
    std::vector<NodeStatus> statuses; // all nodes, in the order they were added
    std::vector<SshQuestion> questions;
    std::map<std::string, NodeTopology> topologies;            // by node
    std::map<std::string, std::map<int, std::string>> gpuSets; // best ones by node and size: "0,1,2,3"
    std::map<std::string, std::string> checksums;              // of program files, by path and time
    Plan plan;
    std::optional<Error> planProblem;
    std::vector<PlannedCase> cases;
    IoThread ioThread;
    RunWorker *worker = nullptr; // lives in ioThread
    std::unique_ptr<PlanRunner> runner;
    SweepProgress idle;
    std::optional<LiveRun> noRun;
    std::vector<Run> noRuns;

    // Programs are in the image then.
    bool inPods() const { return plan.launcher == launchKindName(LaunchKind::Kubernetes); }

    // A program of a plugin: an absolute path, a program folder, then PATH.
    Result<std::string> findProgram(const Framework &framework) const
    {
        if (framework.programOnNode || inPods())
            return framework.program;
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
            LaunchPlace place{nodes[i].name, status->address, status->workFolder, {}, status->programFolder};
            place.gpuSets = gpuSetsOf(nodes[i].name);
            place.infiniband = nodes[i].infiniband;
            if (!options.nodeWorkFolder.empty())
                place.workFolder = options.nodeWorkFolder;
            if (choice) {
                place.address = choice->places[i].address;
                place.interface = choice->places[i].interface;
                place.network = choice->network;
            }
            place.sshPort = status->sshPort;
            place.user = status->user;
            result.push_back(std::move(place));
        }
        if (inPods() && !result.empty()) {
            result.resize(1);
            result.front().kubernetes = plan.kubernetes;
            result.front().gpuSets.clear();
        }
        if (plan.launcher == launchKindName(LaunchKind::Slurm) && !result.empty()) {
            LaunchPlace &login = result.front();
            result.resize(1);
            login.slurm = plan.slurm;
            login.gpuSets.clear(); // of this node; Slurm chooses others
            if (!plan.slurm.folder.empty()) {
                login.workFolder = plan.slurm.folder + "/runs";
                if (!login.programFolder.empty())
                    login.programFolder = programFolderFor(login.workFolder);
            }
        }
        return result;
    }

    // Which GPUs a run takes that does not need all of them: what the plan says, else the best by the wiring.
    std::map<int, std::string> gpuSetsOf(const std::string &node) const
    {
        const auto known = gpuSets.find(node);
        auto sets = known == gpuSets.end() ? std::map<int, std::string>() : known->second;
        for (const auto &[size, gpus] : plan.gpuSets)
            sets[size] = gpus;
        return sets;
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
        topologies.erase(name);
        gpuSets.erase(name);
        QMetaObject::invokeMethod(
            worker, [worker = worker, name] { worker->removeNode(QString::fromStdString(name)); });
    }

    Result<std::string> checksumOf(const std::string &path)
    {
        const QFileInfo file(QString::fromStdString(path));
        std::string &known = checksums[path + file.lastModified().toString(Qt::ISODateWithMs).toStdString()];
        if (known.empty()) {
            auto checksum = fileChecksum(path);
            if (!checksum)
                return checksum.error();
            known = *checksum;
        }
        return known;
    }

    Result<SweepProgram> sweepProgram(const Framework &framework, const std::string &path)
    {
        SweepProgram program{path, {}, {}, framework.programOnNode || inPods()};
        const auto source = options.sourceFolders.find(path.substr(path.rfind('/') + 1));
        if (source != options.sourceFolders.end())
            program.sourceFolder = source->second;
        const bool away = std::any_of(statuses.begin(), statuses.end(),
                                      [](const NodeStatus &status) { return !status.programFolder.empty(); });
        const QString folder = QFileInfo(QString::fromStdString(framework.manifestPath)).absolutePath();
        for (const std::string &name : framework.files) {
            const QFileInfo file(folder + QLatin1Char('/') + QString::fromStdString(name));
            const std::string found = file.canonicalFilePath().toStdString();
            if (found.empty())
                return Error{ErrorCode::NotFound,
                             framework.manifestPath + " names the file " + name + ", which is not there."};
            const auto checksum = away ? checksumOf(found) : Result<std::string>(std::string());
            if (!checksum)
                return checksum.error();
            program.files.emplace_back(found, *checksum);
            if (inPods()) {
                QFile text(file.canonicalFilePath());
                if (!text.open(QIODevice::ReadOnly))
                    return Error{ErrorCode::Io,
                                 found + " cannot be read: " + text.errorString().toStdString() + "."};
                program.podFiles.push_back(
                    {found.substr(found.rfind('/') + 1), text.read(kMostPodFileBytes).toStdString()});
            }
        }
        if (away && !program.onNode) {
            const auto checksum = checksumOf(path);
            if (!checksum)
                return checksum.error();
            program.checksum = *checksum;
        }
        return program;
    }

    // A run of a case as it would be started.
    Result<Launch> launchFor(std::size_t caseIndex)
    {
        if (caseIndex >= cases.size())
            return Launch();
        const CaseKey &key = cases[caseIndex].key;
        const Framework *framework = findFramework(catalog.frameworks, key.framework);
        if (!framework)
            return Launch();
        std::vector<LaunchPlace> everywhere = places();
        const auto path = findProgram(*framework);
        const auto program = sweepProgram(*framework, path ? *path : framework->program);
        placePrograms(program ? *program : SweepProgram{framework->program, {}, {}, framework->programOnNode},
                      key.nodes, everywhere);
        return prepareLaunch(*framework, key, caseId(key), everywhere);
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

} // namespace sb
