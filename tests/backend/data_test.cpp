// SPDX-License-Identifier: Apache-2.0
#include "data/data_source.h"

#include "data/picture_decoder.h"
#include "data/prefetcher.h"
#include "process.h"
#include "training.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#ifdef SBTRAIN_TEST_JPEG
#include <jpeglib.h>
#endif

namespace sbtrain::test {
namespace {

class Folder {
public:
    Folder()
        : m_path(make_folder())
    {
    }
    ~Folder() { std::filesystem::remove_all(m_path); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    const std::string &path() const { return m_path; }
    std::string write(const std::string &name, const std::string &bytes) const
    {
        const std::filesystem::path path = m_path + "/" + name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }

private:
    std::string m_path;
};

Graph graph_of(const char *model, std::int64_t batch_size, std::optional<std::int64_t> image_size = {})
{
    const ModelInfo *info = find_model(model);
    return *info->build(*info, {.batch_size = batch_size, .image_size = image_size});
}

std::unique_ptr<DataSource> open_or_fail(const std::string &name, const Graph &graph, std::uint64_t seed = 1)
{
    auto opened = open_data({name, seed, 2}, graph);
    if (!opened) {
        ADD_FAILURE() << opened.error().message;
        return nullptr;
    }
    return std::move(*opened);
}

void expect_refusal(const std::string &name, const Graph &graph, const std::string &words)
{
    const auto opened = open_data({name, 1, 1}, graph);
    ASSERT_FALSE(opened) << name;
    EXPECT_NE(opened.error().message.find(words), std::string::npos) << opened.error().message;
}

// Record i is one colour: i + 1. Its label is i % 10.
std::string cifar_records(int first, int count)
{
    std::string bytes;
    for (int i = first; i < first + count; ++i) {
        bytes += static_cast<char>(i % 10);
        bytes.append(3072, static_cast<char>(i + 1));
    }
    return bytes;
}

TEST(Cifar, GivesEverySampleOnceAnEpoch)
{
    const Folder folder;
    folder.write("data_batch_1.bin", cifar_records(0, 8));
    folder.write("data_batch_2.bin", cifar_records(8, 4));
    folder.write("test_batch.bin", cifar_records(100, 4));
    const auto source = open_or_fail("cifar10:" + folder.path(), graph_of("resnet20-cifar", 4));
    ASSERT_EQ(source->samples(), 12);
    std::vector<std::vector<int>> epochs(2);
    for (std::int64_t first = 0; first < 24; first += 4) {
        Batch batch;
        ASSERT_TRUE(source->fill(batch, first));
        for (std::size_t row = 0; row < 4; ++row) {
            const auto begin = batch.pixels.begin() + static_cast<std::ptrdiff_t>(row * 3072);
            const int sample = *std::max_element(begin, begin + 3072) - 1; // what is moved in is 0
            EXPECT_EQ(batch.labels[row], sample % 10);
            epochs[static_cast<std::size_t>(first / 12)].push_back(sample);
        }
    }
    EXPECT_NE(epochs[0], epochs[1]);
    for (std::vector<int> &epoch : epochs) {
        std::sort(epoch.begin(), epoch.end());
        for (int i = 0; i < 12; ++i)
            EXPECT_EQ(epoch[static_cast<std::size_t>(i)], i);
    }
}

TEST(Cifar, GivesEachRankItsShareOfTheGlobalBatch)
{
    const Folder folder;
    folder.write("data_batch_1.bin", cifar_records(0, 20));
    const auto whole = open_or_fail("cifar10:" + folder.path(), graph_of("resnet20-cifar", 6));
    const auto part = open_or_fail("cifar10:" + folder.path(), graph_of("resnet20-cifar", 3));
    const auto other = open_or_fail("cifar10:" + folder.path(), graph_of("resnet20-cifar", 6), 2);
    Batch all;
    Batch second;
    Batch different;
    ASSERT_TRUE(whole->fill(all, 18)); // over the end of an epoch
    ASSERT_TRUE(part->fill(second, 21));
    ASSERT_TRUE(other->fill(different, 18));
    EXPECT_TRUE(std::equal(second.pixels.begin(), second.pixels.end(), all.pixels.begin() + 3 * 3072));
    EXPECT_TRUE(std::equal(second.labels.begin(), second.labels.end(), all.labels.begin() + 3));
    EXPECT_NE(different.pixels, all.pixels);
}

TEST(Cifar, SaysWhatIsWrong)
{
    const Folder folder;
    const Graph graph = graph_of("resnet20-cifar", 2);
    expect_refusal("cifar10:" + folder.path(), graph, "no data_batch_");
    folder.write("data_batch_1.bin", cifar_records(0, 2) + "x");
    expect_refusal("cifar10:" + folder.path(), graph, "data_batch_1.bin");
    folder.write("data_batch_1.bin", std::string(3073, '\x0B'));
    expect_refusal("cifar10:" + folder.path(), graph, "label above 9");
    expect_refusal("cifar10:" + folder.path(), graph_of("resnet50", 2), "32x32");
    expect_refusal("mnist:" + folder.path(), graph, "cifar10:FOLDER");
}

std::string token_bytes(int count)
{
    std::string bytes;
    for (int i = 0; i < count; ++i) {
        const int id = 1000 + i;
        bytes += static_cast<char>(id % 256);
        bytes += static_cast<char>(id / 256);
    }
    return bytes;
}

TEST(Tokens, MakeSentencePairsWithHiddenTokens)
{
    const Folder folder;
    folder.write("a.bin", token_bytes(12000));
    const Graph graph = graph_of("bert-tiny", 64);
    const auto source = open_or_fail("tokens:" + folder.path(), graph);
    ASSERT_EQ(source->samples(), 12000 / 125);
    Batch batch;
    ASSERT_TRUE(source->fill(batch, 0));
    int following = 0;
    int hidden = 0;
    for (std::size_t row = 0; row < 64; ++row) {
        std::vector<std::int32_t> tokens(batch.tokens.begin() + static_cast<std::ptrdiff_t>(row * 128),
                                         batch.tokens.begin() + static_cast<std::ptrdiff_t>(row * 128 + 128));
        std::set<std::int32_t> places;
        for (std::size_t p = 0; p < 20; ++p) {
            const std::int32_t place = batch.masked_positions[row * 20 + p];
            places.insert(place);
            hidden += tokens[static_cast<std::size_t>(place)] == 103 ? 1 : 0;
            tokens[static_cast<std::size_t>(place)] = batch.masked_labels[row * 20 + p];
        }
        EXPECT_EQ(places.size(), 20U);
        EXPECT_EQ(places.count(0) + places.count(63) + places.count(127), 0U)
            << "marks are not to be guessed";
        ASSERT_EQ(tokens[0], 101);
        ASSERT_EQ(tokens[63], 102);
        ASSERT_EQ(tokens[127], 102);
        for (std::size_t t = 2; t < 127; ++t) {
            if (t != 63 && t != 64) {
                ASSERT_EQ(tokens[t], tokens[t - 1] + 1);
            }
        }
        const bool follows = tokens[64] == tokens[62] + 1;
        EXPECT_EQ(batch.next_sentence[row], follows ? 0 : 1);
        following += follows ? 1 : 0;
    }
    EXPECT_GT(following, 16);
    EXPECT_LT(following, 48);
    EXPECT_NEAR(hidden, 0.8 * 64 * 20, 60);
}

TEST(Tokens, SayWhatIsWrong)
{
    const Folder folder;
    const Graph graph = graph_of("bert-tiny", 2);
    expect_refusal("tokens:" + folder.path(), graph, "no *.bin");
    folder.write("a.bin", "abc");
    expect_refusal("tokens:" + folder.path(), graph, "a.bin is no file of 16-bit");
    folder.write("a.bin", std::string(400, '\xFF'));
    expect_refusal("tokens:" + folder.path(), graph, "token id 65535");
    expect_refusal("tokens:" + folder.path(), graph_of("resnet20-cifar", 2), "images:FOLDER");
}

#ifdef SBTRAIN_TEST_JPEG
// A picture whose red grows to the right and whose green is constant.
std::string jpeg_bytes(int width, int height, int green)
{
    jpeg_compress_struct info;
    jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char *data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &data, &size);
    info.image_width = static_cast<JDIMENSION>(width);
    info.image_height = static_cast<JDIMENSION>(height);
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    jpeg_start_compress(&info, TRUE);
    std::vector<unsigned char> row;
    for (int x = 0; x < width; ++x) {
        row.push_back(static_cast<unsigned char>(x * 255 / width));
        row.push_back(static_cast<unsigned char>(green));
        row.push_back(0);
    }
    JSAMPROW at = row.data();
    for (int y = 0; y < height; ++y)
        jpeg_write_scanlines(&info, &at, 1);
    jpeg_finish_compress(&info);
    std::string bytes(reinterpret_cast<char *>(data), size);
    jpeg_destroy_compress(&info);
    std::free(data);
    return bytes;
}

TEST(Images, AreCutResizedAndNumbered)
{
    const Folder folder;
    for (int i = 0; i < 6; ++i) {
        folder.write("ant/" + std::to_string(i) + ".jpg", jpeg_bytes(200 + 40 * i, 150, 40));
        folder.write("bee/" + std::to_string(i) + ".JPEG", jpeg_bytes(90, 300, 200));
    }
    folder.write("bee/notes.txt", "no picture");
    const auto source = open_or_fail("images:" + folder.path(), graph_of("resnet50", 12, 64));
    ASSERT_EQ(source->samples(), 12);
    Batch batch;
    ASSERT_TRUE(source->fill(batch, 0));
    int mirrored = 0;
    for (std::size_t row = 0; row < 12; ++row) {
        const std::uint8_t *red = batch.pixels.data() + row * 3 * 64 * 64 + 32 * 64;
        const std::uint8_t *green = red + 64 * 64;
        for (std::size_t x = 0; x < 64; ++x)
            EXPECT_NEAR(green[x], batch.labels[row] == 0 ? 40 : 200, 12);
        const bool mirror = red[0] > red[63];
        mirrored += mirror ? 1 : 0;
        for (std::size_t x = 8; x < 64; x += 8) // the ramp is kept, whichever way
            EXPECT_GE(mirror ? red[x - 8] : red[x], (mirror ? red[x] : red[x - 8]) - 4);
    }
    EXPECT_GT(mirrored, 0);
    EXPECT_LT(mirrored, 12);
    EXPECT_EQ(std::count(batch.labels.begin(), batch.labels.end(), 0), 6);
    Batch again;
    ASSERT_TRUE(source->fill(again, 0));
    EXPECT_EQ(again.pixels, batch.pixels);
}

// In place of a device's: makes nothing of files, and finds the first `broken` batches broken.
class Copier : public PictureDecoder {
public:
    std::string name() const override { return "copier"; }
    bool takes(const JpegFile &file) const override { return file.coding().plain && file.width() != 100; }
    Result<std::optional<DevicePixels>> make(std::span<const PictureTask> tasks, int side) override
    {
        taken = 0;
        if (broken-- > 0)
            return std::optional<DevicePixels>();
        const auto size = static_cast<std::size_t>(3 * side * side);
        m_pixels.assign(tasks.size() * size, 0);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (tasks[i].pixels != nullptr)
                std::copy_n(tasks[i].pixels, size, m_pixels.data() + i * size);
            else
                ++taken;
        }
        return std::optional(DevicePixels{m_pixels.data(), nullptr});
    }

    int broken = 0;
    int taken = 0;

private:
    std::vector<std::uint8_t> m_pixels;
};

TEST(Images, GoToTheDevicesDecoder)
{
    const Folder folder;
    const Graph graph = graph_of("resnet50", 4, 64);
    folder.write("a/1.jpg", jpeg_bytes(100, 90, 9));
    folder.write("a/2.jpg", jpeg_bytes(120, 90, 99));
    const std::string whole = jpeg_bytes(140, 90, 199);
    folder.write("b/3.jpg", whole);
    folder.write("b/4.jpg", whole.substr(0, whole.size() - 40)); // grey at its end; only libjpeg takes it
    const auto host = open_or_fail("images:" + folder.path(), graph);
    const auto source = open_or_fail("images:" + folder.path(), graph);
    Copier decoder;
    source->decode_with(decoder);
    Batch expected;
    ASSERT_TRUE(host->fill(expected, 4));
    for (const int broken : {0, 1}) {
        decoder.broken = broken;
        Batch batch;
        ASSERT_TRUE(source->fill(batch, 4));
        ASSERT_TRUE(batch.rest.get());
        EXPECT_EQ(decoder.taken, broken == 0 ? 2 : 0);
        EXPECT_EQ(batch.labels, expected.labels);
        ASSERT_TRUE(batch.device_pixels);
        EXPECT_TRUE(batch.pixels.empty());
        int same = 0;
        for (std::size_t row = 0; row < 4; ++row) {
            const auto begin = expected.pixels.begin() + static_cast<std::ptrdiff_t>(row * 3 * 64 * 64);
            same += std::equal(begin, begin + 3 * 64 * 64, batch.device_pixels->data + row * 3 * 64 * 64);
        }
        EXPECT_EQ(same, broken == 0 ? 2 : 4);
    }
}

TEST(Images, NameTheFileThatIsNone)
{
    const Folder folder;
    const Graph graph = graph_of("resnet50", 2, 64);
    expect_refusal("images:" + folder.path(), graph, "no CLASS/*.jpg");
    const std::string whole = jpeg_bytes(100, 100, 9);
    folder.write("a/1.jpg", "this is text");
    folder.write("a/2.jpg", whole);
    const auto source = open_or_fail("images:" + folder.path(), graph);
    Batch batch;
    const Result<void> done = source->fill(batch, 0);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("a/1.jpg is no JPEG"), std::string::npos) << done.error().message;
    expect_refusal("images:" + folder.path(), graph_of("bert-tiny", 2), "tokens:FOLDER");
}
#endif

// Counts; fails at sample 20.
class Counting : public DataSource {
public:
    Result<void> fill(Batch &batch, std::int64_t first) override
    {
        if (first == 20)
            return Error{ExitCode::Usage, "broken on purpose"};
        batch.serial = first;
        return {};
    }
    std::int64_t samples() const override { return 1000; }
};

TEST(Prefetcher, GivesBatchesInOrderAndTheErrorInItsPlace)
{
    Counting source;
    Prefetcher prefetcher(source, [](std::int64_t batch) { return 4 * batch; });
    for (std::int64_t i = 0; i < 5; ++i) {
        const Result<Batch *> batch = prefetcher.take();
        ASSERT_TRUE(batch);
        EXPECT_EQ((*batch)->serial, 4 * i);
        EXPECT_GE((*batch)->fill_ms, 0.0);
    }
    const Result<Batch *> broken = prefetcher.take();
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().message, "broken on purpose");
}

// Leaves a rest that fails at sample 8.
class Slow : public DataSource {
public:
    Result<void> fill(Batch &batch, std::int64_t first) override
    {
        batch.serial = 0;
        batch.rest =
            std::async(std::launch::async, [&batch, first]() -> Result<void> {
                batch.serial = first;
                return first == 8 ? Result<void>(Error{ExitCode::Usage, "broken late"}) : Result<void>();
            }).share();
        return {};
    }
    std::int64_t samples() const override { return 1000; }
};

TEST(Prefetcher, WaitsForTheRestOfABatch)
{
    Slow source;
    Prefetcher prefetcher(source, [](std::int64_t batch) { return 4 * batch; });
    for (std::int64_t i = 0; i < 2; ++i) {
        const Result<Batch *> batch = prefetcher.take();
        ASSERT_TRUE(batch);
        EXPECT_EQ((*batch)->serial, 4 * i);
    }
    const Result<Batch *> broken = prefetcher.take();
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().message, "broken late");
}

TEST(Run, TrainsOnFiles)
{
    const Folder folder;
    folder.write("data_batch_1.bin", cifar_records(0, 16));
    Process process({{"--model", "resnet20-cifar", "--batch-size", "4", "--threads", "1", "--steps", "5",
                      "--data", "cifar10:" + folder.path()},
                     {},
                     {}});
    ASSERT_EQ(process.wait(60.0), 0) << process.err();
    EXPECT_EQ(process.steps().size(), 5U);
    EXPECT_EQ(process.events()[0].at("data"), "cifar10:" + folder.path());
}

#ifdef SBTRAIN_TEST_JPEG
TEST(Run, SaysWhatDecodesPictures)
{
    const Folder folder;
    for (int i = 0; i < 4; ++i)
        folder.write("a/" + std::to_string(i) + ".jpg", jpeg_bytes(60, 50, 50 * i));
    std::vector<std::string> arguments{
        "--model", "resnet20-cifar", "--batch-size",           "2", "--threads", "1", "--steps",
        "2",       "--data",         "images:" + folder.path()};
    Process process({arguments, {}, {}});
    ASSERT_EQ(process.wait(60.0), 0) << process.err();
    EXPECT_EQ(process.events()[0].at("jpeg"), "libjpeg");
    arguments.insert(arguments.end(), {"--jpeg", "gpu"});
    Process refused({arguments, {}, {}});
    EXPECT_EQ(refused.wait(60.0), 3);
    EXPECT_NE(refused.err().find("--jpeg cpu"), std::string::npos) << refused.err();
}
#endif

} // namespace
} // namespace sbtrain::test
