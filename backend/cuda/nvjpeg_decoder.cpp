// SPDX-License-Identifier: Apache-2.0
#include "nvjpeg_decoder.h"

#include "check.h"
#include "device_block.h"
#include "picture_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nvjpeg.h>
#include <utility>
#include <vector>

namespace sbtrain::cuda {

namespace {

constexpr int kPitch = 256;                                 // engines write whole lines
constexpr std::int64_t kMostPixels = std::int64_t{1} << 25; // of one picture

int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

struct Planes {
    int components = 3, across = 1, down = 1;
    int width = 0, height = 0;

    explicit Planes(const JpegFile &file)
        : components(file.coding().components)
        , across(file.coding().across)
        , down(file.coding().down)
        , width(file.width())
        , height(file.height())
    {
    }
    int width_of(int c) const { return c == 0 ? width : divide_up(width, across); }
    int height_of(int c) const { return c == 0 ? height : divide_up(height, down); }
};

// The size to which libjpeg brings blocks of a component at k eighths: that of the others, or so many times
// it, a power of two, that colours need no interpolation if they are stored coarser both ways.
int block_size(int eighths, int across, int down)
{
    int size = eighths;
    while (size < 8 && across * eighths % (2 * size) == 0 && down * eighths % (2 * size) == 0)
        size *= 2;
    return size;
}

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

        lay_out(tasks, side, slot.pixels.as<std::uint8_t>());
        if (!decode(tasks))
            return std::nullopt;
        upload();
        reduce_planes(m_lists.as<Reduction>(), static_cast<int>(m_reductions.size()), m_factors.as<float>(),
                      m_stream);
        resize_pieces(reinterpret_cast<Resize *>(m_lists.as<std::byte>() + resize_offset()),
                      static_cast<int>(m_resizes.size()), side, m_stream);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (tasks[i].pixels != nullptr)
                check(cudaMemcpyAsync(slot.pixels.as<std::uint8_t>() + i * row_bytes, tasks[i].pixels,
                                      row_bytes, cudaMemcpyHostToDevice, m_stream),
                      "copy a picture");
        }
        check(cudaStreamSynchronize(m_stream), "decode pictures");
        m_next = (m_next + 1) % m_slots.size();
        return DevicePixels{slot.pixels.as<std::uint8_t>(), slot.used};
    }

    // Where planes lie, first as if memory began at 0, then where it does.
    void lay_out(std::span<const PictureTask> tasks, int side, std::uint8_t *out)
    {
        std::size_t total = 0;
        for (int round = 0; round < 2; ++round) {
            std::uint8_t *at = m_planes.as<std::uint8_t>();
            total = 0;
            const auto take = [&](int width, int height) {
                Plane plane{at == nullptr ? nullptr : at + total, divide_up(width, kPitch) * kPitch, width,
                            height};
                total += static_cast<std::size_t>(plane.pitch) *
                         static_cast<std::size_t>(divide_up(height, 16) * 16);
                return plane;
            };
            m_images.clear();
            m_reductions.clear();
            m_resizes.clear();
            for (std::size_t i = 0; i < tasks.size(); ++i) {
                if (tasks[i].pixels == nullptr)
                    place(tasks[i], side, out + i * static_cast<std::size_t>(3 * side * side), take);
            }
            if (total <= m_planes.bytes())
                return;
            m_planes = DeviceBlock(); // before the larger one
            m_planes = DeviceBlock(total + total / 4);
        }
    }

    template <typename Take>
    void place(const PictureTask &task, int side, std::uint8_t *out, Take take)
    {
        const Planes stored(*task.file);
        const Piece &piece = task.piece;
        const int eighths = JpegFile::eighths(std::min(piece.width, piece.height), side);
        nvjpegImage_t image{};
        Resize resize;
        resize.components = stored.components;
        resize.scale = eighths / 8.0;
        resize.x = piece.x;
        resize.y = piece.y;
        resize.width = piece.width;
        resize.height = piece.height;
        resize.mirror = piece.mirror ? 1 : 0;
        resize.out = out;
        for (int c = 0; c < stored.components; ++c) {
            Plane plane = take(stored.width_of(c), stored.height_of(c));
            image.channel[c] = plane.data;
            image.pitch[c] = static_cast<std::size_t>(plane.pitch);
            const int across = c == 0 ? 1 : stored.across;
            const int down = c == 0 ? 1 : stored.down;
            const int size = block_size(eighths, across, down);
            if (c > 0) {
                resize.across = across * eighths / size;
                resize.down = down * eighths / size;
            }
            if (size != 8) {
                const int width = divide_up(stored.width * size, across * 8);
                const int height = divide_up(stored.height * size, down * 8);
                Reduction reduction{plane, take(width, height), size};
                const auto span = [&](int first, int length, int stored_size, int coarser, int &begin,
                                      int &count) {
                    // With what interpolation reaches to either side.
                    const double block = 8.0 * coarser;
                    const double reach = 8.0 * 4 / eighths;
                    begin = std::max(static_cast<int>(std::floor((first - reach) / block)), 0);
                    const int end = static_cast<int>(std::floor((first + length + reach) / block)) + 1;
                    count = std::min(end, divide_up(stored_size, 8 * coarser)) - begin;
                };
                span(piece.x, piece.width, stored.width, across, reduction.first_column, reduction.columns);
                span(piece.y, piece.height, stored.height, down, reduction.first_row, reduction.rows);
                m_reductions.push_back(reduction);
                plane = reduction.to;
            }
            resize.planes[c] = plane;
        }
        for (int c = stored.components; c < 3; ++c) { // of grey ones: nobody says whether it is written
            const Plane plane = take(stored.width, stored.height);
            image.channel[c] = plane.data;
            image.pitch[c] = static_cast<std::size_t>(plane.pitch);
        }
        m_images.push_back(image);
        m_resizes.push_back(resize);
    }

    // False: nvJPEG does not like a file.
    bool decode(std::span<const PictureTask> tasks)
    {
        if (m_images.empty())
            return true;
        std::vector<const unsigned char *> data;
        std::vector<std::size_t> lengths;
        for (const PictureTask &task : tasks) {
            if (task.pixels != nullptr)
                continue;
            data.push_back(task.file->bytes().data());
            lengths.push_back(task.file->bytes().size());
        }
        nvjpegStatus_t status = NVJPEG_STATUS_SUCCESS;
        if (m_images.size() != m_prepared)
            status = nvjpegDecodeBatchedInitialize(m_handle, m_state, static_cast<int>(m_images.size()), 1,
                                                   NVJPEG_OUTPUT_YUV);
        m_prepared = m_images.size();
        if (status == NVJPEG_STATUS_SUCCESS)
            status = nvjpegDecodeBatched(m_handle, m_state, data.data(), lengths.data(), m_images.data(),
                                         m_stream);
        if (status == NVJPEG_STATUS_SUCCESS)
            return true;
        m_prepared = 0; // a failed batch's state has to be made anew
        check(cudaStreamSynchronize(m_stream), "decode pictures");
        return false;
    }

    std::size_t resize_offset() const { return (m_reductions.size() * sizeof(Reduction) + 255) / 256 * 256; }

    void upload()
    {
        m_list_bytes.resize(resize_offset() + m_resizes.size() * sizeof(Resize));
        if (m_list_bytes.empty())
            return;
        std::memcpy(m_list_bytes.data(), m_reductions.data(), m_reductions.size() * sizeof(Reduction));
        std::memcpy(m_list_bytes.data() + resize_offset(), m_resizes.data(),
                    m_resizes.size() * sizeof(Resize));
        if (m_lists.bytes() < m_list_bytes.size())
            m_lists = DeviceBlock(m_list_bytes.size() * 2);
        check(cudaMemcpyAsync(m_lists.as(), m_list_bytes.data(), m_list_bytes.size(), cudaMemcpyHostToDevice,
                              m_stream),
              "describe pictures");
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
    std::vector<nvjpegImage_t> m_images;
    std::vector<Reduction> m_reductions;
    std::vector<Resize> m_resizes;
    std::vector<std::byte> m_list_bytes;
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
