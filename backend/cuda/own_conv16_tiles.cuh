// SPDX-License-Identifier: Apache-2.0
#pragma once

// What both kernels of the own 3x3 convolution in 16 bit share: the shapes of tiles, whose turn a tile is,
// and the epilogue.
//
// A tile of x is some rows of pixels with the rows above and below, 64 channels at a time, and a column of
// zeros in front of each row, which is also the one behind the row before. It is fetched once and serves all
// nine taps: a tap is the same tile from another pixel on. Swizzling goes by the address, so a tile may be
// read from any pixel. y comes out with that column as well: it is left out of the sums, and lies outside the
// tensor where the copy engine stores it.
//
// Products are (64 channels of y, pixels), a warp has 16 of the channels: sums over pixels stay in a thread.

#include "hopper.cuh"
#include "own_conv16.h"
#include "pairs.cuh"
#include "ring.cuh"

namespace sbtrain::cuda {

namespace {

// Rows and images of a tile of images of Width, and columns of its product. Of several images the first rows
// of all come first, then the second ones: so their rows of y lie together.
template <int Width>
struct Conv16Tile;
template <>
struct Conv16Tile<56> {
    static constexpr int rows = 4, images = 1, columns = 232;
};
template <>
struct Conv16Tile<28> {
    static constexpr int rows = 7, images = 1, columns = 208;
};
template <>
struct Conv16Tile<14> {
    static constexpr int rows = 14, images = 1, columns = 216;
};
template <>
struct Conv16Tile<7> {
    static constexpr int rows = 7, images = 4, columns = 224;
};

template <int Width>
struct Conv16Sizes : Conv16Tile<Width> {
    using Tile = Conv16Tile<Width>;
    static constexpr int kPitch = Width + 1;
    static constexpr int kRowStep = Tile::images * kPitch; // pixels from a row to the next of its image
    static constexpr int kPixels = (Tile::rows + 2) * kRowStep;
    static constexpr int kBehind = 8; // pixels of zeros behind the last one
    static constexpr int kXBytes = kPixels * 128;
    static constexpr int kXSlot = (kXBytes + kBehind * 128 + 1023) / 1024 * 1024;
    static constexpr int kYBytes = Tile::rows * kRowStep * 128; // of 64 channels, as they are stored
    static constexpr int kYTile = Tile::columns * 128;
    static constexpr int kDown = Width / Tile::rows;
    static_assert(Width % Tile::rows == 0 && kYBytes <= kYTile &&
                  Tile::columns - 1 + 2 * kRowStep + 2 < kPixels + kBehind);

    // Of column + 2 (lane % 4) of a product: a bit for each of the four that is no pixel of y.
    static constexpr unsigned outside(int column)
    {
        unsigned lanes = 0;
        for (int quarter = 0; quarter < 4; ++quarter) {
            const int n = column + 2 * quarter;
            if (n % kRowStep % kPitch == Width || n >= Tile::rows * kRowStep)
                lanes |= 1U << quarter;
        }
        return lanes;
    }
};

struct Conv16Params {
    int c = 0, k = 0;
    int tiles = 0;   // of pixels
    int columns = 0; // tiles of channels of y
    bool turned = false;
    OwnConv16Pointers at;
};

// This block's share: a tile of channels, and of every step-th tile of pixels from first on.
struct Conv16Share {
    int column, first, step, end;
    __device__ explicit Conv16Share(const Conv16Params &p)
    {
        column = static_cast<int>(blockIdx.x) % p.columns;
        first = static_cast<int>(blockIdx.x) / p.columns;
        step = static_cast<int>(gridDim.x) / p.columns;
        end = p.tiles;
    }
};

template <int Width>
struct Conv16Place {
    int row, image;
    __device__ explicit Conv16Place(int tile)
        : row(tile % Conv16Sizes<Width>::kDown * Conv16Tile<Width>::rows)
        , image(tile / Conv16Sizes<Width>::kDown * Conv16Tile<Width>::images)
    {
    }
};

// Tensors are described with images in front of rows if a tile has several images.
template <int Width>
__device__ void load_pixels(const OwnGemm::Map &map, std::uint64_t *barrier, void *to, int channel,
                            int column, int row, int image)
{
    if constexpr (Conv16Tile<Width>::images > 1)
        tile_load(&map, barrier, to, channel, column, image, row);
    else
        tile_load(&map, barrier, to, channel, column, row, image);
}

// Two matrices of 8 pixels x 8 channels, 16 bytes a pixel, pixels lanes 0 to 7 and 8 to 15 point at. A lane
// has channel lane / 4 of pixels lane % 4 * 2 and the next.
__device__ inline void load_transposed(std::uint32_t (&v)[2], std::uint32_t from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(v[0]), "=r"(v[1])
                 : "r"(from)
                 : "memory");
}

__device__ inline void store_transposed(std::uint32_t to, const std::uint32_t (&v)[2])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(v[0]),
                 "r"(v[1])
                 : "memory");
}

// One of the groups that multiply: what it does with its products of 64 channels.
template <typename T, Epilogue E, int Width>
struct Conv16Epilogue {
    using Sizes = Conv16Sizes<Width>;
    static constexpr int kColumns = Sizes::columns;
    static constexpr int kStep = 4; // eights of pixels whose other values are fetched together

    std::uint8_t *tile; // of y, and of the other values before
    int group, warp, lane;
    float scale[2], shift[2], mean[2]; // of channels 16 warp + lane / 4 and 8 further
    float sum1[2] = {}, sum2[2] = {};

    __device__ Conv16Epilogue(const OwnConv16Pointers &at, std::uint8_t *own, int channel)
        : tile(own)
        , group(static_cast<int>(threadIdx.x) / 128 - 1)
        , warp(static_cast<int>(threadIdx.x) / 32 % 4)
        , lane(static_cast<int>(threadIdx.x) % 32)
    {
        channel += 16 * warp + lane / 4;
        if constexpr (E == Epilogue::MaskFromX) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                scale[h] = at.scale[channel + 8 * h];
                shift[h] = at.shift[channel + 8 * h];
                mean[h] = at.mean[channel + 8 * h];
            }
        }
    }

    // A pair of pixels of channel half h: what is stored. Adds to the sums.
    __device__ __forceinline__ std::uint32_t finish_pair(float2 y, float2 x, int h)
    {
        if constexpr (E == Epilogue::MaskFromX) {
            y.x = __fmaf_rn(scale[h], x.x, shift[h]) > 0.0F ? y.x : 0.0F;
            y.y = __fmaf_rn(scale[h], x.y, shift[h]) > 0.0F ? y.y : 0.0F;
        }
        const std::uint32_t stored = pack2<T>(y.x, y.y);
        y = unpack2<T>(stored);
        sum1[h] += y.x + y.y;
        if constexpr (E == Epilogue::MaskFromX)
            sum2[h] += y.x * (x.x - mean[h]) + y.y * (x.y - mean[h]);
        else
            sum2[h] += y.x * y.x + y.y * y.y;
        return stored;
    }

    __device__ __forceinline__ void finish(const float (&d)[kColumns / 2])
    {
        const int pixel = lane % 8;
        const std::uint32_t at =
            shared_address(tile) + pixel * 128 + (((2 * warp + lane / 8 % 2) ^ pixel) << 4);
#pragma unroll
        for (int begin = 0; begin < kColumns / 8; begin += kStep) {
            std::uint32_t others[kStep][2] = {};
#pragma unroll
            for (int i = 0; i < kStep; ++i) {
                if (E == Epilogue::MaskFromX && begin + i < kColumns / 8)
                    load_transposed(others[i], at + (begin + i) * 1024);
            }
#pragma unroll
            for (int i = 0; i < kStep; ++i) {
                if (begin + i >= kColumns / 8)
                    break;
                const int first = (begin + i) * 4;
                std::uint32_t out[2];
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    float2 y{d[first + 2 * h], d[first + 2 * h + 1]}, x = unpack2<T>(others[i][h]);
                    // What lies there of the other values may be anything.
                    if (Sizes::outside(2 * first) >> (lane % 4) & 1U)
                        y.x = x.x = 0.0F;
                    if (Sizes::outside(2 * first + 1) >> (lane % 4) & 1U)
                        y.y = x.y = 0.0F;
                    out[h] = finish_pair(y, x, h);
                }
                store_transposed(at + (begin + i) * 1024, out);
            }
        }
    }

    __device__ bool first_thread() const
    {
        return warp == 0 && lane == 0;
    }

    // The tile may be written: the other values are there, or the store before has read it.
    __device__ void wait_for_tile(std::uint64_t *full, int use) const
    {
        if constexpr (E == Epilogue::MaskFromX) {
            barrier_wait(full, use & 1);
        } else {
            if (first_thread())
                stores_wait_read();
            warpgroup_sync(1 + group);
        }
    }

    __device__ void store(const OwnGemm::Map &map, std::uint64_t *empty, int channel,
                          const Conv16Place<Width> &place) const
    {
        fence_for_copies();
        warpgroup_sync(1 + group);
        if (!first_thread())
            return;
        if constexpr (Sizes::images > 1)
            tile_store(&map, tile, channel, 0, place.image, place.row);
        else
            tile_store(&map, tile, channel, 0, place.row, place.image);
        stores_commit();
        if constexpr (E == Epilogue::MaskFromX) {
            stores_wait_read();
            barrier_arrive(empty);
        }
    }

    // The last of a group. Lanes that differ in lane % 4 have other pixels of the same channels.
    __device__ void write_sums(const Conv16Params &p, int row, int channel)
    {
        if (first_thread())
            stores_wait();
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
            for (int bit = 1; bit < 4; bit *= 2) {
                sum1[h] += __shfl_xor_sync(0xFFFFFFFFU, sum1[h], bit);
                sum2[h] += __shfl_xor_sync(0xFFFFFFFFU, sum2[h], bit);
            }
            if (lane % 4 != 0)
                continue;
            float *to = p.at.partial + static_cast<std::int64_t>(row) * 2 * p.k + channel + 16 * warp +
                        lane / 4 + 8 * h;
            to[0] = sum1[h];
            to[p.k] = sum2[h];
        }
    }
};

// Zeros behind the slots of x, which the copies leave alone.
template <int Width>
__device__ void clear_behind(std::uint8_t *slots, int count)
{
    using Sizes = Conv16Sizes<Width>;
    constexpr int kVectors = Sizes::kBehind * 8;
    for (int i = static_cast<int>(threadIdx.x); i < count * kVectors; i += static_cast<int>(blockDim.x))
        reinterpret_cast<float4 *>(slots + i / kVectors * Sizes::kXSlot +
                                   Sizes::kXBytes)[i % kVectors] = {0.0F, 0.0F, 0.0F, 0.0F};
    fence_for_copies();
}

} // namespace

} // namespace sbtrain::cuda
