// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "cli/terminal.h"
#include "core/units.h"
#include "session/session_model.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QSocketNotifier>
#include <QTimer>

#include <array>
#include <csignal>
#include <cstdio>
#include <map>
#include <unistd.h>

namespace sb::cli {

namespace {

std::array<int, 2> g_signalPipe{-1, -1};

void onSignal(int)
{
    const char byte = 1;
    [[maybe_unused]] const auto written = ::write(g_signalPipe[1], &byte, 1);
}

// Follows a session from the terminal: one line a finished run, and where it is a terminal a status line
// with the time left.
class Watcher : public QObject {
public:
    Watcher(SessionModel &session, bool quiet)
        : m_session(session)
        , m_quiet(quiet)
        , m_terminal(::isatty(STDERR_FILENO) != 0)
    {
        connect(&session, &SessionModel::runFinished, this, [this](const Run &run) { tellRun(run); });
        connect(&session, &SessionModel::problem, this,
                [this](const QString &text) { note("warning: " + text.toStdString() + "\n"); });
        connect(&session, &SessionModel::liveRunChanged, this, [this] { tellJob(); });
        connect(&session, &SessionModel::deployProgressed, this,
                [this](const QString &host, qint64 sent, qint64 total) {
                    tellPercent(host, "putting the program there",
                                total > 0 ? static_cast<int>(100 * sent / total) : 0);
                });
        connect(&session, &SessionModel::programBuilding, this, [this](const QString &host, int percent) {
            tellPercent(host, "building the program from source", percent);
        });
        connect(&session, &SessionModel::imagePulling, this,
                [this](const QString &host, const QString &words) {
                    if (!m_quiet)
                        note(host.toStdString() + ": getting the image, " + words.toStdString() +
                             (m_terminal ? "" : "\n"));
                });
        connect(&session, &SessionModel::planFinished, this,
                [](bool everyRunDone) { QCoreApplication::exit(everyRunDone ? kOk : kFailed); });
        connect(&m_timer, &QTimer::timeout, this, [this] { tellStatus(); });
        m_timer.start(m_terminal ? 500 : 30000);
    }

    bool stopped() const { return m_stopped; }

    void watchSignals()
    {
        if (::pipe(g_signalPipe.data()) != 0)
            return;
        auto *notifier = new QSocketNotifier(g_signalPipe[0], QSocketNotifier::Read, this);
        connect(notifier, &QSocketNotifier::activated, this, [this] {
            char byte = 0;
            [[maybe_unused]] const auto got = ::read(g_signalPipe[0], &byte, 1);
            if (m_stopped)
                QCoreApplication::exit(kCancelled); // the second time: leave now; the run goes on
            m_stopped = true;
            note("stopping the run; press Ctrl+C again to leave it running\n");
            m_session.stopRun();
        });
        std::signal(SIGINT, onSignal);
        std::signal(SIGTERM, onSignal);
    }

private:
    void note(const std::string &text)
    {
        if (m_terminal)
            printNote("\r\033[K");
        printNote(text);
    }

    void tellRun(const Run &run)
    {
        if (m_quiet && run.state == RunState::Done)
            return;
        const SweepProgress &progress = m_session.progress();
        std::string line = "[" + std::to_string(progress.doneRuns + progress.failedRuns) + "/" +
                           std::to_string(progress.totalRuns) + "] " + run.workloadTitle + " " +
                           run.key.precision + " b" + std::to_string(run.key.batchSizePerDevice) + " " +
                           run.key.scaleName() + ", repeat " + std::to_string(run.repeat) + ": ";
        if (run.measurement)
            line += formatThroughput(run.measurement->throughput) + " " + run.unit + "/s";
        else
            line += runStateName(run.state) + ". " + run.reason;
        if (progress.leftS && progress.active && progress.doneRuns + progress.failedRuns < progress.totalRuns)
            line += "  (about " + formatDuration(*progress.leftS) + " left)";
        note(line + "\n");
    }

    // What the queue says of the run's job, each time it says something else.
    void tellJob()
    {
        if (m_quiet || !m_session.live() || !m_session.live()->run.job)
            return;
        const std::string text = m_session.live()->run.job->text();
        if (text != m_job)
            note(text + "\n");
        m_job = text;
    }

    // Every tenth of the way, or at a terminal each percent in the status line.
    void tellPercent(const QString &host, const char *what, int percent)
    {
        int &told = m_percents[host.toStdString() + what];
        if (m_quiet || percent <= told || (!m_terminal && percent / 10 <= told / 10))
            return;
        told = percent;
        const std::string line = host.toStdString() + ": " + what + ", " + std::to_string(percent) + " %";
        printNote(m_terminal ? "\r\033[K" + line : line + "\n");
    }

    void tellStatus()
    {
        if (m_quiet || !m_session.live() || !m_session.progress().active)
            return;
        const LiveRun &live = *m_session.live();
        const SweepProgress &progress = m_session.progress();
        const int steps = live.run.key.warmupSteps + live.run.key.measuredSteps;
        if (live.run.job && live.run.state == RunState::Starting) // it waits; tellJob has said why
            return m_terminal ? printNote("\r\033[K" + live.run.job->text()) : void();
        std::string line = "running " + live.run.workloadTitle + " " + live.run.key.scaleName() + ": step ";
        line += live.ranks.empty() || live.ranks[0].empty()
                    ? "0"
                    : std::to_string(static_cast<long long>(live.ranks[0].step.back()));
        line += " of " + std::to_string(steps);
        if (progress.leftS)
            line += ", about " + formatDuration(*progress.leftS) + " left in all";
        printNote(m_terminal ? "\r\033[K" + line : line + "\n");
    }

    SessionModel &m_session;
    QTimer m_timer;
    bool m_quiet;
    bool m_terminal;
    bool m_stopped = false;
    std::string m_job;                     // told last
    std::map<std::string, int> m_percents; // told last
};

void printCommands(const SessionModel &session)
{
    for (std::size_t i = 0; i < session.cases().size(); ++i) {
        const PlannedCase &planned = session.cases()[i];
        print("# " + caseId(planned.key) + (planned.refused() ? ": refused, " + planned.refusalReason : "") +
              "\n");
        if (!planned.refused())
            for (const std::string &command : session.commandsFor(i))
                print(command + "\n");
        if (const std::string manifest = planned.refused() ? "" : session.manifestFor(i); !manifest.empty())
            print("# job.json:\n" + manifest);
    }
    if (session.plan().launcher == launchKindName(LaunchKind::Kubernetes))
        printNote("note: " + kubernetesMark() + "\n");
}

Result<void> startIn(SessionModel &session, const std::string &workspace)
{
    if (auto created = session.createWorkspace(workspace); !created)
        return created;
    for (const PlannedCase &planned : session.cases())
        if (planned.refused())
            printNote("refused: " + planned.refusalReason + "\n");
    return session.startPlan();
}

// Runs need every node that was asked for: fewer would be another study.
std::optional<Error> missingNode(const SessionModel &session)
{
    for (const NodeStatus &node : session.nodeStatuses()) {
        if (node.facts && node.ssh.state == SshState::Ready)
            continue;
        const std::string why = node.ssh.problem ? node.ssh.problem->text() : "It is not connected.";
        return Error{ErrorCode::Unavailable, node.name + " is not ready. " + why};
    }
    return std::nullopt;
}

// The plan needs to know the machine, so everything starts when its probe has ended.
int runPlan(SessionModel &session, Watcher &watcher, const std::optional<std::string> &workspace)
{
    answerAtTerminal(session, &watcher);
    std::optional<Error> startError;
    const auto begin = [&] {
        if (watcher.stopped()) // before anything was started
            return QCoreApplication::exit(kCancelled);
        if (auto missing = missingNode(session)) {
            startError = std::move(missing);
            return QCoreApplication::exit(kFailed);
        }
        if (const auto network = session.network(static_cast<int>(session.nodes().size())))
            printNote("nodes meet in " + network->network + " over " + network->places.front().interface +
                      "\n");
        if (!workspace) {
            printCommands(session);
            return QCoreApplication::exit(kOk);
        }
        if (const auto started = startIn(session, *workspace); !started) {
            startError = started.error();
            QCoreApplication::exit(kFailed);
        }
    };
    QObject::connect(&session, &SessionModel::nodesChanged, &watcher, [&, begun = false]() mutable {
        if (session.probing() || begun)
            return;
        begun = true;
        QTimer::singleShot(0, &watcher, begin);
    });
    const int status = QCoreApplication::exec();
    if (startError)
        return fail(*startError);
    return watcher.stopped() ? kCancelled : status;
}

} // namespace

int runCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Runs a plan in a workspace. Finished runs of the workspace count, so the same "
                       "command goes on after a "
                       "crash or Ctrl+C; a run that is still going is attached to."));
    const QCommandLineOption workspace(QStringLiteral("workspace"),
                                       QStringLiteral("Folder for results; made if it is not there."),
                                       QStringLiteral("folder"));
    const QCommandLineOption quiet({QStringLiteral("q"), QStringLiteral("quiet")},
                                   QStringLiteral("Print problems only."));
    const QCommandLineOption dryRun(QStringLiteral("dry-run"),
                                    QStringLiteral("Print every command and start nothing."));
    const QCommandLineOption hosts(
        QStringLiteral("hosts"),
        QStringLiteral("Run on these nodes over SSH in place of this machine: aliases "
                       "of ssh_config, user@host:port, ranges like node[1-4]."),
        QStringLiteral("nodes"));
    const QCommandLineOption config(QStringLiteral("ssh-config"),
                                    QStringLiteral("Read this file in place of the user's ssh_config."),
                                    QStringLiteral("file"));
    parser.addOptions({workspace, quiet, dryRun, hosts, config});
    parser.addPositionalArgument(QStringLiteral("plan"), QStringLiteral("Plan to run (JSON)."));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (parser.positionalArguments().size() != 1)
        return badUsage(
            "run needs one plan, for example: scaleboard-cli run resources/plans/first-study.json "
            "--workspace results");
    if (!parser.isSet(workspace) && !parser.isSet(dryRun))
        return badUsage("run needs --workspace FOLDER, where the results go.");

    const InstallPaths install = paths();
    SessionModel::Options options;
    options.pluginFolder = install.pluginFolder;
    options.userPluginFolder = install.userPluginFolder;
    options.programFolders = install.programFolders;
    options.sourceFolders = install.sourceFolders;
    options.sshConfig = parser.value(config).toStdString();
    options.thisMachine = !parser.isSet(hosts);
    options.readTopologies = true; // a case on some GPUs of a node takes those that belong together
    SessionModel session(options);
    for (const std::string &problem : session.catalogProblems())
        printNote("warning: " + problem + "\n");
    if (const auto loaded = session.loadPlan(parser.positionalArguments().constFirst().toStdString());
        !loaded)
        return fail(loaded.error());
    if (parser.isSet(hosts))
        if (const auto added = session.addNodes(parser.value(hosts).toStdString()); !added)
            return fail(added.error());
    Watcher watcher(session, parser.isSet(quiet));
    watcher.watchSignals();
    return runPlan(session, watcher,
                   parser.isSet(dryRun) ? std::nullopt
                                        : std::optional(parser.value(workspace).toStdString()));
}

} // namespace sb::cli
