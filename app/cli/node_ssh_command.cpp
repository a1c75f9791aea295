// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "cli/terminal.h"
#include "session/session_model.h"

#include <QCoreApplication>
#include <QTimer>

#include <optional>

namespace sb::cli {

namespace {

std::optional<NodeSshAction> actionOf(const QString &word)
{
    if (word == QStringLiteral("check"))
        return NodeSshAction::Check;
    if (word == QStringLiteral("prepare"))
        return NodeSshAction::Prepare;
    if (word == QStringLiteral("remove"))
        return NodeSshAction::Remove;
    return std::nullopt;
}

// Everything starts when the nodes are connected; a node that is not is named, and nothing is done.
int perform(SessionModel &session, NodeSshAction action)
{
    QObject context;
    answerAtTerminal(session, &context);
    std::optional<Error> problem;
    QObject::connect(&session, &SessionModel::nodeSshTold, &context, [](const QString &sentence, bool good) {
        print((good ? "✓ " : "✗ ") + sentence.toStdString() + "\n");
    });
    QObject::connect(&session, &SessionModel::nodeSshDone, &context,
                     [](bool good) { QCoreApplication::exit(good ? kOk : kFailed); });
    const auto begin = [&] {
        for (const NodeStatus &node : session.nodeStatuses())
            if (!node.facts || node.ssh.state != SshState::Ready)
                problem = Error{ErrorCode::Unavailable,
                                node.name + " is not ready. " +
                                    (node.ssh.problem ? node.ssh.problem->text() : "It is not connected.")};
        if (!problem)
            if (const auto asked = session.nodeSsh(action); !asked)
                problem = asked.error();
        if (problem)
            QCoreApplication::exit(kFailed);
    };
    QObject::connect(&session, &SessionModel::nodesChanged, &context, [&, begun = false]() mutable {
        if (session.probing() || begun)
            return;
        begun = true;
        QTimer::singleShot(0, &context, begin);
    });
    const int status = QCoreApplication::exec();
    return problem ? fail(*problem) : status;
}

} // namespace

int nodeSshCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Log-ins from the first node to each other one, which the launcher mpirun makes by itself.\n"
        "check: tries each and says what is missing. prepare: makes a key for this purpose on the first "
        "node, lets "
        "it in on the others (one line of ~/.ssh/authorized_keys, from the first node's address only) and "
        "gives "
        "the first node the host keys that this program verified; then checks. remove: undoes that."));
    const QCommandLineOption config(QStringLiteral("ssh-config"),
                                    QStringLiteral("Read this file in place of the user's ssh_config."),
                                    QStringLiteral("file"));
    parser.addOption(config);
    parser.addPositionalArgument(QStringLiteral("action"), QStringLiteral("check, prepare or remove."));
    parser.addPositionalArgument(QStringLiteral("node"),
                                 QStringLiteral("At least two nodes, the first of the run first: aliases of "
                                                "ssh_config, user@host:port, ranges like node[01-16]."),
                                 QStringLiteral("node..."));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    const QStringList words = parser.positionalArguments();
    const auto action = words.isEmpty() ? std::nullopt : actionOf(words.constFirst());
    if (!action || words.size() < 2)
        return badUsage("node-ssh needs an action (check, prepare, remove) and nodes, for example: "
                        "scaleboard-cli node-ssh check node[01-04]");
    SessionModel::Options options;
    options.sshConfig = parser.value(config).toStdString();
    options.thisMachine = false;
    SessionModel session(options);
    if (const auto added = session.addNodes(words.mid(1).join(QLatin1Char(' ')).toStdString()); !added)
        return fail(added.error());
    return perform(session, *action);
}

} // namespace sb::cli
