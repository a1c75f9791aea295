// SPDX-License-Identifier: GPL-3.0-or-later
// What a node is: one read-only POSIX script, and the reading of what it prints. Needs no root, leaves
// nothing behind.
#pragma once

#include "core/node.h"
#include "remote/host.h"

#include <string>
#include <string_view>

namespace sb {

ProcessSpec probeSpec();

// Reads the script's output; `name` is what the user calls the node. Unknown lines (a noisy start-up file)
// are ignored, values that cannot be read are absent.
NodeFacts parseProbe(std::string_view output, const std::string &name);

// The node's clock when the probe began, seconds since 1970.
std::optional<double> parseProbeTime(std::string_view output);

// Where run folders go on a probed node, from the same output: absolute, or empty.
std::string parseWorkFolder(std::string_view output);

} // namespace sb
