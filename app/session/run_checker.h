// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/host.h"
#include "session/launcher.h"
#include "session/run_check.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <string>
#include <vector>

namespace sb {

// Runs the checks of a launch on its nodes, all at once, before anything is started there: gets images, looks
// for GPUs and packages, and compares the nodes. I/O thread.
class RunChecker : public QObject {
    Q_OBJECT
public:
    RunChecker(const Launch &launch, std::map<std::string, Host *> hosts, QObject *parent = nullptr);
    ~RunChecker() override;

    void start();

Q_SIGNALS:
    void progressed(const std::string &host, const std::string &words); // an engine's, while it gets an image
    void finished(const std::string &problem);                          // once; empty: the run may start

private:
    struct Node {
        std::string script;
        RunCheckAnswer answer;
        std::string line; // begun, of progress
        QPointer<HostProcess> process;
    };
    void take(Node &node, const QByteArray &bytes);
    void ended();

    RunWants m_wants;
    std::map<std::string, Host *> m_hosts;
    std::vector<Node> m_nodes; // not resized after construction
    std::size_t m_open = 0;
};

} // namespace sb
