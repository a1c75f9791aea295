// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <span>

namespace sbtrain {

// The processes of one job. Calls are collective: every rank makes the same calls with the same sizes in the
// same order. One thread at a time. A call that fails (ExitCode::PeerLost: a peer went away or did not answer
// within the time limit) leaves the communicator unusable: the process should end.
class Communicator {
public:
    virtual ~Communicator() = default;

    virtual int rank() const = 0;
    virtual int world_size() const = 0;

    // Every rank's values become the mean over all ranks.
    virtual Result<void> all_reduce_mean(std::span<float> values) = 0;
    // Every rank's values become those of rank 0.
    virtual Result<void> broadcast(std::span<float> values) = 0;
    // Returns when all ranks have called it.
    virtual Result<void> barrier() = 0;
};

} // namespace sbtrain
