// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels of the own 3x3 convolution in 16 bit. Three warpgroups a block: of the first one thread has the
// copy engine fetch x and weights, another one what the epilogue reads; the others multiply. A block keeps
// its channels of y and walks over the pixels, so sums leave once, at the end, in a fixed order.
//
// Resident: with 64 channels all weights stay in shared memory, and each group has a tile of pixels of its
// own; one is in its epilogue while the other multiplies. Streamed: weights come tap by tap for a tile of 128
// channels, half of them a group, and x is in shared memory once for both.
//
// Included by own_conv16.cu only.

#include "own_conv16_tiles.cuh"
#include "wide_product.cuh"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kConv16Shared = 227 * 1024;

// Where parts lie in shared memory: x, tiles of y, weights, barriers.
template <int Width, bool Resident>
struct Conv16Layout {
    using Sizes = Conv16Sizes<Width>;
    static constexpr int kXSlots = 2;
    static constexpr int kChannels = Resident ? 64 : 128; // of y, a block
    static constexpr int kWSlot = kChannels * 128;        // 64 channels of x of one tap
    static constexpr int kYPlace = kXSlots * Sizes::kXSlot;
    static constexpr int kWPlace = kYPlace + 2 * Sizes::kYTile;
    static constexpr int kWSlots = Resident ? 9 : std::min((kConv16Shared - 2048 - kWPlace) / kWSlot, 6);
    static constexpr int kXBarriers = kWPlace + kWSlots * kWSlot;
    static constexpr int kWBarriers = kXBarriers + 16 * kXSlots;
    static constexpr int kYBarriers = kWBarriers + 16 * kWSlots; // full, empty, turn: of each group
    static constexpr int kShared = 1024 + kYBarriers + 8 * 6;    // alignment first
    static_assert(kShared <= kConv16Shared && kWSlots >= 4 && kWPlace % 1024 == 0);
};

template <int Width, bool Resident>
struct Conv16SharedParts {
    using Layout = Conv16Layout<Width, Resident>;
    std::uint8_t *shared;
    Ring<Layout::kXSlots, Layout::Sizes::kXSlot, 0, Layout::kXBarriers> x;
    Ring<Layout::kWSlots, Layout::kWSlot, Layout::kWPlace, Layout::kWBarriers> w;

    __device__ explicit Conv16SharedParts(std::uint8_t *raw)
        : shared(raw + (1024 - shared_address(raw) % 1024) % 1024)
        , x{shared}
        , w{shared}
    {
    }
    __device__ std::uint8_t *y(int group) const
    {
        return shared + Layout::kYPlace + group * Layout::Sizes::kYTile;
    }
    __device__ std::uint64_t *y_barrier(int i) const
    {
        return reinterpret_cast<std::uint64_t *>(shared + Layout::kYBarriers) + i;
    }
    __device__ std::uint64_t *y_full(int group) const { return y_barrier(group); }
    __device__ std::uint64_t *y_empty(int group) const { return y_barrier(2 + group); }
    __device__ std::uint64_t *turn(int group) const { return y_barrier(4 + group); }
};

struct WeightPlace {
    int x, y;
    __device__ WeightPlace(const Conv16Params &p, int tap, int c, int channel)
        : x(p.turned ? c : tap * p.c + c)
        , y(p.turned ? (8 - tap) * p.k + channel : channel)
    {
    }
};

// Adds 64 channels of x of one tap; x: the tile from the tap's first pixel on.
template <typename T, int Columns>
__device__ __forceinline__ void multiply_tap(float (&d)[Columns / 2], std::uint64_t w, std::uint64_t x,
                                             bool first)
{
#pragma unroll
    for (int part = 0; part < 4; ++part)
        wide_product<T, Columns>(d, w + 2 * part, x + 2 * part, !first || part > 0);
}

// From the first pixel of a tile to that of a tap, in units of a descriptor.
template <int Width>
__device__ __forceinline__ int tap_offset(int tap)
{
    return (tap / 3 * Conv16Sizes<Width>::kRowStep + tap % 3) * (128 / 16);
}

// One thread. The other values for the epilogue: of both groups' channels a tile of pixels, or of one
// group's.
template <int Width, bool Resident>
__device__ void copy_others(const OwnConv16::Maps &maps, const Conv16Params &p,
                            const Conv16SharedParts<Width, Resident> &s)
{
    using Layout = Conv16Layout<Width, Resident>;
    const Conv16Share share(p);
    int n = 0; // of tiles of y
    for (int tile = share.first; tile < share.end; tile += share.step) {
        const Conv16Place<Width> place(tile);
        for (int half = 0; half < Layout::kChannels / 64; ++half, ++n) {
            const int group = n % 2;
            barrier_wait(s.y_empty(group), (n / 2 & 1) ^ 1);
            barrier_expect(s.y_full(group), Layout::Sizes::kYBytes);
            load_pixels<Width>(maps.other, s.y_full(group), s.y(group),
                               share.column * Layout::kChannels + half * 64, 0, place.row, place.image);
        }
    }
}

// One thread.
template <int Width>
__device__ void copy_resident(const OwnConv16::Maps &maps, const Conv16Params &p,
                              const Conv16SharedParts<Width, true> &s)
{
    using Layout = Conv16Layout<Width, true>;
    const Conv16Share share(p);
    barrier_expect(s.w.full(0), 9 * Layout::kWSlot);
    for (int tap = 0; tap < 9; ++tap) {
        const WeightPlace weight(p, tap, 0, share.column * 64);
        tile_load(&maps.w, s.w.full(0), s.w.slot(tap), weight.x, weight.y);
    }
    int n = 0;
    for (int tile = share.first; tile < share.end; tile += share.step, ++n) {
        const Conv16Place<Width> place(tile);
        s.x.wait_empty(n);
        barrier_expect(s.x.full(n), Layout::Sizes::kXBytes);
        load_pixels<Width>(maps.x, s.x.full(n), s.x.slot(n), 0, -1, place.row - 1, place.image);
    }
}

template <typename T, Epilogue E, int Width>
__device__ void consume_resident(const OwnConv16::Maps &maps, const Conv16Params &p,
                                 const Conv16SharedParts<Width, true> &s)
{
    using Sizes = Conv16Sizes<Width>;
    const Conv16Share share(p);
    const int group = static_cast<int>(threadIdx.x) / 128 - 1, channel = share.column * 64;
    Conv16Epilogue<T, E, Width> epilogue(p.at, s.y(group), channel);
    s.w.wait_full(0);
    int turn = 0;
    for (int tile = share.first + group * share.step; tile < share.end; tile += 2 * share.step, ++turn) {
        const int n = 2 * turn + group;
        s.x.wait_full(n);
        // The first group begins.
        if (n > 0)
            barrier_wait(s.turn(group), (turn - 1 + group) & 1);
        float d[Sizes::columns / 2];
        const std::uint64_t x = tile_descriptor(s.x.slot(n)), w = tile_descriptor(s.w.slot(0));
        product_fence();
#pragma unroll
        for (int tap = 0; tap < 9; ++tap)
            multiply_tap<T, Sizes::columns>(d, w + tap * (64 * 128 / 16), x + tap_offset<Width>(tap),
                                            tap == 0);
        product_commit();
        release(s.turn(group ^ 1), epilogue.lane);
        product_wait<0>();
        release(s.x.empty(n), epilogue.lane);
        epilogue.wait_for_tile(s.y_full(group), turn);
        epilogue.finish(d);
        epilogue.store(maps.y, s.y_empty(group), channel, Conv16Place<Width>(tile));
    }
    epilogue.write_sums(p, 2 * share.first + group, channel);
}

// One thread.
template <int Width>
__device__ void copy_streamed(const OwnConv16::Maps &maps, const Conv16Params &p,
                              const Conv16SharedParts<Width, false> &s)
{
    using Layout = Conv16Layout<Width, false>;
    const Conv16Share share(p);
    int x = 0, w = 0;
    for (int tile = share.first; tile < share.end; tile += share.step) {
        const Conv16Place<Width> place(tile);
        for (int c = 0; c < p.c; c += 64, ++x) {
            s.x.wait_empty(x);
            barrier_expect(s.x.full(x), Layout::Sizes::kXBytes);
            load_pixels<Width>(maps.x, s.x.full(x), s.x.slot(x), c, -1, place.row - 1, place.image);
            for (int tap = 0; tap < 9; ++tap, ++w) {
                const WeightPlace weight(p, tap, c, share.column * Layout::kChannels);
                s.w.wait_empty(w);
                barrier_expect(s.w.full(w), Layout::kWSlot);
                tile_load(&maps.w, s.w.full(w), s.w.slot(w), weight.x, weight.y);
            }
        }
    }
}

template <typename T, Epilogue E, int Width>
__device__ void consume_streamed(const OwnConv16::Maps &maps, const Conv16Params &p,
                                 const Conv16SharedParts<Width, false> &s)
{
    using Sizes = Conv16Sizes<Width>;
    using Layout = Conv16Layout<Width, false>;
    const Conv16Share share(p);
    const int group = static_cast<int>(threadIdx.x) / 128 - 1,
              channel = share.column * Layout::kChannels + group * 64;
    Conv16Epilogue<T, E, Width> epilogue(p.at, s.y(group), channel);
    int x = 0, w = 0, use = 0;
    for (int tile = share.first; tile < share.end; tile += share.step, ++use) {
        float d[Sizes::columns / 2];
        product_start(d);
        for (int c = 0; c < p.c; c += 64, ++x) {
            s.x.wait_full(x);
            const std::uint64_t pixels = tile_descriptor(s.x.slot(x));
#pragma unroll
            for (int tap = 0; tap < 9; ++tap, ++w) {
                s.w.wait_full(w);
                const std::uint64_t weights = tile_descriptor(s.w.slot(w) + group * (64 * 128));
                product_fence();
                multiply_tap<T, Sizes::columns>(d, weights, pixels + tap_offset<Width>(tap),
                                                tap == 0 && c == 0);
                product_commit();
                product_wait<1>(); // the tap before is done
                if (tap > 0 || c > 0)
                    release(s.w.empty(w - 1), epilogue.lane);
                if (tap == 0 && c > 0)
                    release(s.x.empty(x - 1), epilogue.lane);
            }
        }
        product_wait<0>();
        release(s.w.empty(w - 1), epilogue.lane);
        release(s.x.empty(x - 1), epilogue.lane);
        epilogue.wait_for_tile(s.y_full(group), use);
        epilogue.finish(d);
        epilogue.store(maps.y, s.y_empty(group), channel, Conv16Place<Width>(tile));
    }
    epilogue.write_sums(p, share.first, channel);
}

template <typename T, Epilogue E, int Width, bool Resident>
__global__ void __launch_bounds__(384, 1)
    own_conv16_kernel(const __grid_constant__ OwnConv16::Maps maps, const __grid_constant__ Conv16Params p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    const Conv16SharedParts<Width, Resident> s(raw);
    if (threadIdx.x == 0) {
        s.x.init(1, Resident ? 4 : 8); // warps that multiply
        s.w.init(1, 8);
        for (int group = 0; group < 2; ++group) {
            barrier_init(s.y_full(group), 1);
            barrier_init(s.y_empty(group), 1);
            barrier_init(s.turn(group), 4);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    clear_behind<Width>(s.x.slot(0), Conv16Layout<Width, Resident>::kXSlots);
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0) {
            if constexpr (Resident)
                copy_resident<Width>(maps, p, s);
            else
                copy_streamed<Width>(maps, p, s);
        }
        if constexpr (E == Epilogue::MaskFromX) {
            if (threadIdx.x == 32)
                copy_others<Width, Resident>(maps, p, s);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        if constexpr (Resident)
            consume_resident<T, E, Width>(maps, p, s);
        else
            consume_streamed<T, E, Width>(maps, p, s);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
