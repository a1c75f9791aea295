// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_hub.h"

#include "core/text.h"
#include "remote/ssh_link.h"

namespace sb {

namespace {
constexpr int kMostLogIns = 48;         // at once, of all
constexpr int kMostLogInsPerServer = 4; // well below MaxStartups 10, which other people share
} // namespace

std::string sshStepTitle(SshStep step)
{
    switch (step) {
    case SshStep::Resolve:
        return "Resolve";
    case SshStep::Connect:
        return "Connect";
    case SshStep::KeyExchange:
        return "Key exchange";
    case SshStep::HostKey:
        return "Host key";
    case SshStep::SignIn:
        return "Sign in";
    case SshStep::Probe:
        return "Probe";
    }
    return {};
}

SshHub::SshHub(SshConfig config, QObject *parent)
    : QObject(parent)
    , m_config(std::move(config))
{
}

SshHub::~SshHub()
{
    for (const auto &[name, link] : m_jumps)
        delete link;
}

void SshHub::ask(const std::string &subject, SshQuestion question, QObject *context,
                 std::function<void(const SshAnswer &)> answered)
{
    for (auto &[id, asked] : m_questions)
        if (asked.subject == subject) {
            asked.waiting.push_back({context, std::move(answered)});
            return;
        }
    question.id = ++m_lastQuestion;
    m_questions[question.id] = {subject, {{context, std::move(answered)}}};
    Q_EMIT this->asked(question);
}

void SshHub::answer(std::uint64_t id, const SshAnswer &answer)
{
    const auto found = m_questions.find(id);
    if (found == m_questions.end())
        return;
    const std::vector<Waiting> waiting = std::move(found->second.waiting);
    m_questions.erase(found);
    Q_EMIT questionGone(id);
    for (const Waiting &one : waiting)
        if (one.context)
            one.answered(answer);
}

void SshHub::trustForNow(const std::string &keyName, const HostKey &key)
{
    m_trusted.emplace(keyName, key.blob);
}

bool SshHub::isTrustedForNow(const std::string &keyName, const HostKey &key) const
{
    return m_trusted.contains({keyName, key.blob});
}

void SshHub::enter(const std::string &server, QObject *context, std::function<void()> go)
{
    m_gates[server].waiting.emplace_back(context, std::move(go));
    letIn();
}

void SshHub::leave(const std::string &server)
{
    --m_gates[server].inside;
    --m_inside;
    letIn();
}

void SshHub::letIn()
{
    for (auto &[server, gate] : m_gates)
        while (!gate.waiting.empty() && gate.inside < kMostLogInsPerServer && m_inside < kMostLogIns) {
            auto [context, go] = std::move(gate.waiting.front());
            gate.waiting.pop_front();
            if (!context)
                continue;
            ++gate.inside;
            ++m_inside;
            go();
        }
}

Result<SshLink *> SshHub::jumpLink(std::vector<std::string> jumps, const std::string &node)
{
    if (const auto checked = m_config.checkJumps(jumps); !checked)
        return checked.error();
    const std::string name = join(jumps, ",");
    QPointer<SshLink> &known = m_jumps[name];
    if (known && !known->hasEnded())
        return known.data();
    auto target = m_config.resolve(jumps.back());
    if (!target)
        return target.error();
    jumps.pop_back();
    if (!jumps.empty())
        target->proxyJump = jumps;
    if (known)
        known->deleteLater();
    known = new SshLink(std::move(*target), *this, node, nullptr);
    known->open();
    return known.data();
}

} // namespace sb
