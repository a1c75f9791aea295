// SPDX-License-Identifier: Apache-2.0

// Files of 16-bit token ids for BERT's pre-training. A sample is a stretch of the text in two halves, [CLS] a
// [SEP] b [SEP]; in half of the samples b comes from elsewhere. One position in each of P equal parts is to
// be guessed: of these 80 % become [MASK], 10 % a random token, 10 % stay. Ids as in the usual vocabulary of
// BERT.

#include "../random.h"
#include "data_source.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace sbtrain {

namespace {

constexpr std::int32_t kBegin = 101; // [CLS]
constexpr std::int32_t kEnd = 102;   // [SEP]
constexpr std::int32_t kMask = 103;
constexpr std::uint64_t kTextStream = kDataStream + 3;

class Tokens : public DataSource {
public:
    Tokens(std::vector<std::uint16_t> text, const DataSettings &settings, const Graph &graph)
        : m_text(std::move(text))
        , m_settings(settings)
        , m_batch_size(static_cast<std::size_t>(graph.batch_size))
        , m_length(static_cast<std::size_t>(graph.sequence_length))
        , m_masked(static_cast<std::size_t>(graph.masked_positions))
        , m_vocabulary(static_cast<std::uint64_t>(graph.classes))
        , m_shuffle(samples(), settings.seed)
    {
    }

    std::int64_t samples() const override
    {
        return static_cast<std::int64_t>(m_text.size() / (m_length - 3));
    }

    Result<void> fill(Batch &batch, std::int64_t first) override
    {
        batch.serial = first + 1;
        batch.tokens.resize(m_batch_size * m_length);
        batch.segments.resize(m_batch_size * m_length);
        batch.lengths.assign(m_batch_size, static_cast<std::int32_t>(m_length));
        batch.masked_positions.resize(m_batch_size * m_masked);
        batch.masked_labels.resize(m_batch_size * m_masked);
        batch.next_sentence.resize(m_batch_size);
        for (std::size_t row = 0; row < m_batch_size; ++row) {
            const std::uint64_t i = static_cast<std::uint64_t>(first) + row;
            write_text(batch, row, m_shuffle.at(static_cast<std::int64_t>(i)), i);
            hide(batch, row, i);
        }
        return {};
    }

private:
    std::size_t first_half() const { return (m_length - 3) / 2; }

    void write_text(Batch &batch, std::size_t row, std::int64_t chosen, std::uint64_t i) const
    {
        const Stream random(mix(m_settings.seed) + i, kTextStream);
        const std::size_t a = first_half();
        const std::size_t b = m_length - 3 - a;
        const bool elsewhere = (random.hash(0) & 1) != 0;
        const auto *from = m_text.data() + static_cast<std::size_t>(chosen) * (m_length - 3);
        const auto *other = elsewhere ? m_text.data() + random.hash(1) % (m_text.size() - b + 1) : from + a;
        std::int32_t *to = batch.tokens.data() + row * m_length;
        *to++ = kBegin;
        to = std::copy_n(from, a, to);
        *to++ = kEnd;
        to = std::copy_n(other, b, to);
        *to = kEnd;
        for (std::size_t t = 0; t < m_length; ++t)
            batch.segments[row * m_length + t] = t < a + 2 ? 0 : 1;
        batch.next_sentence[row] = elsewhere ? 1 : 0;
    }

    void hide(Batch &batch, std::size_t row, std::uint64_t i) const
    {
        const Stream random(mix(m_settings.seed) + i, kTextStream);
        std::int32_t *tokens = batch.tokens.data() + row * m_length;
        for (std::size_t p = 0; p < m_masked; ++p) {
            const std::size_t begin = p * m_length / m_masked;
            const std::size_t count = (p + 1) * m_length / m_masked - begin;
            const std::uint64_t draw = random.hash(2 + 2 * p);
            std::size_t t = begin + draw % count;
            for (std::size_t k = 0; k < count && is_mark(t); ++k)
                t = begin + (draw + k + 1) % count;
            batch.masked_positions[row * m_masked + p] = static_cast<std::int32_t>(t);
            batch.masked_labels[row * m_masked + p] = tokens[t];
            const std::uint64_t how = random.hash(3 + 2 * p);
            if (how % 10 < 8)
                tokens[t] = kMask;
            else if (how % 10 == 8)
                tokens[t] = static_cast<std::int32_t>((how >> 8) % m_vocabulary);
        }
    }

    bool is_mark(std::size_t t) const { return t == 0 || t == first_half() + 1 || t == m_length - 1; }

    std::vector<std::uint16_t> m_text;
    DataSettings m_settings;
    std::size_t m_batch_size, m_length, m_masked;
    std::uint64_t m_vocabulary;
    Shuffle m_shuffle;
};

} // namespace

Result<std::unique_ptr<DataSource>> open_tokens(const std::string &folder, const DataSettings &settings,
                                                const Graph &graph)
{
    if (graph.images)
        return Error{ExitCode::Usage, "tokens are no data for this model: use images:FOLDER or synthetic"};
    std::vector<std::uint16_t> text;
    for (const std::string &path : files_in(folder, {".bin"})) {
        std::ifstream file(path, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(file)), {});
        if (!file || bytes.size() % 2 != 0)
            return Error{ExitCode::Usage, path + " is no file of 16-bit token ids"};
        for (std::size_t at = 0; at < bytes.size(); at += 2) {
            const auto low = static_cast<unsigned char>(bytes[at]);
            const auto high = static_cast<unsigned char>(bytes[at + 1]);
            text.push_back(static_cast<std::uint16_t>(low | high << 8));
            if (text.back() >= graph.classes)
                return Error{ExitCode::Usage, path + " has the token id " + std::to_string(text.back()) +
                                                  ", and the model's vocabulary ends at " +
                                                  std::to_string(graph.classes - 1)};
        }
    }
    if (static_cast<std::int64_t>(text.size()) < graph.sequence_length)
        return Error{ExitCode::Usage, folder + " has no *.bin with the text of one sample in them"};
    return std::unique_ptr<DataSource>(std::make_unique<Tokens>(std::move(text), settings, graph));
}

} // namespace sbtrain
