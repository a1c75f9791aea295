// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sbtrain {

struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb; // row by row
    double scale = 1.0;            // of the stored picture: 1, 7/8 .. 1/8
};

// A JPEG file in memory, reduced while it is decoded as far as `side` pixels of the stored picture still give
// `wanted` ones. Failure: a sentence without the file's name, ExitCode::Usage.
class JpegFile {
public:
    static Result<JpegFile> read(const std::string &path);

    int width() const { return m_width; }
    int height() const { return m_height; }
    Result<Picture> decode(int side, int wanted) const;

private:
    std::string m_bytes;
    int m_width = 0;
    int m_height = 0;
};

} // namespace sbtrain
