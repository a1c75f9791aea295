// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/log_reader.h"
#include "core/run.h"
#include "remote/host.h"
#include "session/deployer.h"
#include "session/launcher.h"
#include "session/log_batch.h"
#include "session/log_pipeline.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sb {

// Everything the I/O thread needs to start a run or to attach to one that is already going.
struct RunOrder {
    std::string runId;
    Launch launch;
    LogFormat log;
    std::string localFolder;           // logs/<run> of the workspace; exists
    std::vector<ProgramCopy> programs; // that must be on the nodes first
};

// How a run ended on its nodes.
struct RunOutcome {
    RunState state = RunState::Done; // Done here means: every rank exited with 0
    std::string reason;
    std::optional<int> exitCode; // the first that is not 0
    bool keepRunning = false;    // our side failed (full disk): the run may still be going
};

// One run on its nodes: starts or attaches, follows every log, waits for the end, stops. I/O thread.
// A broken link is not an end: the node is attached to again, from the byte that came last.
class RunController : public QObject {
    Q_OBJECT
public:
    RunController(RunOrder order, std::map<std::string, Host *> hosts, QObject *parent = nullptr);
    ~RunController() override;

    void start();
    void stop(int graceS); // ends the processes on every node and verifies that they are gone

Q_SIGNALS:
    void running();                             // every node has started its ranks, or the job its own
    void jobChanged(const sb::RunJob &job);     // of a run in a queue: its state, as the queue tells it
    void batchReady(const sb::LogBatch &batch); // at most every 33 ms
    void linkLost(const std::string &host, const std::string &why);
    void linkBack(const std::string &host);
    void ended(const sb::RunOutcome &outcome); // exactly once; all log bytes were given before

private:
    struct Stream { // one log file on one node
        std::string file;
        std::unique_ptr<LogPipeline> pipeline;
        QPointer<HostProcess> process;
        std::optional<qint64> wanted; // size on the node once nothing can be added to it
        bool complete() const { return wanted && pipeline->size() >= *wanted; }
    };
    struct Node {
        NodeLaunch launch;
        Host *host = nullptr;
        std::vector<Stream> streams;
        bool started = false;
        bool linkLost = false;
        bool reattaching = false;
        QElapsedTimer lost; // since the link was lost
        bool waiting = false;
        std::optional<std::vector<int>> exitCodes; // of the ranks; -1: left none
        std::optional<int> launcherCode;           // of mpirun
        std::string lostReason;
        bool refused = false; // by a queue: nothing was started
        bool over() const { return exitCodes || !lostReason.empty(); }
    };

    struct RankCode {
        const Node *node;
        int rank;
        int code;
    };

    bool openStreams();
    void attachLeader();
    void waitForLed();
    Node *leader() const; // that runs mpirun; null without one
    ProcessSpec startOf(const Node &node) const;
    ProcessSpec waitOf(const Node &node) const;
    void takeCodes(Node &node, const QByteArray &text);
    void readJobLines(NodeRole role, QByteArray &text);
    void attach(Node &node);
    void follow(Node &node, Stream &stream);
    void waitForEnd(Node &node);
    void askSizes(Node &node);
    void streamEnded(Node &node, Stream &stream, const ProcessEnd &end);
    void linkBroken(Node &node, const std::string &why);
    void stopNode(Node &node, int graceS);
    bool isGivenUp(const Node &node) const;
    void failEverywhere(const std::string &reason);
    void flush();
    void endIfOver();
    void end(const RunOutcome &outcome);
    void removeFolders(const RunOutcome &outcome);
    RunOutcome outcome() const;
    std::optional<RankCode> culprit() const;
    bool everyRankLeftACode() const;
    std::string rankFailure(const RankCode &ended) const;
    std::string launcherFailure() const;
    std::optional<LogFailure> failureOf(const Node &node, int rank) const;

    RunOrder m_order;
    std::vector<std::unique_ptr<Node>> m_nodes;
    LogBatch m_batch;
    QTimer m_flushTimer;
    std::string m_failure; // of our side
    bool m_stopping = false;
    bool m_leaderAttached = false;
    std::optional<RunJob> m_job;
    QElapsedTimer m_stopClock;
    bool m_ended = false;
    std::map<int, RunEnd> m_rankEnds;
    std::string m_lastErrorLine;
    std::string m_mpirunLine; // the first thing mpirun said
};

} // namespace sb
