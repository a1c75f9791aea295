// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons that were added to a workspace's report: comparisons.json in its folder, which names the sides
// and not their values, so that new runs count.
#pragma once

#include "core/report.h"
#include "core/result.h"

#include <span>
#include <string>
#include <vector>

namespace sb {

struct KeptComparison {
    std::string a; // ids of sides, see core/compare_sides.h
    std::string b;
    bool unlikeToo = false;
    bool operator==(const KeptComparison &) const = default;
};

inline constexpr const char *kComparisonsFile = "comparisons.json";

// Empty where there is no such file.
Result<std::vector<KeptComparison>> readKeptComparisons(const std::string &workspaceFolder);
// Whole or not at all; no comparisons take the file away.
Result<void> writeKeptComparisons(const std::string &workspaceFolder, std::span<const KeptComparison> kept);

// As the report needs them. Those whose sides are no longer there, or of which no case can be compared, are
// left out. `referenceFolder`: where published results are.
std::vector<ReportComparison> reportComparisons(std::span<const KeptComparison> kept,
                                                std::span<const CaseResult> results,
                                                const std::string &referenceFolder);

} // namespace sb
