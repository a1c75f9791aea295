// SPDX-License-Identifier: Apache-2.0
#include "cpu_device.h"

#include "cpu_program.h"

#include <fstream>
#include <omp.h>
#include <sched.h>

namespace sbtrain::cpu {

namespace {

std::string gigabytes(std::uint64_t bytes)
{
    const auto tenths = (bytes + 50'000'000) / 100'000'000;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

// Activations and two arenas: no program needs less.
std::uint64_t least_memory_bytes(const Graph &graph)
{
    std::int64_t floats = 3 * graph.parameter_count();
    for (const Shape &shape : graph.tensors)
        floats += shape.count();
    return static_cast<std::uint64_t>(floats) * sizeof(float);
}

Error out_of_memory(const Graph &graph)
{
    return {ExitCode::OutOfMemory, "this model with --batch-size " + std::to_string(graph.batch_size) +
                                       " needs more than " + gigabytes(least_memory_bytes(graph)) + " and " +
                                       gigabytes(available_memory_bytes()) +
                                       " are free: choose a smaller --batch-size"};
}

class CpuDevice : public Device {
public:
    std::string name() const override
    {
        std::ifstream file("/proc/cpuinfo");
        for (std::string line; std::getline(file, line);) {
            const std::size_t colon = line.find(": ");
            if (line.starts_with("model name") && colon != std::string::npos)
                return line.substr(colon + 2);
        }
        return "CPU";
    }

    std::string path() const override { return onednn_version(); }

    Result<std::unique_ptr<Program>> compile(const Graph &graph, const ProgramSettings &settings) override
    {
        // Ask before oneDNN tries: it allocates on its own while it makes primitives.
        const std::uint64_t available = available_memory_bytes();
        if (available != 0 && least_memory_bytes(graph) > available)
            return out_of_memory(graph);
        try {
            return std::unique_ptr<Program>(std::make_unique<CpuProgram>(graph, settings));
        } catch (const std::bad_alloc &) {
            return out_of_memory(graph);
        } catch (const dnnl::error &error) {
            if (error.status == dnnl_out_of_memory)
                return out_of_memory(graph);
            return Error{ExitCode::Unsupported,
                         std::string("oneDNN cannot do this model on this processor: ") + error.what()};
        } catch (const std::logic_error &error) {
            return Error{ExitCode::Internal,
                         std::string("the model's graph makes no sense: ") + error.what()};
        }
    }
};

} // namespace

int usable_cores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return omp_get_num_procs();
}

std::unique_ptr<Device> make_cpu_device(int threads)
{
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
    return std::make_unique<CpuDevice>();
}

} // namespace sbtrain::cpu
