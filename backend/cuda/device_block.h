// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sbtrain::cuda {

// Device memory of one purpose. Move only.
class DeviceBlock {
public:
    DeviceBlock() = default;
    explicit DeviceBlock(std::size_t bytes); // zeroed
    DeviceBlock(DeviceBlock &&other) noexcept;
    DeviceBlock &operator=(DeviceBlock &&other) noexcept;
    DeviceBlock(const DeviceBlock &) = delete;
    DeviceBlock &operator=(const DeviceBlock &) = delete;
    ~DeviceBlock();

    template <typename T = void>
    T *as() const
    {
        return static_cast<T *>(m_data);
    }
    std::size_t bytes() const { return m_bytes; }

private:
    void *m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace sbtrain::cuda
