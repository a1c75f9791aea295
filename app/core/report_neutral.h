// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run.h"

#include <map>
#include <string>
#include <vector>

namespace sb {

// Replaces what should not leave the house, everywhere in the runs: names of nodes by node1, node2 … (in
// order of name), IPv4 addresses by 192.0.2.1, .2 … (a range kept for documents, RFC 5737), folders below
// /home and /Users by /home/user. Ids of runs and their logs stay, since they name files.
void makeNeutral(std::vector<Run> &runs);

// The same for one text; `hosts` maps real to neutral names and `addresses` grows as new ones are met.
std::string neutralText(const std::string &text, const std::map<std::string, std::string> &hosts,
                        std::map<std::string, std::string> &addresses);

} // namespace sb
