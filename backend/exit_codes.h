// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbtrain {

// The exit status of sbtrain, in full. EVENTS.md repeats this table for readers of logs.
enum class ExitCode {
    Ok = 0,
    Internal = 1,    // a bug, or the operating system said no where it never does
    Usage = 2,       // the command line makes no sense
    Unsupported = 3, // it makes sense, but this build, device or model cannot do it
    Rendezvous = 4,  // the processes did not find each other in time
    PeerLost = 5,    // another process went away or stopped answering during the run
    OutOfMemory = 6,
    Diverged = 7,          // the loss is not finite any more
    OutputLost = 8,        // nobody reads the events (closed pipe) or the disk is full
    Interrupted = 128 + 2, // SIGINT, after a clean end
    Terminated = 128 + 15, // SIGTERM, after a clean end
};

} // namespace sbtrain
