// SPDX-License-Identifier: Apache-2.0

// Samples on the device: images into the order of the first layer, and the made-up samples of
// data/synthetic.h, number for number.

#include "step_kernels.h"

#include "../random.h"
#include "vec.cuh"

namespace sbtrain::cuda {

namespace {

constexpr std::int32_t kMaskToken = 103;
constexpr std::uint64_t kPatternStream = kDataStream + 1;

// Makes eight output elements at a time; pixel(n, c, h, w) gives one number of the image.
template <typename T, typename Pixel>
__device__ void write_vector(const ImageOrder &order, std::int64_t at, T *out, Pixel pixel)
{
    Float8 value{};
    if (order.blocks) {
        const int rows = order.size_h / 2 + 3;
        const int columns = order.size_w / 2 + 3;
        const std::int64_t block = at / 2;
        const auto n = static_cast<int>(block / columns / rows);
        const auto i = static_cast<int>(block / columns % rows);
        const auto j = static_cast<int>(block % columns);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const int channel = static_cast<int>(at % 2) * 8 + k;
            const int h = 2 * i - 3 + channel / 6;
            const int w = 2 * j - 3 + channel / 3 % 2;
            if (channel < 12 && h >= 0 && w >= 0 && h < order.size_h && w < order.size_w)
                value.v[k] = pixel(n, channel % 3, h, w);
        }
        store8(out, at, value);
        return;
    }
    // Plain NHWC with 4 or 8 channels: a vector is two pixels or one.
    const int pixels = 8 / order.channels;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        const int channel = k % order.channels;
        const std::int64_t place = at * pixels + k / order.channels;
        const auto w = static_cast<int>(place % order.size_w);
        const auto h = static_cast<int>(place / order.size_w % order.size_h);
        if (channel < 3)
            value.v[k] = pixel(static_cast<int>(place / order.size_w / order.size_h), channel, h, w);
    }
    store8(out, at, value);
}

template <typename From, typename T>
__global__ void arrange_kernel(ImageOrder order, const From *images, PixelScale scale, T *out,
                               std::int64_t vectors)
{
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= vectors)
        return;
    write_vector(order, at, out, [&](int n, int c, int h, int w) {
        const From pixel =
            images[((static_cast<std::int64_t>(n) * 3 + c) * order.size_h + h) * order.size_w + w];
        return scale.scale[c] * static_cast<float>(pixel) + scale.shift[c];
    });
}

// blockIdx.y is the image, so that its label's pattern (3 x 8 x 8 tiles) is made once a block.
template <typename T>
__global__ void synthetic_image_kernel(ImageOrder order, SyntheticArgs args, T *out, int vectors)
{
    __shared__ float pattern[192];
    const std::uint64_t sample = args.first + blockIdx.y;
    const Stream noise(mix(args.seed) + sample, kDataStream);
    const std::uint64_t label = noise.hash(0) % args.classes;
    if (threadIdx.x < 192)
        pattern[threadIdx.x] = Stream(mix(args.seed) + label, kPatternStream).unit(threadIdx.x) - 0.5F;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        args.labels[blockIdx.y] = static_cast<std::int32_t>(label);
    __syncthreads();
    constexpr float kNoise = 3.4641016F;
    const int stride = static_cast<int>(gridDim.x * blockDim.x);
    for (int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); at < vectors; at += stride) {
        write_vector(order, static_cast<std::int64_t>(blockIdx.y) * vectors + at, out,
                     [&](int, int c, int h, int w) {
                         const int tile = (c * 8 + h * 8 / order.size_h) * 8 + w * 8 / order.size_w;
                         const auto counter =
                             static_cast<std::uint64_t>(
                                 (static_cast<std::int64_t>(c) * order.size_h + h) * order.size_w + w) +
                             1;
                         return kNoise * (noise.unit(counter) - 0.5F) + pattern[tile];
                     });
    }
}

// A block a sequence.
__global__ void synthetic_token_kernel(SyntheticArgs args)
{
    const int row = static_cast<int>(blockIdx.x);
    const Stream stream(mix(args.seed) + args.first + static_cast<std::uint64_t>(row), kDataStream);
    const auto token = [&](int t) {
        const double u = stream.unit(static_cast<std::uint64_t>(t));
        return static_cast<std::int32_t>(static_cast<double>(args.classes) * u * u * u);
    };
    for (int t = static_cast<int>(threadIdx.x); t < args.length; t += static_cast<int>(blockDim.x)) {
        args.tokens[row * args.length + t] = token(t);
        args.segments[row * args.length + t] = t < args.length / 2 ? 0 : 1;
    }
    if (threadIdx.x == 0) {
        args.lengths[row] = args.length;
        args.next_sentence[row] = token(0) % 2;
    }
    __syncthreads();
    for (int p = static_cast<int>(threadIdx.x); p < args.masked; p += static_cast<int>(blockDim.x)) {
        const int begin = p * args.length / args.masked;
        const int end = (p + 1) * args.length / args.masked;
        const std::uint64_t counter = static_cast<std::uint64_t>(args.length + p);
        const int t =
            begin + static_cast<int>(stream.hash(counter) % static_cast<std::uint64_t>(end - begin));
        args.positions[row * args.masked + p] = t;
        args.masked_labels[row * args.masked + p] = token(t);
        args.tokens[row * args.length + t] = kMaskToken;
    }
}

template <typename T>
__global__ void mask_kernel(T *gradient, int count)
{
    const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= count)
        return;
    const int channel = at % 16;
    const int column = at / 16 % 4;
    const int row = at / 64 % 4;
    if ((row == 3 && channel / 6 == 1) || (column == 3 && channel / 3 % 2 == 1) || channel >= 12)
        gradient[at] = from_float<T>(0.0F);
}

template <typename T>
__global__ void noise_kernel(T *out, std::int64_t count)
{
    const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < count;
         at += stride)
        out[at] =
            from_float<T>(static_cast<float>(mix(static_cast<std::uint64_t>(at)) >> 40) * 0x1p-24F - 0.5F);
}

template <typename T>
__global__ void transpose_kernel(const Transpose *list, int matrices)
{
    __shared__ T tile[32][33];
    int which = 0;
    while (which + 1 < matrices && list[which + 1].first_tile <= static_cast<int>(blockIdx.x))
        ++which;
    const Transpose matrix = list[which];
    const int index = static_cast<int>(blockIdx.x) - matrix.first_tile;
    const int row = index / (matrix.columns / 32) * 32;
    const int column = index % (matrix.columns / 32) * 32;
    const auto *in = static_cast<const T *>(matrix.in);
    auto *out = static_cast<T *>(matrix.out);
    for (int i = static_cast<int>(threadIdx.y); i < 32; i += 8)
        tile[i][threadIdx.x] = in[static_cast<std::int64_t>(row + i) * matrix.columns + column + threadIdx.x];
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.y); i < 32; i += 8)
        out[static_cast<std::int64_t>(column + i) * matrix.rows + row + threadIdx.x] = tile[threadIdx.x][i];
}

} // namespace

void arrange_images(const ImageOrder &order, const float *images, void *out, cudaStream_t stream)
{
    const std::int64_t vectors = order.elements() / 8;
    dispatch(order.type, [&](auto tag) {
        using T = decltype(tag);
        arrange_kernel<<<static_cast<unsigned>((vectors + 255) / 256), 256, 0, stream>>>(
            order, images, PixelScale{}, static_cast<T *>(out), vectors);
    });
    check_launch("arrange images");
}

void arrange_pixels(const ImageOrder &order, const std::uint8_t *pixels, const PixelScale &scale, void *out,
                    cudaStream_t stream)
{
    const std::int64_t vectors = order.elements() / 8;
    dispatch(order.type, [&](auto tag) {
        using T = decltype(tag);
        arrange_kernel<<<static_cast<unsigned>((vectors + 255) / 256), 256, 0, stream>>>(
            order, pixels, scale, static_cast<T *>(out), vectors);
    });
    check_launch("arrange images");
}

void synthetic_images(const ImageOrder &order, const SyntheticArgs &args, void *out, cudaStream_t stream)
{
    const int vectors = static_cast<int>(order.elements() / order.n / 8);
    const dim3 grid(static_cast<unsigned>(std::min((vectors + 255) / 256, 32)),
                    static_cast<unsigned>(order.n));
    dispatch(order.type, [&](auto tag) {
        using T = decltype(tag);
        synthetic_image_kernel<T><<<grid, 256, 0, stream>>>(order, args, static_cast<T *>(out), vectors);
    });
    check_launch("make images");
}

void synthetic_tokens(const SyntheticArgs &args, cudaStream_t stream)
{
    synthetic_token_kernel<<<static_cast<unsigned>(args.batch), 128, 0, stream>>>(args);
    check_launch("make tokens");
}

void mask_block_gradient(Type type, void *gradient, int k, cudaStream_t stream)
{
    const int count = k * 256;
    dispatch(type, [&](auto tag) {
        using T = decltype(tag);
        mask_kernel<T><<<static_cast<unsigned>(k), 256, 0, stream>>>(static_cast<T *>(gradient), count);
    });
    check_launch("mask a gradient");
}

void fill_noise(Type type, void *out, std::int64_t count, cudaStream_t stream)
{
    dispatch(type, [&](auto tag) {
        using T = decltype(tag);
        noise_kernel<T><<<1056, 256, 0, stream>>>(static_cast<T *>(out), count);
    });
    check_launch("fill memory");
}

void transpose_weights(Type type, const TransposeList &list, cudaStream_t stream)
{
    if (list.tiles == 0)
        return;
    const auto run = [&](auto kernel) {
        kernel<<<static_cast<unsigned>(list.tiles), dim3(32, 8), 0, stream>>>(list.at, list.matrices);
    };
    if (size_of(type) == 4)
        run(transpose_kernel<std::uint32_t>);
    else
        run(transpose_kernel<std::uint16_t>);
    check_launch("transpose weights");
}

} // namespace sbtrain::cuda
