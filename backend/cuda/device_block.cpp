// SPDX-License-Identifier: Apache-2.0
#include "device_block.h"

#include "check.h"

#include <utility>

namespace sbtrain::cuda {

DeviceBlock::DeviceBlock(std::size_t bytes)
    : m_bytes(bytes)
{
    if (bytes == 0)
        return;
    check(cudaMalloc(&m_data, bytes), "allocate device memory");
    // Our streams do not wait for the default one, and a batch may be copied here at once.
    check(cudaMemset(m_data, 0, bytes), "clear device memory");
    check(cudaStreamSynchronize(nullptr), "clear device memory");
}

DeviceBlock::DeviceBlock(DeviceBlock &&other) noexcept
    : m_data(std::exchange(other.m_data, nullptr))
    , m_bytes(std::exchange(other.m_bytes, 0))
{
}

DeviceBlock &DeviceBlock::operator=(DeviceBlock &&other) noexcept
{
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

DeviceBlock::~DeviceBlock()
{
    cudaFree(m_data);
}

} // namespace sbtrain::cuda
