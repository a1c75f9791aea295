// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the formats of a report, as on the command line.
#include "report/report_exporter.h"

#include <array>
#include <utility>

namespace sb {

namespace {

constexpr std::array<std::pair<std::string_view, ReportFormat>, 8> kFormatNames{{
    {"pdf", ReportFormat::Pdf},
    {"html", ReportFormat::Html},
    {"md", ReportFormat::Markdown},
    {"tex", ReportFormat::Latex},
    {"csv", ReportFormat::Csv},
    {"xlsx", ReportFormat::Xlsx},
    {"json", ReportFormat::Json},
    {"bundle", ReportFormat::Bundle},
}};

} // namespace

std::optional<ReportFormat> reportFormatFromName(std::string_view name)
{
    for (const auto &[known, format] : kFormatNames)
        if (known == name)
            return format;
    return std::nullopt;
}

std::string reportFormatName(ReportFormat format)
{
    for (const auto &[name, known] : kFormatNames)
        if (known == format)
            return std::string(name);
    return {};
}

} // namespace sb
