// SPDX-License-Identifier: Apache-2.0

// CudaProgram's part in a job of several processes: gradients over NCCL, in buckets, while backward goes on.

#include "check.h"
#include "cuda_program.h"
#ifdef SBTRAIN_WITH_NCCL
#include "../comm/nccl_communicator.h"
#endif

#include <algorithm>

namespace sbtrain::cuda {

#ifdef SBTRAIN_WITH_NCCL

namespace {

constexpr std::int64_t kBucketBytes = std::int64_t{64} << 20;

} // namespace

void CudaProgram::plan_buckets()
{
    m_nccl = dynamic_cast<NcclCommunicator *>(m_settings.communicator);
    if (m_nccl == nullptr)
        return;
    // Ahead of what backward has waiting: a bucket that starts late ends after backward.
    int least = 0;
    int greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "ask for priorities");
    check(cudaStreamCreateWithPriority(&m_exchange_stream, cudaStreamNonBlocking, greatest), "make a stream");
    m_bucket_bytes =
        static_cast<std::size_t>(m_settings.bucket_bytes > 0 ? m_settings.bucket_bytes : kBucketBytes);
    if (m_settings.exchange != ExchangePrecision::Own) {
        m_exchange_type = m_settings.exchange == ExchangePrecision::Fp16 ? Type::F16 : Type::BF16;
        m_narrowed = DeviceBlock(m_full_gradients.bytes() / 2);
    }
    check(cudaEventCreateWithFlags(&m_ready, cudaEventDisableTiming), "make an event");
    check(cudaEventCreateWithFlags(&m_exchanged, cudaEventDisableTiming), "make an event");
}

// Called while a step is recorded, after layer i's backward pass.
void CudaProgram::exchange_bucket(std::size_t layer)
{
    if (m_nccl == nullptr)
        return;
    const Boundary now = m_boundaries[layer];
    const std::size_t bytes = (m_sent.typed - now.typed) * 2 + (m_sent.full - now.full) * 4;
    // Nothing hides what comes last. If that is large by itself, it does not take anything else along.
    const bool before_large = layer == 1 && now.typed * 2 + now.full * 4 >= m_bucket_bytes;
    if (bytes < m_bucket_bytes && layer > 0 && !before_large)
        return;
    m_column_sums->flush();
    if (m_settings.micro_batches > 1)
        take_mean(update_args(), m_sent.chunks, now.chunks - m_sent.chunks, m_context.stream);
    check(cudaEventRecord(m_ready, m_context.stream), "order the exchange");
    check(cudaStreamWaitEvent(m_exchange_stream, m_ready, 0), "order the exchange");
    const auto need = [](const Result<void> &done) {
        if (!done)
            throw CudaError(done.error().code, done.error().message);
    };
    if (now.typed < m_sent.typed)
        need(m_nccl->average(m_gradients.as<std::byte>() + 2 * now.typed, m_sent.typed - now.typed,
                             m_context.type, m_exchange_stream));
    need(average_full(now.full, m_sent.full - now.full, m_exchange_stream));
    take_norms(update_args(), m_sent.chunks, now.chunks - m_sent.chunks, m_exchange_stream);
    m_sent = now;
    if (layer == 0)
        check(cudaEventRecord(m_exchanged, m_exchange_stream), "order the exchange");
}

// `first` and `count` are elements of the fp32 gradients.
Result<void> CudaProgram::average_full(std::size_t first, std::size_t count, cudaStream_t stream)
{
    if (count == 0)
        return {};
    float *gradients = m_full_gradients.as<float>() + first;
    if (m_exchange_type == Type::F32)
        return m_nccl->average(gradients, count, Type::F32, stream);
    std::byte *narrowed = m_narrowed.as<std::byte>() + 2 * first;
    narrow(m_exchange_type, gradients, narrowed, static_cast<std::int64_t>(count), stream);
    if (const Result<void> done = m_nccl->average(narrowed, count, m_exchange_type, stream); !done)
        return done;
    widen(m_exchange_type, narrowed, gradients, static_cast<std::int64_t>(count), stream);
    return {};
}

Result<void> CudaProgram::exchange_on_device()
{
    if (m_gradients.bytes() > 0) {
        const Result<void> done =
            m_nccl->average(m_gradients.as(), m_gradients.bytes() / 2, m_context.type, m_context.stream);
        if (!done)
            return done;
    }
    return average_full(0, m_full_gradients.bytes() / 4, m_context.stream);
}

Result<void> CudaProgram::health() const
{
    return m_nccl != nullptr ? m_nccl->health() : Result<void>{};
}

#else

void CudaProgram::plan_buckets() {}

void CudaProgram::exchange_bucket(std::size_t) {}

Result<void> CudaProgram::exchange_on_device()
{
    return {};
}

Result<void> CudaProgram::health() const
{
    return {};
}

#endif

} // namespace sbtrain::cuda
