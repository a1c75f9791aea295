// SPDX-License-Identifier: Apache-2.0

// CudaProgram's part that brings batches to the device.

#include "../clock.h"
#include "check.h"
#include "cuda_program.h"

#include <cstring>

namespace sbtrain::cuda {

void CudaProgram::load(const Batch &batch)
{
    if (batch.serial != 0 && batch.serial == m_loaded)
        return; // the device has it already
    if (batch.synthetic)
        load_synthetic(batch);
    else
        load_host(batch);
    m_loaded = batch.serial;
}

void CudaProgram::load_synthetic(const Batch &batch)
{
    SyntheticArgs args;
    args.seed = batch.synthetic->seed;
    args.first = static_cast<std::uint64_t>(batch.synthetic->first);
    args.classes = static_cast<std::uint64_t>(m_graph.classes);
    args.batch = static_cast<int>(m_graph.batch_size);
    args.length = static_cast<int>(m_graph.sequence_length);
    args.masked = static_cast<int>(m_graph.masked_positions);
    if (m_graph.images) {
        args.labels = m_memory.at<std::int32_t>(m_inputs.labels);
        synthetic_images(m_image_order, args, m_memory.at(m_inputs.images), m_context.stream);
        return;
    }
    args.tokens = m_memory.at<std::int32_t>(m_inputs.tokens);
    args.segments = m_memory.at<std::int32_t>(m_inputs.segments);
    args.lengths = m_memory.at<std::int32_t>(m_inputs.lengths);
    args.positions = m_memory.at<std::int32_t>(m_inputs.positions);
    args.masked_labels = m_memory.at<std::int32_t>(m_inputs.masked_labels);
    args.next_sentence = m_memory.at<std::int32_t>(m_inputs.next_sentence);
    synthetic_tokens(args, m_context.stream);
}

// Through pinned memory, so that the caller gets its batch back at once and the copy needs no wait.
void CudaProgram::load_host(const Batch &batch)
{
    struct Part {
        const void *data;
        std::size_t bytes;
        MemoryPlan::Id to; // invalid: the staging block for images
    };
    const auto part = [](const auto &values, MemoryPlan::Id to) {
        return Part{values.data(), values.size() * sizeof(values[0]), to};
    };
    const std::vector<Part> parts{part(batch.images, {}),
                                  part(batch.pixels, {}),
                                  part(batch.labels, m_inputs.labels),
                                  part(batch.tokens, m_inputs.tokens),
                                  part(batch.segments, m_inputs.segments),
                                  part(batch.lengths, m_inputs.lengths),
                                  part(batch.masked_positions, m_inputs.positions),
                                  part(batch.masked_labels, m_inputs.masked_labels),
                                  part(batch.next_sentence, m_inputs.next_sentence)};
    std::size_t total = 0;
    for (const Part &p : parts)
        total += (p.bytes + 255) / 256 * 256;
    check(cudaEventSynchronize(m_staged), "wait for the last batch");
    if (total > m_host_staging_bytes) {
        cudaFreeHost(m_host_staging);
        m_host_staging = nullptr;
        check(cudaHostAlloc(&m_host_staging, total, cudaHostAllocDefault), "allocate host memory");
        m_host_staging_bytes = total;
    }
    if (const std::size_t bytes = batch.images.size() * 4 + batch.pixels.size(); m_staging.bytes() < bytes)
        m_staging = DeviceBlock(bytes);
    auto *at = static_cast<std::byte *>(m_host_staging);
    for (const Part &p : parts) {
        if (p.bytes == 0)
            continue;
        std::memcpy(at, p.data, p.bytes);
        void *to = p.to.valid() ? m_memory.at(p.to) : m_staging.as();
        check(cudaMemcpyAsync(to, at, p.bytes, cudaMemcpyHostToDevice, m_context.stream), "copy a batch");
        at += (p.bytes + 255) / 256 * 256;
    }
    check(cudaEventRecord(m_staged, m_context.stream), "copy a batch");
    if (!batch.pixels.empty() || batch.device_pixels) {
        PixelScale scale;
        for (std::size_t c = 0; c < 3; ++c) {
            scale.scale[c] = 1.0F / (255.0F * batch.pixel_deviation[c]);
            scale.shift[c] = -batch.pixel_mean[c] / batch.pixel_deviation[c];
        }
        const auto *pixels = batch.device_pixels ? batch.device_pixels->data : m_staging.as<std::uint8_t>();
        arrange_pixels(m_image_order, pixels, scale, m_memory.at(m_inputs.images), m_context.stream);
        if (batch.device_pixels)
            check(cudaEventRecord(static_cast<cudaEvent_t>(batch.device_pixels->used), m_context.stream),
                  "copy a batch");
    } else if (!batch.images.empty())
        arrange_images(m_image_order, m_staging.as<float>(), m_memory.at(m_inputs.images), m_context.stream);
}

void CudaProgram::load_timed(const Batch &batch)
{
    // Until the device has come to the last batch: it is busy, which is no waiting for data.
    check(cudaEventSynchronize(m_staged), "wait for the last batch");
    const double before_s = monotonic_s();
    load(batch);
    m_pass_data_ms += 1e3 * (monotonic_s() - before_s) + batch.fill_ms;
}

} // namespace sbtrain::cuda
