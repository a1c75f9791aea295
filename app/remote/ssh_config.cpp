// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh_config.h"

#include "core/text.h"
#include "remote/node_names.h"
#include "remote/shell_quote.h"
#include "remote/ssh_config_values.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <glob.h>
#include <pwd.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace sb {

namespace {

constexpr int kDeepestInclude = 16;

// Words of an argument text. Double quotes group; an unfinished quote gives nothing.
std::optional<std::vector<std::string>> splitWords(std::string_view text)
{
    std::vector<std::string> words;
    std::size_t i = 0;
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; };
    while (true) {
        while (i < text.size() && isBlank(text[i]))
            ++i;
        if (i >= text.size() || text[i] == '#')
            return words;
        std::string word;
        char quote = 0;
        for (; i < text.size() && (quote != 0 || !isBlank(text[i])); ++i) {
            const char c = text[i];
            if (c == '\\' && i + 1 < text.size() &&
                std::string_view("'\"\\").find(text[i + 1]) != std::string::npos)
                word += text[++i];
            else if (quote == 0 && (c == '"' || c == '\''))
                quote = c;
            else if (c == quote)
                quote = 0;
            else
                word += c;
        }
        if (quote != 0)
            return std::nullopt;
        words.push_back(std::move(word));
    }
}

} // namespace

bool matchesPattern(std::string_view text, std::string_view pattern)
{
    // Greedy with one point to come back to: linear in practice, no recursion on hostile patterns.
    std::size_t t = 0, p = 0;
    std::size_t star = std::string_view::npos, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

bool matchesPatternList(std::string_view text, std::string_view list)
{
    bool matched = false;
    for (std::string_view pattern : split(list, ',')) {
        const bool negated = pattern.starts_with('!');
        if (negated)
            pattern.remove_prefix(1);
        if (pattern.empty() || !matchesPattern(text, pattern))
            continue;
        if (negated)
            return false;
        matched = true;
    }
    return matched;
}

Result<std::vector<SshConfig::Line>> SshConfig::readFile(const std::string &file, Origin origin, int depth)
{
    std::ifstream stream(file);
    if (!stream)
        return Error{ErrorCode::NotFound, "The SSH configuration " + file + " cannot be read."};
    std::vector<Line> lines;
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        std::string_view rest = trimmed(text);
        if (rest.empty() || rest.front() == '#')
            continue;
        const std::size_t end = rest.find_first_of(" \t=\"");
        Line line;
        line.place = file + ":" + std::to_string(number);
        line.keyword = lowered(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(end));
        if (rest.starts_with('='))
            rest = trimmed(rest.substr(1));
        line.rest = std::string(rest);
        auto words = splitWords(rest);
        if (!words)
            return Error{ErrorCode::BadInput, line.place + ": a quote is not closed; fix the line."};
        line.words = std::move(*words);
        if (line.words.empty())
            return Error{ErrorCode::BadInput,
                         line.place + ": \"" + validUtf8(line.keyword) + "\" has no value; fix the line."};
        if (line.keyword == "include") {
            auto included = readInclude(line, origin, depth);
            if (!included)
                return included.error();
            line.included = std::move(*included);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

Result<std::vector<SshConfig::Line>> SshConfig::readInclude(const Line &line, Origin origin, int depth)
{
    if (depth >= kDeepestInclude)
        return Error{ErrorCode::BadInput,
                     line.place + ": Include is nested too deeply; it may include itself."};
    std::vector<Line> lines;
    for (const std::string &word : line.words) {
        std::string pattern = sshConfigPath(word);
        if (!pattern.starts_with('/'))
            pattern =
                (origin == Origin::User ? sshHomeFolder() + "/.ssh/" : std::string("/etc/ssh/")) + pattern;
        glob_t found{};
        if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
            for (std::size_t i = 0; i < found.gl_pathc; ++i) {
                auto part = readFile(found.gl_pathv[i], origin, depth + 1);
                if (!part) {
                    const Error error = part.error();
                    ::globfree(&found);
                    return error;
                }
                // A Host line of one included file does not reach into the next.
                Line block;
                block.keyword = "include";
                block.place = line.place;
                block.included = std::move(*part);
                lines.push_back(std::move(block));
            }
        ::globfree(&found);
    }
    return lines;
}

Result<SshConfig> SshConfig::load(const std::string &file)
{
    SshConfig config;
    const auto add = [&config](const std::string &path, Origin origin) -> Result<void> {
        auto lines = readFile(path, origin, 0);
        if (!lines)
            return lines.error();
        Line block; // so that the user's last Host block does not reach into the system's file
        block.keyword = "include";
        block.included = std::move(*lines);
        config.m_lines.push_back(std::move(block));
        return {};
    };
    if (!file.empty()) {
        if (const auto added = add(file, Origin::User); !added)
            return added.error();
        return config;
    }
    const std::string userFile = sshHomeFolder() + "/.ssh/config";
    struct stat status {};
    if (::stat(userFile.c_str(), &status) == 0) {
        if ((status.st_uid != ::getuid() && status.st_uid != 0) || (status.st_mode & 022) != 0)
            return Error{ErrorCode::BadInput,
                         userFile + " can be changed by others, so it is not used. Run: chmod 600 " +
                             userFile};
        if (const auto added = add(userFile, Origin::User); !added)
            return added.error();
    }
    const std::string systemFile = "/etc/ssh/ssh_config";
    if (::access(systemFile.c_str(), R_OK) == 0)
        if (const auto added = add(systemFile, Origin::System); !added)
            return added.error();
    return config;
}

// One pass over the lines for one host. The first value of a keyword counts.
class SshConfig::Reading {
public:
    Reading(const NodeAddress &address)
        : m_address(address)
    {
        m_values.alias = address.host;
        m_values.user = address.user;
        m_values.port = address.port;
    }

    void apply(const std::vector<Line> &lines, bool active)
    {
        const bool outer = active;
        for (const Line &line : lines) {
            if (line.keyword == "host")
                active = outer && matchesHost(line);
            else if (line.keyword == "match")
                active = outer && matchesMatch(line);
            else if (line.keyword == "include")
                apply(line.included, active);
            else if (active)
                m_values.take(line.keyword, line.words, line.rest, line.place);
        }
    }

    SshConfigValues &values() { return m_values; }

private:
    bool matchesHost(const Line &line) const
    {
        bool matched = false;
        for (std::string_view pattern : line.words) {
            const bool negated = pattern.starts_with('!');
            if (negated)
                pattern.remove_prefix(1);
            if (!matchesPattern(m_address.host, pattern))
                continue;
            if (negated)
                return false;
            matched = true;
        }
        return matched;
    }

    bool matchesMatch(const Line &line)
    {
        bool matched = true;
        for (std::size_t i = 0; i < line.words.size(); ++i) {
            std::string_view word = line.words[i];
            const bool negated = word.starts_with('!');
            if (negated)
                word.remove_prefix(1);
            const std::string kind = lowered(word);
            bool holds = false;
            if (kind == "all") {
                holds = true;
            } else if (i + 1 < line.words.size() &&
                       (kind == "host" || kind == "originalhost" || kind == "user" || kind == "localuser")) {
                holds = matchesPatternList(matchText(kind), line.words[++i]);
            } else {
                m_values.warn(line.place,
                              "\"Match " + kind +
                                  "\" is not followed, so this block does not count; use Host, or "
                                  "Match with host, originalhost, user or localuser");
                return false;
            }
            matched = matched && holds != negated;
        }
        return matched;
    }

    std::string matchText(const std::string &kind) const
    {
        if (kind == "host")
            return lowered(m_values.hostName.value_or(m_address.host));
        if (kind == "originalhost")
            return m_address.host;
        if (kind == "user")
            return m_values.user.value_or(sshLocalUser());
        return sshLocalUser();
    }

    NodeAddress m_address;
    SshConfigValues m_values;
};

Result<SshTarget> SshConfig::resolve(std::string_view text) const
{
    const auto address = parseNodeAddress(text);
    if (!address)
        return address.error();
    Reading reading(*address);
    reading.apply(m_lines, true);
    return reading.values().target();
}

Result<void> SshConfig::checkJumps(std::vector<std::string> jumps) const
{
    std::set<std::string> seen;
    while (!jumps.empty()) {
        if (!seen.insert(join(jumps, ",")).second)
            return Error{ErrorCode::BadInput, "The jump host " + jumps.back() +
                                                  " is reached through itself; give it \"ProxyJump none\" in "
                                                  "ssh_config, before the line for others."};
        const auto target = resolve(jumps.back());
        if (!target)
            return target.error();
        jumps.pop_back();
        if (jumps.empty() && target->proxyCommand.empty())
            jumps = target->proxyJump;
    }
    return {};
}

std::vector<std::string> SshConfig::aliases() const
{
    std::vector<std::string> names;
    const auto collect = [&names](const auto &self, const std::vector<Line> &lines) -> void {
        for (const Line &line : lines) {
            self(self, line.included);
            if (line.keyword != "host")
                continue;
            for (const std::string &word : line.words)
                if (word.find_first_of("*?!") == std::string::npos &&
                    std::find(names.begin(), names.end(), word) == names.end())
                    names.push_back(word);
        }
    };
    collect(collect, m_lines);
    return names;
}

std::string terminalTest(const SshTarget &target)
{
    std::vector<std::string> words{"ssh", "-v"};
    if (target.port != 22)
        words.insert(words.end(), {"-p", std::to_string(target.port)});
    words.push_back(target.user + "@" + target.alias);
    return shellCommand(words);
}

} // namespace sb
