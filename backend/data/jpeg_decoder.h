// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sbtrain {

struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb; // row by row
    double scale = 1.0;            // of the stored picture: 1, 7/8 .. 1/8
};

// How a file is coded, as far as decoders differ in what they take.
struct JpegCoding {
    bool plain = false; // baseline, 8 bits, one scan, grey or YCbCr, and there to its end
    int components = 0;
    int across = 1, down = 1; // samples of brightness beside and below each other that share one of colour
};

// A JPEG file in memory, reduced while it is decoded as far as `side` pixels of the stored picture still give
// `wanted` ones. Failure: a sentence without the file's name, ExitCode::Usage.
class JpegFile {
public:
    static Result<JpegFile> read(const std::string &path);

    int width() const { return m_width; }
    int height() const { return m_height; }
    const JpegCoding &coding() const { return m_coding; }
    std::span<const unsigned char> bytes() const
    {
        return {reinterpret_cast<const unsigned char *>(m_bytes.data()), m_bytes.size()};
    }
    // Eighths of the stored size to which decode() reduces.
    static int eighths(int side, int wanted);
    Result<Picture> decode(int side, int wanted) const;

private:
    std::string m_bytes;
    int m_width = 0;
    int m_height = 0;
    JpegCoding m_coding;
};

} // namespace sbtrain
