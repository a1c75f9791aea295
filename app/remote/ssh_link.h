// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/ssh_config.h"
#include "remote/ssh_types.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QSocketNotifier>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ssh_session_struct;
struct ssh_event_struct;

namespace sb {

class HostProcess;
class SshHub;
class SshProcess;
class SshSignIn;
class SshTransport;

// One SSH connection: gets a socket, exchanges keys, checks the host key, signs in, then carries channels.
// Used once: when it has ended, make another. I/O thread; driven by socket notifiers, never blocks.
class SshLink : public QObject {
    Q_OBJECT
public:
    // `node`: what is being connected to in the end, for questions.
    SshLink(SshTarget target, SshHub &hub, std::string node, QObject *parent);
    ~SshLink() override;

    void open();
    void close();

    bool isReady() const { return m_phase == Phase::Ready; }
    const std::optional<HostKey> &hostKey() const { return m_hostKey; } // once it is verified
    bool hasEnded() const { return m_phase == Phase::Ended; }
    bool asking() const;
    const SshTarget &target() const { return m_target; }
    std::string peerAddress() const;          // of the node as seen from here; empty behind a jump host
    std::vector<SshStepReport> steps() const; // those of jump hosts first

    // Channels. The server may allow fewer than we would like; room() says how many more.
    int room() const;
    void carry(SshProcess *process); // takes one that waits; give none when there is no room
    HostProcess *startForward(const std::string &host, int port);

    static constexpr int kMostChannels = 8; // OpenSSH allows 10 (MaxSessions)

Q_SIGNALS:
    void changed(); // steps or asking
    void ready();
    void roomChanged();
    void refused(sb::SshProcess *process);    // the server opens no more channels; the process waits again
    void ended(const sb::SshProblem &reason); // exactly once, unless deleted before

private:
    enum class Phase { Idle, Transport, KeyExchange, HostKey, Asking, SignIn, Ready, Ended };

    void startTransport();
    void beginSession(int descriptor);
    bool setOptions(int descriptor);
    void socketActive();
    void advance();
    void exchangeKeys();
    void checkKey();
    void askAboutKey(const HostKey &key);
    void acceptKey(const HostKey &key, const std::string &found);
    void refuseKey(const HostKeyCheck &check, const HostKey &key);
    void signIn();
    void becomeReady();
    void driveChannels();
    void updateNotifiers();
    void beat();
    void beginStep(SshStep step);
    void endStep(SshStep step, const std::string &found);
    void fail(SshProblem problem);
    void lost(const std::string &why);
    void leaveGate();
    HostKeyPlace keyPlace() const;
    std::string hop() const;

    SshTarget m_target;
    SshHub &m_hub;
    std::string m_node;
    Phase m_phase = Phase::Idle;
    std::unique_ptr<SshTransport> m_transport;
    ssh_session_struct *m_session = nullptr;
    ssh_event_struct *m_event = nullptr;
    std::optional<HostKey> m_hostKey;
    int m_descriptor = -1; // owned by the session
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    std::unique_ptr<SshSignIn> m_signIn;
    std::vector<QPointer<SshProcess>> m_channels;
    int m_limit = kMostChannels;
    QTimer m_deadline; // of key exchange and signing in
    QTimer m_heart;
    QElapsedTimer m_sinceBytes;
    bool m_beating = false;
    bool m_inGate = false;
    bool m_advancing = false;
    bool m_again = false; // advance() was wanted while it ran
    std::vector<SshStepReport> m_steps;
    QElapsedTimer m_stepClock;
    double m_askedMs = 0;
};

} // namespace sb
