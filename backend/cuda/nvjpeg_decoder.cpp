// SPDX-License-Identifier: Apache-2.0
#include "nvjpeg_decoder.h"

#include "check.h"
#include "device_block.h"
#include "picture_layout.h"

#include <array>
#include <nvjpeg.h>
#include <utility>
#include <vector>

namespace sbtrain::cuda {

namespace {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 25; // of one picture

class NvjpegDecoder : public PictureDecoder {
public:
    NvjpegDecoder(int ordinal, JpegEngine engine)
        : m_ordinal(ordinal)
    {
        check(cudaSetDevice(m_ordinal), "use the device");
        open(engine);
        int least = 0;
        int greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "ask the device");
        // Short kernels beside those of training: they go first.
        check(cudaStreamCreateWithPriority(&m_stream, cudaStreamNonBlocking, greatest), "make a stream");
        for (Slot &slot : m_slots)
            check(cudaEventCreateWithFlags(&slot.used, cudaEventDisableTiming), "make an event");
        std::vector<float> factors(kBlockFactors);
        block_factors(factors.data());
        m_factors = DeviceBlock(factors.size() * sizeof(float));
        check(cudaMemcpy(m_factors.as(), factors.data(), m_factors.bytes(), cudaMemcpyHostToDevice),
              "write factors");
    }

    ~NvjpegDecoder() override
    {
        cudaSetDevice(m_ordinal);
        if (m_stream != nullptr)
            cudaStreamSynchronize(m_stream);
        if (m_state != nullptr)
            nvjpegJpegStateDestroy(m_state);
        if (m_handle != nullptr)
            nvjpegDestroy(m_handle);
        for (Slot &slot : m_slots) {
            if (slot.used != nullptr)
                cudaEventDestroy(slot.used);
        }
        if (m_stream != nullptr)
            cudaStreamDestroy(m_stream);
    }

    std::string name() const override
    {
        std::string text = "nvjpeg";
        char separator = ' ';
        for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
            int value = 0;
            nvjpegGetProperty(part, &value);
            text += std::exchange(separator, '.');
            text += std::to_string(value);
        }
        return text + (m_hardware ? " (engine)" : " (kernels)");
    }

    bool takes(const JpegFile &file) const override
    {
        const JpegCoding &coding = file.coding();
        if (!coding.plain || coding.across > 2 || coding.down > 2 ||
            std::int64_t{file.width()} * file.height() > kMostPixels)
            return false;
        nvjpegJpegStream_t header = nullptr;
        if (nvjpegJpegStreamCreate(m_handle, &header) != NVJPEG_STATUS_SUCCESS)
            return false;
        int refused = 1;
        const bool asked = nvjpegJpegStreamParseHeader(m_handle, file.bytes().data(), file.bytes().size(),
                                                       header) == NVJPEG_STATUS_SUCCESS &&
                           nvjpegDecodeBatchedSupported(m_handle, header, &refused) == NVJPEG_STATUS_SUCCESS;
        nvjpegJpegStreamDestroy(header);
        return asked && refused == 0;
    }

    Result<std::optional<DevicePixels>> make(std::span<const PictureTask> tasks, int side) override
    {
        try {
            return make_rows(tasks, side);
        } catch (const CudaError &error) {
            return Error{error.code(), error.what()};
        }
    }

private:
    struct Slot {
        DeviceBlock pixels;
        cudaEvent_t used = nullptr;
    };

    void open(JpegEngine engine)
    {
        const auto create = [this](nvjpegBackend_t backend) {
            if (nvjpegCreateEx(backend, nullptr, nullptr, NVJPEG_FLAGS_DEFAULT, &m_handle) ==
                NVJPEG_STATUS_SUCCESS)
                return true;
            m_handle = nullptr;
            cudaGetLastError();
            return false;
        };
        if (engine != JpegEngine::Kernels)
            m_hardware = create(NVJPEG_BACKEND_HARDWARE);
        if (!m_hardware && (engine == JpegEngine::Hardware || !create(NVJPEG_BACKEND_GPU_HYBRID)))
            throw CudaError(ExitCode::Unsupported, "nvJPEG has no such decoder for this device");
        if (nvjpegJpegStateCreate(m_handle, &m_state) != NVJPEG_STATUS_SUCCESS)
            throw CudaError(ExitCode::Internal, "cannot start nvJPEG");
    }

    std::optional<DevicePixels> make_rows(std::span<const PictureTask> tasks, int side)
    {
        check(cudaSetDevice(m_ordinal), "use the device"); // this may be another thread than before
        Slot &slot = m_slots[m_next];
        // The engine writes at once, whatever its stream has still to do: everything in use is waited for
        // here.
        check(cudaEventSynchronize(slot.used), "wait for a batch's reader");
        const std::size_t row_bytes = static_cast<std::size_t>(3 * side * side);
        if (slot.pixels.bytes() < tasks.size() * row_bytes)
            slot.pixels = DeviceBlock(tasks.size() * row_bytes);

        auto *out = slot.pixels.as<std::uint8_t>();
        if (const std::size_t bytes = lay_out(tasks, side, nullptr, out).bytes; m_planes.bytes() < bytes) {
            m_planes = DeviceBlock(); // before the larger one
            m_planes = DeviceBlock(bytes + bytes / 4);
        }
        const PictureLayout layout = lay_out(tasks, side, m_planes.as<std::uint8_t>(), out);
        if (!decode(tasks, layout))
            return std::nullopt;
        finish(layout, side);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (tasks[i].pixels != nullptr)
                check(cudaMemcpyAsync(out + i * row_bytes, tasks[i].pixels, row_bytes, cudaMemcpyHostToDevice,
                                      m_stream),
                      "copy a picture");
        }
        check(cudaStreamSynchronize(m_stream), "decode pictures");
        m_next = (m_next + 1) % m_slots.size();
        return DevicePixels{out, slot.used};
    }

    // False: nvJPEG does not like a file.
    bool decode(std::span<const PictureTask> tasks, const PictureLayout &layout)
    {
        std::vector<const unsigned char *> data;
        std::vector<std::size_t> lengths;
        for (const PictureTask &task : tasks) {
            if (task.pixels != nullptr)
                continue;
            data.push_back(task.file->bytes().data());
            lengths.push_back(task.file->bytes().size());
        }
        if (data.empty())
            return true;
        std::vector<nvjpegImage_t> images(data.size());
        for (std::size_t i = 0; i < images.size(); ++i) {
            for (std::size_t c = 0; c < 3; ++c) {
                images[i].channel[c] = layout.decoded[i][c].data;
                images[i].pitch[c] = static_cast<std::size_t>(layout.decoded[i][c].pitch);
            }
        }
        nvjpegStatus_t status = NVJPEG_STATUS_SUCCESS;
        if (images.size() != m_prepared)
            status = nvjpegDecodeBatchedInitialize(m_handle, m_state, static_cast<int>(images.size()), 1,
                                                   NVJPEG_OUTPUT_YUV);
        m_prepared = images.size();
        if (status == NVJPEG_STATUS_SUCCESS)
            status =
                nvjpegDecodeBatched(m_handle, m_state, data.data(), lengths.data(), images.data(), m_stream);
        if (status == NVJPEG_STATUS_SUCCESS)
            return true;
        m_prepared = 0; // a failed batch's state has to be made anew
        check(cudaStreamSynchronize(m_stream), "decode pictures");
        return false;
    }

    // From decoded planes to rows.
    void finish(const PictureLayout &layout, int side)
    {
        const std::size_t reductions = layout.reductions.size() * sizeof(Reduction);
        const std::size_t resizes = layout.resizes.size() * sizeof(Resize);
        const std::size_t offset = (reductions + 255) / 256 * 256;
        if (m_lists.bytes() < offset + resizes)
            m_lists = DeviceBlock(2 * (offset + resizes));
        auto *lists = m_lists.as<std::byte>();
        const auto upload = [this](std::byte *to, const void *from, std::size_t bytes) {
            if (bytes > 0)
                check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, m_stream),
                      "describe pictures");
        };
        upload(lists, layout.reductions.data(), reductions);
        upload(lists + offset, layout.resizes.data(), resizes);
        reduce_planes(reinterpret_cast<Reduction *>(lists), static_cast<int>(layout.reductions.size()),
                      m_factors.as<float>(), m_stream);
        resize_pieces(reinterpret_cast<Resize *>(lists + offset), static_cast<int>(layout.resizes.size()),
                      side, m_stream);
    }

    int m_ordinal;
    bool m_hardware = false;
    nvjpegHandle_t m_handle = nullptr;
    nvjpegJpegState_t m_state = nullptr;
    std::size_t m_prepared = 0; // pictures at once
    cudaStream_t m_stream = nullptr;
    std::array<Slot, 3> m_slots; // as many as the prefetcher has batches
    std::size_t m_next = 0;
    DeviceBlock m_planes, m_lists, m_factors;
};

} // namespace

Result<std::unique_ptr<PictureDecoder>> make_nvjpeg_decoder(int ordinal, JpegEngine engine)
{
    try {
        return std::unique_ptr<PictureDecoder>(std::make_unique<NvjpegDecoder>(ordinal, engine));
    } catch (const CudaError &error) {
        cudaGetLastError();
        return Error{error.code(), error.what()};
    }
}

} // namespace sbtrain::cuda
