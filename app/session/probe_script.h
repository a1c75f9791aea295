// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace sb {

// POSIX shell text that tells what a node is, for node_prober. $1 is this text again.
const char *probeScript();

} // namespace sb
