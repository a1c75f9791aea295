// SPDX-License-Identifier: Apache-2.0

// The loss, the embedding with its norm and its gradients, and the scattering of rows, against double
// precision on the host. Exit status 77: no device.

#include "cuda/embedding_kernels.h"
#include "cuda/token_kernels.h"
#include "device_vector.h"
#include "gpu_main.h"
#include "norm_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
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

bool check_loss(std::int64_t rows, std::int64_t classes, float smoothing, Type type)
{
    const std::int64_t ld = (classes + 63) / 64 * 64;
    const auto count = static_cast<std::size_t>(rows * ld);
    const Bytes raw = uniform(type, count, 11, 0.0F);
    const std::vector<double> x = to_doubles(type, raw);
    std::vector<std::int32_t> labels;
    for (std::int64_t row = 0; row < rows; ++row)
        labels.push_back(static_cast<std::int32_t>(row % 3 == 0   ? classes - 1
                                                   : row % 3 == 1 ? 0
                                                                  : row * 7919 % classes));
    const double scale = 1024.0;
    std::vector<double> expected(count), losses;
    for (std::int64_t row = 0; row < rows; ++row) {
        const double *logits = x.data() + row * ld;
        double sum = 0.0, plain = 0.0;
        for (std::int64_t c = 0; c < classes; ++c) {
            sum += std::exp(logits[c]);
            plain += logits[c];
        }
        const std::int64_t label = labels[static_cast<std::size_t>(row)];
        const double share = static_cast<double>(smoothing) / static_cast<double>(classes);
        losses.push_back(std::log(sum) - (1.0 - static_cast<double>(smoothing)) * logits[label] -
                         share * plain);
        for (std::int64_t c = 0; c < classes; ++c) {
            const double target = share + (c == label ? 1.0 - static_cast<double>(smoothing) : 0.0);
            expected[static_cast<std::size_t>(row * ld + c)] =
                scale / static_cast<double>(rows) * (std::exp(logits[c]) / sum - target);
        }
    }
    const DeviceVector logits = on_device(raw);
    const DeviceVector on_labels = on_device(labels);
    const DeviceVector row_loss = poisoned(static_cast<std::size_t>(rows) * 4);
    const DeviceVector on_scale = on_device(std::vector<float>{static_cast<float>(scale)});
    LossArgs args;
    args.logits = logits.data;
    args.labels = on_labels.as<std::int32_t>();
    args.row_loss = row_loss.as<float>();
    args.loss_scale = on_scale.as<float>();
    args.rows = rows;
    args.classes = classes;
    args.ld = ld;
    args.smoothing = smoothing;
    args.type = type;
    const int sums = loss_partial_rows(args);
    const DeviceVector partial = poisoned(static_cast<std::size_t>(sums * ld + 1) * 4);
    const DeviceVector columns = poisoned(static_cast<std::size_t>(ld) * 4);
    args.partial = sums > 0 ? partial.as<float>() : nullptr;
    cross_entropy(args, nullptr);
    ColumnSums finish(nullptr);
    if (sums > 0)
        finish.add({args.partial, sums, ld, ld, columns.as<float>()});
    finish.flush();
    check(cudaDeviceSynchronize(), "take the loss");
    const double gradient = distance(numbers(type, logits, count), expected);
    const double loss = distance(numbers(Type::F32, row_loss, static_cast<std::size_t>(rows)), losses);
    std::vector<double> want_columns(static_cast<std::size_t>(ld));
    for (std::size_t i = 0; i < count; ++i)
        want_columns[i % static_cast<std::size_t>(ld)] += expected[i];
    const double column_error =
        sums > 0 ? distance(numbers(Type::F32, columns, want_columns.size()), want_columns) : 0.0;
    return report(gradient < limit_of(type) && loss < kSumLimit && column_error<kSumLimit, sums> 0
                      ? "loss, sums"
                      : "loss",
                  type, rows, classes, {loss, gradient, column_error});
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

bool check_embedding(const Tables &tables, int c, float dropout, Type type)
{
    const NormShape shape{tables.sequences * tables.length, c, type};
    const auto rows = static_cast<std::size_t>(shape.rows);
    const auto columns = static_cast<std::size_t>(c);
    const std::size_t count = rows * columns;
    const Bytes token = uniform(type, kVocabulary * columns, 1, 0.3F);
    const Bytes position = uniform(type, kPositions * columns, 2, 0.0F);
    const Bytes segment = uniform(type, 2 * columns, 3, 0.0F);
    const NormInputs in(shape); // gamma, beta, and dy, which stands for dz
    const DeviceVector on_token = on_device(token), on_position = on_device(position),
                       on_segment = on_device(segment), tokens = on_device(tables.tokens),
                       segments = on_device(tables.segments), gamma = on_device(in.gamma),
                       beta = on_device(in.beta), dz = on_device(in.dy),
                       pass = on_device(std::vector<std::int64_t>{kPass});
    const DeviceVector z = poisoned(count * size_of(type)), y = poisoned(count * size_of(type)),
                       mean = poisoned(rows * 4), istd = poisoned(rows * 4), kept = poisoned(count / 8);
    EmbeddingForward forward{on_token.data,
                             on_position.data,
                             on_segment.data,
                             tokens.as<std::int32_t>(),
                             segments.as<std::int32_t>(),
                             tables.length,
                             {}};
    forward.norm.z = z.data;
    forward.norm.y = y.data;
    forward.norm.mean = mean.as<float>();
    forward.norm.istd = istd.as<float>();
    forward.norm.gamma = gamma.as<float>();
    forward.norm.beta = beta.as<float>();
    forward.norm.eps = kEps;
    forward.norm.dropout = {kSeed, kNode, 0, dropout, pass.as<std::int64_t>()};
    forward.norm.kept = kept.as<std::uint8_t>();
    embedding_forward(shape, forward, nullptr);

    const Bytes start = uniform(Type::F32, kVocabulary * columns, 4, 0.0F);
    const DeviceVector dtoken = on_device(start);
    const DeviceVector dposition = poisoned(kPositions * columns * 4), dsegment = poisoned(2 * columns * 4);
    const DeviceVector partial = poisoned(static_cast<std::size_t>(tables.length) * 2 * columns * 4);
    const DeviceVector sorted = poisoned(token_sort_bytes(shape.rows));
    const DeviceVector work = poisoned(embedding_work_bytes(shape));
    sort_tokens(tokens.as<std::int32_t>(), shape.rows, kVocabulary, sorted.data, nullptr);
    ColumnSums sums(nullptr);
    embedding_backward(shape,
                       {dz.data, sorted.data, segments.as<std::int32_t>(), tables.length, kPositions,
                        dtoken.as<float>(), dposition.as<float>(), dsegment.as<float>(), partial.as<float>(),
                        work.data},
                       sums, nullptr);
    sums.flush();
    check(cudaDeviceSynchronize(), "embed");

    const std::vector<double> t = to_doubles(type, token), p = to_doubles(type, position),
                              s = to_doubles(type, segment), g = to_doubles(type, in.dy);
    std::vector<double> sum(count), want_token = to_doubles(Type::F32, start),
                                    want_position(kPositions * columns), want_segment(2 * columns);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto id = static_cast<std::size_t>(tables.tokens[row]);
        const std::size_t at = row % static_cast<std::size_t>(tables.length);
        const auto part = static_cast<std::size_t>(tables.segments[row]);
        for (std::size_t k = 0; k < columns; ++k) {
            sum[row * columns + k] = t[id * columns + k] + p[at * columns + k] + s[part * columns + k];
            want_token[id * columns + k] += g[row * columns + k];
            want_position[at * columns + k] += g[row * columns + k];
            want_segment[part * columns + k] += g[row * columns + k];
        }
    }
    const std::vector<double> stored = numbers(type, z, count);
    // Dropout after the norm is the reference's with everything else left out.
    const NormReference norm = compute_norm(in, {0.0F, false, false}, stored);
    std::vector<double> want_y = norm.y;
    const Stream draw(kSeed, kDropoutStream + (static_cast<std::uint64_t>(kPass) * 1024 + kNode) * 65536);
    Bytes want_kept(count / 8);
    for (std::size_t i = 0; i < count; ++i) {
        const bool keep = !(dropout > 0.0F) || draw.unit(i) >= dropout;
        want_y[i] *= keep ? 1.0 / (1.0 - static_cast<double>(dropout)) : 0.0;
        want_kept[i / 8] = static_cast<std::uint8_t>(want_kept[i / 8] | (keep ? 1U << i % 8 : 0U));
    }
    const std::vector<double> errors{
        distance(stored, sum), distance(numbers(type, y, count), want_y),
        distance(numbers(Type::F32, dtoken, kVocabulary * columns), want_token),
        distance(numbers(Type::F32, dposition, kPositions * columns), want_position),
        distance(numbers(Type::F32, dsegment, 2 * columns), want_segment)};
    const bool mask = !(dropout > 0.0F) || download(kept, count / 8) == want_kept;
    const bool good = errors[0] < limit_of(type) && errors[1] < limit_of(type) && errors[2] < kSumLimit &&
                      errors[3] < kSumLimit && errors[4] < kSumLimit && mask;
    return report(good, "embedding", type, shape.rows, c, errors);
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

int check_all()
{
    int failures = 0;
    for (const Type type : {Type::BF16, Type::F16, Type::F32}) {
        for (const float smoothing : {0.0F, 0.1F}) {
            for (const std::int64_t classes : {2, 1000, 1024, 3000, 30522})
                failures += check_loss(classes > 3000 ? 300 : 37, classes, smoothing, type) ? 0 : 1;
        }
        for (const int c : {64, 128, 256, 264, 768, 1000, 1024}) {
            for (const float dropout : {0.0F, 0.1F})
                failures +=
                    check_embedding(make_tables(c == 768 ? 10 : 3, c == 768 ? 128 : 61), c, dropout, type)
                        ? 0
                        : 1;
        }
        for (const bool clear : {false, true})
            failures += check_scatter(768, clear, type) ? 0 : 1;
    }
    return failures;
}

} // namespace

int main()
{
    if (!device_here())
        return kSkipped;
    try {
        const int failures = check_all();
        std::printf("%d failures\n", failures);
        return failures == 0 ? 0 : 1;
    } catch (const CudaError &error) {
        std::printf("FAIL %s\n", error.what());
        return 1;
    }
}
