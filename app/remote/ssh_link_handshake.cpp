// SPDX-License-Identifier: GPL-3.0-or-later
// How a link comes up: options, key exchange, the host key, signing in.
#include "remote/ssh_link.h"

#include "core/text.h"
#include "remote/shell_quote.h"
#include "remote/ssh_hub.h"
#include "remote/ssh_sign_in.h"

#include <algorithm>
#include <libssh/libssh.h>

namespace sb {

namespace {

constexpr int kSignInMs = 30000;         // without the time somebody is asked
constexpr int kAskedMs = 10 * 60 * 1000; // servers give up earlier; then it is tried again

std::string sessionError(ssh_session_struct *session)
{
    return validUtf8(ssh_get_error(session));
}

} // namespace

bool SshLink::setOptions(int descriptor)
{
    const int no = 0;
    const auto set = [this](ssh_options_e option, const void *value) {
        return ssh_options_set(m_session, option, value) == SSH_OK;
    };
    bool good =
        set(SSH_OPTIONS_HOST, m_target.hostName.c_str()) && set(SSH_OPTIONS_FD, &descriptor) &&
        // Our own readers have read these already, and libssh's must not change the order of key types.
        set(SSH_OPTIONS_PROCESS_CONFIG, &no) && set(SSH_OPTIONS_KNOWNHOSTS, "/dev/null") &&
        set(SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
    if (!m_target.identityAgent.empty() && m_target.identityAgent != "none")
        good = good && set(SSH_OPTIONS_IDENTITY_AGENT, m_target.identityAgent.c_str());
    const auto algorithms = [&](const char *keyword, std::initializer_list<ssh_options_e> options) {
        const auto found = m_target.algorithms.find(keyword);
        for (const ssh_options_e option : options)
            good = good && (found == m_target.algorithms.end() || set(option, found->second.c_str()));
    };
    algorithms("ciphers", {SSH_OPTIONS_CIPHERS_C_S, SSH_OPTIONS_CIPHERS_S_C});
    algorithms("macs", {SSH_OPTIONS_HMAC_C_S, SSH_OPTIONS_HMAC_S_C});
    algorithms("kexalgorithms", {SSH_OPTIONS_KEY_EXCHANGE});
    algorithms("pubkeyacceptedalgorithms", {SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES});
    if (m_target.algorithms.contains("hostkeyalgorithms")) {
        algorithms("hostkeyalgorithms", {SSH_OPTIONS_HOSTKEYS});
    } else {
        // A key type that is on file first, or a known server would show a key that cannot be compared.
        std::vector<std::string> wanted;
        for (const std::string &type : knownHostKeyTypes(keyPlace())) {
            if (type == "ssh-rsa")
                wanted.insert(wanted.end(), {"rsa-sha2-512", "rsa-sha2-256"});
            else
                wanted.push_back(type);
        }
        for (const char *type : {"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
                                 "ecdsa-sha2-nistp521", "rsa-sha2-512", "rsa-sha2-256"})
            if (std::find(wanted.begin(), wanted.end(), type) == wanted.end())
                wanted.emplace_back(type);
        good = good && set(SSH_OPTIONS_HOSTKEYS, join(wanted, ",").c_str());
    }
    return good;
}

void SshLink::exchangeKeys()
{
    const int result = ssh_connect(m_session);
    if (result == SSH_AGAIN)
        return;
    if (result != SSH_OK) {
        SshProblem problem;
        problem.step = SshStep::KeyExchange;
        problem.message = "No encrypted connection to " + hop() + ": " + sessionError(m_session) + ".";
        problem.cause =
            "The server is busy with other log-ins (MaxStartups), refuses this machine, or has no "
            "algorithm in common with this program.";
        problem.action = "Try again; if it stays, compare with ssh -v.";
        problem.command = terminalTest(m_target);
        return fail(problem);
    }
    endStep(SshStep::KeyExchange, validUtf8(ssh_get_kex_algo(m_session)));
    m_phase = Phase::HostKey;
    m_deadline.stop();
    beginStep(SshStep::HostKey);
    checkKey();
}

HostKeyPlace SshLink::keyPlace() const
{
    HostKeyPlace place;
    const bool isAlias = !m_target.hostKeyAlias.empty();
    // As ssh does: the name after HostName, in lower case.
    place.host = lowered(isAlias ? m_target.hostKeyAlias : m_target.hostName);
    place.port = m_target.port;
    place.isAlias = isAlias;
    place.files = m_target.userKnownHosts;
    place.files.insert(place.files.end(), m_target.globalKnownHosts.begin(), m_target.globalKnownHosts.end());
    return place;
}

void SshLink::checkKey()
{
    ssh_key shown = nullptr;
    char *base64 = nullptr;
    std::optional<HostKey> key;
    if (ssh_get_server_publickey(m_session, &shown) == SSH_OK &&
        ssh_pki_export_pubkey_base64(shown, &base64) == SSH_OK)
        key = hostKeyFromBase64(base64);
    ssh_string_free_char(base64);
    ssh_key_free(shown);
    if (!key) {
        SshProblem problem;
        problem.step = SshStep::HostKey;
        problem.message = "The host key of " + hop() + " cannot be read.";
        problem.needsUser = true;
        return fail(problem);
    }
    const HostKeyCheck check = checkHostKey(keyPlace(), *key);
    if (check.verdict == HostKeyVerdict::Known)
        return acceptKey(*key, hostKeyTitle(*key) + ", on file");
    if (check.verdict != HostKeyVerdict::Unknown)
        return refuseKey(check, *key);
    if (m_hub.isTrustedForNow(hostKeyName(keyPlace()), *key))
        return acceptKey(*key, hostKeyTitle(*key) + ", trusted this time");
    askAboutKey(*key);
}

void SshLink::askAboutKey(const HostKey &key)
{
    m_phase = Phase::Asking;
    SshQuestion question;
    question.kind = SshQuestion::Kind::HostKey;
    question.node = m_node;
    question.hop = hop();
    question.key = key;
    question.keyName = hostKeyName(keyPlace());
    question.knownFile = m_target.userKnownHosts.empty() ? "" : m_target.userKnownHosts.front();
    QElapsedTimer asked;
    asked.start();
    Q_EMIT changed();
    m_hub.ask("hostkey:" + question.keyName + key.blob, question, this,
              [this, key, question, asked](const SshAnswer &answer) {
                  if (m_phase != Phase::Asking)
                      return;
                  m_askedMs += static_cast<double>(asked.elapsed());
                  SshProblem problem;
                  problem.step = SshStep::HostKey;
                  problem.needsUser = true;
                  if (answer.kind == SshAnswer::Kind::TrustAndSave) {
                      const auto saved =
                          saveHostKey(question.knownFile, keyPlace(), key, m_target.hashKnownHosts);
                      if (!saved) {
                          problem.message = saved.error().message;
                          problem.action = "Make the file writable, or trust the key this time only.";
                          return fail(problem);
                      }
                  } else if (answer.kind == SshAnswer::Kind::TrustOnce) {
                      m_hub.trustForNow(question.keyName, key);
                  } else {
                      problem.message = "The host key of " + hop() + " is not known and was not trusted.";
                      problem.cause = "This machine has not been connected to from here before.";
                      problem.action = "Compare the fingerprint " + hostKeyFingerprint(key) +
                                       " with the node's own: ssh-keygen -lf "
                                       "/etc/ssh/ssh_host_" +
                                       (key.type == "ssh-ed25519" ? "ed25519"
                                        : key.type == "ssh-rsa"   ? "rsa"
                                                                  : "ecdsa") +
                                       "_key.pub";
                      problem.shownKey = key;
                      return fail(problem);
                  }
                  acceptKey(key, hostKeyTitle(key) + (answer.kind == SshAnswer::Kind::TrustOnce
                                                          ? ", trusted this time"
                                                          : ", saved"));
                  advance();
              });
}

void SshLink::acceptKey(const HostKey &key, const std::string &found)
{
    m_hostKey = key;
    endStep(SshStep::HostKey, found);
    beginStep(SshStep::SignIn);
    m_signIn = std::make_unique<SshSignIn>(m_session, m_target, m_hub, SshSignIn::Names{hop(), m_node});
    connect(m_signIn.get(), &SshSignIn::goOn, this, &SshLink::advance);
    connect(m_signIn.get(), &SshSignIn::askingChanged, this, [this] {
        m_deadline.start(m_signIn->asking() ? kAskedMs : kSignInMs);
        Q_EMIT changed();
    });
    m_phase = Phase::SignIn;
    m_deadline.start(kSignInMs);
    m_again = true;
}

void SshLink::refuseKey(const HostKeyCheck &check, const HostKey &key)
{
    SshProblem problem;
    problem.step = SshStep::HostKey;
    problem.needsUser = true;
    problem.hostKey = check;
    problem.shownKey = key;
    const std::string place = "line " + std::to_string(check.line) + " of " + check.file;
    const std::string name = hostKeyName(keyPlace());
    if (check.verdict == HostKeyVerdict::Revoked) {
        problem.message = "The key that " + hop() + " shows (" + hostKeyFingerprint(key) +
                          ") is marked as revoked in " + place + ".";
        problem.cause = "The key was stolen or withdrawn; whoever answers there must not be trusted.";
        problem.action = "Do not connect. Ask the administrator for a new host key.";
    } else if (check.verdict == HostKeyVerdict::OnlyAuthority) {
        problem.message =
            name + " is known by host certificates only (" + place + "), which this program does not verify.";
        problem.cause = "The server's certificate cannot be checked here, and its bare key is not on file.";
        problem.action = "Ask the administrator for the key " + hostKeyFingerprint(key) +
                         " and add it to known_hosts, if it is the right one.";
    } else {
        problem.message = "The host key of " + hop() + " has changed: it shows " + hostKeyTitle(key) + " " +
                          hostKeyFingerprint(key) + ", but " + place + " has " + hostKeyTitle(*check.known) +
                          " " + hostKeyFingerprint(*check.known) + ".";
        problem.cause = "The node was installed anew, or somebody stands between you and it.";
        problem.action = "Compare the fingerprint on the node; only if it is right, remove the old line.";
        problem.command = shellCommand({"ssh-keygen", "-R", name, "-f", check.file});
    }
    fail(problem);
}

void SshLink::signIn()
{
    switch (m_signIn->advance()) {
    case SshSignIn::Outcome::Again:
        return;
    case SshSignIn::Outcome::Failed:
        return fail(m_signIn->problem());
    case SshSignIn::Outcome::Done:
        endStep(SshStep::SignIn, "as " + m_target.user + " with " + m_signIn->method());
        return becomeReady();
    }
}

} // namespace sb
