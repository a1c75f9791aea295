// SPDX-License-Identifier: Apache-2.0

// nvJPEG's decoder against libjpeg's: the same folders of JPEG files through images: both ways. Every kind of
// file, pieces, mirror, broken files; then the time of a batch. Exit status 77: no CUDA device here.
//   nvjpeg_check [make FOLDER FILES]    makes a folder of FILES files of 500x375 in place of checking

#include "cuda/cuda_device.h"
#include "cuda/nvjpeg_decoder.h"
#include "data/data_source.h"
#include "device_vector.h"
#include "models/model.h"
#include "random.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <jpeglib.h> // needs cstdio before it

namespace {

using namespace sbtrain;

struct Kind {
    const char *name;
    int width = 500, height = 375;
    int components = 3; // 4: CMYK
    int across = 2, down = 2;
    bool progressive = false;
    int restart = 0; // blocks between restart marks
};

// A few waves and some noise: every frequency that a photograph has, few of the highest.
std::vector<std::uint8_t> paint(const Kind &kind, std::uint64_t seed)
{
    const Stream random(mix(seed), 77);
    std::vector<std::uint8_t> out;
    out.reserve(static_cast<std::size_t>(kind.width * kind.height * kind.components));
    // sin(a x + b y + c) by tables of rows and columns.
    struct Wave {
        std::vector<std::complex<double>> across, down;
    };
    Wave waves[4][2];
    for (std::uint64_t c = 0; c < 4; ++c) {
        for (std::uint64_t i = 0; i < 2; ++i) {
            const auto number = [&](std::uint64_t k) { return random.unit(16 * c + 8 * i + k + 1); };
            const double rate = i == 0 ? 0.06 : 0.4;
            for (int x = 0; x < kind.width; ++x)
                waves[c][i].across.push_back(std::polar(1.0, rate * number(0) * x + 6 * number(1)));
            for (int y = 0; y < kind.height; ++y)
                waves[c][i].down.push_back(std::polar(1.0, rate * number(2) * y));
        }
    }
    for (int y = 0; y < kind.height; ++y) {
        for (int x = 0; x < kind.width; ++x) {
            for (int c = 0; c < kind.components; ++c) {
                const auto wave = [&](int i) {
                    return (waves[c][i].across[static_cast<std::size_t>(x)] *
                            waves[c][i].down[static_cast<std::size_t>(y)])
                        .imag();
                };
                double value = 128 + 60 * wave(0) + 35 * wave(1);
                if (c == 0 || kind.components != 3) // colours of photographs are smoother than that
                    value += 8 * (random.unit(static_cast<std::uint64_t>(y * kind.width + x) + 100) - 0.5);
                out.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
            }
        }
    }
    return out;
}

std::string encode(const Kind &kind, std::uint64_t seed)
{
    const std::vector<std::uint8_t> pixels = paint(kind, seed);
    jpeg_compress_struct info;
    jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char *data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &data, &size);
    info.image_width = static_cast<JDIMENSION>(kind.width);
    info.image_height = static_cast<JDIMENSION>(kind.height);
    info.input_components = kind.components;
    info.in_color_space = kind.components == 1 ? JCS_GRAYSCALE : kind.components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 90, TRUE);
    if (kind.components == 3) {
        info.comp_info[0].h_samp_factor = kind.across;
        info.comp_info[0].v_samp_factor = kind.down;
    }
    if (kind.progressive)
        jpeg_simple_progression(&info);
    info.restart_interval = static_cast<unsigned>(kind.restart);
    jpeg_start_compress(&info, TRUE);
    for (int y = 0; y < kind.height; ++y) {
        JSAMPROW at = const_cast<JSAMPROW>(pixels.data()) +
                      static_cast<std::ptrdiff_t>(y) * kind.width * kind.components;
        jpeg_write_scanlines(&info, &at, 1);
    }
    jpeg_finish_compress(&info);
    std::string bytes(reinterpret_cast<char *>(data), size);
    jpeg_destroy_compress(&info);
    std::free(data);
    return bytes;
}

void write(const std::filesystem::path &path, const std::string &bytes)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

class Folder {
public:
    Folder()
    {
        char name[] = "/tmp/nvjpeg_check.XXXXXX";
        m_path = mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

std::unique_ptr<DataSource> open_folder(const std::filesystem::path &folder, std::int64_t batch, int threads)
{
    const ModelInfo *info = find_model("resnet50");
    const Graph graph = *info->build(*info, {.batch_size = batch});
    auto opened = open_data({"images:" + folder.string(), 3, threads}, graph);
    if (!opened) {
        std::printf("%s\n", opened.error().message.c_str());
        std::exit(1);
    }
    return std::move(*opened);
}

Result<void> fill_whole(DataSource &source, Batch &batch, std::int64_t first)
{
    const Result<void> done = source.fill(batch, first);
    return done && batch.rest.valid() ? batch.rest.get() : done;
}

std::vector<std::uint8_t> download(const Batch &batch, std::size_t count)
{
    std::vector<std::uint8_t> pixels(count);
    if (batch.device_pixels)
        cudaMemcpy(pixels.data(), batch.device_pixels->data, count, cudaMemcpyDeviceToHost);
    return pixels;
}

constexpr std::int64_t kRows = 8;
constexpr std::size_t kPixels = std::size_t{3} * 224 * 224;

// Of differences in 255: the mean of all, and the mean of a row's worst channel. The host's transform is
// libjpeg's fast one, which is off by so much, most in blue.
struct Limits {
    double mean = 1.5, worst = 2.5;
};

// Mean and largest difference of each row and channel; says where the worst are.
bool compare(const char *name, const std::filesystem::path &folder, PictureDecoder &decoder,
             Limits limits = {})
{
    const auto host = open_folder(folder, kRows, 4);
    const auto device = open_folder(folder, kRows, 4);
    device->decode_with(decoder);
    double worst = 0.0;
    double sum = 0.0;
    int largest = 0;
    std::size_t worst_row = 0;
    std::size_t worst_channel = 0;
    bool labels = true;
    constexpr int kBatches = 4;
    for (std::int64_t first = 0; first < kBatches * kRows; first += kRows) {
        Batch expected;
        Batch actual;
        const Result<void> a = fill_whole(*host, expected, first);
        const Result<void> b = fill_whole(*device, actual, first);
        if (!a || !b) {
            std::printf("FAIL %s: %s\n", name, (!a ? a : b).error().message.c_str());
            return false;
        }
        labels = labels && expected.labels == actual.labels;
        const std::vector<std::uint8_t> pixels = download(actual, expected.pixels.size());
        for (std::size_t row = 0; row < static_cast<std::size_t>(kRows); ++row) {
            for (std::size_t c = 0; c < 3; ++c) {
                double mean = 0.0;
                for (std::size_t i = 0; i < kPixels / 3; ++i) {
                    const std::size_t at = row * kPixels + c * kPixels / 3 + i;
                    const int difference = std::abs(int{pixels[at]} - int{expected.pixels[at]});
                    mean += difference / static_cast<double>(kPixels / 3);
                    largest = std::max(largest, difference);
                }
                sum += mean / static_cast<double>(3 * kRows * kBatches);
                if (mean > worst) {
                    worst = mean;
                    worst_row = static_cast<std::size_t>(first) + row;
                    worst_channel = c;
                }
            }
        }
    }
    const bool good = labels && sum <= limits.mean && worst <= limits.worst;
    std::printf("%s %-22s mean difference %.3f, worst %.3f (sample %zu channel %zu), largest %d%s\n",
                good ? "ok  " : "FAIL", name, sum, worst, worst_row, worst_channel, largest,
                labels ? "" : ", labels differ");
    return good;
}

const Kind kKinds[] = {{.name = "4:2:0"},
                       {.name = "4:2:0 odd", .width = 501, .height = 379},
                       {.name = "4:2:0 tall", .width = 333, .height = 777},
                       {.name = "4:2:0 small", .width = 61, .height = 47},
                       {.name = "4:2:0 tiny", .width = 13, .height = 9},
                       {.name = "4:2:0 large", .width = 2047, .height = 1531},
                       {.name = "4:2:0 restarts", .restart = 8},
                       {.name = "4:4:4", .across = 1, .down = 1},
                       {.name = "4:4:4 odd", .width = 777, .height = 601, .across = 1, .down = 1},
                       {.name = "4:2:2", .width = 501, .across = 2, .down = 1},
                       {.name = "4:4:0", .height = 377, .across = 1, .down = 2},
                       {.name = "4:1:1", .across = 4, .down = 1},
                       {.name = "grey", .width = 499, .components = 1},
                       {.name = "CMYK", .components = 4},
                       {.name = "progressive", .progressive = true}};

// A folder of each kind, and one of all of them.
struct Folders {
    Folder kinds[std::size(kKinds)], mixed;
};

void fill_folders(const Folders &folders)
{
    for (std::size_t k = 0; k < std::size(kKinds); ++k) {
        for (std::uint64_t i = 0; i < 4; ++i) {
            const std::string bytes = encode(kKinds[k], i);
            const std::string name = std::to_string(i) + ".jpg";
            write(folders.kinds[k].path() / "a" / name, bytes);
            write(folders.mixed.path() / kKinds[k].name / name, bytes);
        }
    }
}

bool check_kinds(const Folders &folders, PictureDecoder &decoder)
{
    bool good = true;
    for (std::size_t k = 0; k < std::size(kKinds); ++k)
        good = compare(kKinds[k].name, folders.kinds[k].path(), decoder) && good;
    return compare("all together", folders.mixed.path(), decoder) && good;
}

std::string error_of(DataSource &source)
{
    Batch batch;
    const Result<void> done = fill_whole(source, batch, 0);
    return done ? "none" : done.error().message;
}

bool check_text(PictureDecoder &decoder)
{
    const Folder folder;
    write(folder.path() / "a/1.jpg", "this is text");
    write(folder.path() / "a/2.jpg", encode({.name = ""}, 1));
    const auto host = open_folder(folder.path(), kRows, 1);
    const auto device = open_folder(folder.path(), kRows, 1);
    device->decode_with(decoder);
    const std::string expected = error_of(*host);
    const std::string actual = error_of(*device);
    const bool good = expected == actual && expected != "none";
    std::printf("%s text: %s\n", good ? "ok  " : "FAIL", actual.c_str());
    return good;
}

bool check_damaged(PictureDecoder &decoder)
{
    bool good = true;
    const std::string whole = encode({.name = ""}, 1);
    constexpr Limits kAnything{255.0, 255.0}; // it comes to an end, and the other file is there
    const auto damaged = [&](const char *name, const std::string &bytes, Limits limits) {
        const Folder folder;
        write(folder.path() / "a/1.jpg", bytes);
        write(folder.path() / "a/2.jpg", whole);
        return compare(name, folder.path(), decoder, limits);
    };
    good = damaged("cut off", whole.substr(0, whole.size() / 2), {}) && good;
    good = damaged("cut off, end mark", whole.substr(0, whole.size() / 2) + "\xFF\xD9", kAnything) && good;
    std::string noise = whole;
    for (std::size_t i = noise.size() / 2; i < noise.size() / 2 + 64; ++i)
        noise[i] = static_cast<char>(37 * i % 251);
    return damaged("noise inside", noise, kAnything) && good;
}

// A fifth of a second's work on a stream of its own, as graphs of 10 ms.
class OtherWork {
public:
    OtherWork()
        : m_memory(std::size_t{256} << 20)
    {
        cuda::check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "make a stream");
        cudaGraph_t graph = nullptr;
        cuda::check(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal), "record");
        for (int i = 0; i < 100; ++i)
            cuda::check(cudaMemsetAsync(m_memory.data, 0, std::size_t{256} << 20, m_stream), "clear");
        cuda::check(cudaStreamEndCapture(m_stream, &graph), "record");
        cuda::check(cudaGraphInstantiateWithFlags(&m_graph, graph, 0), "record");
        cuda::check(cudaGraphDestroy(graph), "record");
    }
    ~OtherWork()
    {
        cudaStreamSynchronize(m_stream);
        cudaGraphExecDestroy(m_graph);
        cudaStreamDestroy(m_stream);
    }
    OtherWork(const OtherWork &) = delete;
    OtherWork &operator=(const OtherWork &) = delete;

    void start() const
    {
        for (int i = 0; i < 20; ++i)
            cuda::check(cudaGraphLaunch(m_graph, m_stream), "start");
    }
    bool ended() const { return cudaStreamQuery(m_stream) == cudaSuccess; }

private:
    DeviceVector m_memory;
    cudaStream_t m_stream = nullptr;
    cudaGraphExec_t m_graph = nullptr;
};

// Files in memory to pixels, also beside other work, and with reading; 256 of 500x375. False: it waited for
// the other work.
bool measure(PictureDecoder &decoder)
{
    const Folder folder;
    for (std::uint64_t i = 0; i < 64; ++i)
        write(folder.path() / "a" / (std::to_string(i) + ".jpg"), encode({.name = ""}, i));
    std::vector<JpegFile> files;
    std::vector<PictureTask> tasks;
    for (std::size_t i = 0; i < 64; ++i)
        files.push_back(*JpegFile::read((folder.path() / "a" / (std::to_string(i) + ".jpg")).string()));
    for (std::size_t i = 0; i < 256; ++i)
        tasks.push_back({&files[i % 64], {10, 10, 400, 300, false}, nullptr});
    const auto once = [](auto body) {
        const auto begin = std::chrono::steady_clock::now();
        body();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    };
    const auto best = [&](auto body) {
        double least = 1e9;
        for (int i = 0; i < 6; ++i)
            least = std::min(least, once([&] { body(i); }));
        return least;
    };
    const double make_ms = best([&](int) {
        if (const auto made = decoder.make(tasks, 224); !made || !*made)
            std::printf("  not made\n");
    });
    std::printf("%s: 256 of 500x375 (%zu bytes the first): decoded %.2f ms", decoder.name().c_str(),
                files[0].bytes().size(), make_ms);
    bool good = false;
    {
        const OtherWork work;
        work.start();
        const double beside_ms = once([&] { (void)decoder.make(tasks, 224); });
        // Kernels share the multiprocessors with that work; the engine is its own.
        good = !work.ended() || decoder.name().find("engine") == std::string::npos;
        std::printf(", beside other work %.2f ms%s", beside_ms, good ? "" : " (FAIL: when that had ended)");
    }
    for (const int threads : {1, 2, 4}) {
        const auto source = open_folder(folder.path(), 256, threads);
        source->decode_with(decoder);
        Batch batch;
        const double fill_ms = best([&](int i) { (void)fill_whole(*source, batch, 256 * i); });
        std::printf(", with reading by %d threads %.2f ms", threads, fill_ms);
    }
    std::printf("\n");
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc == 4 && std::string(argv[1]) == "make") {
        const Kind kind{.name = ""};
        const int files = std::atoi(argv[3]);
        std::vector<std::string> contents; // 100 of them, over and over: painting takes its time
        for (int i = 0; i < std::min(files, 100); ++i)
            contents.push_back(encode(kind, static_cast<std::uint64_t>(i)));
        for (int i = 0; i < files; ++i)
            write(std::filesystem::path(argv[2]) / std::to_string(i % 10) / (std::to_string(i) + ".jpg"),
                  contents[static_cast<std::size_t>(i) % contents.size()]);
        return 0;
    }
    const auto device = cuda::make_cuda_device(0, cuda::Precision::Fp32, true);
    if (!device) {
        std::printf("skipped: %s\n", device.error().message.c_str());
        return 77;
    }
    const Folders folders;
    fill_folders(folders);
    std::vector<std::unique_ptr<PictureDecoder>> decoders;
    for (const cuda::JpegEngine engine : {cuda::JpegEngine::Hardware, cuda::JpegEngine::Kernels}) {
        auto made = cuda::make_nvjpeg_decoder(0, engine);
        if (made)
            decoders.push_back(std::move(*made));
        else
            std::printf("no %s: %s\n", engine == cuda::JpegEngine::Hardware ? "engine" : "kernels",
                        made.error().message.c_str());
    }
    bool good = !decoders.empty();
    for (const auto &decoder : decoders) {
        std::printf("%s on %s\n", decoder->name().c_str(), (*device)->name().c_str());
        good = check_kinds(folders, *decoder) && good;
        good = check_text(*decoder) && good;
        good = measure(*decoder) && good;
    }
    for (const auto &decoder : decoders) { // last: nobody promises that an engine takes it well
        std::printf("%s\n", decoder->name().c_str());
        good = check_damaged(*decoder) && good;
    }
    std::printf("%s\n", good ? "all good" : "FAILURES");
    return good ? 0 : 1;
}
