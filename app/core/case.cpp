// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/case.h"

#include <array>
#include <cctype>

namespace sb {

namespace {

// FNV-1a, 64 bit (http://www.isthe.com/chongo/tech/comp/fnv/): ids must not change between builds, which
// std::hash does not promise.
std::uint64_t fnv1a(const std::string &text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

std::string hex8(std::uint64_t value)
{
    constexpr std::array<char, 17> kDigits{"0123456789abcdef"};
    std::string text(8, '0');
    for (std::size_t i = 0; i < 8; ++i)
        text[7 - i] = kDigits[(value >> (4 * i)) & 0xF];
    return text;
}

std::string fileSafe(const std::string &name)
{
    std::string safe;
    for (const char c : name)
        safe += (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.') ? c : '_';
    return safe;
}

} // namespace

std::string caseId(const CaseKey &key)
{
    std::string whole;
    const auto add = [&whole](const std::string &part) {
        whole += part;
        whole += '\x1f';
    };
    add(key.framework);
    add(key.workload);
    add(key.precision);
    add(key.device);
    add(key.data);
    for (const int number : {key.batchSizePerDevice, key.nodes, key.devicesPerNode, key.threadsPerDevice,
                             key.warmupSteps, key.measuredSteps})
        add(std::to_string(number));
    for (const auto &[name, value] : key.options)
        add(name + "=" + value);
    return fileSafe(key.framework) + "-" + fileSafe(key.workload) + "-" + fileSafe(key.precision) + "-b" +
           std::to_string(key.batchSizePerDevice) + "-" + key.scaleName() + "-" + hex8(fnv1a(whole));
}

} // namespace sb
