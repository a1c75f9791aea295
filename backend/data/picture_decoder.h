// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../result.h"
#include "batch.h"
#include "jpeg_decoder.h"

#include <span>
#include <string>

namespace sbtrain {

// Which part of a picture a sample shows, in pixels of the stored picture.
struct Piece {
    int x = 0, y = 0, width = 1, height = 1;
    bool mirror = false;
};

// One row of a batch: a piece of a file, or, where `pixels` is set, what the host has made of it already,
// (3, side, side).
struct PictureTask {
    const JpegFile *file = nullptr;
    Piece piece;
    const std::uint8_t *pixels = nullptr;
};

// Makes rows of pixels out of JPEG files on a device: what JpegFile::decode() and resize() (images.cpp) make
// of them, but for the rounding of two decoders.
class PictureDecoder {
public:
    virtual ~PictureDecoder() = default;

    virtual std::string name() const = 0; // of the library, for people
    // False: this file is for JpegFile::decode(). Any thread.
    virtual bool takes(const JpegFile &file) const = 0;
    // Waits until the rows are made, (tasks.size(), 3, side, side). They stay until the third call after
    // this one, which waits for DevicePixels::used. One call at a time, each with the same side. Empty: a
    // file among them is broken in a way that takes() does not see, and nothing was made. Failure: the
    // device.
    virtual Result<std::optional<DevicePixels>> make(std::span<const PictureTask> tasks, int side) = 0;
};

} // namespace sbtrain
