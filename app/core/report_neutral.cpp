// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report_neutral.h"

#include "core/text.h"

#include <cctype>

namespace sb {

namespace {

constexpr std::size_t kLeastUserName = 3; // shorter ones occur in too many words' places

bool isWordChar(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
}

bool isHex(char c)
{
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

// "a.b.c.d" with four numbers up to 255.
bool isAddress(const std::string &word)
{
    int dots = 0;
    int value = -1;
    for (const char c : word) {
        if (c == '.') {
            if (value < 0)
                return false;
            ++dots;
            value = -1;
        } else if (std::isdigit(static_cast<unsigned char>(c))) {
            value = (value < 0 ? 0 : value) * 10 + (c - '0');
            if (value > 255)
                return false;
        } else {
            return false;
        }
    }
    return dots == 3 && value >= 0;
}

// Length of the IPv6 address that begins at `start`, or 0: up to eight groups of hexadecimal digits with one
// "::" in place of some, or all eight. Hardware addresses (six groups) and times are none.
std::size_t sixLength(const std::string &text, std::size_t start)
{
    std::size_t end = start;
    while (end < text.size() && (isHex(text[end]) || text[end] == ':'))
        ++end;
    const std::string word = text.substr(start, end - start);
    const std::size_t gap = word.find("::");
    if (word.size() < 3 || (gap != std::string::npos && word.find("::", gap + 1) != std::string::npos))
        return 0;
    if (end < text.size() && isWordChar(text[end]) && text[end] != '.')
        return 0;
    std::size_t groups = 0;
    for (const std::string_view group : split(word, ':')) {
        if (group.size() > 4)
            return 0;
        groups += group.empty() ? 0 : 1;
    }
    const bool whole = gap == std::string::npos && groups == 8 && word.front() != ':' && word.back() != ':';
    return whole || (gap != std::string::npos && groups > 0 && groups < 8) ? word.size() : 0;
}

} // namespace

Neutral::Neutral(std::map<std::string, std::string> hosts)
    : m_hosts(std::move(hosts))
{
}

Neutral::Neutral(std::span<const Run> runs)
{
    std::set<std::string> names;
    for (const Run &run : runs) {
        names.insert(run.hosts.begin(), run.hosts.end());
        if (run.job && run.job->queue == "Kubernetes" && !run.job->nodes.empty())
            for (const std::string_view node : split(run.job->nodes, ','))
                names.insert(std::string(node));
        for (const NodeFacts &node : run.nodeFacts)
            names.insert(node.name);
        for (const auto *list : {&run.remoteFolders, &run.commands})
            for (const std::string &text : *list)
                learnUsers(text);
    }
    for (const std::string &name : names)
        m_hosts.emplace(name, "node" + std::to_string(m_hosts.size() + 1));
    for (const Run &run : runs)
        for (const NodeFacts &node : run.nodeFacts)
            if (node.hostname)
                m_hosts.emplace(*node.hostname, m_hosts.at(node.name));
}

void Neutral::learnUsers(const std::string &text)
{
    for (const char *home : {"/home/", "/Users/"})
        for (std::size_t at = text.find(home); at != std::string::npos; at = text.find(home, at + 1)) {
            std::size_t end = at + std::string_view(home).size();
            const std::size_t start = end;
            while (end < text.size() && isWordChar(text[end]))
                ++end;
            if (end - start >= kLeastUserName)
                m_users.insert(text.substr(start, end - start));
        }
}

std::string Neutral::address(const std::string &word, bool six)
{
    // Neutral already.
    if (word.starts_with("192.0.2.") || word.starts_with("198.18.") || word.starts_with("2001:db8:"))
        return word;
    auto &known = six ? m_sixes : m_addresses;
    const std::size_t n = known.size() + 1;
    // Past one documents' range, that for tests of networks (RFC 2544).
    const std::string fresh = six ? "2001:db8::" + std::to_string(n)
                              : n <= 254
                                  ? "192.0.2." + std::to_string(n)
                                  : "198.18." + std::to_string(n / 256) + "." + std::to_string(n % 256);
    return known.try_emplace(word, fresh).first->second;
}

std::string Neutral::text(const std::string &text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const bool fresh = i == 0 || (!isWordChar(text[i - 1]) && text[i - 1] != ':');
        if (const std::size_t length = fresh && (isHex(text[i]) || text[i] == ':') ? sixLength(text, i) : 0;
            length > 0) {
            const std::string word = text.substr(i, length);
            out += word == "::1" ? word : address(word, true);
            i += length;
            continue;
        }
        if (!isWordChar(text[i])) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && isWordChar(text[end]))
            ++end;
        const std::string word = text.substr(i, end - i);
        const bool inHome = out.ends_with("/home/") || out.ends_with("/Users/");
        std::size_t after = end + 1;
        while (after < text.size() && isWordChar(text[after]))
            ++after;
        const std::string next =
            end < text.size() && text[end] == '@' ? text.substr(end + 1, after - end - 1) : "";
        if (const auto host = m_hosts.find(word); host != m_hosts.end())
            out += host->second;
        else if (isAddress(word) && word != "127.0.0.1" && word != "0.0.0.0")
            out += address(word, false);
        else if (inHome || m_users.contains(word) ||
                 (!next.empty() && (m_hosts.contains(next) || isAddress(next))))
            out += "user";
        else
            out += word;
        i = end;
    }
    return out;
}

void Neutral::apply(NodeFacts &node)
{
    node.name = text(node.name);
    for (auto *fact : {&node.hostname, &node.topologyText})
        if (*fact)
            *fact = text(**fact);
    for (NetworkInterface &card : node.interfaces)
        for (auto *list : {&card.addresses, &card.networks})
            for (std::string &address : *list)
                address = text(address);
}

void Neutral::apply(Run &run)
{
    for (auto *list : {&run.hosts, &run.remoteFolders, &run.commands})
        for (std::string &one : *list)
            one = text(one);
    run.reason = text(run.reason);
    run.launchCommand = text(run.launchCommand);
    if (run.job)
        for (std::string *words : {&run.job->nodes, &run.job->reason})
            *words = text(*words);
    for (NodeFacts &node : run.nodeFacts)
        apply(node);
}

void makeNeutral(std::vector<Run> &runs)
{
    Neutral neutral(runs);
    for (Run &run : runs)
        neutral.apply(run);
}

} // namespace sb
