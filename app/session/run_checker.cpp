// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_checker.h"

namespace sb {

namespace {
constexpr std::size_t kMostOutput = 1 << 20; // an engine that draws bars
}

RunChecker::RunChecker(const Launch &launch, std::map<std::string, Host *> hosts, QObject *parent)
    : QObject(parent)
    , m_wants(launch.wants)
    , m_hosts(std::move(hosts))
{
    for (const NodeLaunch &node : launch.nodes)
        if (!node.check.empty())
            m_nodes.push_back({node.check, {node.host, {}, {}, {}, {}}, {}, {}});
    m_open = m_nodes.size();
}

RunChecker::~RunChecker()
{
    for (Node &node : m_nodes)
        if (node.process) {
            node.process->disconnect(this);
            node.process->close();
        }
}

void RunChecker::start()
{
    if (m_nodes.empty())
        return Q_EMIT finished({});
    for (Node &node : m_nodes) {
        const auto host = m_hosts.find(node.answer.host);
        if (host == m_hosts.end()) {
            node.answer.error = "it is not connected";
            ended();
            continue;
        }
        node.process = host->second->start(scriptSpec(node.script));
        connect(node.process, &HostProcess::outputReady, this,
                [this, &node](const QByteArray &bytes) { take(node, bytes); });
        connect(node.process, &HostProcess::finished, this, [this, &node](const ProcessEnd &end) {
            node.answer.exitCode = end.exitCode;
            node.answer.error = end.error;
            node.answer.errorOutput = end.errorOutput.toStdString();
            ended();
        });
    }
}

void RunChecker::take(Node &node, const QByteArray &bytes)
{
    if (node.answer.output.size() < kMostOutput)
        node.answer.output += bytes.toStdString();
    for (const char c : bytes) {
        if (c != '\n' && c != '\r') {
            node.line += c;
            continue;
        }
        if (const std::string words = pullProgress(node.line); !words.empty())
            Q_EMIT progressed(node.answer.host, words);
        node.line.clear();
    }
}

void RunChecker::ended()
{
    if (--m_open > 0)
        return;
    std::vector<RunCheckAnswer> answers;
    for (const Node &node : m_nodes)
        answers.push_back(node.answer);
    Q_EMIT finished(runCheckProblem(m_wants, answers).value_or(std::string()));
}

} // namespace sb
