// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_command.h"

#include "core/text.h"
#include "report/report_exporter.h"

namespace sb {

namespace {

Error badOption(const std::string &option, const std::string &value, const std::string &allowed)
{
    return {ErrorCode::BadInput, option + " is \"" + value + "\"; it must be " + allowed + "."};
}

Result<ReportExportOptions> exportOptions(const ReportCommandOptions &options)
{
    ReportExportOptions wanted;
    wanted.folder = options.out;
    wanted.style.figureWidthMm = options.figureWidthMm;
    if (!(options.figureWidthMm >= 40 && options.figureWidthMm <= 400))
        return Error{ErrorCode::BadInput, "The width of figures must be 40 to 400 mm."};
    if (options.palette != "print" && options.palette != "grey")
        return badOption("The palette", options.palette, "print or grey");
    wanted.style.palette = options.palette == "grey" ? ChartPalette::Grey : ChartPalette::Print;
    if (!options.formats.empty())
        wanted.formats.clear();
    for (const std::string &name : options.formats) {
        const auto format = reportFormatFromName(name);
        if (!format)
            return badOption("A format", name, "pdf, html, md, csv or json");
        wanted.formats.insert(*format);
    }
    if (!options.figures.empty())
        wanted.figures.clear();
    for (const std::string &name : options.figures) {
        if (name != "png" && name != "svg" && name != "pdf")
            return badOption("A figure format", name, "png, svg or pdf");
        wanted.figures.insert(name == "png"   ? FigureFormat::Png
                              : name == "svg" ? FigureFormat::Svg
                                              : FigureFormat::Pdf);
    }
    return wanted;
}

} // namespace

Result<std::vector<std::string>> runReportCommand(const ReportCommandOptions &options,
                                                  const SessionModel::Options &sessionOptions)
{
    const auto language = reportLanguageFromName(options.language);
    if (!language)
        return badOption("The language", options.language, "en or zh");
    if (options.out.empty())
        return Error{ErrorCode::BadInput, "The report needs a folder to be written to (--out)."};
    const auto wanted = exportOptions(options);
    if (!wanted)
        return wanted.error();

    SessionModel session(sessionOptions);
    if (auto opened = session.openWorkspace(options.workspace); !opened)
        return opened.error();
    if (session.runs().empty())
        return Error{ErrorCode::NotFound,
                     "The workspace " + options.workspace + " has no runs to report; run a plan first."};
    ReportOptions report;
    report.language = *language;
    report.neutralNames = options.neutralNames;
    if (!options.sections.empty())
        report.sections = options.sections;
    const Report built = buildReport(session.runs(), report);
    if (built.sections.empty())
        return Error{ErrorCode::BadInput, "None of the sections \"" + join(options.sections, ", ") +
                                              "\" is known; leave --sections out for all."};
    if (const QString missing = missingGlyphs(built, wanted->style.fontFamily);
        *language == ReportLanguage::Chinese && missing.size() > 20)
        return Error{ErrorCode::Unavailable,
                     "No font here has the Chinese glyphs; install Noto Sans CJK SC, then export again."};
    return exportReport(built, *wanted);
}

} // namespace sb
