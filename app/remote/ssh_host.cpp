// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_host.h"

#include "remote/ssh_hub.h"
#include "remote/ssh_link.h"
#include "remote/ssh_process.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>

namespace sb {

namespace {

constexpr int kMostLinks = 8; // to one node
constexpr std::array kReconnectMs{500, 1000, 2000, 4000, 8000, 15000, 30000};
constexpr int kMostHandshakeTries = 4;

} // namespace

SshHost::SshHost(std::string name, SshTarget target, SshHub &hub, QObject *parent)
    : Host(std::move(name), parent)
    , m_target(std::move(target))
    , m_hub(hub)
{
    m_status.warnings = m_target.warnings;
    m_reconnect.setSingleShot(true);
    connect(&m_reconnect, &QTimer::timeout, this, [this] {
        if (m_wanted && m_links.empty())
            openLink();
    });
}

SshHost::~SshHost()
{
    disconnectNow();
}

HostProcess *SshHost::start(const ProcessSpec &spec)
{
    auto *process = new SshProcess(spec, this);
    m_waiting.emplace_back(process);
    // From the event loop, so that the caller can connect to the signals first.
    QTimer::singleShot(0, this, [this] {
        if (m_links.empty())
            connectNow();
        assign();
    });
    return process;
}

void SshHost::connectNow()
{
    m_wanted = true;
    m_reconnect.stop();
    if (m_links.empty())
        openLink();
}

void SshHost::disconnectNow()
{
    m_wanted = false;
    m_wasReady = false;
    m_reconnect.stop();
    for (SshLink *link : std::exchange(m_links, {})) {
        link->disconnect(this);
        link->close();
        link->deleteLater();
    }
    failWaiting("The connection was closed.");
    updateStatus();
}

SshLink *SshHost::firstLink() const
{
    return m_links.empty() ? nullptr : m_links.front();
}

void SshHost::openLink()
{
    auto *link = new SshLink(m_target, m_hub, name(), this);
    m_links.push_back(link);
    connect(link, &SshLink::changed, this, &SshHost::updateStatus);
    connect(link, &SshLink::ready, this, [this, link] { linkReady(link); });
    connect(link, &SshLink::roomChanged, this, &SshHost::assign);
    connect(link, &SshLink::refused, this, [this](SshProcess *process) {
        m_waiting.emplace_front(process);
        QTimer::singleShot(0, this, &SshHost::assign);
    });
    connect(link, &SshLink::ended, this,
            [this, link](const SshProblem &problem) { linkEnded(link, problem); });
    link->open();
    updateStatus();
}

void SshHost::linkReady(SshLink *link)
{
    m_attempts = 0;
    m_handshakeTries = 0;
    m_wasReady = true;
    m_status.problem.reset();
    m_peerAddress = link->peerAddress();
    m_hostKey = link->hostKey();
    updateStatus();
    QTimer::singleShot(0, this, &SshHost::assign);
}

// Gives waiting processes to links with room, and opens another link if that is not enough.
void SshHost::assign()
{
    std::erase_if(m_waiting, [](const auto &process) { return !process || process->ended(); });
    for (SshLink *link : std::vector(m_links))
        while (!m_waiting.empty() && link->room() > 0) {
            const QPointer<SshProcess> process = m_waiting.front();
            m_waiting.pop_front();
            if (process && !process->ended())
                link->carry(process);
        }
    const bool oneComes = std::any_of(m_links.begin(), m_links.end(), [](const SshLink *link) {
        return !link->isReady() && !link->hasEnded();
    });
    if (!m_waiting.empty() && !m_links.empty() && !oneComes && static_cast<int>(m_links.size()) < kMostLinks)
        openLink();
}

void SshHost::linkEnded(SshLink *link, const SshProblem &problem)
{
    std::erase(m_links, link);
    link->disconnect(this);
    link->deleteLater();
    const bool more =
        std::any_of(m_links.begin(), m_links.end(), [](const SshLink *one) { return one->isReady(); });
    if (more) { // another connection to the node still carries what was begun
        if (!m_waiting.empty() && problem.needsUser)
            failWaiting(problem.message);
        return;
    }
    if (!m_links.empty())
        return;
    // Dropped before the handshake was through: sshd does that when many log in at once (MaxStartups).
    if (m_wanted && problem.step == SshStep::KeyExchange && ++m_handshakeTries < kMostHandshakeTries) {
        m_reconnect.start(200 * m_handshakeTries +
                          static_cast<int>(QRandomGenerator::global()->bounded(400)));
        return;
    }
    m_handshakeTries = 0;
    m_status.problem = problem;
    m_status.steps = link->steps();
    failWaiting(problem.text());
    if (problem.needsUser)
        m_wanted = false;
    else
        scheduleReconnect();
    updateStatus();
}

void SshHost::scheduleReconnect()
{
    // A node that was never reached is not knocked at for ever; somebody has to ask again.
    if (!m_wanted || !m_wasReady) {
        m_wanted = false;
        return;
    }
    const auto index = std::min<std::size_t>(static_cast<std::size_t>(m_attempts++), kReconnectMs.size() - 1);
    m_reconnect.start(kReconnectMs[index]);
}

void SshHost::failWaiting(const std::string &why)
{
    for (const QPointer<SshProcess> &process : std::exchange(m_waiting, {}))
        if (process)
            process->breakOff(why);
}

void SshHost::updateStatus()
{
    const SshLink *link = firstLink();
    const bool anyReady =
        std::any_of(m_links.begin(), m_links.end(), [](const SshLink *one) { return one->isReady(); });
    if (link)
        m_status.steps = link->steps();
    if (anyReady)
        m_status.state = SshState::Ready;
    else if (link && link->asking())
        m_status.state = SshState::Asking;
    else if (m_wasReady && m_wanted)
        m_status.state = SshState::Lost;
    else if (link || m_reconnect.isActive())
        m_status.state = SshState::Connecting;
    else if (m_status.problem)
        m_status.state = SshState::Failed;
    else
        m_status.state = SshState::Idle;
    Q_EMIT statusChanged();
}

} // namespace sb
