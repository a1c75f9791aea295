// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/ssh_types.h"

#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QSocketNotifier>
#include <QTimer>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class QLocalSocket;

namespace sb {

class HostProcess;
class SshHub;
class SshLink;
struct SshTarget;

// Gets a connected socket to a server: directly, through a jump host or through a ProxyCommand. The
// resolving and connecting steps of a link. I/O thread; never blocks.
class SshTransport : public QObject {
    Q_OBJECT
public:
    SshTransport(const SshTarget &target, SshHub &hub, const std::string &node, QObject *parent);
    ~SshTransport() override;

    void start(); // once

Q_SIGNALS:
    void stepEnded(sb::SshStep step, const std::string &found);
    void jumpChanged();             // steps of the jump host moved on
    void connected(int descriptor); // the receiver owns it
    void failed(const sb::SshProblem &problem);
    void broken(const std::string &why); // after connected(): what is under the socket is gone

public:
    SshLink *jump() const;                             // of a jump chain; may be null
    std::string peerAddress() const { return m_peer; } // of a direct connection; else empty

private:
    void startDirect();
    void startCommand();
    void startJump();
    void tryAddress();
    void addressFailed(int error);
    void pump();
    std::pair<int, int> socketPair();
    SshProblem problem(SshStep step, const std::string &message) const;

    const SshTarget &m_target;
    SshHub &m_hub;
    std::string m_node;
    std::vector<std::string> m_addresses; // still to be tried, next one last
    int m_descriptor = -1;                // being connected
    std::unique_ptr<QSocketNotifier> m_notifier;
    QTimer m_deadline;
    std::string m_peer;
    QPointer<SshLink> m_jump;
    QPointer<HostProcess> m_forward;
    QLocalSocket *m_local = nullptr; // our end of the pair
    std::unique_ptr<QProcess> m_command;
    bool m_done = false;
};

} // namespace sb
