// SPDX-License-Identifier: Apache-2.0
#include "data_source.h"

#include "../random.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <thread>

namespace sbtrain {

namespace {

constexpr std::uint64_t kShuffleStream = kDataStream + 2;

using Open = Result<std::unique_ptr<DataSource>> (*)(const std::string &, const DataSettings &,
                                                     const Graph &);
constexpr std::pair<const char *, Open> kKinds[] = {
    {"cifar10:", open_cifar}, {"images:", open_images}, {"tokens:", open_tokens}};

} // namespace

Result<std::unique_ptr<DataSource>> open_data(const DataSettings &settings, const Graph &graph)
{
    for (const auto &[prefix, open] : kKinds) {
        if (settings.name.starts_with(prefix))
            return open(settings.name.substr(std::string(prefix).size()), settings, graph);
    }
    return Error{ExitCode::Unsupported,
                 "there is no data source \"" + settings.name +
                     "\": use synthetic, cifar10:FOLDER, images:FOLDER or tokens:FOLDER"};
}

std::vector<std::string> files_in(const std::string &folder, const std::vector<std::string> &endings)
{
    std::vector<std::string> files;
    std::error_code problem;
    for (const auto &entry : std::filesystem::directory_iterator(folder, problem)) {
        const std::string name = entry.path().string();
        const bool wanted = std::any_of(endings.begin(), endings.end(),
                                        [&](const std::string &ending) { return name.ends_with(ending); });
        if (wanted && entry.is_regular_file(problem))
            files.push_back(name);
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::int64_t Shuffle::at(std::int64_t i)
{
    const std::int64_t epoch = i / m_samples;
    if (epoch != m_epoch) {
        m_order.resize(static_cast<std::size_t>(m_samples));
        std::iota(m_order.begin(), m_order.end(), 0);
        const Stream stream(mix(m_seed) + static_cast<std::uint64_t>(epoch), kShuffleStream);
        for (std::size_t left = m_order.size(); left > 1; --left)
            std::swap(m_order[left - 1], m_order[stream.hash(left) % left]);
        m_epoch = epoch;
    }
    return m_order[static_cast<std::size_t>(i % m_samples)];
}

Result<void> for_rows(std::size_t rows, int threads, const std::function<Result<void>(std::size_t)> &body)
{
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::size_t failed_row = rows;
    Result<void> outcome;
    const auto work = [&] {
        for (std::size_t row = next++; row < rows; row = next++) {
            Result<void> done = body(row);
            if (done)
                continue;
            const std::lock_guard lock(mutex);
            if (row < failed_row) {
                failed_row = row;
                outcome = std::move(done);
            }
        }
    };
    std::vector<std::thread> others;
    for (int i = 1; i < std::min(threads, static_cast<int>(rows)); ++i)
        others.emplace_back(work);
    work();
    for (std::thread &other : others)
        other.join();
    return outcome;
}

} // namespace sbtrain
