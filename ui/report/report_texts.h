// SPDX-License-Identifier: GPL-3.0-or-later
// The text forms of a report: Markdown, HTML, LaTeX, CSV and JSON. Pure functions of the report; UTF-8, '\n'.
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

// Figures of a LaTeX document: what \includegraphics is given, and how wide they stand.
struct LatexFigures {
    FigurePath path; // "figures/<id>"
    double widthMm = 85;
    std::string logo = {};   // path of the house style's logo; empty: none
    std::string accent = {}; // red, green, blue from 0 to 1: "0.12,0.37,0.75"; empty: black
};
// A document for pdfLaTeX; one with letters that pdfLaTeX's fonts lack, such as Chinese, is for XeLaTeX and
// Noto Sans CJK SC. Needs LaTeX's base packages alone (and fontspec with XeLaTeX).
std::string reportLatex(const Report &report, const LatexFigures &figures);

// House style of a page; empty: the usual.
struct HtmlStyle {
    std::string accent; // "#1f5fbf"
    std::string ink;
    std::string font;       // family
    std::string logoBase64; // of a PNG
};
// One file that needs nothing else: style and figures inside.
std::string reportHtml(const Report &report, const FigureSvg &figureSvg, const HtmlStyle &style = {});

// One table, RFC 4180: names in the first line, plain numbers, "" where a value is absent. A line
// "# SIMULATED" stands above simulated data.
std::string tableCsv(const ReportTable &table, ReportLanguage language);
// One table as GitHub-flavoured Markdown, without its title.
std::string tableMarkdown(const ReportTable &table, ReportLanguage language);

// One curve as the scripts of the 2020-10 report sum their logs up: {"resnet50": {"1n1g": {"average_speed":
// …, "batch_size_per_device": …, "median_speed": …, "speedup": …}, …}}, with two decimals.
std::string curveSummary(const ScalingCurve &curve);

// Everything as data, described in resources/report/report.schema.json, with the run ids behind each number:
// {"schema": 1, …}.
std::string reportJson(const Report &report);

} // namespace sb
