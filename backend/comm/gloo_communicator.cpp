// SPDX-License-Identifier: Apache-2.0
#include "gloo_communicator.h"

#include "tcp_store.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <stdexcept>
#include <unistd.h>

namespace sbtrain {

namespace {

constexpr std::size_t kPieceFloats = std::size_t{8} << 20; // bounds the memory of one operation: 32 MiB

std::chrono::milliseconds milliseconds(double seconds)
{
    return std::chrono::milliseconds(std::llround(seconds * 1e3));
}

// Gloo's store on top of ours. Gloo wants exceptions; connect_gloo catches them.
struct StoreFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class GlooStore : public gloo::rendezvous::Store {
public:
    GlooStore(TcpStoreClient client, double timeout_s)
        : m_client(std::move(client))
        , m_timeout_s(timeout_s)
    {
    }

    void set(const std::string &key, const std::vector<char> &data) override
    {
        const Result<void> done = m_client.set(key, std::string(data.begin(), data.end()));
        if (!done)
            throw StoreFailure(done.error().message);
    }
    std::vector<char> get(const std::string &key) override
    {
        const Result<std::string> value = m_client.get(key, m_timeout_s);
        if (!value)
            throw StoreFailure(value.error().message);
        return {value->begin(), value->end()};
    }
    void wait(const std::vector<std::string> &keys) override
    {
        for (const std::string &key : keys)
            get(key);
    }
    void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &) override
    {
        wait(keys);
    }

private:
    TcpStoreClient m_client;
    double m_timeout_s;
};

void add(void *out, const void *left, const void *right, std::size_t count)
{
    auto *sum = static_cast<float *>(out);
    const auto *a = static_cast<const float *>(left);
    const auto *b = static_cast<const float *>(right);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        sum[i] = a[i] + b[i];
}

class GlooCommunicator : public Communicator {
public:
    explicit GlooCommunicator(std::shared_ptr<gloo::rendezvous::Context> context)
        : m_context(std::move(context))
    {
    }

    int rank() const override { return m_context->rank; }
    int world_size() const override { return m_context->size; }

    Result<void> all_reduce_mean(std::span<float> values) override
    {
        return guarded("averaging gradients", [&] {
            gloo::AllreduceOptions options(m_context);
            options.setOutput(values.data(), values.size());
            options.setReduceFunction(add);
            options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
            gloo::allreduce(options);
            const float scale = 1.0F / static_cast<float>(world_size());
#pragma omp simd // one thread: the others compute
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] *= scale;
        });
    }

    Result<void> broadcast(std::span<float> values) override
    {
        return guarded("sending the initial parameters", [&] {
            for (std::size_t begin = 0; begin < values.size(); begin += kPieceFloats) {
                gloo::BroadcastOptions options(m_context);
                options.setOutput(values.data() + begin, std::min(kPieceFloats, values.size() - begin));
                options.setRoot(0);
                gloo::broadcast(options);
            }
        });
    }

    Result<void> barrier() override
    {
        return guarded("waiting for the other processes", [&] {
            gloo::BarrierOptions options(m_context);
            gloo::barrier(options);
        });
    }

private:
    template <typename Body>
    Result<void> guarded(const char *what, Body body)
    {
        try {
            body();
            return {};
        } catch (const std::exception &error) {
            return Error{ExitCode::PeerLost, "rank " + std::to_string(rank()) +
                                                 " lost another process while " + what + ": " + error.what()};
        }
    }

    std::shared_ptr<gloo::rendezvous::Context> m_context;
};

std::shared_ptr<gloo::transport::Device> make_transport(const LaunchEnv &env)
{
    gloo::transport::tcp::attr attributes;
    if (const char *interface = std::getenv("GLOO_SOCKET_IFNAME");
        interface != nullptr && *interface != '\0') {
        attributes.iface = interface;
    } else {
        attributes.hostname = env.master_addr.empty() ? "" : address_towards(env.master_addr);
        if (attributes.hostname.empty()) {
            char name[256] = {};
            gethostname(name, sizeof name - 1);
            attributes.hostname = name;
        }
    }
    return gloo::transport::tcp::CreateDevice(attributes);
}

std::unique_ptr<Communicator> connect_mesh(const LaunchEnv &env, const GlooSettings &settings,
                                           gloo::rendezvous::Store &store)
{
    auto transport = make_transport(env);
    auto context = std::make_shared<gloo::rendezvous::Context>(env.rank, env.world_size);
    context->setTimeout(milliseconds(settings.timeout_s));
    context->connectFullMesh(store, transport);
    return std::make_unique<GlooCommunicator>(std::move(context));
}

Result<std::unique_ptr<Communicator>> connect_by_file(const LaunchEnv &env, const GlooSettings &settings)
{
    const std::string folder = settings.rendezvous.substr(std::string("file:").size());
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        return Error{ExitCode::Rendezvous,
                     "cannot make the rendezvous folder " + folder + ": " + problem.message()};
    gloo::rendezvous::FileStore store(folder);
    return connect_mesh(env, settings, store);
}

Result<std::unique_ptr<Communicator>> connect_by_tcp(const LaunchEnv &env, const GlooSettings &settings)
{
    if (env.master_addr.empty())
        return Error{ExitCode::Rendezvous,
                     "nobody says where rank 0 is: set MASTER_ADDR (and MASTER_PORT), or use "
                     "--rendezvous file:PATH on a shared file system"};
    const HostPort at{env.master_addr, env.master_port};
    std::unique_ptr<TcpStoreServer> server;
    if (env.rank == 0) {
        auto started = TcpStoreServer::start(at, static_cast<std::size_t>(env.world_size) + 16);
        if (!started)
            return started.error();
        server = std::move(*started);
    }
    Result<TcpStoreClient> client = TcpStoreClient::connect(at, settings.timeout_s);
    if (!client)
        return client.error();
    GlooStore store(std::move(*client), settings.timeout_s);
    std::unique_ptr<Communicator> communicator = connect_mesh(env, settings, store);
    // Rank 0 serves until everybody is connected.
    const Result<void> together = communicator->barrier();
    if (!together)
        return Error{ExitCode::Rendezvous, together.error().message};
    return communicator;
}

} // namespace

Result<std::unique_ptr<Communicator>> connect_gloo(const LaunchEnv &env, const GlooSettings &settings)
{
    try {
        return settings.rendezvous == "env" ? connect_by_tcp(env, settings) : connect_by_file(env, settings);
    } catch (const StoreFailure &failure) {
        return Error{ExitCode::Rendezvous, failure.what()};
    } catch (const std::exception &error) {
        return Error{ExitCode::Rendezvous, "rank " + std::to_string(env.rank) +
                                               " could not connect to the other processes: " + error.what()};
    }
}

} // namespace sbtrain
