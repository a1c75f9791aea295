// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../cuda/precision.h"
#include "communicator.h"
#include "launch_env.h"

#include <cuda_runtime.h>
#include <memory>

namespace sbtrain {

// The processes of a job over NCCL, one device each: the device must be chosen (cudaSetDevice) before. The
// calls of Communicator work on host memory and wait; those below work on device memory and only enqueue, so
// that they can be recorded into a CUDA graph.
class NcclCommunicator : public Communicator {
public:
    // For any world size from 1. The processes find each other as Gloo's do (rendezvous: env or file:PATH).
    // Failure: ExitCode::Rendezvous.
    static Result<std::unique_ptr<NcclCommunicator>> connect(const LaunchEnv &env,
                                                             const std::string &rendezvous, double timeout_s);
    ~NcclCommunicator() override;

    int rank() const override { return m_rank; }
    int world_size() const override { return m_world_size; }
    Result<void> all_reduce_mean(std::span<float> values) override;
    Result<void> broadcast(std::span<float> values) override;
    Result<void> barrier() override;

    // Every rank's `count` elements become the mean over all ranks.
    Result<void> average(void *data, std::size_t count, cuda::Type type, cudaStream_t stream);
    // Every rank's become the sum; for measuring.
    Result<void> sum(void *data, std::size_t count, cuda::Type type, cudaStream_t stream);
    // Whether something went wrong since: ExitCode::PeerLost.
    Result<void> health() const;

    static std::string version(); // "nccl 2.28.9"

private:
    NcclCommunicator(int rank, int world_size)
        : m_rank(rank)
        , m_world_size(world_size)
    {
    }
    template <typename Body>
    Result<void> with_staging(std::span<float> values, Body body);

    int m_rank;
    int m_world_size;
    void *m_comm = nullptr; // ncclComm_t
    cudaStream_t m_stream = nullptr;
    void *m_staging = nullptr;
    std::size_t m_staging_bytes = 0;
};

} // namespace sbtrain
