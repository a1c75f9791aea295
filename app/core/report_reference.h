// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reference.h"
#include "core/report.h"

namespace sb {

// The report of results that others published: a section for each of their tables with throughput as printed,
// speedup and efficiency computed from it, and a figure of each of the first two; printed speedups that do
// not follow; where every number stands. Sections "summary", "environment", "method", "frameworks",
// "group:<table>", "findings", "problems" and "appendix".
Report buildReferenceReport(const ReferenceSet &set, const ReportOptions &options);

} // namespace sb
