// SPDX-License-Identifier: GPL-3.0-or-later
// What can be compared as a whole: a curve of one's own or a published series, with a title for people and an
// id that names it again after the program was closed.
#pragma once

#include "core/comparison.h"
#include "core/reference.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sb {

struct CompareSide {
    std::string id;    // "own:native-resnet50-fp32-b4-1n1g-1a2b3c4d", "published:dlperf-2020-10/<series>"
    std::string title; // "OneFlow · ResNet-50 v1.5 FP32 · 128"
    std::vector<CaseResult> results;
    std::string framework;
    bool published = false;
    bool operator==(const CompareSide &) const = default;
};

// The curves of these results. With `from` (the name of another workspace) they are that one's: it stands in
// the titles, and in the ids so that they are not taken for one's own.
std::vector<CompareSide> ownSides(std::span<const CaseResult> results, const std::string &from = {},
                                  ReportLanguage language = ReportLanguage::English);
// The tables beside the scripts, which the report's columns are copies of; those with two scales or more.
std::vector<CompareSide> publishedSides(const ReferenceSet &set);
const CompareSide *findSide(std::span<const CompareSide> sides, const std::string &id);

// The first two whose keys do not block, so that a page begins with a verdict; 0 and 1 where there are none.
std::pair<std::size_t, std::size_t> firstComparable(std::span<const CompareSide> sides);

// Two sides at each scale that both have.
struct ComparedSides {
    std::vector<Comparison> cases;         // in the order of A
    std::vector<std::string> onlyA;        // scales that B lacks
    std::vector<KeyDifference> refusedFor; // keys of a pair that was refused; empty if none was
    bool operator==(const ComparedSides &) const = default;
};
ComparedSides compareSides(const CompareSide &a, const CompareSide &b, const ComparisonOptions &options);

} // namespace sb
