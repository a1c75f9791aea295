// SPDX-License-Identifier: Apache-2.0
#include "jpeg_decoder.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <jpeglib.h> // needs cstdio before it

namespace sbtrain {

namespace {

// The library reports errors by a call that must not return.
struct Failure {
    jpeg_error_mgr base; // first, so that the library's pointer is ours
    std::jmp_buf back;
    char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void fail(j_common_ptr info)
{
    auto *failure = reinterpret_cast<Failure *>(info->err);
    failure->base.format_message(info, failure->message);
    std::longjmp(failure->back, 1);
}

void say_nothing(j_common_ptr, int) {}

struct Request {
    const std::string &bytes;
    int side; // 0: only the size is wanted
    int wanted;
};

// Everything between setjmp and longjmp has no destructor: the caller owns the picture.
bool run(const Request &request, Picture &picture, Failure &failure)
{
    jpeg_decompress_struct info;
    std::memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&failure.base);
    failure.base.error_exit = fail;
    failure.base.emit_message = say_nothing;
    if (setjmp(failure.back) != 0) {
        jpeg_destroy_decompress(&info);
        return false;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char *>(request.bytes.data()),
                 static_cast<unsigned long>(request.bytes.size()));
    jpeg_read_header(&info, TRUE);
    picture.width = static_cast<int>(info.image_width);
    picture.height = static_cast<int>(info.image_height);
    if (request.side == 0) {
        jpeg_destroy_decompress(&info);
        return true;
    }
    info.scale_denom = 8;
    info.scale_num = 8;
    while (info.scale_num > 1 && request.side * static_cast<int>(info.scale_num - 1) >= request.wanted * 8)
        --info.scale_num;
    const bool four = info.num_components == 4; // the library has no way from these to RGB
    info.out_color_space = four ? JCS_CMYK : JCS_RGB;
    info.dct_method = JDCT_IFAST;
    jpeg_start_decompress(&info);
    picture.scale = info.scale_num / 8.0;
    picture.width = static_cast<int>(info.output_width);
    picture.height = static_cast<int>(info.output_height);
    const std::size_t row =
        static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(info.output_components);
    picture.rgb.resize(row * static_cast<std::size_t>(picture.height));
    while (info.output_scanline < info.output_height) {
        JSAMPROW at = picture.rgb.data() + row * info.output_scanline;
        jpeg_read_scanlines(&info, &at, 1);
    }
    if (four) { // stored inverted, as Adobe's programs do
        const std::size_t pixels = picture.rgb.size() / 4;
        for (std::size_t i = 0; i < pixels; ++i) {
            for (std::size_t c = 0; c < 3; ++c)
                picture.rgb[3 * i + c] =
                    static_cast<std::uint8_t>(picture.rgb[4 * i + c] * picture.rgb[4 * i + 3] / 255);
        }
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return true;
}

} // namespace

Result<JpegFile> JpegFile::read(const std::string &path)
{
    JpegFile out;
    std::ifstream file(path, std::ios::binary);
    out.m_bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (!file || out.m_bytes.empty())
        return Error{ExitCode::Usage, "cannot be read, or is empty"};
    Picture size;
    Failure failure{};
    if (!run({out.m_bytes, 0, 0}, size, failure))
        return Error{ExitCode::Usage, std::string("is no JPEG picture: ") + failure.message};
    out.m_width = size.width;
    out.m_height = size.height;
    return out;
}

Result<Picture> JpegFile::decode(int side, int wanted) const
{
    Picture picture;
    Failure failure{};
    if (!run({m_bytes, side, wanted}, picture, failure))
        return Error{ExitCode::Usage, std::string("is no whole JPEG picture: ") + failure.message};
    return picture;
}

} // namespace sbtrain
