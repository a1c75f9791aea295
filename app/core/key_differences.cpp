// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison.h"

#include <algorithm>
#include <set>

namespace sb {

namespace {

std::string optionOf(const CaseKey &key, const std::string &name)
{
    const auto found = key.options.find(name);
    return found == key.options.end() ? std::string() : found->second;
}

// 0 stands for "not fixed".
std::string threadsOf(const CaseKey &key)
{
    return key.threadsPerDevice > 0 ? std::to_string(key.threadsPerDevice) : std::string();
}

std::string stepsOf(const CaseKey &key)
{
    return std::to_string(key.warmupSteps) + " + " + std::to_string(key.measuredSteps);
}

} // namespace

std::vector<KeyDifference> keyDifferences(const CaseKey &a, const CaseKey &b, bool compareScale)
{
    std::vector<KeyDifference> keys;
    bool compared = false;
    const auto add = [&](const std::string &field, const std::string &one, const std::string &other,
                         bool blocks = false) {
        KeyRole role = KeyRole::Same;
        if (one != other && blocks)
            role = KeyRole::Blocks;
        else if (one != other)
            role = compared ? KeyRole::Differs : KeyRole::Compared;
        compared = compared || role == KeyRole::Compared;
        keys.push_back({field, one, other, role});
    };
    add("framework", a.framework, b.framework);
    std::set<std::string> options;
    for (const CaseKey *key : {&a, &b})
        for (const auto &[name, value] : key->options)
            options.insert(name);
    for (const std::string &name : options)
        add("option " + name, optionOf(a, name), optionOf(b, name));
    add("threads per device", threadsOf(a), threadsOf(b));
    add("workload", a.workload, b.workload, true);
    add("precision", a.precision, b.precision, true);
    add("batch per device", std::to_string(a.batchSizePerDevice), std::to_string(b.batchSizePerDevice), true);
    add("scale", a.scaleName(), b.scaleName(), !compareScale);
    add("device", a.device, b.device);
    add("data", a.data, b.data);
    add("steps skipped + averaged", stepsOf(a), stepsOf(b));
    return keys;
}

bool isBlocked(std::span<const KeyDifference> differences)
{
    return std::any_of(differences.begin(), differences.end(),
                       [](const KeyDifference &key) { return key.role == KeyRole::Blocks; });
}

} // namespace sb
