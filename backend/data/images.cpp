// SPDX-License-Identifier: Apache-2.0

// A folder of classes with JPEG files, as ImageNet's training set is kept. A sample is a random piece of the
// picture (8 to 100 % of its area, sides from 3:4 to 4:3), resized and mirrored at random, as is usual for
// ResNet-50. Where the device has a decoder, the host only reads the files and chooses.

#include "../random.h"
#include "data_source.h"
#include "jpeg_decoder.h"
#include "picture_decoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace sbtrain {

namespace {

constexpr std::uint64_t kPieceStream = kDataStream + 3;

struct File {
    std::string path;
    std::int32_t label = 0;
};

Piece choose_piece(int width, int height, const Stream &random)
{
    Piece piece;
    piece.mirror = (random.hash(0) & 1) != 0;
    for (std::uint64_t trial = 0; trial < 10; ++trial) {
        const double area = width * static_cast<double>(height) * (0.08 + 0.92 * random.unit(4 * trial + 1));
        const double limit = std::log(4.0 / 3.0);
        const double ratio = std::exp(limit * (2.0 * random.unit(4 * trial + 2) - 1.0));
        piece.width = static_cast<int>(std::lround(std::sqrt(area * ratio)));
        piece.height = static_cast<int>(std::lround(std::sqrt(area / ratio)));
        if (piece.width < 1 || piece.height < 1 || piece.width > width || piece.height > height)
            continue;
        piece.x = static_cast<int>(random.hash(4 * trial + 3) %
                                   static_cast<std::uint64_t>(width - piece.width + 1));
        piece.y = static_cast<int>(random.hash(4 * trial + 4) %
                                   static_cast<std::uint64_t>(height - piece.height + 1));
        return piece;
    }
    piece.width = piece.height = std::min(width, height); // a picture of odd shape: its middle
    piece.x = (width - piece.width) / 2;
    piece.y = (height - piece.height) / 2;
    return piece;
}

// Bilinear, (3, side, side).
void resize(const Picture &picture, const Piece &piece, int side, std::uint8_t *out)
{
    const double x0 = piece.x * picture.scale;
    const double y0 = piece.y * picture.scale;
    const double step_x = piece.width * picture.scale / side;
    const double step_y = piece.height * picture.scale / side;
    const auto clamp = [](double value, int size) { return std::clamp(value, 0.0, size - 1.0); };
    for (int h = 0; h < side; ++h) {
        const double y = clamp(y0 + (h + 0.5) * step_y - 0.5, picture.height);
        const int top = static_cast<int>(y);
        const int bottom = std::min(top + 1, picture.height - 1);
        const auto fy = static_cast<float>(y - top);
        for (int w = 0; w < side; ++w) {
            const double x =
                clamp(x0 + ((piece.mirror ? side - 1 - w : w) + 0.5) * step_x - 0.5, picture.width);
            const int left = static_cast<int>(x);
            const int right = std::min(left + 1, picture.width - 1);
            const auto fx = static_cast<float>(x - left);
            for (int c = 0; c < 3; ++c) {
                const auto at = [&](int row, int column) {
                    const auto place =
                        static_cast<std::size_t>(row) * static_cast<std::size_t>(picture.width) +
                        static_cast<std::size_t>(column);
                    return static_cast<float>(picture.rgb[3 * place + static_cast<std::size_t>(c)]);
                };
                const float upper = at(top, left) + fx * (at(top, right) - at(top, left));
                const float lower = at(bottom, left) + fx * (at(bottom, right) - at(bottom, left));
                out[(c * side + h) * side + w] =
                    static_cast<std::uint8_t>(upper + fy * (lower - upper) + 0.5F);
            }
        }
    }
}

class Images : public DataSource {
public:
    Images(std::vector<File> files, const DataSettings &settings, const Graph &graph)
        : m_files(std::move(files))
        , m_settings(settings)
        , m_batch_size(static_cast<std::size_t>(graph.batch_size))
        , m_side(static_cast<int>(graph.tensors[graph.images->index].h))
        , m_shuffle(samples(), settings.seed)
    {
    }

    std::int64_t samples() const override { return static_cast<std::int64_t>(m_files.size()); }

    bool has_pictures() const override { return true; }
    void decode_with(PictureDecoder &decoder) override { m_decoder = &decoder; }

    Result<void> fill(Batch &batch, std::int64_t first) override
    {
        batch.serial = first + 1;
        batch.labels.resize(m_batch_size);
        batch.pixel_mean = {0.485F, 0.456F, 0.406F}; // of ImageNet
        batch.pixel_deviation = {0.229F, 0.224F, 0.225F};
        std::vector<Row> &rows = m_rows[m_turn];
        rows.resize(m_batch_size);
        for (std::size_t i = 0; i < m_batch_size; ++i) {
            const std::int64_t sample = first + static_cast<std::int64_t>(i);
            rows[i].sample = static_cast<std::uint64_t>(sample);
            rows[i].file = &m_files[static_cast<std::size_t>(m_shuffle.at(sample))];
            batch.labels[i] = rows[i].file->label;
        }
        if (m_decoder != nullptr)
            return fill_on_device(batch, rows);
        batch.pixels.resize(m_batch_size * pixels());
        return each_row(rows, [&](Row &row, std::size_t i) -> Result<void> {
            if (Result<void> done = read(row); !done)
                return done;
            return make(row, batch.pixels.data() + i * pixels());
        });
    }

private:
    struct Row {
        const File *file = nullptr;
        std::uint64_t sample = 0;
        JpegFile jpeg;
        Piece piece;
        bool own = false;                 // made by the host ..
        std::vector<std::uint8_t> pixels; // .. here
    };

    std::size_t pixels() const { return static_cast<std::size_t>(3 * m_side * m_side); }

    Result<void> each_row(std::vector<Row> &rows,
                          const std::function<Result<void>(Row &, std::size_t)> &body) const
    {
        return for_rows(rows.size(), m_settings.threads, [&](std::size_t i) -> Result<void> {
            const Result<void> done = body(rows[i], i);
            if (!done)
                return Error{done.error().code, rows[i].file->path + " " + done.error().message};
            return {};
        });
    }

    // The host reads; what the device does not decode, it decodes as well. While the device decodes, the next
    // batch is read.
    Result<void> fill_on_device(Batch &batch, std::vector<Row> &rows)
    {
        const Result<void> done = each_row(rows, [&](Row &row, std::size_t) -> Result<void> {
            row.own = false;
            if (Result<void> there = read(row); !there)
                return there;
            return m_decoder->takes(row.jpeg) ? Result<void>() : make_own(row);
        });
        if (m_decoding.valid())
            m_decoding.wait();
        if (!done)
            return done;
        m_turn = 1 - m_turn;
        m_decoding =
            std::async(std::launch::async, [this, &batch, &rows] { return decode(batch, rows); }).share();
        batch.rest = m_decoding;
        return {};
    }

    Result<void> decode(Batch &batch, std::vector<Row> &rows) const
    {
        Result<std::optional<DevicePixels>> made = m_decoder->make(tasks(rows), m_side);
        if (made && !*made) { // by libjpeg, to which a broken file is still a picture, or which says why not
            const Result<void> done = each_row(
                rows, [&](Row &row, std::size_t) { return row.own ? Result<void>() : make_own(row); });
            if (!done)
                return done;
            made = m_decoder->make(tasks(rows), m_side);
        }
        if (!made)
            return made.error();
        batch.device_pixels = *made;
        return {};
    }

    static std::vector<PictureTask> tasks(const std::vector<Row> &rows)
    {
        std::vector<PictureTask> list;
        for (const Row &row : rows)
            list.push_back({&row.jpeg, row.piece, row.own ? row.pixels.data() : nullptr});
        return list;
    }

    Result<void> make_own(Row &row) const
    {
        row.own = true;
        row.pixels.resize(pixels());
        return make(row, row.pixels.data());
    }

    Result<void> read(Row &row) const
    {
        Result<JpegFile> jpeg = JpegFile::read(row.file->path);
        if (!jpeg)
            return jpeg.error();
        row.jpeg = std::move(*jpeg);
        row.piece = choose_piece(row.jpeg.width(), row.jpeg.height(),
                                 Stream(mix(m_settings.seed) + row.sample, kPieceStream));
        return {};
    }

    Result<void> make(const Row &row, std::uint8_t *out) const
    {
        const Result<Picture> picture = row.jpeg.decode(std::min(row.piece.width, row.piece.height), m_side);
        if (!picture)
            return picture.error();
        resize(*picture, row.piece, m_side, out);
        return {};
    }

    std::vector<File> m_files;
    DataSettings m_settings;
    std::size_t m_batch_size;
    int m_side;
    Shuffle m_shuffle;
    std::array<std::vector<Row>, 2> m_rows; // of the batch that is read and of the one that is decoded
    std::size_t m_turn = 0;                 // which of them is read
    PictureDecoder *m_decoder = nullptr;
    std::shared_future<Result<void>> m_decoding; // last: its thread ends first
};

} // namespace

Result<std::unique_ptr<DataSource>> open_images(const std::string &folder, const DataSettings &settings,
                                                const Graph &graph)
{
    if (!graph.images || graph.tensors[graph.images->index].h != graph.tensors[graph.images->index].w)
        return Error{ExitCode::Usage, "images are no data for this model: use tokens:FOLDER or synthetic"};
    std::vector<std::string> classes;
    std::error_code problem;
    for (const auto &entry : std::filesystem::directory_iterator(folder, problem)) {
        if (entry.is_directory(problem))
            classes.push_back(entry.path().string());
    }
    std::sort(classes.begin(), classes.end());
    if (static_cast<std::int64_t>(classes.size()) > graph.classes)
        return Error{ExitCode::Usage, folder + " has " + std::to_string(classes.size()) +
                                          " classes (folders), the model " + std::to_string(graph.classes)};
    std::vector<File> files;
    for (std::size_t label = 0; label < classes.size(); ++label) {
        for (std::string &path : files_in(classes[label], {".jpg", ".jpeg", ".JPG", ".JPEG"}))
            files.push_back({std::move(path), static_cast<std::int32_t>(label)});
    }
    if (files.empty())
        return Error{ExitCode::Usage, folder + " has no CLASS/*.jpg or *.jpeg in it"};
    return std::unique_ptr<DataSource>(std::make_unique<Images>(std::move(files), settings, graph));
}

} // namespace sbtrain
