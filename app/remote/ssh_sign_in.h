// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/ssh_types.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ssh_session_struct;
struct ssh_key_struct;

namespace sb {

class AgentFilter;
class SshHub;
struct SshTarget;

// Signs in on a session whose host key was accepted: agent, key files, keyboard-interactive, password, in
// this order, as far as the server allows each; several in a row if it wants that. I/O thread; the one step
// that takes time is signing (some ms).
class SshSignIn : public QObject {
    Q_OBJECT
public:
    enum class Outcome { Again, Done, Failed };

    // `hop`: "user@host:port", `node`: what is being connected to; both for questions.
    struct Names {
        std::string hop;
        std::string node;
    };
    SshSignIn(ssh_session_struct *session, const SshTarget &target, SshHub &hub, Names names);
    ~SshSignIn() override;

    // Call when bytes came, and when goOn() was emitted.
    Outcome advance();
    const SshProblem &problem() const { return m_problem; }
    std::string method() const { return m_method; } // that worked: "key /home/me/.ssh/id_ed25519"
    bool asking() const { return m_asking; }

Q_SIGNALS:
    void goOn(); // an answer came
    void askingChanged();

private:
    enum class Phase {
        None,
        Next,
        Agent,
        OfferKey,
        LoadKey,
        UseKey,
        Prompts,
        SendPrompts,
        Password,
        SendPassword
    };

    std::optional<Outcome> take(int result); // of a libssh call; nothing: go on with the next phase
    void nextMethod();
    bool openAgent(); // false: it is not to be asked
    std::optional<Outcome> offerKey();
    std::optional<Outcome> loadKey();
    std::optional<Outcome> prompts();
    std::optional<Outcome> password();
    void askSecret(const std::string &name, SshQuestion question);
    Outcome fail(const std::string &message);
    void nextKey();
    std::optional<Outcome> useKey();
    void freeKeys();

    ssh_session_struct *m_session;
    const SshTarget &m_target;
    SshHub &m_hub;
    Names m_names;
    Phase m_phase = Phase::None;
    int m_methods = 0; // that the server allows now
    bool m_agentTried = false;
    std::unique_ptr<AgentFilter> m_agentFilter;
    std::size_t m_keyIndex = 0;
    int m_passwordTries = 0;
    int m_passphraseTries = 0;
    int m_promptTries = 0;
    ssh_key_struct *m_public = nullptr;
    ssh_key_struct *m_private = nullptr;
    bool m_waiting = false;                            // for the keychain or the user
    bool m_asking = false;                             // the user
    std::optional<std::vector<std::string>> m_secrets; // answered
    bool m_cancelled = false;
    bool m_keep = false;
    std::string m_method;
    std::vector<std::string> m_tried; // for the message
    SshProblem m_problem;
};

} // namespace sb
