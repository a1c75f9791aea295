// SPDX-License-Identifier: Apache-2.0

// Times the passes over memory in the sizes of ResNet-50 and BERT-base, beside what they read and write. Exit
// status 77: no device.

#include "cuda/bn_kernels.h"
#include "cuda/column_sums.h"
#include "cuda/embedding_kernels.h"
#include "cuda/token_kernels.h"
#include "cuda/update_kernels.h"
#include "device_vector.h"
#include "gpu_main.h"
#include "timing.h"

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using namespace sbtrain;
using namespace sbtrain::cuda;

const char *name_of(Type type)
{
    return type == Type::F32 ? "fp32" : type == Type::F16 ? "fp16" : "bf16";
}

DeviceVector on_device(const std::vector<float> &values)
{
    DeviceVector memory(values.size() * sizeof(float));
    upload(memory, values.data(), values.size() * sizeof(float));
    return memory;
}

DeviceVector filled(std::size_t bytes, int byte)
{
    DeviceVector memory(bytes);
    check(cudaMemset(memory.data, byte, bytes), "fill");
    return memory;
}

// Bits of any kind, but finite numbers: the exponent's upper bits are those of small ones.
DeviceVector noise(std::size_t bytes, Type type)
{
    constexpr std::size_t kBlock = std::size_t{1} << 20;
    std::mt19937 random(1);
    std::vector<std::uint32_t> block(kBlock / 4);
    for (std::uint32_t &word : block)
        word = static_cast<std::uint32_t>(random()) & (type == Type::F32 ? 0xBFFFFFFFU : 0xBFFFBFFFU);
    DeviceVector memory(bytes);
    for (std::size_t at = 0; at < bytes; at += kBlock)
        check(cudaMemcpy(memory.as<std::uint8_t>() + at, block.data(), std::min(bytes - at, kBlock),
                         cudaMemcpyHostToDevice),
              "copy");
    return memory;
}

void bench_stem(const StemShape &shape)
{
    const std::size_t pixels = static_cast<std::size_t>(shape.n) * static_cast<std::size_t>(shape.h) *
                               static_cast<std::size_t>(shape.w) * static_cast<std::size_t>(shape.c);
    const std::size_t width = size_of(shape.type);
    const DeviceVector x = noise(pixels * width, shape.type);
    const DeviceVector dx(pixels * width);
    const DeviceVector y(pixels / 4 * width);
    const DeviceVector winner(pixels / 4 * width);
    const DeviceVector index(pixels / 4);
    const DeviceVector ones = on_device(std::vector<float>(static_cast<std::size_t>(shape.c), 1.0F));
    const auto *one = ones.as<float>();
    const auto megabytes = [&](double numbers) { return 1e-6 * static_cast<double>(pixels) * numbers; };
    const auto bytes = static_cast<double>(width);
    std::printf("stem %d %s\n", shape.n, name_of(shape.type));
    time_it("pool", megabytes(1.5 * bytes + 0.25), [&](int) {
        stem_pool_forward(shape, {x.data, one, one, y.data, winner.data, index.as<std::uint8_t>()}, nullptr);
    });
    time_it("gradient", megabytes(2.25 * bytes + 0.25), [&](int) {
        stem_backward_apply(shape, {x.data, y.data, index.as<std::uint8_t>(), one, one, one, dx.data},
                            nullptr);
    });
}

void bench_norm(std::int64_t rows, int c, Type type)
{
    const BnShape shape{rows, c, type};
    const std::size_t bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(c) * size_of(type);
    const DeviceVector x = noise(bytes, type);
    const DeviceVector dy = noise(bytes, type);
    const DeviceVector out(bytes);
    const DeviceVector ones = on_device(std::vector<float>(static_cast<std::size_t>(c), 1.0F));
    const DeviceVector partial(static_cast<std::size_t>(bn_partial_rows(shape)) * 2 *
                               static_cast<std::size_t>(c) * 4);
    const auto *one = ones.as<float>();
    const double megabytes = 1e-6 * static_cast<double>(bytes);
    std::printf("batch norm %lld x %d %s\n", static_cast<long long>(rows), c, name_of(type));
    time_it("statistics", megabytes,
            [&](int) { bn_statistics(shape, x.data, partial.as<float>(), nullptr); });
    BnSums sums;
    sums.x = x.data;
    sums.dy = dy.data;
    sums.a = sums.b = sums.mean = one;
    sums.partial = partial.as<float>();
    for (const BnMask mask : {BnMask::None, BnMask::FromX}) {
        sums.mask = mask;
        time_it(mask == BnMask::None ? "sums" : "sums, mask from x", 2 * megabytes,
                [&](int) { bn_backward_sums(shape, sums, nullptr); });
    }
    time_it("normalise", 2 * megabytes, [&](int) {
        bn_normalise(shape, {x.data, nullptr, out.data, nullptr, one, one, true}, nullptr);
    });
    for (const bool mask : {false, true})
        time_it(mask ? "apply, mask from x" : "apply", 3 * megabytes, [&](int) {
            bn_backward_apply(shape, {x.data, dy.data, out.data, one, one, one, one, mask}, nullptr);
        });
}

void bench_bias(const MatrixShape &shape)
{
    const std::size_t count = static_cast<std::size_t>(shape.rows) * static_cast<std::size_t>(shape.columns);
    const std::size_t bytes = count * size_of(shape.type);
    const DeviceVector dy = filled(bytes, 0);
    const DeviceVector z = noise(bytes, shape.type);
    const DeviceVector dbias(static_cast<std::size_t>(shape.columns) * 4);
    const DeviceVector partial(static_cast<std::size_t>(bias_partial_floats(shape)) * 4);
    ColumnSums sums(nullptr);
    std::printf("bias %lld x %lld %s\n", static_cast<long long>(shape.rows),
                static_cast<long long>(shape.columns), name_of(shape.type));
    const auto run = [&](int activation) {
        bias_backward(shape, {dy.data, z.data, dbias.as<float>(), partial.as<float>(), activation}, sums,
                      nullptr);
    };
    time_it("gradient of GELU", 3e-6 * static_cast<double>(bytes), [&](int) { run(1); });
    time_it("sums only", 1e-6 * static_cast<double>(bytes), [&](int) { run(0); });
}

void bench_update(const char *what, Rule rule, std::size_t parameters, double bytes)
{
    std::vector<Chunk> chunks;
    const DeviceVector gradients = filled(parameters * 2, 0);
    for (std::size_t at = 0; at < parameters; at += kChunkElements) {
        Chunk chunk;
        chunk.offset = static_cast<std::int64_t>(at);
        chunk.gradient = gradients.as<std::uint16_t>() + at;
        chunk.count = static_cast<std::int32_t>(std::min<std::size_t>(parameters - at, kChunkElements));
        chunk.decay = 1;
        chunks.push_back(chunk);
    }
    DeviceVector on_chunks(chunks.size() * sizeof(Chunk));
    upload(on_chunks, chunks.data(), chunks.size() * sizeof(Chunk));
    const DeviceVector values = filled(parameters * 4, 0);
    const DeviceVector first = filled(parameters * 4, 0);
    const DeviceVector second = filled(parameters * 4, 0);
    const DeviceVector copy(parameters * 2);
    StepState state{};
    state.updates = 1;
    state.gradient_factor = 1.0F;
    const DeviceVector on_state(sizeof state);
    upload(on_state, &state, sizeof state);
    UpdateArgs args;
    args.chunks = on_chunks.as<Chunk>();
    args.count = static_cast<int>(chunks.size());
    args.values = values.as<float>();
    args.first = first.as<float>();
    args.second = second.as<float>();
    args.copy = copy.data;
    args.state = on_state.as<StepState>();
    args.type = Type::BF16;
    args.rule = {rule, 1e-4, 0.9, 0.01, 0.9, 0.999, 1e-8, 0.0};
    std::printf("%zu parameters\n", parameters);
    const DeviceVector partial(chunks.size() * sizeof(double));
    args.partial = partial.as<double>();
    args.rule.clip_norm = 1.0;
    time_it(what, 1e-6 * bytes * static_cast<double>(parameters), [&](int) { update(args, nullptr); });
    time_it("gradient norm", 2e-6 * static_cast<double>(parameters),
            [&](int) { take_norms(args, 0, args.count, nullptr); });
    time_it("preparation", 0.0, [&](int) { prepare_update(args, nullptr); });
}

// What the sums of a layer norm and of a bias leave to finish, twice as two blocks of BERT's encoder do.
void bench_sums(int rows, int blocks)
{
    constexpr std::int64_t kColumns = 2304;
    std::vector<DeviceVector> partial;
    for (int i = 0; i < blocks; ++i)
        partial.push_back(filled(static_cast<std::size_t>(rows) * kColumns * 4, 0));
    const DeviceVector out(static_cast<std::size_t>(kColumns) * 4);
    ColumnSums sums(nullptr);
    std::printf("sums of %d x %d rows\n", blocks, rows);
    time_it("finish", 1e-6 * blocks * rows * kColumns * 4, [&](int) {
        for (const DeviceVector &p : partial) {
            for (int part = 0; part < 3; ++part)
                sums.add({p.as<float>() + part * (kColumns / 3), rows, kColumns / 3, kColumns,
                          out.as<float>() + part * (kColumns / 3)});
        }
        sums.flush();
    });
}

void bench_loss(std::int64_t rows, Type type)
{
    constexpr std::int64_t kClasses = 30522;
    constexpr std::int64_t kLd = 30528;
    const std::size_t bytes = static_cast<std::size_t>(rows * kLd) * size_of(type);
    const DeviceVector logits = noise(bytes, type);
    const DeviceVector labels = filled(static_cast<std::size_t>(rows) * 4, 0);
    const DeviceVector loss(static_cast<std::size_t>(rows) * 4);
    const DeviceVector scale = on_device({1.0F});
    std::printf("loss %lld x %lld %s\n", static_cast<long long>(rows), static_cast<long long>(kClasses),
                name_of(type));
    LossArgs args;
    args.logits = logits.data;
    args.labels = labels.as<std::int32_t>();
    args.row_loss = loss.as<float>();
    args.loss_scale = scale.as<float>();
    args.rows = rows;
    args.classes = kClasses;
    args.ld = kLd;
    args.type = type;
    const double megabytes = 2e-6 * static_cast<double>(bytes);
    time_it("loss and gradient", megabytes, [&](int) { cross_entropy(args, nullptr); });
    const int count = loss_partial_rows(args);
    if (count == 0)
        return;
    const DeviceVector partial(static_cast<std::size_t>(count * kLd) * 4);
    const DeviceVector columns(static_cast<std::size_t>(kLd) * 4);
    args.partial = partial.as<float>();
    ColumnSums sums(nullptr);
    time_it("with columns' sums", megabytes, [&](int) {
        cross_entropy(args, nullptr);
        sums.add({args.partial, count, kLd, kLd, columns.as<float>()});
        sums.flush();
    });
}

// Tokens as in data/synthetic.h: 15 % of them one token, the others skewed towards small ones.
std::vector<std::int32_t> skewed_tokens(std::int64_t rows)
{
    std::mt19937 random(2);
    std::vector<std::int32_t> tokens;
    for (std::int64_t i = 0; i < rows; ++i) {
        const double u = static_cast<double>(random()) * 0x1p-32;
        tokens.push_back(random() % 100 < 15 ? 103 : static_cast<std::int32_t>(30522 * u * u * u));
    }
    return tokens;
}

void bench_embedding(std::int64_t sequences, Type type)
{
    constexpr std::int64_t kLength = 128;
    constexpr std::int64_t kVocabulary = 30522;
    constexpr int kC = 768;
    const NormShape shape{sequences * kLength, kC, type};
    const auto rows = static_cast<std::size_t>(shape.rows);
    const std::vector<std::int32_t> ids = skewed_tokens(shape.rows);
    const DeviceVector tokens(rows * 4);
    upload(tokens, ids.data(), rows * 4);
    const DeviceVector segments = filled(rows * 4, 0);
    const DeviceVector table = noise(kVocabulary * kC * size_of(type), type);
    const DeviceVector z = noise(rows * kC * size_of(type), type);
    const DeviceVector y(rows * kC * size_of(type));
    const DeviceVector kept(rows * kC / 8);
    const DeviceVector statistics(rows * 8);
    const DeviceVector ones = on_device(std::vector<float>(kC, 1.0F));
    const DeviceVector pass = filled(8, 0);
    const DeviceVector gradient = filled(kVocabulary * kC * 4, 0);
    const DeviceVector others(std::size_t{514} * kC * 4);
    const DeviceVector partial(static_cast<std::size_t>(kLength) * 2 * kC * 4);
    const DeviceVector sorted(token_sort_bytes(shape.rows));
    const DeviceVector work(embedding_work_bytes(shape));
    EmbeddingForward forward{
        table.data, table.data, table.data, tokens.as<std::int32_t>(), segments.as<std::int32_t>(),
        kLength,    {}};
    forward.norm.z = z.data;
    forward.norm.y = y.data;
    forward.norm.mean = statistics.as<float>();
    forward.norm.istd = statistics.as<float>() + rows;
    forward.norm.gamma = forward.norm.beta = ones.as<float>();
    forward.norm.dropout = {1, 0, 0, 0.1F, pass.as<std::int64_t>()};
    forward.norm.kept = kept.as<std::uint8_t>();
    std::printf("embedding %lld x %d %s\n", static_cast<long long>(shape.rows), kC, name_of(type));
    const double megabytes = 1e-6 * static_cast<double>(rows * kC * size_of(type));
    time_it("forward", 3 * megabytes, [&](int) { embedding_forward(shape, forward, nullptr); });
    time_it("sort", 0.0, [&](int) {
        sort_tokens(tokens.as<std::int32_t>(), shape.rows, kVocabulary, sorted.data, nullptr);
    });
    ColumnSums sums(nullptr);
    const EmbeddingBackward backward{z.data,
                                     sorted.data,
                                     segments.as<std::int32_t>(),
                                     kLength,
                                     512,
                                     gradient.as<float>(),
                                     others.as<float>(),
                                     others.as<float>() + 512 * kC,
                                     partial.as<float>(),
                                     work.data};
    time_it("backward", 2 * megabytes, [&](int) {
        embedding_backward(shape, backward, sums, nullptr);
        sums.flush();
    });
}

} // namespace

int main()
{
    if (!device_here())
        return kSkipped;
    try {
        bench_stem({256, 112, 112, 64, Type::F16});
        bench_stem({128, 112, 112, 64, Type::F32});
        bench_norm(256 * 56 * 56, 256, Type::F16);
        bench_norm(256 * 56 * 56, 64, Type::F16);
        bench_norm(256 * 14 * 14, 256, Type::F16);
        bench_norm(256 * 7 * 7, 512, Type::F16);
        bench_bias({160 * 128, 3072, Type::BF16});
        bench_bias({1280, 30528, Type::BF16});
        for (const std::int64_t sequences : {64, 160}) {
            bench_embedding(sequences, Type::BF16);
            bench_loss(sequences * 20, Type::BF16);
        }
        bench_loss(640, Type::F32);
        bench_sums(660, 4);
        bench_update("AdamW, bf16", Rule::AdamW, 110 << 20, 28.0);
        bench_update("SGD, bf16", Rule::Sgd, 25 << 20, 20.0);
        return 0;
    } catch (const CudaError &error) {
        std::fprintf(stderr, "pass_bench: %s\n", error.what());
        return 1;
    }
}
