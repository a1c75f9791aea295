// SPDX-License-Identifier: GPL-3.0-or-later
// What is told about connecting to a node, and what is asked. Values: they cross threads.
#pragma once

#include "remote/host_keys.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sb {

enum class SshStep { Resolve, Connect, KeyExchange, HostKey, SignIn, Probe };
inline constexpr int kSshSteps = 6;
std::string sshStepTitle(SshStep step); // "Resolve", "Connect", …

// One step of one hop. Hops of a jump chain come first, in their order; the last hop is the node itself.
struct SshStepReport {
    enum class State { Waiting, Active, Done, Failed };

    std::string hop;
    SshStep step = SshStep::Resolve;
    State state = State::Waiting;
    std::optional<double> timeMs; // of a step that has ended; without the time somebody was asked
    std::string found;            // "10.77.0.1", "ED25519, on file"

    bool operator==(const SshStepReport &) const = default;
};

// Why a node cannot be reached.
struct SshProblem {
    SshStep step = SshStep::Resolve;
    std::string hop;
    std::string message;                 // one sentence with what the other side said
    std::string cause;                   // the one likely cause
    std::string action;                  // what to do next
    std::string command;                 // the same test in a terminal; may be empty
    bool needsUser = false;              // trying again alone does not help
    std::optional<HostKeyCheck> hostKey; // the line that speaks against the key
    std::optional<HostKey> shownKey;     // and the key that the server showed

    std::string text() const { return message + (action.empty() ? "" : " " + action); }
    bool operator==(const SshProblem &) const = default;
};

enum class SshState {
    Idle,       // not asked to connect yet
    Connecting, // a step is going on
    Asking,     // waits for an answer of the user
    Ready,
    Lost,   // was ready; tries again by itself
    Failed, // needs the user
};

struct SshStatus {
    SshState state = SshState::Idle;
    std::vector<SshStepReport> steps;
    std::optional<SshProblem> problem;
    std::vector<std::string> warnings; // lines of ssh_config that are not followed

    bool operator==(const SshStatus &) const = default;
};

// Something only the user knows. Answered by its id, any time later; one answer serves everyone who asked
// for the same thing.
struct SshQuestion {
    enum class Kind { HostKey, Passphrase, Password, Prompts };
    struct Prompt {
        std::string text; // of the server, control characters removed
        bool visible = false;

        bool operator==(const Prompt &) const = default;
    };

    std::uint64_t id = 0;
    Kind kind = Kind::HostKey;
    std::string node; // that is being connected to
    std::string hop;  // "user@host:port" that asks
    // HostKey
    std::optional<HostKey> key;
    std::string keyName;   // "[node1]:2222", as in known_hosts
    std::string knownFile; // "Trust and save" writes here
    // Passphrase
    std::string keyFile;
    // Password and Prompts: as many secrets as prompts are wanted
    std::string instruction;
    std::vector<Prompt> prompts;
    bool wrongBefore = false; // the last answer was not right

    bool operator==(const SshQuestion &) const = default;
};

struct SshAnswer {
    enum class Kind { Cancel, TrustAndSave, TrustOnce, Secrets };

    Kind kind = Kind::Cancel;
    std::vector<std::string> secrets;
    bool keepInKeychain = false;
};

} // namespace sb
