// SPDX-License-Identifier: GPL-3.0-or-later
// The user's ssh_config, read as OpenSSH reads it: what is said about one host. Reads files, starts nothing.
#pragma once

#include "core/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

// Everything needed to connect to one host. Paths are absolute, tokens (%h …) are replaced.
struct SshTarget {
    std::string alias;    // what the user calls it, without user and port
    std::string hostName; // to connect to
    int port = 22;
    std::string user;
    std::vector<std::string> identityFiles; // in the order they are tried; may be missing on disk
    bool identitiesOnly = false;
    std::string identityAgent;               // socket; "none"; empty: SSH_AUTH_SOCK
    std::vector<std::string> proxyJump;      // from here to there; empty: direct
    std::string proxyCommand;                // empty: none
    std::vector<std::string> userKnownHosts; // the first is written to
    std::vector<std::string> globalKnownHosts;
    std::string hostKeyAlias; // looked up in known_hosts in place of the host name
    bool hashKnownHosts = false;
    int connectTimeoutS = 10;
    std::map<std::string, std::string> algorithms; // "ciphers" etc. as written; lower-case keys
    std::vector<std::string> warnings;             // what of the file was not followed: "…/config:12: …"

    bool operator==(const SshTarget &) const = default;
};

// The same log-in for a terminal: "ssh -v -p 2222 user@host".
std::string terminalTest(const SshTarget &target);

class SshConfig {
public:
    // Like ssh: the user's file first, then the system's. A missing default file is not an error.
    // `file` replaces both, as ssh -F does; then it must be there.
    static Result<SshConfig> load(const std::string &file);

    // For `text`, what the user typed: "user@alias:port". Error: the text is no address, or the file says
    // something about this host that cannot be followed without weakening it (named with its line).
    Result<SshTarget> resolve(std::string_view text) const;

    // Error: a host on the way of `jumps` is not to be resolved, or is reached through itself.
    Result<void> checkJumps(std::vector<std::string> jumps) const;

    // Names that can be completed: patterns without wildcards of Host lines.
    std::vector<std::string> aliases() const;

private:
    struct Line {
        std::string keyword;            // lower case
        std::vector<std::string> words; // quotes resolved
        std::string rest;               // the whole argument text, for commands
        std::string place;              // "/home/me/.ssh/config:12"
        std::vector<Line> included;     // of an Include line
    };
    enum class Origin { User, System }; // where relative Includes are looked for

    static Result<std::vector<Line>> readFile(const std::string &file, Origin origin, int depth);
    static Result<std::vector<Line>> readInclude(const Line &line, Origin origin, int depth);
    class Reading;

    std::vector<Line> m_lines;
};

// Shell-like patterns: "*" and "?"; a "!" before a pattern of a list excludes. Used by ssh_config and
// known_hosts alike. Both sides are compared as they are.
bool matchesPattern(std::string_view text, std::string_view pattern);
bool matchesPatternList(std::string_view text, std::string_view list);

} // namespace sb
