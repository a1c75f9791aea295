// SPDX-License-Identifier: GPL-3.0-or-later
// Where the loss goes and how much of the hardware is used, in the window's language, as figures.
#pragma once

#include "charts/loss_figure.h"
#include "charts/roofline_figure.h"
#include "core/scaling.h"
#include "core/utilisation.h"

#include <QString>

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace sb {

// What figures ask of the session.
struct InsightSource {
    std::function<std::optional<StepParts>(const CaseResult &)> partsOf;
    std::function<const Run *(const CaseResult &)> runOf; // the newest one of a case; null for published ones
    std::string publishedDevice;                          // what published results ran on
};

QString causeText(LossCause cause);
// "8 GPUs", "1 device".
QString devicesText(int devices, const std::string &device);

// A bar for each scale of the curve. `strong`: all scales share the same work.
LossFigure lossFigure(const ScalingCurve &curve, bool strong, const InsightSource &source);

// At each curve's largest scale.
std::vector<Utilisation> utilisationsOf(const ScalingGroup &group, const InsightSource &source);
// Points of the curves that are not hidden; the message says why when there is none to draw.
RooflineFigure rooflineFigure(const ScalingGroup &group, std::span<const Utilisation> uses,
                              const std::set<std::size_t> &hidden);
// Where peak, FLOPs and intensity come from, in sentences.
QString rooflineSources(std::span<const Utilisation> uses);

} // namespace sb
