// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the checks begin: with a device, or skipped.

#include "cuda/check.h"

#include <cstdio>
#include <cuda_runtime.h>
#include <string_view>

constexpr int kSkipped = 77; // exit status

// Says so where there is none.
inline bool device_here()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0)
        return true;
    std::printf("skipped: no CUDA device\n");
    return false;
}

inline int device_attribute(cudaDeviceAttr attribute)
{
    int value = 0;
    sbtrain::cuda::check(cudaDeviceGetAttribute(&value, attribute, 0), "ask the device");
    return value;
}

// A check of kernels for Hopper: `check_all`, which returns the number of failures, or with --bench `bench`;
// both get the number of multiprocessors. Returns the exit status.
inline int hopper_main(const char *name, int argc, char **argv, bool (*available)(int capability),
                       int (*check_all)(int), void (*bench)(int))
{
    const bool timing = argc == 2 && std::string_view(argv[1]) == "--bench";
    if (argc > 1 && !timing) {
        std::fprintf(stderr, "%s: unknown argument %s: only --bench is known\n", name, argv[1]);
        return 2;
    }
    if (!device_here())
        return kSkipped;
    if (!available(device_attribute(cudaDevAttrComputeCapabilityMajor) * 10 +
                   device_attribute(cudaDevAttrComputeCapabilityMinor))) {
        std::printf("skipped: this device has no wgmma\n");
        return kSkipped;
    }
    const int multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount);
    if (!timing)
        return check_all(multiprocessors) == 0 ? 0 : 1;
    bench(multiprocessors);
    return 0;
}
