// SPDX-License-Identifier: Apache-2.0

// The loss, the embedding with its norm and its gradients, and the scattering of rows, against double
// precision on the host. Usage: token_check [--small], see gpu_main.h. Exit status 77: no device.

#include "cuda/embedding_kernels.h"
#include "cuda/token_kernels.h"
#include "device_vector.h"
#include "distance.h"
#include "gpu_main.h"
#include "norm_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

using namespace sbtrain;
using namespace sbtrain::cuda;

using Bytes = std::vector<std::uint8_t>;

// Norms of differences: of a matrix its own rounding, half more than that; of fp32 sums their order.
double limit_of(Type type)
{
    return type == Type::BF16 ? 2.5e-3 : type == Type::F16 ? 3.2e-4 : 3e-6;
}
constexpr double kSumLimit = 1e-5;

const char *name_of(Type type)
{
    return type == Type::F32 ? "fp32" : type == Type::F16 ? "fp16" : "bf16";
}

template <typename T>
DeviceVector on_device(const std::vector<T> &values)
{
    DeviceVector memory(values.size() * sizeof(T));
    upload(memory, values.data(), values.size() * sizeof(T));
    return memory;
}

DeviceVector poisoned(std::size_t bytes)
{
    DeviceVector memory(bytes);
    check(cudaMemset(memory.data, 0xFF, bytes), "poison");
    return memory;
}

Bytes download(const DeviceVector &from, std::size_t bytes)
{
    Bytes to(bytes);
    check(cudaMemcpy(to.data(), from.data, bytes, cudaMemcpyDeviceToHost), "copy");
    return to;
}

std::vector<double> numbers(Type type, const DeviceVector &from, std::size_t count)
{
    return to_doubles(type, download(from, count * size_of(type)));
}

bool report(bool good, const char *what, Type type, long long rows, long long columns,
            const std::vector<double> &errors)
{
    std::printf("%s %s %s %lld x %lld:", good ? "ok  " : "FAIL", what, name_of(type), rows, columns);
    for (const double error : errors)
        std::printf(" %.1e", error);
    std::printf("\n");
    std::fflush(stdout);
    return good;
}

struct LossCase {
    std::int64_t rows, classes, ld;
    float smoothing;
    Type type;
};
constexpr double kLossScale = 1024.0;

struct ExpectedLoss {
    std::vector<double> losses, gradient, columns; // columns: the gradient's sums over rows
};

ExpectedLoss expected_loss(const LossCase &test, const std::vector<double> &x,
                           const std::vector<std::int32_t> &labels)
{
    const auto smoothing = static_cast<double>(test.smoothing);
    const double share = smoothing / static_cast<double>(test.classes);
    ExpectedLoss want{
        {}, std::vector<double>(x.size()), std::vector<double>(static_cast<std::size_t>(test.ld))};
    for (std::int64_t row = 0; row < test.rows; ++row) {
        const double *logits = x.data() + row * test.ld;
        double sum = 0.0, plain = 0.0;
        for (std::int64_t c = 0; c < test.classes; ++c) {
            sum += std::exp(logits[c]);
            plain += logits[c];
        }
        const std::int64_t label = labels[static_cast<std::size_t>(row)];
        want.losses.push_back(std::log(sum) - (1.0 - smoothing) * logits[label] - share * plain);
        for (std::int64_t c = 0; c < test.classes; ++c) {
            const double target = share + (c == label ? 1.0 - smoothing : 0.0);
            const double g =
                kLossScale / static_cast<double>(test.rows) * (std::exp(logits[c]) / sum - target);
            want.gradient[static_cast<std::size_t>(row * test.ld + c)] = g;
            want.columns[static_cast<std::size_t>(c)] += g;
        }
    }
    return want;
}

bool check_loss(const LossCase &test)
{
    const auto count = static_cast<std::size_t>(test.rows * test.ld);
    const Bytes raw = uniform(test.type, count, 11, 0.0F);
    std::vector<std::int32_t> labels;
    for (std::int64_t row = 0; row < test.rows; ++row)
        labels.push_back(static_cast<std::int32_t>(row % 3 == 0   ? test.classes - 1
                                                   : row % 3 == 1 ? 0
                                                                  : row * 7919 % test.classes));
    const ExpectedLoss want = expected_loss(test, to_doubles(test.type, raw), labels);
    const DeviceVector logits = on_device(raw);
    const DeviceVector on_labels = on_device(labels);
    const DeviceVector row_loss = poisoned(static_cast<std::size_t>(test.rows) * 4);
    const DeviceVector on_scale = on_device(std::vector<float>{static_cast<float>(kLossScale)});
    LossArgs args;
    args.logits = logits.data;
    args.labels = on_labels.as<std::int32_t>();
    args.row_loss = row_loss.as<float>();
    args.loss_scale = on_scale.as<float>();
    args.rows = test.rows;
    args.classes = test.classes;
    args.ld = test.ld;
    args.smoothing = test.smoothing;
    args.type = test.type;
    const int partial_rows = loss_partial_rows(args);
    const DeviceVector partial = poisoned(static_cast<std::size_t>(partial_rows * test.ld + 1) * 4);
    const DeviceVector columns = poisoned(static_cast<std::size_t>(test.ld) * 4);
    ColumnSums sums(nullptr);
    if (partial_rows > 0) {
        args.partial = partial.as<float>();
        sums.add({args.partial, partial_rows, test.ld, test.ld, columns.as<float>()});
    }
    cross_entropy(args, nullptr);
    sums.flush();
    check(cudaDeviceSynchronize(), "take the loss");
    const double gradient = distance(numbers(test.type, logits, count), want.gradient);
    const double loss = distance(numbers(Type::F32, row_loss, want.losses.size()), want.losses);
    const double column =
        partial_rows > 0 ? distance(numbers(Type::F32, columns, want.columns.size()), want.columns) : 0.0;
    return report(gradient < limit_of(test.type) && loss < kSumLimit && column<kSumLimit, partial_rows> 0
                      ? "loss, sums"
                      : "loss",
                  test.type, test.rows, test.classes, {loss, gradient, column});
}

struct Tables {
    std::int64_t sequences, length;
    std::vector<std::int32_t> tokens, segments;
};
constexpr std::int64_t kVocabulary = 3000;
constexpr std::int64_t kPositions = 200;

// Some tokens are so frequent that their rows fill many chunks.
Tables make_tables(std::int64_t sequences, std::int64_t length)
{
    std::mt19937 random(3);
    Tables tables{sequences, length, {}, {}};
    for (std::int64_t i = 0; i < sequences * length; ++i) {
        const std::uint32_t draw = static_cast<std::uint32_t>(random());
        const std::uint32_t kind = draw % 100;
        tables.tokens.push_back(
            static_cast<std::int32_t>(kind < 40   ? 103
                                      : kind < 50 ? kVocabulary - 1
                                                  : draw / 100 % static_cast<std::uint32_t>(kVocabulary)));
        tables.segments.push_back(static_cast<std::int32_t>(i % length > length / 3));
    }
    return tables;
}

// Inputs of an embedding and what comes of them, on the device.
struct EmbeddingBuffers {
    NormShape shape;
    std::size_t rows, columns, count;
    Bytes token, position, segment, start; // start: of the token table's gradient
    NormInputs in;                         // gamma, beta, and dy, which stands for dz
    DeviceVector on_token, on_position, on_segment, tokens, segments, gamma, beta, dz, pass;
    DeviceVector z, y, mean, istd, kept, dtoken, dposition, dsegment, partial, sorted, work;

    EmbeddingBuffers(const Tables &tables, int c, Type type)
        : shape{tables.sequences * tables.length, c, type}
        , rows(static_cast<std::size_t>(shape.rows))
        , columns(static_cast<std::size_t>(c))
        , count(rows * columns)
        , token(uniform(type, kVocabulary * columns, 1, 0.3F))
        , position(uniform(type, kPositions * columns, 2, 0.0F))
        , segment(uniform(type, 2 * columns, 3, 0.0F))
        , start(uniform(Type::F32, kVocabulary * columns, 4, 0.0F))
        , in(shape)
        , on_token(on_device(token))
        , on_position(on_device(position))
        , on_segment(on_device(segment))
        , tokens(on_device(tables.tokens))
        , segments(on_device(tables.segments))
        , gamma(on_device(in.gamma))
        , beta(on_device(in.beta))
        , dz(on_device(in.dy))
        , pass(on_device(std::vector<std::int64_t>{kPass}))
        , z(poisoned(count * size_of(type)))
        , y(poisoned(count * size_of(type)))
        , mean(poisoned(rows * 4))
        , istd(poisoned(rows * 4))
        , kept(poisoned(count / 8))
        , dtoken(on_device(start))
        , dposition(poisoned(kPositions * columns * 4))
        , dsegment(poisoned(2 * columns * 4))
        , partial(poisoned(static_cast<std::size_t>(tables.length) * 2 * columns * 4))
        , sorted(poisoned(token_sort_bytes(shape.rows)))
        , work(poisoned(embedding_work_bytes(shape)))
    {
    }
};

void embed(const EmbeddingBuffers &b, std::int64_t length, float dropout)
{
    EmbeddingForward forward;
    forward.token = b.on_token.data;
    forward.position = b.on_position.data;
    forward.segment = b.on_segment.data;
    forward.tokens = b.tokens.as<std::int32_t>();
    forward.segments = b.segments.as<std::int32_t>();
    forward.sequence_length = length;
    forward.norm.z = b.z.data;
    forward.norm.y = b.y.data;
    forward.norm.mean = b.mean.as<float>();
    forward.norm.istd = b.istd.as<float>();
    forward.norm.gamma = b.gamma.as<float>();
    forward.norm.beta = b.beta.as<float>();
    forward.norm.eps = kEps;
    forward.norm.dropout = {kSeed, kNode, 0, dropout, b.pass.as<std::int64_t>()};
    forward.norm.kept = b.kept.as<std::uint8_t>();
    embedding_forward(b.shape, forward, nullptr);

    sort_tokens(forward.tokens, b.shape.rows, kVocabulary, b.sorted.data, nullptr);
    EmbeddingBackward backward;
    backward.dz = b.dz.data;
    backward.sorted = b.sorted.data;
    backward.segments = forward.segments;
    backward.sequence_length = length;
    backward.positions = kPositions;
    backward.dtoken = b.dtoken.as<float>();
    backward.dposition = b.dposition.as<float>();
    backward.dsegment = b.dsegment.as<float>();
    backward.segment_partial = b.partial.as<float>();
    backward.work = b.work.data;
    ColumnSums sums(nullptr);
    embedding_backward(b.shape, backward, sums, nullptr);
    sums.flush();
    check(cudaDeviceSynchronize(), "embed");
}

struct EmbeddingSums {
    std::vector<double> z, dtoken, dposition, dsegment;
};

EmbeddingSums expected_sums(const Tables &tables, const EmbeddingBuffers &b)
{
    const Type type = b.shape.type;
    const std::size_t columns = b.columns;
    const std::vector<double> token = to_doubles(type, b.token), position = to_doubles(type, b.position),
                              segment = to_doubles(type, b.segment), g = to_doubles(type, b.in.dy);
    EmbeddingSums want{std::vector<double>(b.count), to_doubles(Type::F32, b.start),
                       std::vector<double>(kPositions * columns), std::vector<double>(2 * columns)};
    for (std::size_t row = 0; row < b.rows; ++row) {
        const auto id = static_cast<std::size_t>(tables.tokens[row]);
        const std::size_t at = row % static_cast<std::size_t>(tables.length);
        const auto part = static_cast<std::size_t>(tables.segments[row]);
        for (std::size_t k = 0; k < columns; ++k) {
            want.z[row * columns + k] =
                token[id * columns + k] + position[at * columns + k] + segment[part * columns + k];
            want.dtoken[id * columns + k] += g[row * columns + k];
            want.dposition[at * columns + k] += g[row * columns + k];
            want.dsegment[part * columns + k] += g[row * columns + k];
        }
    }
    return want;
}

bool check_embedding(const Tables &tables, int c, float dropout, Type type)
{
    const EmbeddingBuffers b(tables, c, type);
    embed(b, tables.length, dropout);
    const EmbeddingSums want = expected_sums(tables, b);
    const std::vector<double> z = numbers(type, b.z, b.count);
    std::vector<double> y = compute_norm(b.in, {0.0F, false, false}, z).y; // of the device's own z
    const Stream draw(kSeed, kDropoutStream + (static_cast<std::uint64_t>(kPass) * 1024 + kNode) * 65536);
    const DropoutRate rate(dropout);
    Bytes kept(b.count / 8);
    for (std::size_t i = 0; i < b.count; ++i) {
        const bool keep = draw.draw(i) >= rate.threshold;
        y[i] *= keep ? static_cast<double>(rate.scale) : 0.0;
        kept[i / 8] = static_cast<std::uint8_t>(kept[i / 8] | (keep ? 1U << i % 8 : 0U));
    }
    const auto sums = [](const DeviceVector &device, const std::vector<double> &host) {
        return distance(numbers(Type::F32, device, host.size()), host);
    };
    const std::vector<double> errors{distance(z, want.z), distance(numbers(type, b.y, b.count), y),
                                     sums(b.dtoken, want.dtoken), sums(b.dposition, want.dposition),
                                     sums(b.dsegment, want.dsegment)};
    const bool mask = !(dropout > 0.0F) || download(b.kept, b.count / 8) == kept;
    const bool good = errors[0] < limit_of(type) && errors[1] < limit_of(type) && errors[2] < kSumLimit &&
                      errors[3] < kSumLimit && errors[4] < kSumLimit && mask;
    return report(good, "embedding", type, b.shape.rows, c, errors);
}

bool check_scatter(int c, bool clear, Type type)
{
    constexpr std::int64_t kSequences = 5;
    constexpr std::int64_t kLength = 40;
    constexpr std::int64_t kRows = 7; // a sequence; some of them go to one place
    const auto columns = static_cast<std::size_t>(c);
    const Bytes dy = uniform(type, kSequences * kRows * columns, 1, 0.3F);
    const Bytes dx = uniform(type, kSequences * kLength * columns, 2, 0.0F);
    std::vector<std::int32_t> positions;
    for (std::int32_t i = 0; i < kSequences * kRows; ++i)
        positions.push_back(i % 3 == 0 ? 5 : i * 11 % static_cast<std::int32_t>(kLength));
    std::vector<double> want = to_doubles(type, dx);
    if (clear)
        std::fill(want.begin(), want.end(), 0.0);
    const std::vector<double> add = to_doubles(type, dy);
    for (std::size_t row = 0; row < kSequences * kRows; ++row) {
        const std::size_t to = row / kRows * kLength + static_cast<std::size_t>(positions[row]);
        for (std::size_t k = 0; k < columns; ++k)
            want[to * columns + k] += add[row * columns + k];
    }
    const DeviceVector from = on_device(dy), to = on_device(dx), at = on_device(positions);
    scatter_rows({from.data, to.data, at.as<std::int32_t>(), kSequences, kRows, kLength, c, type, clear},
                 nullptr);
    check(cudaDeviceSynchronize(), "scatter");
    const double error = distance(numbers(type, to, want.size()), want);
    return report(error < limit_of(type), "scatter", type, kSequences * kRows, c, {error});
}

void check_all(Cases &cases)
{
    for (const Type type : {Type::BF16, Type::F16, Type::F32}) {
        for (const float smoothing : {0.0F, 0.1F}) {
            // From 5000 on rows are so long that blocks take several, and ask ahead.
            for (const std::int64_t classes : {2, 1000, 1024, 3000, 5000, 30522}) {
                const LossCase test{classes > 3000 ? 300 : 37, classes, (classes + 63) / 64 * 64, smoothing,
                                    type};
                cases.run(classes < 30000, [&] { return check_loss(test); });
            }
        }
        for (const int c : {64, 128, 256, 264, 768, 1000, 1024}) {
            for (const float dropout : {0.0F, 0.1F}) {
                // Little: one to four vectors a lane, which not all lanes have.
                cases.run(c % 256 != 0, [&] {
                    return check_embedding(make_tables(c == 768 ? 10 : 3, c == 768 ? 128 : 61), c, dropout,
                                           type);
                });
            }
        }
        for (const bool clear : {false, true})
            cases.run(true, [&] { return check_scatter(768, clear, type); });
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (!device_here())
        return kSkipped;
    try {
        Cases cases(given(argc, argv, "--small"));
        check_all(cases);
        return cases.finish();
    } catch (const CudaError &error) {
        std::printf("FAIL %s\n", error.what());
        return 1;
    }
}
