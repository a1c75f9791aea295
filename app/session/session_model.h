// SPDX-License-Identifier: GPL-3.0-or-later
// The state of one session: workspace, nodes, plan, runs, live series, results. Pages read it and call it;
// it tells them what changed. UI thread only; work on nodes happens in the I/O thread and comes back as
// values by queued signals.
#pragma once

#include "core/framework.h"
#include "core/node.h"
#include "core/plan.h"
#include "core/result.h"
#include "core/run.h"
#include "core/scaling.h"
#include "core/scaling_loss.h"
#include "core/series.h"
#include "session/import.h"
#include "session/log_batch.h"
#include "session/network_choice.h"
#include "session/node_pool.h"
#include "session/node_ssh.h"
#include "session/sweep_progress.h"

#include <QObject>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sb {

class Workspace;

// The run in progress, or the last one. Series are appended to, so charts may read from where they stopped.
struct LiveRun {
    Run run;
    std::optional<std::size_t> caseIndex;
    std::vector<Series> ranks;              // index = rank
    std::deque<LogLine> log;                // the newest kMostLogLines
    std::int64_t logLines = 0;              // seen in all
    std::vector<TelemetrySample> telemetry; // of the first host, since the run started
    std::optional<double> telemetryStartS;  // telemetry time at which the run's own clock was 0
    bool stopping = false;

    static constexpr std::size_t kMostLogLines = 5000;
};

class SessionModel : public QObject {
    Q_OBJECT
public:
    // `pluginFolder` holds the frameworks' manifests; `programFolders` are searched for their programs.
    struct Options {
        std::string pluginFolder = {};
        std::vector<std::string> programFolders = {};
        std::string nodeWorkFolder = {}; // where run folders are made on a node; empty: a default
        std::string sshConfig = {};      // in place of the user's ssh_config; empty: that one
        bool thisMachine = true;         // begin with this machine as the only node
        bool readTopologies = false;     // of every node, once it is probed
        std::map<std::string, std::string> sourceFolders = {}; // of programs that nodes can build, by name
        std::string userPluginFolder = {}; // manifests of the user's own, beside the others; empty: none
    };
    explicit SessionModel(Options options, QObject *parent = nullptr);
    ~SessionModel() override;

    // Frameworks of the plugin folder; a broken manifest is left out and named in catalogProblems().
    const std::vector<Framework> &frameworks() const;
    const std::vector<std::string> &catalogProblems() const;

    const Catalog &catalog() const;

    // A workspace is one folder. Opening one locks it against other processes; the one before stays open
    // where that fails, and while its plan runs no other is opened.
    Result<void> createWorkspace(const std::string &folder);
    Result<void> openWorkspace(const std::string &folder);
    void closeWorkspace();
    bool hasWorkspace() const;
    std::string workspaceFolder() const; // empty without one
    std::string workspaceName() const;
    std::string pluginFolder() const;     // where manifests of frameworks are
    std::string userPluginFolder() const; // and those of the user's own
    const std::vector<Run> &runs() const; // of the workspace, oldest first
    const std::vector<CaseResult> &results() const;
    Result<std::vector<Sample>> samples(const std::string &runId, int rank) const;
    // What the steps of a case were spent on; nothing without samples of its runs.
    std::optional<StepParts> stepParts(const CaseResult &result) const;
    bool readOnly() const; // the workspace is an unpacked bundle
    // The bytes of a run's raw log, for "show log line".
    std::string rawLogPath(const std::string &runId, int rank) const;

    // Takes the good items of a preview into the open workspace.
    Result<ImportReport> importRuns(const ImportPreview &preview);

    // Nodes that can be used now, in the order they were added. At first this machine, probed when the
    // session starts; it leaves when the first other node is added and comes back when the last has gone.
    const std::vector<NodeFacts> &nodes() const;
    bool probing() const; // one of them is being connected to, or asks, or is probed, or asked for its wiring
    void probeNodes();    // all of them again; connects those that failed

    // All nodes with their state. `names`: aliases, user@host:port, ranges; the error names what is wrong,
    // and then none is added. Nodes of a run in progress cannot be removed.
    const std::vector<NodeStatus> &nodeStatuses() const;
    Result<void> addNodes(const std::string &names);
    Result<void> removeNode(const std::string &name);
    void connectNode(const std::string &name);
    // How the nodes of a run of `nodeCount` meet; absent for one node or when they share no network.
    std::optional<NetworkChoice> network(int nodeCount) const;
    std::vector<std::string> knownAliases() const; // of ssh_config, for completion

    // Log-ins from the first node to each other one, which mpirun needs; tells by nodeSshTold() and
    // nodeSshDone(). Errors: fewer than two nodes.
    Result<void> nodeSsh(NodeSshAction action);

    // How nodes are wired, by name, as far as they were asked; the answer comes by topologyRead().
    const std::map<std::string, NodeTopology> &topologies() const;
    void readTopology(const std::string &node);

    // What only the user knows: host keys, passphrases. Oldest first; each can be answered at any time.
    const std::vector<SshQuestion> &questions() const;
    void answer(std::uint64_t question, const SshAnswer &answer);
    static bool hasKeychain();

    // Plan. setPlan never fails: what is wrong with it stands in planProblem(), and then there are no cases.
    const Plan &plan() const;
    void setPlan(const Plan &plan);
    Result<void> loadPlan(const std::string &path);
    Result<void> savePlan(const std::string &path) const;
    const std::optional<Error> &planProblem() const;
    const std::vector<PlannedCase> &cases() const;
    // Exactly what would be started for this case: the launcher's command, if there is one, and a shell line
    // a rank.
    std::vector<std::string> commandsFor(std::size_t caseIndex) const;
    // What is given to Kubernetes for one run of a case; empty for other launchers and where it cannot be
    // made.
    std::string manifestFor(std::size_t caseIndex) const;

    // Starts the missing runs of the plan (finished ones of the workspace count; one still going on a node
    // is attached to). Errors: no workspace, a problem with the plan, nothing left to do, program missing.
    Result<void> startPlan();
    void setPauseAfterRun(bool pause);
    void stopRun(); // ends the current run and the sweep; verified on the node
    const SweepProgress &progress() const;
    const std::optional<LiveRun> &live() const;

Q_SIGNALS:
    void workspaceChanged();
    void nodesChanged();                                 // facts or states
    void topologyRead(const sb::NodeTopology &topology); // also when it failed
    void nodeSshTold(const QString &sentence, bool good);
    void nodeSshDone(bool good);
    void questionsChanged();
    // Programs on their way to a node before a run starts there.
    void deployProgressed(const QString &host, qint64 sentBytes, qint64 totalBytes);
    void programBuilding(const QString &host, int percent);       // from source, where the file does not run
    void imagePulling(const QString &host, const QString &words); // the container engine's
    void planChanged();                                           // plan, cases or problem
    void progressChanged();
    void liveRunChanged();   // another run, or its state changed
    void liveDataAppended(); // series, log or telemetry grew
    void resultsChanged();
    void runFinished(const sb::Run &run);
    void planFinished(bool everyRunDone);
    void problem(const QString &sentence); // something failed that no call returned

private:
    void takeNode(const NodeStatus &status);
    void takeTopology(const NodeTopology &topology);
    using WorkspaceOpener = Result<std::unique_ptr<Workspace>> (*)(const std::string &folder);
    Result<void> changeWorkspace(const std::string &folder, WorkspaceOpener opener);
    void takeWorkspace(std::unique_ptr<Workspace> workspace);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace sb
