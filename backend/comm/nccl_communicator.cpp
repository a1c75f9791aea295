// SPDX-License-Identifier: Apache-2.0
#include "nccl_communicator.h"

#include "../clock.h"
#include "tcp_store.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nccl.h>
#include <thread>

namespace sbtrain {

namespace {

constexpr const char *kIdKey = "nccl-id";

ncclComm_t as_comm(void *comm)
{
    return static_cast<ncclComm_t>(comm);
}

ncclDataType_t data_type(cuda::Type type)
{
    return type == cuda::Type::F16 ? ncclFloat16 : type == cuda::Type::BF16 ? ncclBfloat16 : ncclFloat32;
}

Result<void> outcome(ncclResult_t status, int rank, const char *what)
{
    if (status == ncclSuccess)
        return {};
    return Error{ExitCode::PeerLost, "rank " + std::to_string(rank) + " failed while " + what + ": " +
                                         ncclGetErrorString(status)};
}

std::string new_id()
{
    ncclUniqueId id;
    if (ncclGetUniqueId(&id) != ncclSuccess)
        return {};
    return {id.internal, sizeof id.internal};
}

// Rank 0 writes a file next to its final name and renames it, the others wait for it to appear.
Result<std::string> share_by_file(const LaunchEnv &env, const std::string &folder, double timeout_s)
{
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    const std::string path = folder + "/" + kIdKey;
    if (env.rank == 0) {
        const std::string id = new_id();
        std::ofstream(path + ".part", std::ios::binary) << id;
        std::filesystem::rename(path + ".part", path, problem);
        if (problem || id.empty())
            return Error{ExitCode::Rendezvous, "cannot write " + path + ": " + problem.message()};
        return id;
    }
    for (const double end_s = monotonic_s() + timeout_s; monotonic_s() < end_s;) {
        std::ifstream file(path, std::ios::binary);
        std::string id((std::istreambuf_iterator<char>(file)), {});
        if (!id.empty())
            return id;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return Error{ExitCode::Rendezvous, "rank 0 did not write " + path + " in time"};
}

struct Meeting {
    std::unique_ptr<TcpStoreServer> server; // rank 0's, until everybody is connected
    std::string id;
};

Result<Meeting> share_by_tcp(const LaunchEnv &env, double timeout_s)
{
    if (env.master_addr.empty())
        return Error{ExitCode::Rendezvous,
                     "nobody says where rank 0 is: set MASTER_ADDR (and MASTER_PORT), or use "
                     "--rendezvous file:PATH on a shared file system"};
    const HostPort at{env.master_addr, env.master_port};
    Meeting meeting;
    if (env.rank == 0) {
        auto started = TcpStoreServer::start(at, static_cast<std::size_t>(env.world_size) + 16);
        if (!started)
            return started.error();
        meeting.server = std::move(*started);
        meeting.id = new_id();
    }
    Result<TcpStoreClient> client = TcpStoreClient::connect(at, timeout_s);
    if (!client)
        return client.error();
    if (env.rank == 0) {
        const Result<void> done = client->set(kIdKey, meeting.id);
        if (!done)
            return done.error();
        return meeting;
    }
    Result<std::string> id = client->get(kIdKey, timeout_s);
    if (!id)
        return id.error();
    meeting.id = std::move(*id);
    return meeting;
}

} // namespace

Result<std::unique_ptr<NcclCommunicator>>
NcclCommunicator::connect(const LaunchEnv &env, const std::string &rendezvous, double timeout_s)
{
    Meeting meeting;
    if (env.world_size == 1) {
        meeting.id = new_id();
    } else if (rendezvous == "env") {
        Result<Meeting> met = share_by_tcp(env, timeout_s);
        if (!met)
            return met.error();
        meeting = std::move(*met);
    } else {
        Result<std::string> id =
            share_by_file(env, rendezvous.substr(std::string("file:").size()), timeout_s);
        if (!id)
            return id.error();
        meeting.id = std::move(*id);
    }
    ncclUniqueId id;
    if (meeting.id.size() != sizeof id.internal)
        return Error{ExitCode::Rendezvous, "rank 0 could not start NCCL"};
    std::memcpy(id.internal, meeting.id.data(), sizeof id.internal);
    std::unique_ptr<NcclCommunicator> out(new NcclCommunicator(env.rank, env.world_size));
    ncclComm_t comm = nullptr;
    const ncclResult_t status = ncclCommInitRank(&comm, env.world_size, id, env.rank);
    if (status != ncclSuccess)
        return Error{ExitCode::Rendezvous,
                     "rank " + std::to_string(env.rank) +
                         " could not connect to the other processes: " + ncclGetErrorString(status)};
    out->m_comm = comm;
    if (cudaStreamCreateWithFlags(&out->m_stream, cudaStreamNonBlocking) != cudaSuccess)
        return Error{ExitCode::Internal, "cannot make a stream"};
    // Also the sign that everybody has the id, so that rank 0 may stop serving it.
    if (const Result<void> together = out->barrier(); !together)
        return Error{ExitCode::Rendezvous, together.error().message};
    return out;
}

NcclCommunicator::~NcclCommunicator()
{
    if (m_stream != nullptr)
        cudaStreamDestroy(m_stream);
    cudaFree(m_staging);
    if (m_comm != nullptr)
        ncclCommDestroy(as_comm(m_comm));
}

template <typename Body>
Result<void> NcclCommunicator::with_staging(std::span<float> values, Body body)
{
    if (m_staging_bytes < values.size_bytes()) {
        cudaFree(m_staging);
        m_staging = nullptr;
        if (cudaMalloc(&m_staging, values.size_bytes()) != cudaSuccess)
            return Error{ExitCode::OutOfMemory, "no device memory to exchange parameters"};
        m_staging_bytes = values.size_bytes();
    }
    cudaMemcpyAsync(m_staging, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, m_stream);
    if (const Result<void> done = body(); !done)
        return done;
    cudaMemcpyAsync(values.data(), m_staging, values.size_bytes(), cudaMemcpyDeviceToHost, m_stream);
    if (const cudaError_t status = cudaStreamSynchronize(m_stream); status != cudaSuccess)
        return Error{ExitCode::PeerLost, std::string("an exchange failed: ") + cudaGetErrorString(status)};
    return health();
}

Result<void> NcclCommunicator::all_reduce_mean(std::span<float> values)
{
    return with_staging(values, [&] { return average(m_staging, values.size(), cuda::Type::F32, m_stream); });
}

Result<void> NcclCommunicator::broadcast(std::span<float> values)
{
    return with_staging(values, [&] {
        return outcome(
            ncclBroadcast(m_staging, m_staging, values.size(), ncclFloat32, 0, as_comm(m_comm), m_stream),
            m_rank, "sending the initial parameters");
    });
}

Result<void> NcclCommunicator::barrier()
{
    float one = 1.0F;
    return all_reduce_mean({&one, 1});
}

Result<void> NcclCommunicator::average(void *data, std::size_t count, cuda::Type type, cudaStream_t stream)
{
    return outcome(ncclAllReduce(data, data, count, data_type(type), ncclAvg, as_comm(m_comm), stream),
                   m_rank, "averaging gradients");
}

Result<void> NcclCommunicator::sum(void *data, std::size_t count, cuda::Type type, cudaStream_t stream)
{
    return outcome(ncclAllReduce(data, data, count, data_type(type), ncclSum, as_comm(m_comm), stream),
                   m_rank, "summing");
}

Result<void> NcclCommunicator::health() const
{
    ncclResult_t state = ncclSuccess;
    const ncclResult_t asked = ncclCommGetAsyncError(as_comm(m_comm), &state);
    return outcome(asked == ncclSuccess ? state : asked, m_rank, "exchanging data");
}

std::string NcclCommunicator::version()
{
    int version = 0;
    ncclGetVersion(&version);
    return "nccl " + std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
           std::to_string(version % 100);
}

} // namespace sbtrain
