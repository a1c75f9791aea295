// SPDX-License-Identifier: GPL-3.0-or-later
// The tables and lists of a report's fixed sections. Used by report.cpp.
#pragma once

#include "core/report.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

ReportTable throughputTable(const ScalingGroup &group, ReportLanguage language);
// Absent when no curve has a baseline and more than one device.
std::optional<ReportTable> speedupTable(const ScalingGroup &group, ReportLanguage language);
std::optional<ReportTable> efficiencyTable(const ScalingGroup &group, ReportLanguage language);
// Absent when the workload has no usual data set.
std::optional<ReportTable> epochTable(const ScalingGroup &group, ReportLanguage language);

ReportTable environmentTable(std::span<const NodeFacts> nodes, ReportLanguage language);
ReportTable frameworkTable(std::span<const Run> runs, ReportLanguage language);
ReportTable problemTable(std::span<const Run> runs, ReportLanguage language);
// A table of each comparison with its verdicts, and notes where keys are unlike.
std::vector<ReportBlock> comparisonBlocks(std::span<const ReportComparison> comparisons,
                                          ReportLanguage language);
std::vector<std::string> methodSentences(std::span<const Run> runs, ReportLanguage language);

// Numbers tables and figures as they come.
void numberBlocks(Report &report);

// Ended without a result that the report could use.
bool isProblem(const Run &run);

} // namespace sb
