// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the hardware a run uses: the arithmetic that its model needs over what its devices could do,
// and what limits it. Where a device or a model is not known there is no figure, and it is said which.
#pragma once

#include "core/run.h"
#include "core/scaling.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace sb {

// What a device can do without sparsity, as its vendor's data sheet says.
struct DevicePeak {
    std::string device; // the part of its name by which it was known: "V100-SXM2"
    double flops = 0;   // at the asked precision, FLOP/s
    std::optional<double> memoryBytesPerS;
    std::string source; // "NVIDIA V100 data sheet"
    bool operator==(const DevicePeak &) const = default;
};
// `precision`: "fp32", "tf32", "fp16", "bf16". "Tesla V100-SXM2-16GB" at fp16: 125e12. Nothing for unknown
// devices and for precisions that the device has no units for.
std::optional<DevicePeak> devicePeak(const std::string &deviceName, const std::string &precision);
bool isKnownDevice(const std::string &deviceName);

// What training a model costs, counted layer by layer from its shapes (2 a multiply-add of products, forward
// and backward), as `sbtrain models` prints it: images of 224×224 for ResNet-50 and 32×32 for CIFAR models,
// sequences of 128 tokens for BERT.
struct ModelFacts {
    double flopsPerSample = 0;
    std::int64_t parameters = 0;
    // Elements of activations that cross the memory's border a sample if every layer reads its inputs and
    // writes its output once in each pass, and keeps nothing: the least for programs that fuse no layers.
    double activationElements = 0;
    bool operator==(const ModelFacts &) const = default;
};
// By a workload's name; "bert_base" and "bert-base" are one. Nothing for unknown models.
std::optional<ModelFacts> modelFacts(const std::string &workload);

// Why there is no utilisation.
enum class UtilisationGap {
    None,
    UnknownModel,  // no FLOPs per sample
    UnnamedDevice, // the runs do not say what they ran on
    UnknownDevice, // no peak for that name
    NoUnits,       // the device has no units of that precision
};

struct Utilisation {
    UtilisationGap gap = UtilisationGap::UnknownModel;
    std::string deviceName;
    double flopsPerSample = 0;
    bool logged = false;       // FLOPs per sample are what the program itself logged
    double flopsPerDevice = 0; // reached, FLOP/s
    DevicePeak peak;
    double share = 0; // model FLOPs utilisation (Chowdhery et al. 2022); above 1: another precision was used
    // FLOPs a byte of memory traffic, at most; see ModelFacts::activationElements. Absent for unknown models.
    std::optional<double> intensity;

    bool known() const { return gap == UtilisationGap::None; }
    bool operator==(const Utilisation &) const = default;
};
// Of a case. `run` is one of its runs, null for published results; `deviceName` is what to take where the run
// does not say.
Utilisation utilisationOf(const CaseResult &result, const Run *run, const std::string &deviceName = {});

// Bytes of gradients that the devices of a run exchange a step: what it logged, else four a parameter of a
// known model.
std::optional<double> gradientBytesOf(const std::string &workload, const Run *run);

// The arithmetic that the model needs over what the devices could do. 0.42: 42 %.
double modelFlopsUtilisation(double throughput, double flopsPerSample, int devices,
                             double peakFlopsPerDevice);

// What limits a device that does `flopsPerByte` of arithmetic for a byte of memory traffic (Williams,
// Waterman and Patterson 2009): the lower of peak and bandwidth × intensity.
struct RooflinePoint {
    double flops = 0; // attainable
    double ridge = 0; // intensity above which the peak is the limit
    bool memoryBound = false;
    bool operator==(const RooflinePoint &) const = default;
};
RooflinePoint roofline(double peakFlopsPerDevice, double memoryBytesPerS, double flopsPerByte);

} // namespace sb
