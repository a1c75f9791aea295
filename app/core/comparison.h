// SPDX-License-Identifier: GPL-3.0-or-later
// Is A faster than B? First what differs between the two, then the ratio with its interval, then a word.
#pragma once

#include "core/case.h"
#include "core/scaling.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

enum class KeyRole {
    Same,
    Compared, // differs, and is what the comparison is about: the framework, or the runs' own setting
    Differs,  // differs as well: the ratio is about both
    Blocks,   // differs, and makes a ratio meaningless: workload, precision, batch, scale
};

struct KeyDifference {
    std::string field; // "framework", "workload", …, "option xla"
    std::string a;     // as text; empty where absent
    std::string b;
    KeyRole role = KeyRole::Same;
    bool operator==(const KeyDifference &) const = default;
};
// All fields in a fixed order, same ones included. The first of framework, version, options, threads, data,
// device and steps that differs is what is compared; `compareScale` lets the scale differ without blocking.
std::vector<KeyDifference> keyDifferences(const CaseKey &a, const CaseKey &b, bool compareScale = false);
bool isBlocked(std::span<const KeyDifference> differences);

enum class Verdict {
    Faster, // the interval excludes 1, and the ratio is above it by the least effect or more
    Slower,
    Same, // the whole interval is within the least effect
    CannotTell,
};
std::string verdictName(Verdict verdict); // "faster", "slower", "same", "cannot tell"

struct RatioInterval {
    double low = 0;
    double high = 0;
    double coverage = 0; // true confidence of the ranks, or what was asked for
    enum class Method {
        RankSum, // by inverting the rank-sum test: no assumption on the distribution but that both are alike
        Welch,   // Student's t on logarithms, where there are too few values for ranks
    };
    Method method = Method::RankSum;
    bool operator==(const RatioInterval &) const = default;
};

// A over B from single runs. The interval is for the shift of the logarithms: all quotients a/b sorted, as
// many cut off at each end as the rank-sum test allows at 2.5 % (Hodges and Lehmann 1963; Bauer 1972). Below
// 40 orders of the runs (3 against 3) it is Welch's. Simulated over 10 000 pairs of 5 and of 7 runs, normal,
// heavy-tailed and skewed: covers 95 to 97 %. Nothing with fewer than 2 runs a side.
std::optional<RatioInterval> ratioInterval(std::span<const double> a, std::span<const double> b,
                                           double wanted = 0.95);

struct ComparisonOptions {
    double leastEffect = 0.01; // differences below it do not matter
    bool unlikeToo = false;    // compare cases whose keys block, and mark them
    bool scaleToo = false;     // scales may differ
};

struct Comparison {
    CaseResult a;
    CaseResult b;
    std::vector<KeyDifference> keys;
    bool unlike = false; // keys block and it was asked for nevertheless
    double ratio = 0;    // of the medians, a over b
    std::optional<RatioInterval> interval;
    Verdict verdict = Verdict::CannotTell;
    // How many runs a side would tell a difference of `leastEffect`, from the spread of these.
    std::optional<int> runsNeeded;
    bool operator==(const Comparison &) const = default;
};

// Refused, with a sentence that names the difference, where keys block and `unlikeToo` is not set.
Result<Comparison> compareCases(const CaseResult &a, const CaseResult &b, const ComparisonOptions &options);

// Two sets of results, case by case: cases with equal keys, then cases that differ in nothing but what can be
// compared (framework, version, options, …). A case that fits several of the other side is left to the
// caller: it is in `ambiguous`.
struct ComparedSets {
    std::vector<Comparison> cases; // by key of A
    std::vector<CaseResult> onlyA;
    std::vector<CaseResult> onlyB;
    std::vector<CaseResult> ambiguous; // of A
    bool operator==(const ComparedSets &) const = default;
};
ComparedSets compareSets(std::span<const CaseResult> a, std::span<const CaseResult> b,
                         const ComparisonOptions &options);

// A gate for continuous integration: does A fall below `threshold` × B? It does when all of the interval is
// below; without intervals when the ratio is. A ratio below with an interval that reaches above is not proof.
enum class Gate { Passes, Fails, NotProven };
Gate gateOf(const Comparison &comparison, double threshold);

// One case over time: its runs in groups that were made together (one plan, one day), oldest first, each
// against the one before.
struct HistoryPoint {
    std::string dayUtc; // "2026-11-29"
    std::string planName;
    CaseResult result;             // of the runs of this group
    std::optional<Verdict> change; // against the point before; absent for the first
    std::optional<double> ratio;
    bool operator==(const HistoryPoint &) const = default;
};
std::vector<HistoryPoint> caseHistory(std::span<const Run> runs, const CaseKey &key,
                                      const ComparisonOptions &options);

} // namespace sb
