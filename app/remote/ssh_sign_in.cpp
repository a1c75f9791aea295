// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_sign_in.h"

#include "core/text.h"
#include "remote/agent_filter.h"
#include "remote/host_keys.h"
#include "remote/ssh_config.h"
#include "remote/ssh_hub.h"

#include <QByteArray>

#include <fstream>
#include <libssh/libssh.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sb {

namespace {

constexpr int kMostTries = 3; // of one secret
constexpr unsigned kMostPrompts = 16;

// Text of a server, to be shown: no control or escape characters, and not endless.
std::string shown(const char *text)
{
    std::string result;
    for (const char c : validUtf8(text ? text : "")) {
        if (static_cast<unsigned char>(c) >= ' ' && c != 127)
            result += c;
        else if (c == '\n' || c == '\t')
            result += ' ';
    }
    return result.substr(0, 500);
}

bool isEncrypted(const std::string &file)
{
    std::ifstream stream(file);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (text.find("BEGIN OPENSSH PRIVATE KEY") == std::string::npos)
        return text.find("ENCRYPTED") != std::string::npos;
    std::string base64;
    std::size_t begin = text.find('\n');
    const std::size_t end = text.find("-----END");
    if (begin == std::string::npos || end == std::string::npos)
        return false;
    const QByteArray head =
        QByteArray::fromBase64(QByteArray(text.data() + begin, static_cast<qsizetype>(end - begin)));
    // "openssh-key-v1\0", then the cipher's name as a string; "none" means not encrypted.
    return head.size() > 23 && head.mid(19, 4) != "none";
}

// ssh refuses keys that others can read, and so do we.
bool isPrivate(const std::string &file)
{
    struct stat status {};
    return ::stat(file.c_str(), &status) != 0 || status.st_uid != ::getuid() || (status.st_mode & 077) == 0;
}

} // namespace

SshSignIn::SshSignIn(ssh_session_struct *session, const SshTarget &target, SshHub &hub, Names names)
    : m_session(session)
    , m_target(target)
    , m_hub(hub)
    , m_names(std::move(names))
{
}

SshSignIn::~SshSignIn()
{
    freeKeys();
}

void SshSignIn::freeKeys()
{
    ssh_key_free(std::exchange(m_public, nullptr));
    ssh_key_free(std::exchange(m_private, nullptr));
}

SshSignIn::Outcome SshSignIn::fail(const std::string &message)
{
    m_problem.step = SshStep::SignIn;
    m_problem.message = message;
    m_problem.needsUser = true;
    if (m_problem.action.empty()) {
        const bool password = m_tried == std::vector<std::string>{"a password"};
        m_problem.cause = password ? "The password or the user name is wrong."
                                   : "Your key is not in authorized_keys of " + m_target.user +
                                         " there, or the user name is wrong.";
        m_problem.action = password
                               ? "Check the user name, then try again to be asked again."
                               : "Check the user name and which key belongs to this node; IdentityFile in "
                                 "ssh_config names it.";
        m_problem.command = terminalTest(m_target);
    }
    return Outcome::Failed;
}

std::optional<SshSignIn::Outcome> SshSignIn::take(int result)
{
    switch (result) {
    case SSH_AUTH_AGAIN:
        return Outcome::Again;
    case SSH_AUTH_SUCCESS:
        return Outcome::Done;
    case SSH_AUTH_PARTIAL: // this was right, and the server wants something else as well
    case SSH_AUTH_DENIED:
        m_methods = ssh_userauth_list(m_session, nullptr);
        m_phase = Phase::Next;
        return std::nullopt;
    default:
        return fail("Signing in to " + m_names.hop + " broke off: " + shown(ssh_get_error(m_session)) + ".");
    }
}

SshSignIn::Outcome SshSignIn::advance()
{
    while (!m_waiting) {
        if (m_cancelled) {
            m_problem.cause = "You cancelled the question.";
            m_problem.action = "Connect again to be asked again.";
            return fail("Signing in to " + m_names.hop + " was cancelled.");
        }
        std::optional<Outcome> outcome;
        switch (m_phase) {
        case Phase::None:
            outcome = take(ssh_userauth_none(m_session, nullptr));
            break;
        case Phase::Next:
            nextMethod();
            if (m_phase == Phase::Next) {
                std::string tried = join(m_tried, ", ");
                return fail(m_names.hop + " accepted none of what was tried: " +
                            (tried.empty() ? "there is no key, and the server allows no password" : tried) +
                            ".");
            }
            break;
        case Phase::Agent:
            m_method = "a key of the agent";
            outcome = take(ssh_userauth_agent(m_session, nullptr));
            break;
        case Phase::OfferKey:
            outcome = offerKey();
            break;
        case Phase::LoadKey:
            outcome = loadKey();
            break;
        case Phase::UseKey:
            outcome = useKey();
            break;
        case Phase::Prompts:
        case Phase::SendPrompts:
            outcome = prompts();
            break;
        case Phase::Password:
        case Phase::SendPassword:
            outcome = password();
            break;
        }
        if (outcome)
            return *outcome;
    }
    return Outcome::Again;
}

// libssh offers every key of the agent. With IdentitiesOnly those count that have a file: the public half
// beside it tells which they are.
bool SshSignIn::openAgent()
{
    const char *environment = ::getenv("SSH_AUTH_SOCK");
    const std::string agent =
        m_target.identityAgent.empty() ? (environment ? environment : "") : m_target.identityAgent;
    if (agent.empty() || agent == "none")
        return false;
    if (!m_target.identitiesOnly)
        return true;
    std::vector<std::string> blobs;
    for (const std::string &file : m_target.identityFiles) {
        std::ifstream stream(file.ends_with(".pub") ? file : file + ".pub");
        std::string type, base64;
        if (stream >> type >> base64)
            if (const auto key = hostKeyFromBase64(base64))
                blobs.push_back(key->blob);
    }
    if (blobs.empty())
        return false;
    auto filter = AgentFilter::start(agent, std::move(blobs));
    if (!filter ||
        ssh_options_set(m_session, SSH_OPTIONS_IDENTITY_AGENT, (*filter)->path().c_str()) != SSH_OK)
        return false;
    m_agentFilter = std::move(*filter);
    return true;
}

void SshSignIn::nextMethod()
{
    const bool keys = (m_methods & SSH_AUTH_METHOD_PUBLICKEY) != 0;
    bool agent = false;
    if (keys && !m_agentTried) {
        m_agentTried = true;
        agent = openAgent();
    }
    if (agent) {
        m_tried.emplace_back("the agent's keys");
        m_phase = Phase::Agent;
    } else if (keys && m_keyIndex < m_target.identityFiles.size()) {
        m_phase = Phase::OfferKey;
    } else if ((m_methods & SSH_AUTH_METHOD_INTERACTIVE) != 0 && m_promptTries < kMostTries) {
        ++m_promptTries;
        if (m_promptTries == 1)
            m_tried.emplace_back("the server's questions");
        m_phase = Phase::SendPrompts;
    } else if ((m_methods & SSH_AUTH_METHOD_PASSWORD) != 0 && m_passwordTries < kMostTries) {
        if (++m_passwordTries == 1)
            m_tried.emplace_back("a password");
        m_phase = Phase::Password;
    }
}

void SshSignIn::nextKey()
{
    freeKeys();
    ++m_keyIndex;
    m_passphraseTries = 0;
    m_phase = Phase::Next;
}

std::optional<SshSignIn::Outcome> SshSignIn::offerKey()
{
    const std::string &file = m_target.identityFiles[m_keyIndex];
    if (!m_public) {
        if (::access(file.c_str(), R_OK) != 0) {
            nextKey();
            return std::nullopt;
        }
        if (!isPrivate(file)) {
            m_tried.push_back(file + " (not used: others can read it; run chmod 600)");
            nextKey();
            return std::nullopt;
        }
        m_tried.push_back(file);
        if (ssh_pki_import_pubkey_file((file + ".pub").c_str(), &m_public) != SSH_OK &&
            ssh_pki_import_pubkey_file(file.c_str(), &m_public) != SSH_OK) {
            m_public = nullptr; // an old format: it has to be opened to know what to offer
            m_phase = Phase::LoadKey;
            return std::nullopt;
        }
    }
    const int result = ssh_userauth_try_publickey(m_session, nullptr, m_public);
    if (result == SSH_AUTH_SUCCESS) {
        m_phase = Phase::LoadKey;
        return std::nullopt;
    }
    const auto outcome = take(result);
    if (!outcome)
        nextKey();
    return outcome;
}

std::optional<SshSignIn::Outcome> SshSignIn::loadKey()
{
    const std::string &file = m_target.identityFiles[m_keyIndex];
    const bool encrypted = isEncrypted(file);
    const std::string name = passphraseName(file);
    if (encrypted && !m_secrets) {
        SshQuestion question;
        question.kind = SshQuestion::Kind::Passphrase;
        question.keyFile = file;
        question.wrongBefore = m_passphraseTries > 0;
        question.prompts = {{"Passphrase", false}};
        askSecret(name, std::move(question));
        return std::nullopt;
    }
    // Never without a passphrase for an encrypted key: the crypto library would ask on the terminal.
    const std::string passphrase = encrypted && !m_secrets->empty() ? m_secrets->front() : "";
    const int result =
        ssh_pki_import_privkey_file(file.c_str(), passphrase.c_str(), nullptr, nullptr, &m_private);
    m_secrets.reset();
    if (result == SSH_OK) {
        if (encrypted)
            m_hub.credentials().remember(name, passphrase, m_keep);
        m_phase = Phase::UseKey;
        return std::nullopt;
    }
    m_private = nullptr;
    if (encrypted && ++m_passphraseTries < kMostTries) {
        m_hub.credentials().forget(name);
        return std::nullopt; // asks again
    }
    m_hub.credentials().forget(name);
    m_tried.back() += encrypted ? " (wrong passphrase)" : " (its format cannot be read)";
    nextKey();
    return std::nullopt;
}

std::optional<SshSignIn::Outcome> SshSignIn::useKey()
{
    m_method = "key " + m_target.identityFiles[m_keyIndex];
    const int result = ssh_userauth_publickey(m_session, nullptr, m_private);
    if (result != SSH_AUTH_AGAIN && result != SSH_AUTH_SUCCESS)
        nextKey();
    return take(result);
}

std::optional<SshSignIn::Outcome> SshSignIn::prompts()
{
    if (m_phase == Phase::Prompts) { // answered
        for (unsigned i = 0; i < m_secrets->size(); ++i)
            if (ssh_userauth_kbdint_setanswer(m_session, i, (*m_secrets)[i].c_str()) < 0)
                return fail("The answers could not be sent to " + m_names.hop + ".");
        m_secrets.reset();
        m_phase = Phase::SendPrompts;
    }
    m_method = "the server's questions";
    const int result = ssh_userauth_kbdint(m_session, nullptr, nullptr);
    if (result != SSH_AUTH_INFO)
        return take(result);
    const int count = ssh_userauth_kbdint_getnprompts(m_session);
    if (count <= 0)
        return std::nullopt; // a message only: the next call goes on
    SshQuestion question;
    question.kind = SshQuestion::Kind::Prompts;
    question.instruction = shown(ssh_userauth_kbdint_getinstruction(m_session));
    question.wrongBefore = m_promptTries > 1;
    for (unsigned i = 0; i < std::min(static_cast<unsigned>(count), kMostPrompts); ++i) {
        char echo = 0;
        const std::string text = shown(ssh_userauth_kbdint_getprompt(m_session, i, &echo));
        question.prompts.push_back({text, echo != 0});
    }
    m_phase = Phase::Prompts;
    // A code is good once, so each connection asks for itself and nothing is kept.
    askSecret({}, std::move(question));
    return std::nullopt;
}

std::optional<SshSignIn::Outcome> SshSignIn::password()
{
    const std::string name = passwordName(m_names.hop);
    if (m_phase == Phase::Password) {
        if (!m_secrets) {
            if (m_passwordTries > 1)
                m_hub.credentials().forget(name);
            SshQuestion question;
            question.kind = SshQuestion::Kind::Password;
            question.wrongBefore = m_passwordTries > 1;
            question.prompts = {{"Password", false}};
            askSecret(name, std::move(question));
            return std::nullopt;
        }
        m_phase = Phase::SendPassword;
    }
    m_method = "password";
    const std::string secret = m_secrets && !m_secrets->empty() ? m_secrets->front() : "";
    const int result = ssh_userauth_password(m_session, nullptr, secret.c_str());
    if (result == SSH_AUTH_SUCCESS || result == SSH_AUTH_PARTIAL)
        m_hub.credentials().remember(name, secret, m_keep);
    if (result != SSH_AUTH_AGAIN)
        m_secrets.reset();
    return take(result);
}

void SshSignIn::askSecret(const std::string &name, SshQuestion question)
{
    m_waiting = true;
    question.node = m_names.node;
    question.hop = m_names.hop;
    const auto answered = [this, count = question.prompts.size()](const SshAnswer &answer) {
        m_waiting = false;
        m_asking = false;
        m_keep = answer.keepInKeychain;
        m_cancelled = answer.kind != SshAnswer::Kind::Secrets;
        m_secrets = answer.secrets;
        m_secrets->resize(count);
        Q_EMIT askingChanged();
        Q_EMIT goOn();
    };
    const auto ask = [this, name, question, answered] {
        m_asking = true;
        Q_EMIT askingChanged();
        const std::string subject =
            name.empty() ? "prompts:" + m_names.hop + std::to_string(quintptr(this)) : name;
        m_hub.ask(subject, question, this, answered);
    };
    if (name.empty() || question.wrongBefore) {
        QMetaObject::invokeMethod(this, ask, Qt::QueuedConnection);
        return;
    }
    m_hub.credentials().find(name, this, [answered, ask](const std::optional<std::string> &secret) {
        if (!secret)
            return ask();
        SshAnswer known;
        known.kind = SshAnswer::Kind::Secrets;
        known.secrets = {*secret};
        answered(known);
    });
}

} // namespace sb
