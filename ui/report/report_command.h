// SPDX-License-Identifier: GPL-3.0-or-later
// `scaleboard report`: a report of a workspace without a window. Needs a QApplication (figures are painted by
// a widget), which may run on the platform "offscreen".
#pragma once

#include "core/result.h"
#include "session/install_paths.h"

#include <optional>
#include <string>
#include <vector>

namespace sb {

// As written on the command line; empty lists mean the usual choice.
struct ReportCommandOptions {
    std::string workspace;             // folder, or a bundle's file
    std::string reference;             // id of published results, in place of a workspace
    std::string out;                   // folder to make, or an earlier report to replace
    std::string language = "en";       // "en" or "zh"
    std::vector<std::string> formats;  // as of reportFormatFromName(); usual: pdf, html, md, csv
    std::vector<std::string> figures;  // of "png", "svg", "pdf"; usual: "png", "svg"
    std::vector<std::string> sections; // ids in order; usual: all
    std::string houseStyle;            // path of a report template; empty: none
    std::optional<double> figureWidthMm;
    std::string palette; // "print", "light", "dark" or "grey"; empty: the template's, or print
    bool neutralNames = false;
};

// Files written, relative to `out`. Errors name the option, the workspace or the file.
Result<std::vector<std::string>> runReportCommand(const ReportCommandOptions &options,
                                                  const InstallPaths &paths);

} // namespace sb
