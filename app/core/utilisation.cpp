// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/utilisation.h"

#include <algorithm>
#include <array>

namespace sb {

namespace {

struct Peak {
    const char *name;        // part of the device's name, the longer ones first
    double fp32, tf32, half; // TFLOP/s; 0: not offered
    double memory;           // GB/s; 0: depends on the size of its memory
    const char *source;
};

// Dense arithmetic at boost clock.
constexpr std::array kPeaks{
    Peak{"V100-SXM3", 15.7, 0, 125, 0, "NVIDIA V100 data sheet"},
    Peak{"V100-SXM2", 15.7, 0, 125, 900, "NVIDIA V100 data sheet"},
    Peak{"V100-PCIE", 14.0, 0, 112, 900, "NVIDIA V100 data sheet"},
    Peak{"P100-SXM2", 10.6, 0, 21.2, 732, "NVIDIA P100 data sheet"},
    Peak{"P100-PCIE-16GB", 9.3, 0, 18.7, 732, "NVIDIA P100 data sheet"},
    Peak{"P100-PCIE-12GB", 9.3, 0, 18.7, 549, "NVIDIA P100 data sheet"},
    Peak{"A100-SXM4-80GB", 19.5, 156, 312, 2039, "NVIDIA A100 data sheet"},
    Peak{"A100-SXM4-40GB", 19.5, 156, 312, 1555, "NVIDIA A100 data sheet"},
    Peak{"A100-PCIE-40GB", 19.5, 156, 312, 1555, "NVIDIA A100 data sheet"},
    Peak{"A100 80GB PCIe", 19.5, 156, 312, 1935, "NVIDIA A100 data sheet"},
    Peak{"A100", 19.5, 156, 312, 0, "NVIDIA A100 data sheet"},
    Peak{"A30", 10.3, 82, 165, 933, "NVIDIA A30 data sheet"},
    Peak{"H100 PCIe", 51.2, 378, 756, 2000, "NVIDIA H100 data sheet"},
    Peak{"H100 80GB HBM3", 66.9, 495, 989, 3350, "NVIDIA H100 data sheet"},
    Peak{"H100 SXM", 66.9, 495, 989, 3350, "NVIDIA H100 data sheet"},
    Peak{"H200", 66.9, 495, 989, 4800, "NVIDIA H200 data sheet"},
    Peak{"L40S", 91.6, 183, 362, 864, "NVIDIA L40S data sheet"},
    Peak{"Tesla T4", 8.1, 0, 65, 320, "NVIDIA T4 data sheet"},
    Peak{"A10", 31.2, 62.5, 125, 600, "NVIDIA A10 data sheet"},
};

const Peak *peakNamed(const std::string &deviceName)
{
    for (const Peak &peak : kPeaks) {
        const std::size_t place = deviceName.find(peak.name);
        if (place == std::string::npos)
            continue;
        // "A10" must not be read in "A100".
        const std::size_t end = place + std::string(peak.name).size();
        if (end >= deviceName.size() || deviceName[end] < '0' || deviceName[end] > '9')
            return &peak;
    }
    return nullptr;
}

struct Model {
    const char *name;
    ModelFacts facts;
};

// `sbtrain --list-models`; tests/data/models.json is its output, and a test holds this table against it.
constexpr std::array kModels{
    Model{"resnet50", {24299077632, 25557032, 68379040}},
    Model{"resnet20-cifar", {243994368, 272474, 1221992}},
    Model{"resnet56-cifar", {753602304, 855770, 3286376}},
    Model{"resnet110-cifar", {1518014208, 1730714, 6382952}},
    Model{"bert-base", {69928989696, 110106428, 78963752}},
    Model{"bert-large", {240642748416, 336226108, 205134376}},
    Model{"bert-tiny", {823205376, 4433468, 4709672}},
};

// What a run says that it ran on: its program's own word, else the GPUs of its first node.
std::string deviceNameOf(const Run *run)
{
    if (!run)
        return {};
    if (run->facts.deviceName)
        return *run->facts.deviceName;
    if (run->key.device == "cuda" && !run->nodeFacts.empty() && !run->nodeFacts.front().gpus.empty())
        return run->nodeFacts.front().gpus.front().name;
    return {};
}

double bytesOf(const std::string &precision)
{
    return precision == "fp16" || precision == "bf16" ? 2 : 4;
}

// Weights are read in both passes and their gradient is written, once a batch.
double intensityOf(const ModelFacts &model, const CaseKey &key)
{
    const double weights = 3.0 * static_cast<double>(model.parameters) / std::max(1, key.batchSizePerDevice);
    return model.flopsPerSample / (bytesOf(key.precision) * (model.activationElements + weights));
}

} // namespace

std::optional<DevicePeak> devicePeak(const std::string &deviceName, const std::string &precision)
{
    const Peak *peak = peakNamed(deviceName);
    if (!peak)
        return std::nullopt;
    // Volta and older have no bf16, and no tf32.
    const bool half = precision == "fp16" || (precision == "bf16" && peak->tf32 > 0);
    const double tera = precision == "fp32"   ? peak->fp32
                        : precision == "tf32" ? peak->tf32
                        : half                ? peak->half
                                              : 0;
    if (tera <= 0)
        return std::nullopt;
    const auto memory = peak->memory > 0 ? std::optional(peak->memory * 1e9) : std::nullopt;
    return DevicePeak{peak->name, tera * 1e12, memory, peak->source};
}

bool isKnownDevice(const std::string &deviceName)
{
    return peakNamed(deviceName) != nullptr;
}

std::optional<ModelFacts> modelFacts(const std::string &workload)
{
    std::string name = workload;
    std::replace(name.begin(), name.end(), '_', '-');
    for (const Model &model : kModels)
        if (name == model.name)
            return model.facts;
    return std::nullopt;
}

Utilisation utilisationOf(const CaseResult &result, const Run *run, const std::string &deviceName)
{
    Utilisation found;
    const auto model = modelFacts(result.key.workload);
    found.logged = run && run->facts.flopsPerSample;
    if (found.logged)
        found.flopsPerSample = *run->facts.flopsPerSample;
    else if (model)
        found.flopsPerSample = model->flopsPerSample;
    else
        return found;
    found.flopsPerDevice = result.throughput * found.flopsPerSample / result.key.devices();
    if (model)
        found.intensity = intensityOf(*model, result.key);
    found.deviceName = deviceNameOf(run);
    if (found.deviceName.empty())
        found.deviceName = deviceName;
    const auto peak = devicePeak(found.deviceName, result.key.precision);
    found.gap = peak                              ? UtilisationGap::None
                : found.deviceName.empty()        ? UtilisationGap::UnnamedDevice
                : isKnownDevice(found.deviceName) ? UtilisationGap::NoUnits
                                                  : UtilisationGap::UnknownDevice;
    if (peak) {
        found.peak = *peak;
        found.share =
            modelFlopsUtilisation(result.throughput, found.flopsPerSample, result.key.devices(), peak->flops);
    }
    return found;
}

std::optional<double> gradientBytesOf(const std::string &workload, const Run *run)
{
    if (run && run->facts.gradientBytes)
        return static_cast<double>(*run->facts.gradientBytes);
    if (run && run->facts.parameters)
        return 4.0 * static_cast<double>(*run->facts.parameters);
    if (const auto model = modelFacts(workload))
        return 4.0 * static_cast<double>(model->parameters);
    return std::nullopt;
}

double modelFlopsUtilisation(double throughput, double flopsPerSample, int devices, double peakFlopsPerDevice)
{
    return throughput * flopsPerSample / (devices * peakFlopsPerDevice);
}

RooflinePoint roofline(double peakFlopsPerDevice, double memoryBytesPerS, double flopsPerByte)
{
    RooflinePoint point;
    point.ridge = peakFlopsPerDevice / memoryBytesPerS;
    point.memoryBound = flopsPerByte < point.ridge;
    point.flops = std::min(peakFlopsPerDevice, memoryBytesPerS * flopsPerByte);
    return point;
}

} // namespace sb
