// SPDX-License-Identifier: Apache-2.0
#include "cuda_bench.h"

#include "../comm/launch_env.h"
#include "../cuda/check.h"
#include "../cuda/cuda_device.h"
#include "../cuda/gemm.h"
#include "../cuda/step_kernels.h"
#include "../events.h"
#ifdef SBTRAIN_WITH_NCCL
#include "../comm/nccl_communicator.h"
#endif

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>

namespace sbtrain::cuda {

namespace {

struct Free {
    void operator()(void *data) const { cudaFree(data); }
};
using Block = std::unique_ptr<void, Free>;

Block allocate(std::size_t bytes)
{
    void *data = nullptr;
    check(cudaMalloc(&data, bytes), "allocate device memory");
    return Block(data);
}

class Clock {
public:
    Clock()
    {
        check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "make a stream");
        check(cudaEventCreate(&m_begin), "make an event");
        check(cudaEventCreate(&m_end), "make an event");
    }
    ~Clock()
    {
        cudaEventDestroy(m_begin);
        cudaEventDestroy(m_end);
        cudaStreamDestroy(m_stream);
    }
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;

    cudaStream_t stream() const { return m_stream; }

    // Median milliseconds of one run: five blocks of `runs` runs, after one block to warm up.
    double median_ms(int runs, const std::function<void()> &body) const
    {
        std::vector<double> times;
        for (int block = 0; block < 6; ++block) {
            check(cudaEventRecord(m_begin, m_stream), "record an event");
            for (int i = 0; i < runs; ++i)
                body();
            check(cudaEventRecord(m_end, m_stream), "record an event");
            check(cudaEventSynchronize(m_end), "measure");
            float ms = 0.0F;
            check(cudaEventElapsedTime(&ms, m_begin, m_end), "measure");
            if (block > 0)
                times.push_back(static_cast<double>(ms) / runs);
        }
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }

private:
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
};

void print(const JsonLine &line)
{
    std::cout << line.str() << '\n' << std::flush;
}

JsonLine begin(std::string_view kind, const DeviceFacts &device)
{
    JsonLine line;
    line.text("event", "bench")
        .text("kind", kind)
        .text("device_name", device.name)
        .integer("device", device.ordinal);
    return line;
}

double gbps(double bytes, double ms)
{
    return bytes / ms * 1e-6;
}

void bench_copy(const DeviceFacts &device)
{
    const Clock clock;
    const std::size_t bytes = std::min<std::size_t>(std::size_t{4} << 30, device.memory_bytes / 4);
    const Block from = allocate(bytes);
    const Block to = allocate(bytes);
    fill_noise(Type::F32, from.get(), static_cast<std::int64_t>(bytes / 4), clock.stream());
    const double ms = clock.median_ms(10, [&] {
        check(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, clock.stream()), "copy");
    });
    JsonLine line = begin("copy", device);
    line.integer("bytes", static_cast<std::int64_t>(bytes)).number("time_ms", ms);
    line.number("GBps", gbps(2.0 * static_cast<double>(bytes), ms));
    print(line);
}

void bench_matmul(const DeviceFacts &device)
{
    constexpr std::int64_t kSize = 8192;
    const Clock clock;
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(&handle), "start cuBLASLt");
    const Block workspace = allocate(kGemmWorkspace);
    const std::size_t elements = std::size_t{kSize} * kSize;
    const Block a = allocate(elements * 4);
    const Block b = allocate(elements * 4);
    const Block c = allocate(elements * 4);
    constexpr std::pair<Precision, const char *> kPrecisions[] = {{Precision::Fp32, "fp32"},
                                                                  {Precision::Tf32, "tf32"},
                                                                  {Precision::Fp16, "fp16"},
                                                                  {Precision::Bf16, "bf16"}};
    for (const auto &[precision, name] : kPrecisions) {
        if (device.capability < 80 && (precision == Precision::Tf32 || precision == Precision::Bf16))
            continue;
        GemmProblem problem;
        problem.transpose_b = true;
        problem.m = problem.n = problem.k = problem.lda = problem.ldb = problem.ldc = kSize;
        problem.type = problem.out = storage_type(precision);
        problem.tf32 = precision == Precision::Tf32;
        fill_noise(problem.type, a.get(), static_cast<std::int64_t>(elements), clock.stream());
        fill_noise(problem.type, b.get(), static_cast<std::int64_t>(elements), clock.stream());
        Gemm gemm({handle}, problem, true);
        const GemmPointers at{a.get(), b.get(), c.get()};
        Tuner tuner(clock.stream());
        gemm.tune(tuner, at, workspace.get(), clock.stream());
        const double ms = clock.median_ms(5, [&] { gemm.run(at, workspace.get(), clock.stream()); });
        JsonLine line = begin("matmul", device);
        line.text("precision", name).integer("size", kSize).number("time_ms", ms);
        line.number("TFLOPs", 2.0 * static_cast<double>(kSize * kSize * kSize) / ms * 1e-9);
        print(line);
    }
    cublasLtDestroy(handle);
}

void bench_pair(const DeviceFacts &from, const DeviceFacts &to)
{
    constexpr std::size_t kBytes = std::size_t{256} << 20;
    int direct = 0;
    check(cudaDeviceCanAccessPeer(&direct, from.ordinal, to.ordinal), "ask for peer access");
    check(cudaSetDevice(to.ordinal), "choose a device");
    const Block target = allocate(kBytes);
    check(cudaSetDevice(from.ordinal), "choose a device");
    const Block source = allocate(kBytes);
    if (direct != 0 && cudaDeviceEnablePeerAccess(to.ordinal, 0) == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
    const Clock clock;
    const double ms = clock.median_ms(10, [&] {
        check(
            cudaMemcpyPeerAsync(target.get(), to.ordinal, source.get(), from.ordinal, kBytes, clock.stream()),
            "copy between devices");
    });
    JsonLine line = begin("p2p", from);
    line.integer("to", to.ordinal)
        .integer("direct", direct)
        .integer("bytes", static_cast<std::int64_t>(kBytes));
    line.number("time_ms", ms).number("GBps", gbps(static_cast<double>(kBytes), ms));
    print(line);
}

Result<void> bench_p2p(const std::vector<DeviceFacts> &devices)
{
    if (devices.size() < 2)
        return Error{ExitCode::Unsupported,
                     "sbtrain bench p2p needs two devices on this host, and there is one"};
    for (const DeviceFacts &from : devices) {
        for (const DeviceFacts &to : devices) {
            if (from.ordinal != to.ordinal)
                bench_pair(from, to);
        }
    }
    return {};
}

Result<void> bench_allreduce(const DeviceFacts &device, const LaunchEnv &env)
{
#ifdef SBTRAIN_WITH_NCCL
    constexpr double kTimeoutS = 60.0;
    auto connected = NcclCommunicator::connect(env, "env", kTimeoutS);
    if (!connected)
        return connected.error();
    NcclCommunicator &comm = **connected;
    const Clock clock;
    const Block data = allocate(std::size_t{1} << 30);
    fill_noise(Type::F32, data.get(), std::int64_t{1} << 28, clock.stream());
    Result<void> state;
    for (std::size_t bytes = 1024; bytes <= (std::size_t{1} << 30) && state; bytes *= 4) {
        const double ms = clock.median_ms(bytes < (std::size_t{64} << 20) ? 20 : 5, [&] {
            const Result<void> done = comm.sum(data.get(), bytes / 4, Type::F32, clock.stream());
            if (!done)
                state = done;
        });
        if (env.rank != 0)
            continue;
        const double algbw = gbps(static_cast<double>(bytes), ms);
        JsonLine line = begin("allreduce", device);
        line.text("library", NcclCommunicator::version()).integer("world_size", env.world_size);
        line.integer("bytes", static_cast<std::int64_t>(bytes))
            .number("time_ms", ms)
            .number("algbw_GBps", algbw);
        line.number("busbw_GBps", algbw * 2.0 * (env.world_size - 1) / env.world_size);
        print(line);
    }
    return state;
#else
    (void)device;
    (void)env;
    return Error{ExitCode::Unsupported, "this build has no NCCL, which sbtrain bench allreduce needs"};
#endif
}

} // namespace

Result<void> run_bench(std::string_view kind)
{
    const auto devices = list_cuda_devices();
    if (!devices)
        return devices.error();
    const Result<LaunchEnv> env = read_launch_env([](const char *name) { return std::getenv(name); });
    if (!env)
        return env.error();
    const auto ordinal = static_cast<std::size_t>(env->local_rank);
    if (ordinal >= devices->size())
        return Error{ExitCode::Unsupported,
                     "local rank " + std::to_string(ordinal) + " has no CUDA device: start fewer processes"};
    try {
        const DeviceFacts &device = (*devices)[ordinal];
        check(cudaSetDevice(device.ordinal), "choose a device");
        if (kind == "copy")
            bench_copy(device);
        else if (kind == "matmul")
            bench_matmul(device);
        else if (kind == "p2p")
            return bench_p2p(*devices);
        else
            return bench_allreduce(device, *env);
    } catch (const CudaError &error) {
        return Error{error.code(), error.what()};
    }
    return {};
}

} // namespace sbtrain::cuda
