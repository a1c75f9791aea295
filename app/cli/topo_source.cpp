// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/topo_source.h"

#include "cli/terminal.h"
#include "core/topology_lines.h"
#include "remote/node_names.h"
#include "session/session_model.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <cstdio>

namespace sb::cli {

namespace {

// Nodes that cannot be reached have a text of their own: why.
std::string whyNot(const NodeStatus &node)
{
    return node.ssh.problem ? node.ssh.problem->text() : "The node " + node.name + " could not be asked.";
}

bool isReady(const NodeStatus &node)
{
    return node.ssh.state == SshState::Ready && node.facts;
}

// Every node has been asked or cannot be.
bool allAsked(const SessionModel &session)
{
    for (const NodeStatus &node : session.nodeStatuses()) {
        const bool answered = session.topologies().contains(node.name);
        if (!answered && (isReady(node) || node.ssh.state != SshState::Failed))
            return false;
    }
    return true;
}

Result<std::vector<TopoText>> askNodes(const std::string &names, const std::string &sshConfig)
{
    SessionModel::Options options;
    options.sshConfig = sshConfig;
    options.thisMachine = names == kLocalNode;
    options.readTopologies = true;
    SessionModel session(options);
    QObject context;
    answerAtTerminal(session, &context);
    if (names != kLocalNode)
        if (const auto added = session.addNodes(names); !added)
            return added.error();
    const auto check = [&session] {
        if (allAsked(session))
            QCoreApplication::quit();
    };
    QObject::connect(&session, &SessionModel::nodesChanged, &context, check);
    QObject::connect(&session, &SessionModel::topologyRead, &context, check);
    QCoreApplication::exec();
    std::vector<TopoText> texts;
    for (const NodeStatus &node : session.nodeStatuses()) {
        const auto read = session.topologies().find(node.name);
        if (read == session.topologies().end())
            texts.push_back({node.name, {}, "node", {}, whyNot(node), 0});
        else
            texts.push_back({node.name, read->second.text, read->second.source, read->second.note,
                             read->second.error, read->second.readAtUtcS});
    }
    return texts;
}

} // namespace

Result<std::string> readTextFile(const std::string &name)
{
    QFile file;
    const bool opened =
        name == "-" ? file.open(stdin, QIODevice::ReadOnly)
                    : (file.setFileName(QString::fromStdString(name)), file.open(QIODevice::ReadOnly));
    const std::string shown = name == "-" ? "Standard input" : "The file " + name;
    if (!opened)
        return Error{ErrorCode::NotFound,
                     shown + " cannot be read: " + file.errorString().toStdString() + "."};
    std::string text;
    // One byte beyond the limit tells the parser that there is more.
    while (text.size() <= kMaxTopologyBytes) {
        const QByteArray block = file.read(65536);
        if (block.isEmpty())
            break;
        text.append(block.constData(), static_cast<std::size_t>(block.size()));
    }
    if (file.error() != QFileDevice::NoError)
        return Error{ErrorCode::Io, shown + " cannot be read: " + file.errorString().toStdString() + "."};
    return text;
}

Result<std::vector<TopoText>> readTopoTexts(const std::string &argument, const std::string &sshConfig)
{
    const bool isPath = argument.find('/') != std::string::npos && argument.find("://") == std::string::npos;
    if (argument == "-" || isPath || QFileInfo::exists(QString::fromStdString(argument))) {
        auto text = readTextFile(argument);
        if (!text)
            return text.error();
        return std::vector<TopoText>{{argument, std::move(*text), {}, {}, {}, 0}};
    }
    if (const auto names = expandNodeNames(argument); !names)
        return Error{ErrorCode::NotFound,
                     "There is no file " + argument + ", and it names no node: " + names.error().message};
    return askNodes(argument, sshConfig);
}

} // namespace sb::cli
