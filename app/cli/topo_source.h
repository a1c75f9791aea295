// SPDX-License-Identifier: GPL-3.0-or-later
// Where `topo` gets its texts from: a file, standard input, or nodes over SSH.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sb::cli {

struct TopoText {
    std::string name; // file or node
    std::string text;
    std::string source; // what a node was asked: "nvidia-smi topo -m"; empty for a file
    std::string note;   // why it was not something better
    std::string error;  // of a node: there is no text
    std::int64_t readAtUtcS = 0;
};

// A file that exists is a file; anything else names nodes, of which each gives a text or an error.
Result<std::vector<TopoText>> readTopoTexts(const std::string &argument, const std::string &sshConfig);

// "-" is standard input. At most what the parsers read.
Result<std::string> readTextFile(const std::string &name);

} // namespace sb::cli
