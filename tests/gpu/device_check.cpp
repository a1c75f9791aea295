// SPDX-License-Identifier: Apache-2.0

// The CUDA device against the CPU device: same graph, parameters and batch; loss, every parameter's gradient
// and the parameters after three steps. With an argument only in that precision. Exit status 77: no CUDA
// device here.

#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "data/synthetic.h"
#include "models/model.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace sbtrain;

struct Case {
    std::string name;
    Graph graph;
    OptimizerSettings optimizer;
    bool freeze_bn = false;
    double flips = 1.0; // see limit_of()
    int micro_batches = 1;
    bool loss_only = false; // gradients in reduced precision say nothing: 50 layers of flips
};

Case model_case(const char *model, const ModelSettings &settings)
{
    const ModelInfo *info = find_model(model);
    Case test{model, *info->build(*info, settings), info->optimizer};
    const bool sgd = test.optimizer.kind == OptimizerKind::Sgd;
    test.optimizer.learning_rate = sgd ? 0.01 : 1e-4;
    test.flips = sgd ? 30.0 : 1.0;
    test.loss_only = test.name == "resnet50";
    return test;
}

// Every kind of convolution of ResNet-50 in a few layers: stem with pool, blocks with and without a shortcut
// convolution. Small enough that hardly any ReLU input is near zero.
Case small_residual(std::int64_t batch, std::int64_t size)
{
    Graph graph;
    graph.batch_size = batch;
    graph.images = graph.add_tensor({batch, 3, size, size});
    TensorId x = graph.conv_bn(*graph.images, {.name = "stem", .out_channels = 64, .kernel = 7, .stride = 2});
    x = graph.max_pool(x);
    for (int block = 0; block < 4; ++block) {
        const std::string name = "block" + std::to_string(block);
        const int stride = block == 2 ? 2 : 1;
        const std::int64_t width = block < 2 ? 64 : 128;
        TensorId y = graph.conv_bn(x, {.name = name + ".conv1", .out_channels = width});
        y = graph.conv_bn(y, {.name = name + ".conv2", .out_channels = width, .kernel = 3, .stride = stride});
        if (block % 2 == 0)
            x = graph.conv_bn(
                x, {.name = name + ".shortcut", .out_channels = 4 * width, .stride = stride, .relu = false});
        x = graph.conv_bn(y, {.name = name + ".conv3", .out_channels = 4 * width, .residual = x});
    }
    graph.classes = 24;
    x = graph.average_pool(x);
    x = graph.linear(x, {.name = "fc", .out_features = 24, .init = 0.05F});
    graph.cross_entropy(x, Input::Labels, 0.1F);
    OptimizerSettings sgd = find_model("resnet50")->optimizer;
    sgd.learning_rate = 0.01;
    return {"small-residual", graph, sgd, false, 10.0};
}

struct Outcome {
    double loss = 0.0;
    std::vector<std::vector<float>> gradients;
    std::vector<std::vector<float>> parameters; // after the steps
};

constexpr int kSteps = 3;

Batch make_batch(const Graph &graph, std::int64_t first)
{
    Batch batch;
    SyntheticData(graph, 5).fill(batch, first);
    // Some padding, so that masks are tested: tokens after the length attend, but nobody attends to them.
    for (std::size_t i = 0; i < batch.lengths.size(); i += 2)
        batch.lengths[i] = batch.lengths[i] * 3 / 4;
    return batch;
}

std::vector<std::vector<float>> read_all(Program &program, const Graph &graph, bool gradients)
{
    std::vector<std::vector<float>> all;
    for (std::size_t i = 0; i < graph.parameters.size(); ++i) {
        all.emplace_back(static_cast<std::size_t>(graph.parameters[i].count), NAN);
        if (gradients)
            program.read_gradient(ParameterId{i}, all.back());
        else
            program.read_parameter(ParameterId{i}, all.back());
    }
    return all;
}

void need(const Result<void> &done)
{
    if (done)
        return;
    std::printf("  step failed: %s\n", done.error().message.c_str());
    std::exit(1);
}

Outcome run(Program &program, const Graph &graph, int micro_batches)
{
    write_initial_parameters(program, graph, 3);
    Outcome outcome;
    const Batch first = make_batch(graph, 0);
    program.warm_up(first);
    program.load(first);
    program.forward();
    outcome.loss = program.loss();
    program.backward();
    outcome.gradients = read_all(program, graph, true);
    for (int step = 0; step < kSteps; ++step) {
        std::int64_t pass = step * micro_batches;
        for (int i = 1; i < micro_batches; ++i)
            need(program.enqueue_micro_batch(make_batch(graph, pass++ * graph.batch_size)));
        need(program.enqueue_step(make_batch(graph, pass * graph.batch_size)));
    }
    while (program.next_report(true)) {
    }
    outcome.parameters = read_all(program, graph, false);
    return outcome;
}

// |a - b| / |b| over all of them; worst is the parameter with the largest error of its own.
struct Distance {
    double all = 0.0;
    double worst = 0.0;
    std::string worst_name;
};
Distance distance(const std::vector<std::vector<float>> &a, const std::vector<std::vector<float>> &b,
                  const Graph &graph)
{
    Distance result;
    double difference = 0.0;
    double norm = 0.0;
    double largest = 0.0;
    for (const auto &values : b) {
        double square = 0.0;
        for (const float value : values)
            square += static_cast<double>(value) * value;
        largest = std::max(largest, square);
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        double d = 0.0;
        double n = 0.0;
        for (std::size_t j = 0; j < a[i].size(); ++j) {
            const double delta = static_cast<double>(a[i][j]) - b[i][j];
            d += delta * delta;
            n += static_cast<double>(b[i][j]) * b[i][j];
        }
        difference += d;
        norm += n;
        // A gradient that is zero but for rounding (a bias before a norm) has no error of its own.
        const double own = std::sqrt(d / std::max(n, 1e-6 * largest));
        if (!(own <= result.worst)) {
            result.worst = own;
            result.worst_name = graph.parameters[i].name;
        }
    }
    result.all = std::sqrt(difference / norm);
    return result;
}

// What rounding may do to a gradient. fp32: order of sums. tf32: 10 bits of mantissa in products. 16 bit: 10
// or 7 bits in every activation. Behind ReLUs the error is larger: rounding by e flips the sign of a share e
// of the activations near zero, and each flip moves a gradient by its full size, so the error in norm is
// about sqrt(e) times the depth's amplification (measured here: tf32 and fp16 0.1, bf16 0.3 over four blocks
// with batch statistics; a repeated run that chose other algorithms differs as much). `flips` widens the
// limits for that.
double limit_of(cuda::Precision precision, double flips)
{
    switch (precision) {
    case cuda::Precision::Fp32:
        return flips > 1.0 ? 1e-3 * flips : 1e-4;
    case cuda::Precision::Tf32:
        return flips > 1.0 ? 2e-2 * flips : 1e-3;
    case cuda::Precision::Fp16:
        return flips > 1.0 ? 2e-2 * flips : 2e-3;
    case cuda::Precision::Bf16:
        break;
    }
    return flips > 1.0 ? 5e-2 * flips : 2e-2;
}

bool check(const Case &test, cuda::Precision precision, const char *name)
{
    const Graph &graph = test.graph;
    ProgramSettings settings;
    settings.optimizer = test.optimizer;
    settings.freeze_bn = test.freeze_bn;
    settings.micro_batches = test.micro_batches;
    auto cpu = cpu::make_cpu_device(cpu::usable_cores());
    auto reference = cpu->compile(graph, settings);
    auto gpu = cuda::make_cuda_device(0, precision);
    auto program = (*gpu)->compile(graph, settings);
    if (!program) {
        std::printf("FAIL %-15s %s: %s\n", test.name.c_str(), name, program.error().message.c_str());
        return false;
    }
    const Outcome expected = run(**reference, graph, test.micro_batches);
    const Outcome actual = run(**program, graph, test.micro_batches);
    // The same start again, for the bits: every sum is taken in a fixed order.
    auto again = (*gpu)->compile(graph, settings);
    const Outcome repeated = run(**again, graph, test.micro_batches);

    const Distance gradients = distance(actual.gradients, expected.gradients, graph);
    const Distance parameters = distance(actual.parameters, expected.parameters, graph);
    const Distance rerun = distance(repeated.gradients, actual.gradients, graph);
    const double loss = std::abs(actual.loss - expected.loss) / std::abs(expected.loss);
    const double limit = limit_of(precision, test.flips);
    const bool skip = test.loss_only && precision != cuda::Precision::Fp32;
    const bool good =
        loss < limit_of(precision, 1.0) && (skip || (gradients.all < limit && parameters.all < 2 * limit));
    std::printf("%s %-15s %s: loss %.6f (%.1e) gradients %.1e (worst %.1e %s) parameters %.1e rerun %.1e\n",
                good ? "ok  " : "FAIL", test.name.c_str(), name, actual.loss, loss, gradients.all,
                gradients.worst, gradients.worst_name.c_str(), parameters.all, rerun.all);
    std::fflush(stdout);
    return good;
}

// The device's own samples are those of the host.
bool check_samples(const char *model, const ModelSettings &model_settings)
{
    const ModelInfo *info = find_model(model);
    const Graph graph = *info->build(*info, model_settings);
    ProgramSettings settings;
    settings.optimizer = info->optimizer;
    auto gpu = cuda::make_cuda_device(0, cuda::Precision::Fp32);
    double losses[2] = {};
    for (int own = 0; own < 2; ++own) {
        auto program = (*gpu)->compile(graph, settings);
        write_initial_parameters(**program, graph, 3);
        Batch batch;
        if (own == 0)
            SyntheticData(graph, 9).fill(batch, 7);
        batch.serial = 8;
        if (own == 1)
            batch.synthetic = SyntheticSource{9, 7};
        (*program)->load(batch);
        (*program)->forward();
        losses[own] = (*program)->loss();
    }
    const bool good = std::abs(losses[0] - losses[1]) < 1e-6; // one may fuse a multiply and an add
    std::printf("%s samples of %s: loss %.9f and %.9f\n", good ? "ok  " : "FAIL", model, losses[0],
                losses[1]);
    return good;
}

// Images of 8 bits give what the same images in fp32 give.
bool check_pixels()
{
    const ModelInfo *info = find_model("resnet20-cifar");
    const Graph graph = *info->build(*info, {.batch_size = 4});
    ProgramSettings settings;
    settings.optimizer = info->optimizer;
    auto gpu = cuda::make_cuda_device(0, cuda::Precision::Fp32);
    Batch pixels;
    pixels.pixel_mean = {0.4F, 0.5F, 0.6F};
    pixels.pixel_deviation = {0.2F, 0.3F, 0.4F};
    pixels.labels = {1, 2, 3, 4};
    Batch images;
    images.labels = pixels.labels;
    for (std::size_t i = 0; i < std::size_t{4} * 3 * 1024; ++i) {
        const std::size_t c = i / 1024 % 3;
        pixels.pixels.push_back(static_cast<std::uint8_t>(i * 37 % 251));
        images.images.push_back((static_cast<float>(pixels.pixels.back()) / 255.0F - pixels.pixel_mean[c]) /
                                pixels.pixel_deviation[c]);
    }
    double losses[2] = {};
    for (int i = 0; i < 2; ++i) {
        auto program = (*gpu)->compile(graph, settings);
        write_initial_parameters(**program, graph, 3);
        (*program)->load(i == 0 ? pixels : images);
        (*program)->forward();
        losses[i] = (*program)->loss();
    }
    const bool good = std::abs(losses[0] - losses[1]) < 1e-5;
    std::printf("%s pixels: loss %.7f and %.7f\n", good ? "ok  " : "FAIL", losses[0], losses[1]);
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::string only = argc > 1 ? argv[1] : "";
    if (argc > 2 || (argc == 2 && !cuda::find_precision(only))) {
        std::fprintf(stderr, "gpu_device_check: give one of fp32, tf32, fp16, bf16, or nothing for all\n");
        return 2;
    }
    const auto devices = cuda::list_cuda_devices();
    if (!devices) {
        std::printf("skipped: %s\n", devices.error().message.c_str());
        return 77;
    }
    std::printf("on %s\n", devices->front().name.c_str());
    ModelSettings cifar;
    cifar.batch_size = 32;
    ModelSettings resnet;
    resnet.batch_size = 16;
    resnet.image_size = 128; // 16 numbers a channel and image at the end: norms are tame
    resnet.label_smoothing = 0.1;
    ModelSettings bert;
    bert.batch_size = 8;
    bert.dropout = 0.0;
    ModelSettings dropping = bert;
    dropping.dropout = 0.1;
    // Images of 56: the last blocks have 7 pixels a row, which the own 3x3 convolution takes.
    std::vector<Case> cases{small_residual(4, 32),
                            small_residual(3, 64),
                            small_residual(3, 56),
                            model_case("bert-tiny", bert),
                            model_case("resnet20-cifar", cifar),
                            model_case("resnet50", resnet)};
    cases.push_back(small_residual(4, 32));
    cases.back().name = "frozen norms";
    cases.back().freeze_bn = true;
    cases.back().flips = 2.0;
    cases.back().optimizer.learning_rate = 1e-4;
    cases.push_back(model_case("bert-tiny", bert));
    cases.back().name = "lamb, 3 passes";
    cases.back().optimizer.kind = OptimizerKind::Lamb;
    cases.back().micro_batches = 3;
    cases.push_back(model_case("resnet20-cifar", cifar));
    cases.back().name = "cifar, 2 passes";
    cases.back().micro_batches = 2;
    constexpr std::pair<cuda::Precision, const char *> kPrecisions[] = {{cuda::Precision::Fp32, "fp32"},
                                                                        {cuda::Precision::Tf32, "tf32"},
                                                                        {cuda::Precision::Fp16, "fp16"},
                                                                        {cuda::Precision::Bf16, "bf16"}};
    int failures = 0;
    for (const auto &[precision, name] : kPrecisions) {
        if (!only.empty() && only != name)
            continue;
        for (const Case &test : cases)
            failures += check(test, precision, name) ? 0 : 1;
    }
    if (only.empty() || only == "fp32") {
        failures += check(model_case("bert-tiny", dropping), cuda::Precision::Fp32, "fp32") ? 0 : 1;
        failures += check_samples("resnet20-cifar", cifar) ? 0 : 1;
        failures += check_samples("bert-tiny", bert) ? 0 : 1;
        failures += check_pixels() ? 0 : 1;
    }
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
