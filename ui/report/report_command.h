// SPDX-License-Identifier: GPL-3.0-or-later
// `scaleboard report`: a report of a workspace without a window. Needs a QApplication (figures are painted by
// a widget), which may run on the platform "offscreen".
#pragma once

#include "core/result.h"
#include "session/session_model.h"

#include <string>
#include <vector>

namespace sb {

// As written on the command line; empty lists mean the usual choice.
struct ReportCommandOptions {
    std::string workspace;             // folder
    std::string out;                   // folder to make, or an earlier report to replace
    std::string language = "en";       // "en" or "zh"
    std::vector<std::string> formats;  // of "pdf", "html", "md", "csv", "json"; usual: the first four
    std::vector<std::string> figures;  // of "png", "svg", "pdf"; usual: "png", "svg"
    std::vector<std::string> sections; // ids in order; usual: all
    double figureWidthMm = 85;
    std::string palette = "print"; // "print" or "grey"
    bool neutralNames = false;
};

// Files written, relative to `out`. Errors name the option, the workspace or the file.
Result<std::vector<std::string>> runReportCommand(const ReportCommandOptions &options,
                                                  const SessionModel::Options &sessionOptions);

} // namespace sb
