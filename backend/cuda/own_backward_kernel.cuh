// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of own_backward.h. A block takes every step-th tile of 128 pixels. dy of a tile is made in four
// stages of 64 channels, in place of x, as the prologue of the own matrix product does; then two groups read
// each stage: one multiplies it with the weights, which stay in shared memory, the other, across, with the
// tile of the convolution's input, and keeps the weight gradient in registers. The convolution's input is
// made by the group that makes dy, from what the epilogue of the input gradient reads.
//
//   full (copied) -> make_tiles() -> ready -> both products -> empty
//
// Included by own_backward.cu only.

#include "attention_tiles.cuh"
#include "own_gemm_kernel.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kBackwardK = 256, kBackwardN = 64;
constexpr int kBackwardStages = kBackwardK / 64; // stage i always holds channels 64 i on
constexpr int kBackwardStage = 2 * kSlice;       // x, which becomes dy; dz
constexpr int kWeights = kBackwardN * 128;       // bytes of 64 channels of k
constexpr int kBackwardThreads = 512;
// Of shared memory: where parts begin.
constexpr int kPlaceOfWeights = kBackwardStages * kBackwardStage;
constexpr int kPlaceOfTiles = kPlaceOfWeights + kBackwardStages * kWeights;
constexpr int kPlaceOfInputs = kPlaceOfTiles + 2 * kSlice;
constexpr int kPlaceOfTable = kPlaceOfInputs + 2 * kSlice;
constexpr int kPlaceOfBarriers = kPlaceOfTable + 3 * kBackwardN * 4;
constexpr int kBackwardShared = 1024 + kPlaceOfBarriers + (3 * kBackwardStages + 5) * 8; // alignment first
static_assert(kBackwardShared <= 227 * 1024);

struct BackwardShared : Shared<kBackwardN> {
    std::uint8_t *weights;
    std::uint8_t *inputs; // [2], of the convolution, by turns as tiles
    std::uint64_t *weights_full;

    __device__ explicit BackwardShared(std::uint8_t *raw)
    {
        raw += (1024 - shared_address(raw) % 1024) % 1024;
        stages = raw;
        weights = raw + kPlaceOfWeights;
        tiles = raw + kPlaceOfTiles;
        inputs = raw + kPlaceOfInputs;
        table = reinterpret_cast<float *>(raw + kPlaceOfTable);
        full = reinterpret_cast<std::uint64_t *>(raw + kPlaceOfBarriers);
        ready = full + kBackwardStages;
        empty = ready + kBackwardStages;
        turn = nullptr;
        aux_full = empty + kBackwardStages;
        aux_empty = aux_full + 2;
        weights_full = aux_empty + 2;
    }
};

// One thread.
__device__ void copy_factors(const OwnGemm::Maps &maps, const Params &p, const BackwardShared &s)
{
    barrier_expect(s.weights_full, kBackwardStages * kWeights);
    for (int i = 0; i < kBackwardStages; ++i)
        tile_load(&maps.b, s.weights_full, s.weights + i * kWeights, 64 * i, 0);
    const Share share(p, kBackwardN);
    int use = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step, ++use) {
        for (int i = 0; i < kBackwardStages; ++i) {
            barrier_wait(s.empty + i, (use & 1) ^ 1);
            barrier_expect(s.full + i, kBackwardStage);
            std::uint8_t *to = s.stages + i * kBackwardStage;
            tile_load(&maps.a, s.full + i, to, 64 * i, tile * kRows);
            tile_load(&maps.other, s.full + i, to + kSlice, 64 * i, tile * kRows);
        }
    }
}

// One group; a thread makes the same eight channels of every 16th row.
template <typename T>
struct TileMaker {
    static constexpr int kStep = 16;
    static constexpr int kCount = kRows / kStep;

    const Params &p;
    const BackwardShared &s;
    int chunk, first, place;

    __device__ TileMaker(const Params &params, const BackwardShared &shared, int thread)
        : p(params)
        , s(shared)
        , chunk(thread % 8)
        , first(thread / 8)
        , place(first * 128 + ((chunk ^ first % 8) << 4))
    {
    }

    // relu(scale x + shift), as it was normalised in the forward pass.
    __device__ void make_input(int at) const
    {
        float scale[8], shift[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            scale[i] = s.table[chunk * 8 + i];
            shift[i] = s.table[kBackwardN + chunk * 8 + i];
        }
        const std::uint8_t *from = s.tiles + at * kSlice + place;
        std::uint8_t *to = s.inputs + at * kSlice + place;
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            uint4 value = *reinterpret_cast<const uint4 *>(from + i * kStep * 128);
            auto *word = reinterpret_cast<std::uint32_t *>(&value);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const float2 x = unpack2<T>(word[j]);
                word[j] = pack2<T>(fmaxf(bn_value(scale[2 * j], x.x, shift[2 * j], 0.0F), 0.0F),
                                   fmaxf(bn_value(scale[2 * j + 1], x.y, shift[2 * j + 1], 0.0F), 0.0F));
            }
            *reinterpret_cast<uint4 *>(to + i * kStep * 128) = value;
        }
    }

    // Rows beyond m become zero, or they would count in the sums.
    __device__ void make_stage(int stage, int rows) const
    {
        std::uint8_t *x = s.stages + stage * kBackwardStage + place;
        const Channels<Prologue::Apply> channels(p.at.sources, 64 * stage + chunk * 8);
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            auto *at = reinterpret_cast<uint4 *>(x + i * kStep * 128);
            uint4 made = *at;
            make_eight<T, Prologue::Apply>(made, at[kSlice / 16], channels);
            *at = first + i * kStep < rows ? made : uint4{};
        }
    }

    __device__ void run() const
    {
        const Share share(p, kBackwardN);
        int use = 0;
        for (int tile = share.first; tile < share.tiles; tile += share.step, ++use) {
            for (int stage = 0; stage < kBackwardStages; ++stage) {
                barrier_wait(s.full + stage, use & 1);
                if (stage == 0) {
                    // This stage's place was free: so the weight gradient is done with the tile before the
                    // last, whose input was here.
                    barrier_wait(s.aux_full + use % 2, use / 2 & 1);
                    make_input(use % 2);
                }
                make_stage(stage, p.m - tile * kRows);
                fence_for_copies();
                __syncwarp();
                if (threadIdx.x % 32 == 0)
                    barrier_arrive(s.ready + stage);
            }
        }
    }
};

// One group: the input gradient, as OwnGemm's.
template <typename T>
struct InputGradient {
    Consumer<T, Prologue::Apply, Epilogue::MaskFromX, kBackwardN> epilogue;
    const BackwardShared &s;

    __device__ __forceinline__ void multiply(float (&d)[2][kBackwardN / 2], int use) const
    {
#pragma unroll
        for (int stage = 0; stage < kBackwardStages; ++stage) {
            barrier_wait(s.ready + stage, use & 1);
            const std::uint64_t left = tile_descriptor(s.stages + stage * kBackwardStage);
            const std::uint64_t right = tile_descriptor(s.weights + stage * kWeights);
            product_fence();
#pragma unroll
            for (int part = 0; part < 4; ++part) {
                const int add = stage > 0 || part > 0;
                product<T, kBackwardN>(d[0], left + 2 * part, right + 2 * part, add);
                product<T, kBackwardN>(d[1], left + 64 * 128 / 16 + 2 * part, right + 2 * part, add);
            }
            product_commit();
            product_wait<0>();
            if (epilogue.lane == 0)
                barrier_arrive(s.empty + stage);
        }
    }

    __device__ void run(const OwnGemm::Maps &maps, const Params &p)
    {
        const Share share(p, kBackwardN);
        barrier_wait(s.weights_full, 0);
        int use = 0;
        for (int tile = share.first; tile < share.tiles; tile += share.step, ++use) {
            float d[2][kBackwardN / 2];
            multiply(d, use);
            epilogue.group = use % 2; // whose tile it is
            barrier_wait(s.aux_full + use % 2, use / 2 & 1);
            epilogue.finish(d, {});
            epilogue.store(maps, tile, share.column);
        }
        if (epilogue.warp == 0 && epilogue.lane == 0)
            stores_wait();
    }
};

// One group: the weight gradient (256, 64).
template <typename T>
struct WeightGradient {
    const BackwardShared &s;
    int warp, lane;
    float d[kBackwardStages][kBackwardN / 2] = {};

    __device__ void run(const Params &p)
    {
        const Share share(p, kBackwardN);
        int use = 0;
        for (int tile = share.first; tile < share.tiles; tile += share.step, ++use) {
            const std::uint64_t right = tile_descriptor(s.inputs + use % 2 * kSlice);
#pragma unroll
            for (int stage = 0; stage < kBackwardStages; ++stage) {
                barrier_wait(s.ready + stage, use & 1);
                const std::uint64_t left = tile_descriptor(s.stages + stage * kBackwardStage);
                product_fence();
#pragma unroll
                for (int i = 0; i < kRows / 16; ++i)
                    product_both_across<T>(d[stage], left + i * kSixteenRows, right + i * kSixteenRows, 1);
                product_commit();
                product_wait<0>();
                if (lane == 0)
                    barrier_arrive(s.empty + stage);
            }
        }
    }

    __device__ void store(float *out) const
    {
#pragma unroll
        for (int stage = 0; stage < kBackwardStages; ++stage) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int row = stage * 64 + warp * 16 + half * 8 + lane / 4;
                float *to = out + row * kBackwardN + lane % 4 * 2;
#pragma unroll
                for (int j = 0; j < kBackwardN / 8; ++j)
                    *reinterpret_cast<float2 *>(to + 8 * j) =
                        make_float2(d[stage][4 * j + 2 * half], d[stage][4 * j + 2 * half + 1]);
            }
        }
    }
};

// As Consumer::write_sums(), of four warps. They are done with the weights.
template <typename T>
__device__ void write_column_sums(const InputGradient<T> &gradient, const Params &p)
{
    const auto &from = gradient.epilogue;
    auto *sums = reinterpret_cast<float *>(gradient.s.weights); // [4][2][64]
    const int lane = from.lane, kept = lane / 16 * 4 + lane / 8 % 2 * 2 + lane / 4 % 2;
#pragma unroll
    for (int part = 0; part < kBackwardN / 32; ++part) {
        float *to = sums + from.warp * 2 * kBackwardN + part * 32 + kept / 2 * 8 + lane % 4 * 2 + kept % 2;
        to[0] = from.sum1[part];
        to[kBackwardN] = from.sum2[part];
    }
    warpgroup_sync(1);
    const int at = from.warp * 32 + lane;
    float sum = 0.0F;
#pragma unroll
    for (int w = 0; w < 4; ++w)
        sum += sums[w * 2 * kBackwardN + at];
    p.at.partial[static_cast<int>(blockIdx.x) * 2 * kBackwardN + at] = sum;
}

__device__ inline void prepare(const BackwardShared &s, const Params &p)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < kBackwardStages; ++i) {
            barrier_init(s.full + i, 1);
            barrier_init(s.ready + i, 4); // the warps that make dy
            barrier_init(s.empty + i, 8); // of both products
        }
        for (int i = 0; i < 2; ++i) {
            barrier_init(s.aux_full + i, 1);
            barrier_init(s.aux_empty + i, 1);
        }
        barrier_init(s.weights_full, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    const int i = static_cast<int>(threadIdx.x);
    if (i < kBackwardN) {
        const bool given = p.at.scale != nullptr;
        s.table[i] = given ? p.at.scale[i] : 1.0F;
        s.table[kBackwardN + i] = given ? p.at.shift[i] : 0.0F;
        s.table[2 * kBackwardN + i] = given ? p.at.mean[i] : 0.0F;
    }
    __syncthreads();
}

template <typename T>
__global__ void __launch_bounds__(kBackwardThreads, 1)
    own_backward_kernel(const __grid_constant__ OwnGemm::Maps maps, const __grid_constant__ Params p,
                        float *weight_gradient)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    const BackwardShared s(raw);
    prepare(s, p);
    const int group = static_cast<int>(threadIdx.x) / 128;
    const int warp = static_cast<int>(threadIdx.x) / 32 % 4, lane = static_cast<int>(threadIdx.x) % 32;
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            copy_factors(maps, p, s);
        if (threadIdx.x == 32)
            copy_inputs<Epilogue::MaskFromX, kBackwardN>(maps, p, s);
    } else if (group == 1) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 112;");
        TileMaker<T>(p, s, static_cast<int>(threadIdx.x) % 128).run();
    } else if (group == 2) {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 168;");
        InputGradient<T> gradient{{p, s, 0, warp, lane}, s};
        gradient.run(maps, p);
        if (p.at.partial != nullptr)
            write_column_sums(gradient, p);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 184;");
        WeightGradient<T> gradient{s, warp, lane};
        gradient.run(p);
        gradient.store(weight_gradient + static_cast<int>(blockIdx.x) * (kBackwardK * kBackwardN));
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
