// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sb {

// Replaces what should not leave the house: names of nodes by node1, node2 … (in order of name), IPv4
// addresses by 192.0.2.1, .2 … and IPv6 ones by 2001:db8::1, ::2 … (ranges kept for documents, RFC 5737 and
// 3849), folders below /home and /Users by /home/user, and the names of those users, and of users before
// "@node", by "user". The same thing gets the same neutral name in every text of one Neutral. Ids of runs
// and their logs stay, since they name files.
class Neutral {
public:
    explicit Neutral(std::span<const Run> runs);
    // For tests: real to neutral names.
    explicit Neutral(std::map<std::string, std::string> hosts);

    std::string text(const std::string &text);
    void apply(Run &run);
    void apply(NodeFacts &facts);

private:
    void learnUsers(const std::string &text);
    std::string address(const std::string &word, bool six);

    std::map<std::string, std::string> m_hosts;
    std::map<std::string, std::string> m_addresses, m_sixes;
    std::set<std::string> m_users;
};

// All of the runs.
void makeNeutral(std::vector<Run> &runs);

} // namespace sb
