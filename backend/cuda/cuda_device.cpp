// SPDX-License-Identifier: Apache-2.0
#include "cuda_device.h"

#include "check.h"
#include "cuda_program.h"
#include "own_split_gemm.h"
#ifdef SBTRAIN_WITH_NVJPEG
#include "nvjpeg_decoder.h"
#endif

#include <cstdlib>

namespace sbtrain::cuda {

namespace {

class CudaDevice : public Device {
public:
    CudaDevice(DeviceFacts facts, Precision precision)
        : m_facts(std::move(facts))
        , m_precision(precision)
    {
    }

    std::string name() const override { return m_facts.name; }

    std::string path() const override
    {
        int runtime = 0;
        cudaRuntimeGetVersion(&runtime);
        return "cuda " + std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10) + ", " +
               Dnn::version() + ", sm_" + std::to_string(m_facts.capability) + ", " + products();
    }

    Result<std::unique_ptr<PictureDecoder>> make_picture_decoder() override
    {
#ifdef SBTRAIN_WITH_NVJPEG
        return make_nvjpeg_decoder(m_facts.ordinal);
#else
        return Error{ExitCode::Unsupported, "this build has no nvJPEG"};
#endif
    }

    Result<std::unique_ptr<Program>> compile(const Graph &graph, const ProgramSettings &settings) override
    {
        try {
            return std::unique_ptr<Program>(
                std::make_unique<CudaProgram>(graph, settings, m_precision, m_facts));
        } catch (const CudaError &error) {
            cudaGetLastError(); // clear it: the next call would report it again
            return Error{error.code(), error.what()};
        }
    }

private:
    std::string products() const
    {
        if (own_gemm_available(m_facts.capability, m_precision))
            return "own kernels (wgmma)";
        if (m_precision == Precision::Fp32 && split_products_wanted() && OwnSplitGemm::available())
            return "fp32 products as six of bf16 parts (wgmma)";
        return "library products";
    }

    DeviceFacts m_facts;
    Precision m_precision;
};

} // namespace

Result<std::vector<DeviceFacts>> list_cuda_devices()
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        cudaGetLastError();
        const std::string reason =
            status == cudaSuccess ? "the driver shows none" : cudaGetErrorString(status);
        return Error{ExitCode::Unsupported,
                     "no CUDA device was found: " + reason + ": use --device cpu, or look at nvidia-smi"};
    }
    std::vector<DeviceFacts> devices;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, i) == cudaSuccess)
            devices.push_back(
                {i, properties.name, properties.major * 10 + properties.minor, properties.totalGlobalMem});
    }
    return devices;
}

Result<std::unique_ptr<Device>> make_cuda_device(int ordinal, Precision precision, bool beside_pictures)
{
    // As many queues of the hardware as there are, in place of eight. Streams share them, and work waits for
    // what is before it in its queue: one of nvJPEG's fourteen streams would wait for a whole step's graph.
    if (beside_pictures)
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    auto devices = list_cuda_devices();
    if (!devices)
        return devices.error();
    if (static_cast<std::size_t>(ordinal) >= devices->size())
        return Error{ExitCode::Unsupported,
                     "local rank " + std::to_string(ordinal) + " has no CUDA device: only " +
                         std::to_string(devices->size()) + " here, so start fewer processes"};
    const DeviceFacts facts = (*devices)[static_cast<std::size_t>(ordinal)];
    if (precision == Precision::Bf16 && facts.capability < 80)
        return Error{ExitCode::Unsupported, facts.name + " does not compute in bf16: use --precision fp16"};
    if (precision == Precision::Tf32 && facts.capability < 80)
        return Error{ExitCode::Unsupported, facts.name + " does not compute in tf32: use --precision fp32"};
    if (cudaSetDevice(facts.ordinal) != cudaSuccess)
        return Error{ExitCode::Unsupported,
                     "cannot use " + facts.name + ": " + cudaGetErrorString(cudaGetLastError())};
    return std::unique_ptr<Device>(std::make_unique<CudaDevice>(facts, precision));
}

} // namespace sbtrain::cuda
