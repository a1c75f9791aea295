// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_command.h"

#include "core/report_reference.h"
#include "core/report_template.h"
#include "core/text.h"
#include "report/report_exporter.h"
#include "session/bundle.h"
#include "session/kept_comparisons.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>

namespace sb {

namespace {

Error badOption(const std::string &option, const std::string &value, const std::string &allowed)
{
    return {ErrorCode::BadInput, option + " is \"" + value + "\"; it must be " + allowed + "."};
}

Result<ReportExportOptions> exportOptions(const ReportCommandOptions &options, const ReportTemplate &house)
{
    ReportExportOptions wanted;
    wanted.folder = options.out;
    if (auto applied = applyTemplate(house, wanted.style); !applied)
        return applied.error();
    wanted.style.figureWidthMm = options.figureWidthMm.value_or(wanted.style.figureWidthMm);
    if (!(wanted.style.figureWidthMm >= 40 && wanted.style.figureWidthMm <= 400))
        return Error{ErrorCode::BadInput, "The width of figures must be 40 to 400 mm."};
    if (!options.palette.empty()) {
        const auto palette = chartPaletteFromName(options.palette);
        if (!palette)
            return badOption("The palette", options.palette, "print, light, dark or grey");
        wanted.style.palette = *palette;
    }
    if (!options.formats.empty())
        wanted.formats.clear();
    for (const std::string &name : options.formats) {
        const auto format = reportFormatFromName(name);
        if (!format)
            return badOption("A format", name, "pdf, html, md, tex, csv, xlsx, json or bundle");
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

std::vector<std::string> idsOf(const std::vector<ReportSectionName> &names)
{
    std::vector<std::string> ids;
    for (const ReportSectionName &name : names)
        ids.push_back(name.id);
    return ids;
}

std::vector<std::string> idsOf(const Report &report)
{
    std::vector<std::string> ids;
    for (const ReportSection &section : report.sections)
        ids.push_back(section.id);
    return ids;
}

Result<Report> publishedReport(const ReportCommandOptions &options, ReportOptions report,
                               const ReportTemplate &house, const InstallPaths &paths)
{
    if (std::find(options.formats.begin(), options.formats.end(), "bundle") != options.formats.end())
        return Error{ErrorCode::BadInput, "Published results have no logs to bundle; leave the format "
                                          "\"bundle\" out."};
    const auto set = loadReference(paths.referenceFolder, options.reference);
    if (!set)
        return set.error();
    if (!report.sections)
        report.sections = templateSections(house, idsOf(buildReferenceReport(*set, report)));
    return buildReferenceReport(*set, report);
}

// Runs of a workspace, or of a bundle, which is unpacked into `scratch` for the purpose.
Result<BundleSource> readSource(const std::string &place, const QTemporaryDir &scratch)
{
    std::string folder = place;
    if (QFileInfo(QString::fromStdString(place)).isFile()) {
        folder = scratch.filePath(QStringLiteral("bundle")).toStdString();
        if (auto unpacked = unpackBundle(place, folder); !unpacked)
            return unpacked.error();
    }
    const auto workspace = Workspace::open(folder);
    if (!workspace)
        return workspace.error();
    if ((*workspace)->runs().empty())
        return Error{ErrorCode::NotFound,
                     "The workspace " + place + " has no runs to report; run a plan first."};
    return bundleSource(**workspace);
}

} // namespace

Result<std::vector<std::string>> runReportCommand(const ReportCommandOptions &options,
                                                  const InstallPaths &paths)
{
    const auto language = reportLanguageFromName(options.language);
    if (!language)
        return badOption("The language", options.language, "en or zh");
    if (options.out.empty())
        return Error{ErrorCode::BadInput, "The report needs a folder to be written to (--out)."};
    const auto house = options.houseStyle.empty() ? Result<ReportTemplate>(ReportTemplate())
                                                  : readReportTemplate(options.houseStyle);
    if (!house)
        return house.error();
    auto wanted = exportOptions(options, *house);
    if (!wanted)
        return wanted.error();

    ReportOptions report;
    report.language = *language;
    report.neutralNames = options.neutralNames;
    if (!options.sections.empty())
        report.sections = options.sections;
    const QTemporaryDir scratch;
    Result<Report> built = Report();
    if (!options.reference.empty()) {
        built = publishedReport(options, report, *house, paths);
    } else {
        const auto source = readSource(options.workspace, scratch);
        if (!source)
            return source.error();
        const auto kept = readKeptComparisons(source->folder);
        if (!kept)
            return kept.error();
        report.comparisons = reportComparisons(*kept, aggregate(source->runs), paths.referenceFolder);
        if (!report.sections)
            report.sections =
                templateSections(*house, idsOf(reportSections(source->runs, *language, report.comparisons)));
        built = buildReport(source->runs, report);
        wanted->bundle = *source;
        wanted->bundleOptions.pluginFolder = paths.pluginFolder;
        wanted->bundleOptions.userPluginFolder = paths.userPluginFolder;
        wanted->bundleOptions.neutralNames = options.neutralNames;
    }
    if (!built)
        return built.error();
    applyTemplate(*house, *built);
    if (built->sections.empty())
        return Error{ErrorCode::BadInput,
                     "None of the sections asked for (\"" +
                         join(report.sections.value_or(std::vector<std::string>()), ", ") +
                         "\") is known; leave --sections out for all."};
    if (const QString missing = missingGlyphs(*built, wanted->style.fontFamily);
        *language == ReportLanguage::Chinese && missing.size() > 20)
        return Error{ErrorCode::Unavailable,
                     "No font here has the Chinese glyphs; install Noto Sans CJK SC, then export again."};
    return exportReport(*built, *wanted);
}

} // namespace sb
