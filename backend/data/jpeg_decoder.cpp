// SPDX-License-Identifier: Apache-2.0
#include "jpeg_decoder.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <fstream>

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

JpegCoding coding_of(const jpeg_decompress_struct &info, const std::string &bytes)
{
    JpegCoding coding;
    coding.components = info.num_components;
    const bool grey = info.jpeg_color_space == JCS_GRAYSCALE;
    const bool coloured = info.jpeg_color_space == JCS_YCbCr;
    coding.plain = (grey || coloured) && info.progressive_mode == FALSE && info.arith_code == FALSE &&
                   info.data_precision == 8 && info.comps_in_scan == info.num_components &&
                   bytes.ends_with("\xFF\xD9");
    if (coloured) {
        coding.across = info.comp_info[0].h_samp_factor;
        coding.down = info.comp_info[0].v_samp_factor;
        for (int c = 1; c < 3; ++c)
            coding.plain =
                coding.plain && info.comp_info[c].h_samp_factor == 1 && info.comp_info[c].v_samp_factor == 1;
    }
    return coding;
}

// Everything between setjmp and longjmp has no destructor: the caller owns the picture.
bool run(const Request &request, Picture &picture, JpegCoding &coding, Failure &failure)
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
        coding = coding_of(info, request.bytes);
        jpeg_destroy_decompress(&info);
        return true;
    }
    info.scale_denom = 8;
    info.scale_num = static_cast<unsigned>(JpegFile::eighths(request.side, request.wanted));
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
    file.seekg(0, std::ios::end);
    const std::streamoff length = file.tellg();
    out.m_bytes.resize(static_cast<std::size_t>(std::max<std::streamoff>(length, 0)));
    file.seekg(0);
    file.read(out.m_bytes.data(), length);
    if (!file || out.m_bytes.empty())
        return Error{ExitCode::Usage, "cannot be read, or is empty"};
    Picture size;
    Failure failure{};
    if (!run({out.m_bytes, 0, 0}, size, out.m_coding, failure))
        return Error{ExitCode::Usage, std::string("is no JPEG picture: ") + failure.message};
    out.m_width = size.width;
    out.m_height = size.height;
    return out;
}

int JpegFile::eighths(int side, int wanted)
{
    int eighths = 8;
    while (eighths > 1 && side * (eighths - 1) >= wanted * 8)
        --eighths;
    return eighths;
}

Result<Picture> JpegFile::decode(int side, int wanted) const
{
    Picture picture;
    JpegCoding coding;
    Failure failure{};
    if (!run({m_bytes, side, wanted}, picture, coding, failure))
        return Error{ExitCode::Usage, std::string("is no whole JPEG picture: ") + failure.message};
    return picture;
}

} // namespace sbtrain
