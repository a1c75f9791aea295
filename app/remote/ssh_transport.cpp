// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_transport.h"

#include "core/text.h"
#include "remote/host.h"
#include "remote/shell_quote.h"
#include "remote/ssh_config.h"
#include "remote/ssh_hub.h"
#include "remote/ssh_link.h"

#include <QHostAddress>
#include <QHostInfo>
#include <QLocalSocket>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sb {

namespace {

// A peer that acknowledges nothing for this long is dead; the kernel then breaks the connection.
constexpr int kDeadPeerMs = 15000;

void setOption(int descriptor, int level, int option, int value)
{
    ::setsockopt(descriptor, level, option, &value, sizeof value);
}

void tune(int descriptor)
{
    setOption(descriptor, IPPROTO_TCP, TCP_NODELAY, 1); // 3–6 ms a command in place of 28–44
    setOption(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, kDeadPeerMs);
    setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
    setOption(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 5);
    setOption(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, 5);
    setOption(descriptor, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

socklen_t fill(sockaddr_storage &storage, const QHostAddress &address, int port)
{
    storage = {};
    if (address.protocol() == QAbstractSocket::IPv6Protocol) {
        auto *v6 = reinterpret_cast<sockaddr_in6 *>(&storage);
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(static_cast<std::uint16_t>(port));
        const Q_IPV6ADDR bytes = address.toIPv6Address();
        std::memcpy(&v6->sin6_addr, &bytes, sizeof v6->sin6_addr);
        v6->sin6_scope_id = address.scopeId().toUInt();
        return sizeof *v6;
    }
    auto *v4 = reinterpret_cast<sockaddr_in *>(&storage);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<std::uint16_t>(port));
    v4->sin_addr.s_addr = htonl(address.toIPv4Address());
    return sizeof *v4;
}

// Likely cause and next action by what connect(2) said.
void explain(SshProblem &problem, int error, const SshTarget &target)
{
    const std::string port = std::to_string(target.port);
    switch (error) {
    case ECONNREFUSED:
        problem.cause = "No SSH server listens on port " + port + ", or a firewall refuses.";
        problem.action = "Check the port and that sshd runs on the node.";
        break;
    case ENETUNREACH:
        problem.cause = "This machine has no way into the node's network.";
        problem.action = "Is a VPN needed, or a ProxyJump in ssh_config?";
        break;
    default:
        problem.cause = "The node is off, its network is down, or a firewall drops the packets.";
        problem.action = "Check that the node is on and reachable from here.";
    }
    problem.command = shellCommand({"nc", "-vz", target.hostName, port});
}

} // namespace

SshTransport::SshTransport(const SshTarget &target, SshHub &hub, const std::string &node, QObject *parent)
    : QObject(parent)
    , m_target(target)
    , m_hub(hub)
    , m_node(node)
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] { addressFailed(ETIMEDOUT); });
}

SshTransport::~SshTransport()
{
    m_notifier.reset();
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    if (m_forward) {
        m_forward->disconnect(this);
        m_forward->close();
    }
    if (m_command) {
        m_command->disconnect(this);
        m_command->kill(); // our own child
        m_command->waitForFinished(100);
    }
}

SshLink *SshTransport::jump() const
{
    return m_jump;
}

SshProblem SshTransport::problem(SshStep step, const std::string &message) const
{
    SshProblem problem;
    problem.step = step;
    problem.message = message;
    return problem;
}

void SshTransport::start()
{
    if (!m_target.proxyCommand.empty())
        startCommand();
    else if (!m_target.proxyJump.empty())
        startJump();
    else
        startDirect();
}

void SshTransport::startDirect()
{
    const auto resolved = [this](const QHostInfo &info) {
        if (info.addresses().isEmpty()) {
            SshProblem failure =
                problem(SshStep::Resolve, "The name " + m_target.hostName + " is not known (" +
                                              info.errorString().toStdString() + ").");
            failure.cause = "A typing error, or the name is only known inside a VPN.";
            failure.action = "Check the name, or give the node a HostName in ssh_config.";
            failure.command = shellCommand({"getent", "hosts", m_target.hostName});
            return Q_EMIT failed(failure);
        }
        for (const QHostAddress &address : info.addresses())
            m_addresses.insert(m_addresses.begin(), address.toString().toStdString());
        Q_EMIT stepEnded(SshStep::Resolve, m_addresses.back());
        tryAddress();
    };
    const QHostAddress literal(QString::fromStdString(m_target.hostName));
    if (!literal.isNull()) {
        QHostInfo info;
        info.setAddresses({literal});
        return resolved(info);
    }
    QHostInfo::lookupHost(QString::fromStdString(m_target.hostName), this, resolved);
}

void SshTransport::tryAddress()
{
    m_peer = std::move(m_addresses.back());
    m_addresses.pop_back();
    const QHostAddress address(QString::fromStdString(m_peer));
    sockaddr_storage storage;
    const socklen_t length = fill(storage, address, m_target.port);
    m_descriptor = ::socket(storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (m_descriptor < 0)
        return addressFailed(errno);
    tune(m_descriptor);
    if (::connect(m_descriptor, reinterpret_cast<const sockaddr *>(&storage), length) != 0 &&
        errno != EINPROGRESS)
        return addressFailed(errno);
    m_deadline.start(m_target.connectTimeoutS * 1000);
    m_notifier = std::make_unique<QSocketNotifier>(m_descriptor, QSocketNotifier::Write);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(m_descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0)
            return addressFailed(error);
        m_notifier->setEnabled(false);
        m_notifier.release()->deleteLater(); // we are inside its signal
        m_deadline.stop();
        m_done = true;
        Q_EMIT stepEnded(SshStep::Connect, m_peer + " port " + std::to_string(m_target.port));
        Q_EMIT connected(std::exchange(m_descriptor, -1));
    });
}

void SshTransport::addressFailed(int error)
{
    m_deadline.stop();
    if (m_notifier) {
        m_notifier->setEnabled(false);
        m_notifier.release()->deleteLater();
    }
    if (m_descriptor >= 0)
        ::close(std::exchange(m_descriptor, -1));
    if (!m_addresses.empty())
        return tryAddress();
    SshProblem failure =
        problem(SshStep::Connect, "Port " + std::to_string(m_target.port) + " of " + m_target.hostName +
                                      " (" + m_peer + ") cannot be reached: " + std::strerror(error) + ".");
    explain(failure, error, m_target);
    Q_EMIT failed(failure);
}

// One end for libssh, the other for us.
std::pair<int, int> SshTransport::socketPair()
{
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        Q_EMIT failed(problem(SshStep::Connect,
                              std::string("No local socket could be made: ") + std::strerror(errno) + "."));
        return {-1, -1};
    }
    return {ends[0], ends[1]};
}

void SshTransport::startCommand()
{
    const auto [ours, theirs] = socketPair();
    if (ours < 0)
        return;
    Q_EMIT stepEnded(SshStep::Resolve, "by ProxyCommand");
    m_command = std::make_unique<QProcess>();
    m_command->setProgram(QStringLiteral("/bin/sh"));
    m_command->setArguments({QStringLiteral("-c"), QString::fromStdString("exec " + m_target.proxyCommand)});
    m_command->setChildProcessModifier([theirs = theirs] { // between fork and exec
        const int flags = ::fcntl(theirs, F_GETFL);
        ::fcntl(theirs, F_SETFL, flags & ~O_NONBLOCK); // programs expect plain standard streams
        ::dup2(theirs, 0);
        ::dup2(theirs, 1);
    });
    connect(m_command.get(), &QProcess::finished, this, [this](int code) {
        const std::string said = validUtf8(trimmed(m_command->readAllStandardError().toStdString()));
        Q_EMIT broken("the ProxyCommand ended with status " + std::to_string(code) +
                      (said.empty() ? "" : ": " + said));
    });
    m_command->start();
    const bool started = m_command->state() != QProcess::NotRunning;
    ::close(theirs);
    if (!started) {
        ::close(ours);
        return Q_EMIT failed(
            problem(SshStep::Connect, "The ProxyCommand of " + m_target.alias + " could not be started."));
    }
    Q_EMIT stepEnded(SshStep::Connect, "by ProxyCommand");
    Q_EMIT connected(ours);
}

void SshTransport::startJump()
{
    auto link = m_hub.jumpLink(m_target.proxyJump, m_node);
    if (!link)
        return Q_EMIT failed(problem(SshStep::Resolve, link.error().message));
    m_jump = *link;
    connect(m_jump, &SshLink::changed, this, &SshTransport::jumpChanged);
    connect(m_jump, &SshLink::ended, this, [this](const SshProblem &why) {
        if (m_done)
            return Q_EMIT broken("the jump host " + m_target.proxyJump.back() + " is gone: " + why.message);
        Q_EMIT failed(why);
    });
    connect(m_jump, &SshLink::ready, this, &SshTransport::pump);
    if (m_jump->isReady())
        pump();
}

// Bytes between libssh's socket and a direct-tcpip channel of the jump host's link.
void SshTransport::pump()
{
    const auto [ours, theirs] = socketPair();
    if (ours < 0)
        return;
    Q_EMIT stepEnded(SshStep::Resolve, "by " + m_target.proxyJump.back());
    m_local = new QLocalSocket(this);
    m_local->setSocketDescriptor(theirs);
    m_forward = m_jump->startForward(m_target.hostName, m_target.port);
    connect(m_forward, &HostProcess::outputReady, this, [this, descriptor = ours](const QByteArray &bytes) {
        if (!m_done) { // the server greets first: the channel is open
            m_done = true;
            Q_EMIT stepEnded(SshStep::Connect, "through " + m_target.proxyJump.back());
            m_local->write(bytes);
            return Q_EMIT connected(descriptor);
        }
        m_local->write(bytes);
    });
    connect(m_forward, &HostProcess::finished, this, [this, descriptor = ours](const ProcessEnd &end) {
        const std::string why = end.error.empty() ? "the jump host closed the channel." : end.error;
        if (m_done) {
            m_local->disconnectFromServer();
            return Q_EMIT broken(why);
        }
        ::close(descriptor);
        SshProblem failure = problem(SshStep::Connect, m_target.proxyJump.back() + " cannot reach port " +
                                                           std::to_string(m_target.port) + " of " +
                                                           m_target.hostName + ": " + why);
        failure.cause = "The node is off, or the jump host may not forward to it (AllowTcpForwarding).";
        failure.action = "Try the same from the jump host.";
        Q_EMIT failed(failure);
    });
    connect(m_local, &QLocalSocket::readyRead, this, [this] {
        if (m_forward)
            m_forward->write(m_local->readAll());
    });
    connect(m_local, &QLocalSocket::disconnected, this, [this] {
        if (m_forward)
            m_forward->closeInput();
    });
}

} // namespace sb
