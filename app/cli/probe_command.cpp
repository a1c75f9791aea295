// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "cli/terminal.h"
#include "core/json.h"
#include "core/units.h"
#include "session/session_model.h"
#include "store/run_record.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace sb::cli {

namespace {

JsonNode stepNode(const SshStepReport &step)
{
    return JsonNode::object()
        .set("hop", step.hop)
        .set("step", sshStepTitle(step.step))
        .set("done", step.state == SshStepReport::State::Done)
        .set("time_ms", step.timeMs)
        .set("found", step.found);
}

bool isGood(const NodeStatus &node)
{
    return node.ssh.state == SshState::Ready && node.facts;
}

std::string jsonText(const std::vector<NodeStatus> &nodes)
{
    JsonNode list = JsonNode::array();
    for (const NodeStatus &node : nodes) {
        JsonNode steps = JsonNode::array();
        for (const SshStepReport &step : node.ssh.steps)
            steps.push(stepNode(step));
        JsonNode one = JsonNode::object().set("name", node.name).set("ready", isGood(node));
        one.set("address", node.address).set("steps", steps);
        if (node.ssh.problem && !isGood(node))
            one.set("problem", JsonNode::object()
                                   .set("step", sshStepTitle(node.ssh.problem->step))
                                   .set("message", node.ssh.problem->message)
                                   .set("cause", node.ssh.problem->cause)
                                   .set("action", node.ssh.problem->action)
                                   .set("command", node.ssh.problem->command));
        if (node.facts)
            one.set("facts", nodeFactsNode(*node.facts)).set("environments", node.facts->environments);
        one.set("warnings", node.ssh.warnings);
        list.push(one);
    }
    return writeJson(JsonNode::object().set("schema", 1).set("nodes", list));
}

std::string factsText(const NodeFacts &facts)
{
    std::string text;
    const auto line = [&text](const char *what, const std::string &value) {
        if (!value.empty())
            text += std::string("  ") + what + std::string(12 - std::string(what).size(), ' ') + value + "\n";
    };
    line("host", facts.hostname.value_or("") + ", " + facts.os.value_or("unknown system") + ", Linux " +
                     facts.kernel.value_or("?"));
    line("CPU", facts.cpuModel.value_or("unknown") + ", " + std::to_string(facts.cores.value_or(0)) +
                    " cores" + (facts.simd ? ", " + *facts.simd : ""));
    if (facts.memoryBytes)
        line("memory", formatBytes(*facts.memoryBytes));
    for (const GpuFacts &gpu : facts.gpus)
        line(("GPU " + std::to_string(gpu.index)).c_str(), gpu.name);
    if (facts.driverVersion)
        line("driver", *facts.driverVersion + (facts.cudaVersion ? ", CUDA " + *facts.cudaVersion : ""));
    for (const NetworkInterface &interface : facts.interfaces)
        if (!interface.addresses.empty())
            line("network",
                 interface.name + " " + interface.addresses.front() +
                     (interface.speedGbps ? ", " + plainNumber(*interface.speedGbps) + " Gbit/s" : ""));
    for (const std::string &engine : facts.containerEngines)
        line("containers", engine);
    for (const std::string &environment : facts.environments)
        line("environment", environment);
    if (facts.infiniband)
        line("InfiniBand", "/dev/infiniband");
    line("Slurm", facts.slurmVersion.value_or(""));
    if (facts.clockOffsetS && std::abs(*facts.clockOffsetS) >= 1)
        line("clock", (*facts.clockOffsetS > 0 ? "ahead by " : "behind by ") +
                          formatDuration(std::abs(*facts.clockOffsetS)) +
                          "; set it, or times in its logs mislead");
    return text;
}

std::string nodeText(const NodeStatus &node)
{
    std::string text = node.name + (isGood(node) ? ": ready" : ": not ready") + "\n";
    for (const SshStepReport &step : node.ssh.steps) {
        if (step.state == SshStepReport::State::Waiting)
            continue;
        const bool done = step.state == SshStepReport::State::Done;
        std::string title = sshStepTitle(step.step);
        title.resize(14, ' ');
        const std::string time = step.timeMs ? formatNumber(*step.timeMs, 1) + " ms" : "";
        text += std::string(done ? "  ✓ " : "  ✗ ") + title + time +
                std::string(time.size() < 9 ? 9 - time.size() : 1, ' ') + step.found + "\n";
    }
    if (node.ssh.problem && !isGood(node)) {
        const SshProblem &problem = *node.ssh.problem;
        text += "  " + problem.message + "\n";
        if (!problem.cause.empty())
            text += "  Most likely: " + problem.cause + "\n";
        if (!problem.action.empty())
            text += "  What to do:  " + problem.action + "\n";
        if (!problem.command.empty())
            text += "  In a terminal: " + problem.command + "\n";
    }
    return text + (isGood(node) ? factsText(*node.facts) : "");
}

// The first probe and `more` further ones over the open connections. Each of those is timed on standard
// error.
void runRounds(SessionModel &session, int more)
{
    QObject context;
    QElapsedTimer clock;
    clock.start();
    std::size_t wanted = 0; // probes in all after this round
    const bool tell = more > 0;
    QObject::connect(&session, &SessionModel::nodesChanged, &context, [&] {
        if (session.probing())
            return;
        std::size_t probes = 0;
        for (const NodeStatus &node : session.nodeStatuses())
            probes += static_cast<std::size_t>(node.probes);
        if (probes < wanted)
            return;
        if (tell)
            printNote(std::to_string(static_cast<double>(clock.nsecsElapsed()) / 1e6) + " ms\n");
        if (more-- <= 0 || session.nodes().empty())
            return QCoreApplication::quit();
        wanted = probes + session.nodes().size();
        clock.start();
        for (const NodeFacts &node : session.nodes())
            session.connectNode(node.name);
    });
    QCoreApplication::exec();
}

} // namespace

int probeCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Connects to nodes over SSH, checks their host keys, signs in and prints what they are. "
        "Host keys are always checked; an unknown one is asked about at the terminal."));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Print JSON (schema 1)."));
    const QCommandLineOption config(QStringLiteral("ssh-config"),
                                    QStringLiteral("Read this file in place of the user's ssh_config."),
                                    QStringLiteral("file"));
    const QCommandLineOption again(
        QStringLiteral("again"),
        QStringLiteral("Probe so many times more over the open connections, and print "
                       "how long each round took to standard error."),
        QStringLiteral("times"));
    parser.addOptions({json, config, again});
    parser.addPositionalArgument(
        QStringLiteral("node"),
        QStringLiteral("Aliases of ssh_config, user@host:port, ranges like node[01-16]."),
        QStringLiteral("node..."));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (parser.positionalArguments().isEmpty())
        return badUsage("probe needs a node, for example: scaleboard-cli probe node[01-04]");
    const int rounds = parser.isSet(again) ? parser.value(again).toInt() : 0;
    if (rounds < 0 || rounds > 100000 || (parser.isSet(again) && rounds == 0))
        return badUsage("--again needs a number from 1 to 100000.");

    SessionModel::Options options;
    options.sshConfig = parser.value(config).toStdString();
    options.thisMachine = false;
    SessionModel session(options);
    QObject context;
    answerAtTerminal(session, &context);
    if (const auto added =
            session.addNodes(parser.positionalArguments().join(QLatin1Char(' ')).toStdString());
        !added)
        return fail(added.error());
    runRounds(session, rounds);
    const std::vector<NodeStatus> &nodes = session.nodeStatuses();
    if (parser.isSet(json))
        print(jsonText(nodes));
    else
        for (const NodeStatus &node : nodes)
            print(nodeText(node));
    if (!parser.isSet(json))
        for (const std::string &warning : nodes.front().ssh.warnings)
            printNote("warning: " + warning + "\n");
    return std::all_of(nodes.begin(), nodes.end(), isGood) ? kOk : kFailed;
}

} // namespace sb::cli
