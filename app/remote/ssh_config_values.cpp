// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_config_values.h"

#include "core/text.h"
#include "remote/node_names.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace sb {

namespace {

bool isYes(const std::string &word)
{
    return word == "yes" || word == "true";
}

// Said once, by the first line.
template <typename T>
void setOnce(std::optional<T> &value, const T &said)
{
    if (!value)
        value = said;
}

constexpr std::array kAlgorithmKeywords{"ciphers", "macs", "kexalgorithms", "hostkeyalgorithms",
                                        "pubkeyacceptedalgorithms"};
// Followed by ssh and not by this program. Leaving them out makes nothing less safe.
constexpr std::array kUnfollowed{
    "certificatefile", "pkcs11provider",           "knownhostscommand",    "bindaddress",   "bindinterface",
    "addressfamily",   "preferredauthentications", "canonicalizehostname", "proxyusefdpass"};

} // namespace

std::string sshHomeFolder()
{
    // HOME first would let a changed environment point ssh's files elsewhere; ssh itself asks passwd.
    if (const passwd *entry = ::getpwuid(::getuid()); entry && entry->pw_dir && *entry->pw_dir)
        return entry->pw_dir;
    const char *home = std::getenv("HOME");
    return home ? home : "/";
}

std::string sshLocalUser()
{
    const passwd *entry = ::getpwuid(::getuid());
    return entry && entry->pw_name ? entry->pw_name : std::to_string(::getuid());
}

std::string sshConfigPath(const std::string &word)
{
    if (!word.starts_with('~'))
        return word;
    const std::size_t slash = word.find('/');
    const std::string name = word.substr(1, slash == std::string::npos ? slash : slash - 1);
    const std::string rest = slash == std::string::npos ? "" : word.substr(slash);
    if (name.empty())
        return sshHomeFolder() + rest;
    const passwd *entry = ::getpwnam(name.c_str());
    return entry && entry->pw_dir ? entry->pw_dir + rest : word;
}

void SshConfigValues::warn(const std::string &place, const std::string &what)
{
    const std::string sentence = place + ": " + what + ".";
    if (std::find(warnings.begin(), warnings.end(), sentence) == warnings.end())
        warnings.push_back(sentence);
}

void SshConfigValues::refuse(const std::string &place, const std::string &what)
{
    if (!refusal)
        refusal = Error{ErrorCode::BadInput, place + ": " + what};
}

void SshConfigValues::takeNumber(std::optional<int> &value, const std::string &word, int most,
                                 const std::string &place)
{
    if (value)
        return;
    const auto number = toInteger(word);
    if (!number || *number < 1 || *number > most)
        return refuse(place,
                      "\"" + validUtf8(word) + "\" is not a number from 1 to " + std::to_string(most) + ".");
    value = static_cast<int>(*number);
}

void SshConfigValues::take(const std::string &keyword, const std::vector<std::string> &words,
                           const std::string &rest, const std::string &place)
{
    const std::string &first = words.front();
    if (keyword == "hostname")
        setOnce(hostName, first);
    else if (keyword == "user")
        setOnce(user, first);
    else if (keyword == "port")
        takeNumber(port, first, 65535, place);
    else if (keyword == "identityfile")
        identityFiles.push_back(first);
    else if (keyword == "identitiesonly")
        setOnce(identitiesOnly, isYes(first));
    else if (keyword == "identityagent")
        setOnce(identityAgent, first);
    else if (keyword == "proxyjump") {
        if (!proxyCommand) // whichever comes first
            setOnce(proxyJump, first);
    } else if (keyword == "proxycommand") {
        if (!proxyJump)
            setOnce(proxyCommand, rest);
    } else if (keyword == "userknownhostsfile") {
        if (userKnownHosts.empty())
            userKnownHosts = words;
    } else if (keyword == "globalknownhostsfile") {
        if (globalKnownHosts.empty())
            globalKnownHosts = words;
    } else if (keyword == "hostkeyalias")
        setOnce(hostKeyAlias, first);
    else if (keyword == "hashknownhosts")
        setOnce(hashKnownHosts, isYes(first));
    else if (keyword == "connecttimeout") {
        if (first != "none")
            takeNumber(connectTimeoutS, first, 3600, place);
    } else if (std::find(kAlgorithmKeywords.begin(), kAlgorithmKeywords.end(), keyword) !=
               kAlgorithmKeywords.end())
        algorithms.try_emplace(keyword, first);
    else
        takeUnfollowed(keyword, first, place);
}

bool SshConfigValues::takeUnfollowed(const std::string &keyword, const std::string &value,
                                     const std::string &place)
{
    if (keyword == "revokedhostkeys" && value != "none")
        refuse(place,
               "RevokedHostKeys is not supported, and connecting without it could accept a revoked key. "
               "Put the keys into known_hosts with @revoked instead.");
    else if (keyword == "stricthostkeychecking" && (value == "no" || value == "off" || value == "accept-new"))
        warn(place, "StrictHostKeyChecking " + value + " is not followed: host keys are always checked");
    else if (std::find(kUnfollowed.begin(), kUnfollowed.end(), keyword) != kUnfollowed.end() &&
             value != "none" && value != "no" && value != "any")
        warn(place, keyword + " is not followed");
    else
        return false;
    return true;
}

Result<std::string> SshConfigValues::expand(std::string_view text, const SshTarget &target,
                                            bool environment) const
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (environment && text.substr(i).starts_with("${")) {
            const std::size_t end = text.find('}', i);
            const std::string name(text.substr(i + 2, end == std::string_view::npos ? end : end - i - 2));
            const char *value = std::getenv(name.c_str());
            if (end == std::string_view::npos || !value)
                return Error{ErrorCode::BadInput, "ssh_config uses ${" + validUtf8(name) + "} for " + alias +
                                                      ", which is not set in the environment."};
            result += value;
            i = end;
            continue;
        }
        if (text[i] != '%' || i + 1 >= text.size()) {
            result += text[i];
            continue;
        }
        switch (const char token = text[++i]; token) {
        case '%':
            result += '%';
            break;
        case 'h':
            result += target.hostName;
            break;
        case 'n':
            result += target.alias;
            break;
        case 'p':
            result += std::to_string(target.port);
            break;
        case 'r':
            result += target.user;
            break;
        case 'u':
            result += sshLocalUser();
            break;
        case 'd':
            result += sshHomeFolder();
            break;
        case 'i':
            result += std::to_string(::getuid());
            break;
        case 'k':
            result += target.hostKeyAlias.empty() ? target.alias : target.hostKeyAlias;
            break;
        default:
            return Error{ErrorCode::BadInput,
                         "ssh_config uses %" + std::string(1, token) + " for " + alias +
                             ", which is not supported; %h, %n, %p, %r, %u, %d, %i and %k are."};
        }
    }
    return result;
}

Result<SshTarget> SshConfigValues::target() const
{
    if (refusal)
        return *refusal;
    SshTarget target;
    target.alias = alias;
    target.hostName = alias;
    target.port = port.value_or(22);
    target.user = user.value_or(sshLocalUser());
    target.identitiesOnly = identitiesOnly.value_or(false);
    target.hostKeyAlias = hostKeyAlias.value_or("");
    target.hashKnownHosts = hashKnownHosts.value_or(false);
    target.connectTimeoutS = connectTimeoutS.value_or(10);
    target.algorithms = algorithms;
    target.warnings = warnings;

    std::optional<Error> wrong;
    const auto expanded = [&](const std::string &text, bool path) {
        auto result = expand(text, target, path);
        if (!result) {
            wrong = wrong ? wrong : result.error();
            return std::string();
        }
        return path ? sshConfigPath(*result) : *result;
    };
    if (hostName)
        target.hostName = expanded(*hostName, false);
    target.hostName = lowered(target.hostName);
    const std::vector<std::string> defaultKeys{"~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk",
                                               "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk"};
    for (const std::string &file : identityFiles.empty() ? defaultKeys : identityFiles)
        if (file != "none")
            target.identityFiles.push_back(expanded(file, true));
    if (identityAgent && *identityAgent != "SSH_AUTH_SOCK")
        target.identityAgent = identityAgent->starts_with('$') && !identityAgent->starts_with("${")
                                   ? expanded("${" + identityAgent->substr(1) + "}", true)
                                   : expanded(*identityAgent, true);
    const std::vector<std::string> userFiles{"~/.ssh/known_hosts", "~/.ssh/known_hosts2"};
    for (const std::string &file : userKnownHosts.empty() ? userFiles : userKnownHosts)
        if (file != "none")
            target.userKnownHosts.push_back(expanded(file, true));
    const std::vector<std::string> globalFiles{"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"};
    for (const std::string &file : globalKnownHosts.empty() ? globalFiles : globalKnownHosts)
        if (file != "none")
            target.globalKnownHosts.push_back(file);
    if (proxyCommand && *proxyCommand != "none")
        target.proxyCommand = expanded(*proxyCommand, false);
    if (proxyJump && *proxyJump != "none")
        for (const std::string_view hop : split(*proxyJump, ',')) {
            if (const auto checked = parseNodeAddress(hop); !checked)
                return Error{ErrorCode::BadInput, "ProxyJump of " + alias + ": " + checked.error().message};
            target.proxyJump.emplace_back(trimmed(hop));
        }
    if (wrong)
        return *wrong;
    return target;
}

} // namespace sb
