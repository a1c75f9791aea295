// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report_tables.h"

#include "core/units.h"

#include <algorithm>

namespace sb {

namespace {

const char *verdictKey(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Faster:
        return "cmp.faster";
    case Verdict::Slower:
        return "cmp.slower";
    case Verdict::Same:
        return "cmp.same";
    case Verdict::CannotTell:
        break;
    }
    return "cmp.cannot";
}

ReportCell numberCell(double value, int decimals, const CaseResult &from)
{
    return {formatNumber(value, decimals), value, from.runIds, {}, from.source};
}

ReportCell intervalCell(const Comparison &one)
{
    if (!one.interval)
        return {"—", std::nullopt, {}, {}};
    return {formatNumber(one.interval->low, 3) + " – " + formatNumber(one.interval->high, 3),
            std::nullopt,
            {},
            {one.interval->low, one.interval->high}};
}

ReportTable comparisonTable(const ReportComparison &comparison, std::size_t index, ReportLanguage language)
{
    ReportTable table;
    table.id = "comparison-" + std::to_string(index + 1);
    table.title = reportText(language, "cmp.title", {comparison.titleA, comparison.titleB});
    table.columns = {{reportText(language, "col.case"), false, {}},
                     {"A", true, {}},
                     {"B", true, {}},
                     {reportText(language, "cmp.ratio"), true, {}},
                     {reportText(language, "cmp.interval"),
                      true,
                      {reportText(language, "col.low"), reportText(language, "col.high")}},
                     {reportText(language, "cmp.verdict"), false, {}}};
    for (const Comparison &one : comparison.cases) {
        ReportCell ratio = numberCell(one.ratio, 3, {});
        table.rows.push_back({{one.a.key.scaleName() + (one.unlike ? " †" : ""), std::nullopt, {}, {}},
                              numberCell(one.a.throughput, 2, one.a),
                              numberCell(one.b.throughput, 2, one.b),
                              std::move(ratio),
                              intervalCell(one),
                              {reportText(language, verdictKey(one.verdict)), std::nullopt, {}, {}}});
        table.simulated = table.simulated || one.a.simulated || one.b.simulated;
    }
    table.notes.push_back(reportText(language, "cmp.note", {comparison.titleA, comparison.titleB}));
    if (std::any_of(comparison.cases.begin(), comparison.cases.end(),
                    [](const Comparison &one) { return one.unlike; }))
        table.notes.push_back(reportText(language, "cmp.unlike"));
    if (!comparison.citation.empty())
        table.notes.push_back(reportText(language, "cmp.published", {comparison.citation}));
    return table;
}

} // namespace

std::vector<ReportBlock> comparisonBlocks(std::span<const ReportComparison> comparisons,
                                          ReportLanguage language)
{
    std::vector<ReportBlock> blocks;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        blocks.push_back(comparisonTable(comparisons[i], i, language));
    return blocks;
}

} // namespace sb
