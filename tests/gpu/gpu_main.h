// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the checks begin: with a device, or skipped. And how they go through their cases: all, or with --small
// a few.

#include "cuda/check.h"

#include <algorithm>
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

inline bool given(int argc, char **argv, std::string_view option)
{
    return std::find(argv + 1, argv + argc, option) != argv + argc;
}

// What a check goes through, counted. In the small form, for tools that make kernels many times slower, only
// what is little: every instance of the kernels, in about a second without such a tool.
class Cases {
public:
    explicit Cases(bool small)
        : m_small(small)
    {
    }
    // check() says whether all is well.
    template <typename Check>
    void run(bool little, Check check)
    {
        if (m_small && !little)
            return;
        ++m_count;
        m_failures += check() ? 0 : 1;
    }
    // Returns the exit status. To have checked nothing is a failure, too.
    int finish() const
    {
        std::printf("%d cases, %d failures\n", m_count, m_failures);
        return m_count > 0 && m_failures == 0 ? 0 : 1;
    }

private:
    bool m_small;
    int m_count = 0, m_failures = 0;
};

// A check of kernels for Hopper: `check_all`, with --small in the small form, or with --bench `bench`; both
// get the number of multiprocessors. In the small form these are so few that every block walks over several
// tiles, which otherwise takes large matrices. Returns the exit status.
inline int hopper_main(const char *name, int argc, char **argv, bool (*available)(int capability),
                       void (*check_all)(Cases &, int), void (*bench)(int))
{
    const bool timing = given(argc, argv, "--bench"), small = given(argc, argv, "--small");
    if (argc > 2 || (argc == 2 && !timing && !small)) {
        std::fprintf(stderr, "%s: give --small, --bench or nothing\n", name);
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
    if (timing) {
        bench(multiprocessors);
        return 0;
    }
    Cases cases(small);
    check_all(cases, small ? 2 : multiprocessors);
    return cases.finish();
}
