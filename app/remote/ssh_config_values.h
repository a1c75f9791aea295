// SPDX-License-Identifier: GPL-3.0-or-later
// What ssh_config says about one host, while it is being read. Private to ssh_config.
#pragma once

#include "core/result.h"
#include "remote/ssh_config.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sb {

struct SshConfigValues {
    std::string alias;
    std::optional<std::string> hostName;
    std::optional<std::string> user;
    std::optional<int> port;
    std::vector<std::string> identityFiles;
    std::optional<bool> identitiesOnly;
    std::optional<std::string> identityAgent;
    std::optional<std::string> proxyJump; // as written; "none" is a value
    std::optional<std::string> proxyCommand;
    std::vector<std::string> userKnownHosts;
    std::vector<std::string> globalKnownHosts;
    std::optional<std::string> hostKeyAlias;
    std::optional<bool> hashKnownHosts;
    std::optional<int> connectTimeoutS;
    std::map<std::string, std::string> algorithms;
    std::vector<std::string> warnings;
    std::optional<Error> refusal; // the first thing that must not be ignored

    void take(const std::string &keyword, const std::vector<std::string> &words, const std::string &rest,
              const std::string &place);
    void warn(const std::string &place, const std::string &what);
    Result<SshTarget> target() const;

private:
    void takeNumber(std::optional<int> &value, const std::string &word, int most, const std::string &place);
    void refuse(const std::string &place, const std::string &what);
    bool takeUnfollowed(const std::string &keyword, const std::string &value, const std::string &place);
    Result<std::string> expand(std::string_view text, const SshTarget &target, bool environment) const;
};

std::string sshHomeFolder(); // of the passwd entry, as ssh takes it; else HOME
std::string sshLocalUser();
std::string sshConfigPath(const std::string &word); // "~/x" and "~user/x" made absolute

} // namespace sb
