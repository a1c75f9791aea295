// SPDX-License-Identifier: Apache-2.0
#include "picture_layout.h"

#include <algorithm>
#include <cmath>

namespace sbtrain::cuda {

namespace {

constexpr int kPitch = 256; // decoders may write whole lines ..
constexpr int kRows = 16;   // .. and blocks

int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

// The size to which libjpeg brings blocks of a component at k eighths: k, or so many times k, a power of two,
// that colours need no interpolation if they are stored coarser both ways.
int block_size(int eighths, int across, int down)
{
    int size = eighths;
    while (size < 8 && across * eighths % (2 * size) == 0 && down * eighths % (2 * size) == 0)
        size *= 2;
    return size;
}

struct Blocks {
    int first = 0, count = 0;
};

// Blocks, `pixels` of the stored picture each, that a piece of `length` pixels from `first` on and what
// interpolation reaches on either side (4 pixels of the reduced picture are more than enough) lie in.
Blocks blocks_of(int first, int length, int stored, int pixels, int eighths)
{
    const double reach = 4 * 8.0 / eighths;
    const int begin = std::max(static_cast<int>(std::floor((first - reach) / pixels)), 0);
    const int end = static_cast<int>(std::floor((first + length + reach) / pixels)) + 1;
    return {begin, std::min(end, divide_up(stored, pixels)) - begin};
}

class Builder {
public:
    explicit Builder(std::uint8_t *memory)
        : m_memory(memory)
    {
    }

    void add(const PictureTask &task, int side, std::uint8_t *out)
    {
        const Piece &piece = task.piece;
        const JpegCoding &coding = task.file->coding();
        const int eighths = JpegFile::eighths(std::min(piece.width, piece.height), side);
        Resize resize;
        resize.components = coding.components;
        resize.scale = eighths / 8.0;
        resize.x = piece.x;
        resize.y = piece.y;
        resize.width = piece.width;
        resize.height = piece.height;
        resize.mirror = piece.mirror ? 1 : 0;
        resize.out = out;
        std::array<Plane, 3> decoded;
        for (int c = 0; c < 3; ++c) { // of grey ones as well: nobody says whether a decoder writes there
            const bool colour = c > 0 && coding.components > 1;
            const int across = colour ? coding.across : 1;
            const int down = colour ? coding.down : 1;
            const auto at = static_cast<std::size_t>(c);
            decoded[at] = take(divide_up(task.file->width(), across), divide_up(task.file->height(), down));
            if (c >= coding.components)
                continue;
            const int size = block_size(eighths, across, down);
            if (colour) {
                resize.across = across * eighths / size;
                resize.down = down * eighths / size;
            }
            resize.planes[c] = size == 8 ? decoded[at] : reduced(task, decoded[at], across, down, eighths);
        }
        layout.decoded.push_back(decoded);
        layout.resizes.push_back(resize);
    }

    PictureLayout layout;

private:
    Plane take(int width, int height)
    {
        const Plane plane{m_memory == nullptr ? nullptr : m_memory + layout.bytes,
                          divide_up(width, kPitch) * kPitch, width, height};
        layout.bytes += static_cast<std::size_t>(plane.pitch) *
                        static_cast<std::size_t>(divide_up(height, kRows) * kRows);
        return plane;
    }

    Plane reduced(const PictureTask &task, const Plane &from, int across, int down, int eighths)
    {
        const JpegFile &file = *task.file;
        const int size = block_size(eighths, across, down);
        const Plane to =
            take(divide_up(file.width() * size, across * 8), divide_up(file.height() * size, down * 8));
        const Piece &piece = task.piece;
        const Blocks columns = blocks_of(piece.x, piece.width, file.width(), 8 * across, eighths);
        const Blocks rows = blocks_of(piece.y, piece.height, file.height(), 8 * down, eighths);
        layout.reductions.push_back({from, to, size, columns.first, rows.first, columns.count, rows.count});
        return to;
    }

    std::uint8_t *m_memory;
};

} // namespace

PictureLayout lay_out(std::span<const PictureTask> tasks, int side, std::uint8_t *memory, std::uint8_t *out)
{
    Builder builder(memory);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (tasks[i].pixels == nullptr)
            builder.add(tasks[i], side, out + i * static_cast<std::size_t>(3 * side * side));
    }
    return std::move(builder.layout);
}

} // namespace sbtrain::cuda
