// SPDX-License-Identifier: Apache-2.0

// CIFAR-10 in its binary version: records of a label and 3 x 32 x 32 bytes, all of it kept in memory. Samples
// are moved by up to four pixels and mirrored at random, as is usual for these networks.

#include "../random.h"
#include "data_source.h"

#include <cstring>
#include <fstream>
#include <iterator>

namespace sbtrain {

namespace {

constexpr std::size_t kSide = 32;
constexpr std::size_t kPixels = 3 * kSide * kSide;
constexpr std::size_t kRecord = kPixels + 1;
constexpr int kMargin = 4;
constexpr std::uint64_t kChangeStream = kDataStream + 3;

class Cifar : public DataSource {
public:
    Cifar(std::string records, const DataSettings &settings, const Graph &graph)
        : m_records(std::move(records))
        , m_settings(settings)
        , m_batch_size(static_cast<std::size_t>(graph.batch_size))
        , m_shuffle(samples(), settings.seed)
    {
    }

    std::int64_t samples() const override { return static_cast<std::int64_t>(m_records.size() / kRecord); }

    Result<void> fill(Batch &batch, std::int64_t first) override
    {
        batch.serial = first + 1;
        batch.pixels.resize(m_batch_size * kPixels);
        batch.labels.resize(m_batch_size);
        batch.pixel_mean = {0.4914F, 0.4822F, 0.4465F}; // of the training images
        batch.pixel_deviation = {0.2470F, 0.2435F, 0.2616F};
        for (std::size_t row = 0; row < m_batch_size; ++row) {
            const std::int64_t i = first + static_cast<std::int64_t>(row);
            const auto *record = reinterpret_cast<const std::uint8_t *>(m_records.data()) +
                                 static_cast<std::size_t>(m_shuffle.at(i)) * kRecord;
            batch.labels[row] = record[0];
            change(record + 1, batch.pixels.data() + row * kPixels, static_cast<std::uint64_t>(i));
        }
        return {};
    }

private:
    void change(const std::uint8_t *from, std::uint8_t *to, std::uint64_t i) const
    {
        const std::uint64_t random = Stream(mix(m_settings.seed) + i, kChangeStream).hash(0);
        const int down = static_cast<int>(random % (2 * kMargin + 1)) - kMargin;
        const int right = static_cast<int>(random / 16 % (2 * kMargin + 1)) - kMargin;
        const bool mirror = (random >> 32 & 1) != 0;
        constexpr int kEnd = static_cast<int>(kSide);
        for (int c = 0; c < 3; ++c) {
            for (int h = 0; h < kEnd; ++h) {
                for (int w = 0; w < kEnd; ++w) {
                    const int row = h + down;
                    const int column = (mirror ? kEnd - 1 - w : w) + right;
                    const bool inside = row >= 0 && row < kEnd && column >= 0 && column < kEnd;
                    *to++ = inside ? from[(c * kEnd + row) * kEnd + column] : std::uint8_t{0};
                }
            }
        }
    }

    std::string m_records;
    DataSettings m_settings;
    std::size_t m_batch_size;
    Shuffle m_shuffle;
};

} // namespace

Result<std::unique_ptr<DataSource>> open_cifar(const std::string &folder, const DataSettings &settings,
                                               const Graph &graph)
{
    const Shape image = graph.images ? graph.tensors[graph.images->index] : Shape{};
    if (image.h != 32 || image.w != 32 || graph.classes < 10)
        return Error{ExitCode::Usage, "CIFAR-10 has images of 32x32 in 10 classes: use it with --model "
                                      "resnet20-cifar or another of its kind"};
    std::string records;
    for (const std::string &path : files_in(folder, {".bin"})) {
        if (path.find("data_batch_") == std::string::npos)
            continue; // the test set lies beside them
        std::ifstream file(path, std::ios::binary);
        records.append(std::istreambuf_iterator<char>(file), {});
        if (!file || records.size() % kRecord != 0)
            return Error{ExitCode::Usage, path + " is no file of CIFAR-10 records of 3073 bytes"};
    }
    if (records.empty())
        return Error{ExitCode::Usage,
                     folder + " has no data_batch_*.bin: unpack the binary version of CIFAR-10 there"};
    for (std::size_t at = 0; at < records.size(); at += kRecord) {
        if (static_cast<unsigned char>(records[at]) >= 10)
            return Error{ExitCode::Usage, folder + " has a label above 9 in record " +
                                              std::to_string(at / kRecord) + ": this is not CIFAR-10"};
    }
    return std::unique_ptr<DataSource>(std::make_unique<Cifar>(std::move(records), settings, graph));
}

} // namespace sbtrain
