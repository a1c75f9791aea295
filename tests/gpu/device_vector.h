// SPDX-License-Identifier: Apache-2.0
#pragma once

// Device memory of a check: allocated, uploaded to, freed at the end. Throws CudaError.

#include "cuda/check.h"

#include <cstddef>
#include <cuda_runtime.h>
#include <utility>

struct DeviceVector {
    void *data = nullptr;
    explicit DeviceVector(std::size_t bytes) { sbtrain::cuda::check(cudaMalloc(&data, bytes), "allocate"); }
    ~DeviceVector() { cudaFree(data); }
    DeviceVector(DeviceVector &&other) noexcept
        : data(std::exchange(other.data, nullptr))
    {
    }
    DeviceVector &operator=(DeviceVector &&) = delete;

    template <typename T>
    T *as() const
    {
        return static_cast<T *>(data);
    }
};

inline void upload(const DeviceVector &to, const void *from, std::size_t bytes)
{
    sbtrain::cuda::check(cudaMemcpy(to.data, from, bytes, cudaMemcpyHostToDevice), "copy");
}
