// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_figures.h"

namespace sb {

FigureTexts reportFigureTexts(const ScalingGroup &group, FigureKind kind, ReportLanguage language)
{
    const auto text = [language](std::string_view key, std::initializer_list<std::string> arguments = {}) {
        return QString::fromStdString(reportText(language, key, arguments));
    };
    const bool gpu = group.device == "cuda";
    const std::string device = reportText(language, gpu ? "device.gpu" : "device.cpu");
    std::string unit = group.unit.empty() ? "samples" : group.unit;
    if (unit == "images" || unit == "sequences" || unit == "samples")
        unit = reportText(language, "unit." + unit);
    FigureTexts texts;
    texts.valueAxis = kind == FigureKind::Throughput ? text("throughput.axis", {unit})
                      : kind == FigureKind::Speedup  ? text("speedup.axis", {device})
                                                     : text("efficiency.axis");
    texts.deviceAxis = text(gpu ? "devices.gpu" : "devices.cpu");
    texts.ideal = text("ideal");
    texts.simulated = text("simulated");
    texts.noBaseline = text("nobaseline", {device});
    texts.nothing = text("none");
    return texts;
}

ScalingFigure scalingFigure(const Report &report, const ReportFigure &figure)
{
    const ScalingGroup &group = report.groups.at(figure.group);
    ScalingFigure drawn;
    drawn.kind = figure.kind == ReportFigureKind::Throughput ? FigureKind::Throughput
                 : figure.kind == ReportFigureKind::Speedup  ? FigureKind::Speedup
                                                             : FigureKind::Efficiency;
    drawn.curves = group.curves;
    // Where all is published, that need not stand behind every name; and names have their † already.
    if (!report.groupTitles.empty())
        for (ScalingCurve &curve : drawn.curves) {
            curve.published.clear();
            curve.unlike.clear();
        }
    drawn.texts = reportFigureTexts(group, drawn.kind, report.language);
    drawn.texts.title =
        QString::fromStdString(figure.group < report.groupTitles.size() ? report.groupTitles[figure.group]
                                                                        : groupTitle(group, report.language));
    drawn.texts.provenance = QString::fromStdString(report.provenance);
    return drawn;
}

} // namespace sb
