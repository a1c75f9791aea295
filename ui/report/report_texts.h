// SPDX-License-Identifier: GPL-3.0-or-later
// The text forms of a report: Markdown, HTML, CSV and JSON. Pure functions of the report; UTF-8, '\n'.
#pragma once

#include "core/report.h"

#include <functional>
#include <string>

namespace sb {

// Where the file of a figure is, relative to the document: "figures/<id>.svg".
using FigurePath = std::function<std::string(const ReportFigure &)>;
// The figure as an <svg> element.
using FigureSvg = std::function<std::string(const ReportFigure &)>;

std::string reportMarkdown(const Report &report, const FigurePath &figurePath);

// One file that needs nothing else: style and figures inside.
std::string reportHtml(const Report &report, const FigureSvg &figureSvg);

// One table, RFC 4180: names in the first line, plain numbers, "" where a value is absent. A line
// "# SIMULATED" stands above simulated data.
std::string tableCsv(const ReportTable &table, ReportLanguage language);
// One table as GitHub-flavoured Markdown, without its title.
std::string tableMarkdown(const ReportTable &table, ReportLanguage language);

// Everything as data, with the run ids behind each number: {"schema": 1, …}.
std::string reportJson(const Report &report);

} // namespace sb
