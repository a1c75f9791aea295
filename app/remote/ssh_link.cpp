// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_link.h"

#include "core/text.h"
#include "remote/ssh_hub.h"
#include "remote/ssh_process.h"
#include "remote/ssh_sign_in.h"
#include "remote/ssh_transport.h"

#include <algorithm>
#include <libssh/libssh.h>
#include <poll.h>
#include <unistd.h>

namespace sb {

namespace {

constexpr int kHandshakeMs = 30000; // key exchange and signing in, without the time somebody is asked
constexpr int kBeatMs = 5000;       // quiet for this long: ask whether the server is there
constexpr int kDeadMs = 15000;      // no byte for this long although asked: it is not
constexpr int kReadsAtOnce = 32;    // before other nodes have their turn

std::string sessionError(ssh_session_struct *session)
{
    return validUtf8(ssh_get_error(session));
}

} // namespace

SshLink::SshLink(SshTarget target, SshHub &hub, std::string node, QObject *parent)
    : QObject(parent)
    , m_target(std::move(target))
    , m_hub(hub)
    , m_node(std::move(node))
{
    for (const SshStep step :
         {SshStep::Resolve, SshStep::Connect, SshStep::KeyExchange, SshStep::HostKey, SshStep::SignIn})
        m_steps.push_back({hop(), step, SshStepReport::State::Waiting, {}, {}});
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        SshProblem problem;
        problem.step = m_phase == Phase::SignIn ? SshStep::SignIn : SshStep::KeyExchange;
        problem.message = hop() + " did not answer within " + std::to_string(kHandshakeMs / 1000) + " s.";
        problem.cause = "The server is overloaded, or what listens there is not an SSH server.";
        problem.action = "Try again, or look at the server's log.";
        fail(problem);
    });
    connect(&m_heart, &QTimer::timeout, this, &SshLink::beat);
}

SshLink::~SshLink()
{
    close();
}

std::string SshLink::hop() const
{
    std::string text = m_target.user + "@" + m_target.alias;
    return m_target.port == 22 ? text : text + ":" + std::to_string(m_target.port);
}

std::string SshLink::peerAddress() const
{
    return m_transport ? m_transport->peerAddress() : std::string();
}

bool SshLink::asking() const
{
    const bool jumpAsks = m_transport && m_transport->jump() && m_transport->jump()->asking();
    return m_phase == Phase::Asking || (m_signIn && m_signIn->asking()) ||
           (m_phase == Phase::Transport && jumpAsks);
}

std::vector<SshStepReport> SshLink::steps() const
{
    std::vector<SshStepReport> all;
    if (m_transport && m_transport->jump())
        all = m_transport->jump()->steps();
    all.insert(all.end(), m_steps.begin(), m_steps.end());
    return all;
}

void SshLink::open()
{
    m_phase = Phase::Transport;
    const std::string server = m_target.proxyCommand + "\n" + join(m_target.proxyJump, ",") + "\n" +
                               m_target.hostName + ":" + std::to_string(m_target.port);
    m_hub.enter(server, this, [this] {
        m_inGate = true;
        if (m_phase != Phase::Transport) // closed while it waited
            return leaveGate();
        startTransport();
    });
}

void SshLink::leaveGate()
{
    if (!std::exchange(m_inGate, false))
        return;
    m_hub.leave(m_target.proxyCommand + "\n" + join(m_target.proxyJump, ",") + "\n" + m_target.hostName +
                ":" + std::to_string(m_target.port));
}

void SshLink::startTransport()
{
    beginStep(SshStep::Resolve);
    m_transport = std::make_unique<SshTransport>(m_target, m_hub, m_node, nullptr);
    connect(m_transport.get(), &SshTransport::stepEnded, this,
            [this](SshStep step, const std::string &found) {
                endStep(step, found);
                if (step == SshStep::Resolve)
                    beginStep(SshStep::Connect);
            });
    connect(m_transport.get(), &SshTransport::jumpChanged, this, &SshLink::changed);
    connect(m_transport.get(), &SshTransport::connected, this, &SshLink::beginSession);
    connect(m_transport.get(), &SshTransport::failed, this, &SshLink::fail);
    connect(m_transport.get(), &SshTransport::broken, this, &SshLink::lost);
    m_transport->start();
}

void SshLink::beginSession(int descriptor)
{
    m_session = ssh_new();
    const bool goodUser =
        m_session && ssh_options_set(m_session, SSH_OPTIONS_USER, m_target.user.c_str()) == SSH_OK;
    if (m_session && !goodUser) {
        ::close(descriptor);
        SshProblem problem;
        problem.step = SshStep::KeyExchange;
        problem.message =
            "The user name " + m_target.user + " has a character that libssh refuses, such as $ or a quote.";
        problem.action = "Use another account on " + m_target.alias + ".";
        problem.needsUser = true;
        return fail(problem);
    }
    if (!m_session || !setOptions(descriptor)) {
        ::close(descriptor);
        SshProblem problem;
        problem.step = SshStep::KeyExchange;
        problem.message = "An SSH option for " + hop() +
                          " is not accepted: " + (m_session ? sessionError(m_session) : "no memory") + ".";
        problem.action = "Check Ciphers, MACs, KexAlgorithms and HostKeyAlgorithms in ssh_config.";
        problem.needsUser = true;
        return fail(problem);
    }
    ssh_set_blocking(m_session, 0);
    m_descriptor = descriptor;
    m_readable = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
    m_writable = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &SshLink::socketActive);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &SshLink::socketActive);
    m_phase = Phase::KeyExchange;
    m_deadline.start(kHandshakeMs);
    beginStep(SshStep::KeyExchange);
    advance();
}

void SshLink::socketActive()
{
    m_sinceBytes.start();
    advance();
}

// Goes on with whatever the link is at. Called again from within (an answer, a closing process), it does
// another round instead of nesting: libssh is not to be entered twice.
void SshLink::advance()
{
    if (m_advancing) {
        m_again = true;
        return;
    }
    m_advancing = true;
    const QPointer<SshLink> self(this);
    do {
        m_again = false;
        switch (m_phase) {
        case Phase::KeyExchange:
            exchangeKeys();
            break;
        case Phase::SignIn:
            signIn();
            break;
        case Phase::Ready:
            driveChannels();
            break;
        default:
            break;
        }
        if (!self)
            return;
    } while (m_again);
    m_advancing = false;
    updateNotifiers();
}

void SshLink::updateNotifiers()
{
    if (!m_session || !m_writable)
        return;
    m_writable->setEnabled((ssh_get_poll_flags(m_session) & SSH_WRITE_PENDING) != 0);
}

void SshLink::becomeReady()
{
    m_deadline.stop();
    leaveGate();
    m_event = ssh_event_new();
    ssh_event_add_session(m_event, m_session);
    m_phase = Phase::Ready;
    m_sinceBytes.start();
    m_heart.start(kBeatMs);
    m_again = true; // bytes may have come with the last answer
    Q_EMIT ready();
}

int SshLink::room() const
{
    if (m_phase != Phase::Ready)
        return 0;
    return m_limit -
           static_cast<int>(std::count_if(m_channels.begin(), m_channels.end(),
                                          [](const auto &process) { return process && !process->ended(); }));
}

void SshLink::carry(SshProcess *process)
{
    m_channels.emplace_back(process);
    process->bind(m_session);
    connect(process, &SshProcess::wantsAttention, this, &SshLink::advance);
    advance();
}

HostProcess *SshLink::startForward(const std::string &host, int port)
{
    auto *process = new SshProcess(host, port, this);
    // From the event loop, so that the caller can connect first. Forwarded connections are no sessions and
    // do not count for MaxSessions.
    QTimer::singleShot(0, process, [this, process] {
        if (m_phase != Phase::Ready)
            return process->breakOff("The link to the jump host is gone.");
        m_channels.emplace_back(process);
        ++m_limit;
        process->bind(m_session);
        connect(process, &SshProcess::wantsAttention, this, &SshLink::advance);
        connect(process, &HostProcess::finished, this, [this] { --m_limit; });
        advance();
    });
    return process;
}

void SshLink::driveChannels()
{
    pollfd socket{m_descriptor, POLLIN, 0};
    for (int i = 0; i < kReadsAtOnce; ++i) {
        if (ssh_event_dopoll(m_event, 0) == SSH_ERROR || !ssh_is_connected(m_session))
            return lost(sessionError(m_session));
        if (::poll(&socket, 1, 0) <= 0 || (socket.revents & POLLIN) == 0)
            break;
    }
    if (m_beating && m_sinceBytes.elapsed() < kBeatMs)
        m_beating = false;
    const QPointer<SshLink> self(this);
    bool freed = false;
    const auto channels = m_channels;
    for (const QPointer<SshProcess> &process : channels) {
        if (!process || process->ended())
            continue;
        const SshProcess::Progress progress = process->advance();
        if (progress == SshProcess::Progress::NoRoom) {
            process->disconnect(this);
            std::erase(m_channels, process);
            process->unbind();
            m_limit = static_cast<int>(m_channels.size());
            Q_EMIT refused(process);
        } else {
            process->deliver();
        }
        if (!self || m_phase != Phase::Ready)
            return;
        freed = freed || !process || process->ended();
    }
    if (!ssh_is_connected(m_session))
        return lost(sessionError(m_session));
    if (!freed)
        return;
    std::erase_if(m_channels, [](const auto &process) { return !process || process->ended(); });
    Q_EMIT roomChanged();
}

// A peer whose kernel answers but whose sshd does not, and one that is gone without a goodbye, both show in
// a request that is not answered. Cancelling a forwarding that does not exist is the one harmless request
// with an answer that libssh sends without waiting for it.
void SshLink::beat()
{
    if (m_phase != Phase::Ready)
        return;
    const qint64 quietMs = m_sinceBytes.elapsed();
    if (quietMs > kDeadMs)
        return lost("no answer for " + std::to_string(quietMs / 1000) + " s");
    if (quietMs < kBeatMs && !m_beating)
        return;
    int asked = ssh_channel_cancel_forward(m_session, "localhost", 1);
    if (asked != SSH_AGAIN) // that was the answer to the last one
        asked = ssh_channel_cancel_forward(m_session, "localhost", 1);
    m_beating = asked == SSH_AGAIN;
    updateNotifiers();
}

void SshLink::beginStep(SshStep step)
{
    m_steps[static_cast<std::size_t>(step)].state = SshStepReport::State::Active;
    m_stepClock.start();
    m_askedMs = 0;
    Q_EMIT changed();
}

void SshLink::endStep(SshStep step, const std::string &found)
{
    SshStepReport &report = m_steps[static_cast<std::size_t>(step)];
    report.state = SshStepReport::State::Done;
    report.timeMs = static_cast<double>(m_stepClock.nsecsElapsed()) / 1e6 - m_askedMs;
    report.found = found;
    Q_EMIT changed();
}

void SshLink::fail(SshProblem problem)
{
    if (m_phase == Phase::Ended)
        return;
    if (problem.hop.empty())
        problem.hop = hop();
    for (SshStepReport &report : m_steps)
        if (report.state == SshStepReport::State::Active)
            report.state = SshStepReport::State::Failed;
    m_phase = Phase::Ended;
    m_deadline.stop();
    m_heart.stop();
    if (m_readable) {
        m_readable->setEnabled(false);
        m_writable->setEnabled(false);
    }
    leaveGate();
    const QPointer<SshLink> self(this);
    const std::string why = problem.message;
    for (const QPointer<SshProcess> &process : std::exchange(m_channels, {})) {
        if (process)
            process->breakOff(why);
        if (!self)
            return;
    }
    Q_EMIT changed();
    if (self)
        Q_EMIT ended(problem);
}

void SshLink::lost(const std::string &why)
{
    SshProblem problem;
    problem.step = m_phase == Phase::Ready ? SshStep::Connect : SshStep::KeyExchange;
    problem.message =
        "The connection to " + hop() + " broke: " + (why.empty() ? "it was closed there" : why) + ".";
    problem.cause = "The node or the network between went away.";
    problem.action = "It is tried again.";
    fail(problem);
}

void SshLink::close()
{
    m_deadline.stop();
    m_heart.stop();
    leaveGate();
    m_phase = Phase::Ended;
    for (const QPointer<SshProcess> &process : std::exchange(m_channels, {}))
        if (process) {
            process->disconnect(this);
            process->unbind(); // before the session is freed
            process->breakOff("The connection was closed.");
        }
    m_readable.reset();
    m_writable.reset();
    m_signIn.reset();
    if (m_event) {
        ssh_event_remove_session(m_event, m_session);
        ssh_event_free(m_event);
        m_event = nullptr;
    }
    if (m_session) {
        ssh_disconnect(m_session);
        ssh_free(m_session); // closes the socket
        m_session = nullptr;
    }
    m_transport.reset();
}

} // namespace sb
