// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report_neutral.h"

#include <cctype>
#include <set>

namespace sb {

namespace {

bool isWordChar(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
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

} // namespace

std::string neutralText(const std::string &text, const std::map<std::string, std::string> &hosts,
                        std::map<std::string, std::string> &addresses)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (!isWordChar(text[i])) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && isWordChar(text[end]))
            ++end;
        const std::string word = text.substr(i, end - i);
        const bool inHome = out.ends_with("/home/") || out.ends_with("/Users/");
        if (const auto host = hosts.find(word); host != hosts.end())
            out += host->second;
        else if (isAddress(word) && word != "127.0.0.1" && word != "0.0.0.0")
            out +=
                addresses.try_emplace(word, "192.0.2." + std::to_string(addresses.size() + 1)).first->second;
        else
            out += inHome ? "user" : word;
        i = end;
    }
    return out;
}

void makeNeutral(std::vector<Run> &runs)
{
    std::set<std::string> names;
    for (const Run &run : runs) {
        names.insert(run.hosts.begin(), run.hosts.end());
        for (const NodeFacts &node : run.nodeFacts)
            names.insert(node.name);
    }
    std::map<std::string, std::string> hosts;
    for (const std::string &name : names)
        hosts.emplace(name, "node" + std::to_string(hosts.size() + 1));
    for (const Run &run : runs)
        for (const NodeFacts &node : run.nodeFacts)
            if (node.hostname)
                hosts.emplace(*node.hostname, hosts.at(node.name));
    std::map<std::string, std::string> addresses;
    const auto replace = [&](std::string &text) { text = neutralText(text, hosts, addresses); };
    for (Run &run : runs) {
        for (auto *list : {&run.hosts, &run.remoteFolders, &run.commands})
            for (std::string &text : *list)
                replace(text);
        replace(run.reason);
        for (NodeFacts &node : run.nodeFacts) {
            replace(node.name);
            if (node.hostname)
                replace(*node.hostname);
            for (NetworkInterface &card : node.interfaces)
                for (std::string &address : card.addresses)
                    replace(address);
        }
    }
}

} // namespace sb
