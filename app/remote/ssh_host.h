// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/host.h"
#include "remote/ssh_config.h"
#include "remote/ssh_types.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sb {

class SshHub;
class SshLink;
class SshProcess;

// A node over SSH. Connects when asked to or when something is started; makes further connections to the
// same node when one has as many channels as sshd allows; connects again by itself after a break. Processes
// of a broken connection finish without exit code; those started meanwhile wait for the attempt to connect
// that is going on and fail with it. I/O thread.
class SshHost : public Host {
    Q_OBJECT
public:
    SshHost(std::string name, SshTarget target, SshHub &hub, QObject *parent = nullptr);
    ~SshHost() override;

    HostProcess *start(const ProcessSpec &spec) override;

    void connectNow(); // also after Failed
    void disconnectNow();
    const SshStatus &status() const { return m_status; }
    std::string peerAddress() const { return m_peerAddress; }
    const std::optional<HostKey> &hostKey() const { return m_hostKey; } // verified; of the last connection

Q_SIGNALS:
    void statusChanged();

private:
    void openLink();
    void linkReady(SshLink *link);
    void linkEnded(SshLink *link, const SshProblem &problem);
    void assign();
    void scheduleReconnect();
    void updateStatus();
    void failWaiting(const std::string &why);
    SshLink *firstLink() const;

    SshTarget m_target;
    SshHub &m_hub;
    std::vector<SshLink *> m_links; // children
    std::deque<QPointer<SshProcess>> m_waiting;
    SshStatus m_status;
    std::string m_peerAddress;
    std::optional<HostKey> m_hostKey;
    QTimer m_reconnect;
    int m_attempts = 0;       // since the last success
    int m_handshakeTries = 0; // dropped at the door
    bool m_wanted = false;    // to be connected
    bool m_wasReady = false;
};

} // namespace sb
