// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../graph.h"
#include "../result.h"
#include "batch.h"

#include <functional>
#include <memory>
#include <string>

namespace sbtrain {

class PictureDecoder;

// A set of samples on disk as an endless sequence: every epoch has each sample once, in an order of its own.
class DataSource {
public:
    virtual ~DataSource() = default;

    // Samples first .. first + batch size - 1 of the sequence. A function of (seed, first), so N processes
    // with batch B/N see what one with batch B sees. One call at a time. Failure: a file cannot be read, or
    // is not what its name says (ExitCode::Usage, naming the file). May leave Batch::rest, with failures of
    // its own, after which no batch is whole.
    virtual Result<void> fill(Batch &batch, std::int64_t first) = 0;
    virtual std::int64_t samples() const = 0; // of the set
    // Whether samples are JPEG files, which a device may decode.
    virtual bool has_pictures() const { return false; }
    // From now on `decoder`, which outlives the last batch, decodes pictures into Batch::device_pixels.
    virtual void decode_with(PictureDecoder &) {}
};

struct DataSettings {
    std::string name; // of --data: KIND:PATH
    std::uint64_t seed = 1;
    int threads = 1; // that decode the rows of a batch
};

//   cifar10:FOLDER  data_batch_*.bin of the binary version of CIFAR-10
//   images:FOLDER   FOLDER/CLASS/*.jpg; classes are numbered in the order of their names
//   tokens:FOLDER   *.bin of 16-bit little-endian token ids
// Failure: no such kind, nothing there, or not for this model.
Result<std::unique_ptr<DataSource>> open_data(const DataSettings &settings, const Graph &graph);

Result<std::unique_ptr<DataSource>> open_cifar(const std::string &folder, const DataSettings &settings,
                                               const Graph &graph);
Result<std::unique_ptr<DataSource>> open_images(const std::string &folder, const DataSettings &settings,
                                                const Graph &graph);
Result<std::unique_ptr<DataSource>> open_tokens(const std::string &folder, const DataSettings &settings,
                                                const Graph &graph);

// Files in `folder` whose names end so, sorted; empty if there are none.
std::vector<std::string> files_in(const std::string &folder, const std::vector<std::string> &endings);

// Which of `samples` samples comes i-th if each epoch is shuffled anew.
class Shuffle {
public:
    Shuffle(std::int64_t samples, std::uint64_t seed)
        : m_samples(samples)
        , m_seed(seed)
    {
    }
    std::int64_t at(std::int64_t i);
    std::int64_t samples() const { return m_samples; }

private:
    std::int64_t m_samples;
    std::uint64_t m_seed;
    std::int64_t m_epoch = -1;
    std::vector<std::int32_t> m_order; // of m_epoch
};

// Calls body(row) for every row on `threads` threads. The body says what went wrong; the lowest such row
// wins.
Result<void> for_rows(std::size_t rows, int threads, const std::function<Result<void>(std::size_t)> &body);

} // namespace sbtrain
