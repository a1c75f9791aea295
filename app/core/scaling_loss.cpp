// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scaling_loss.h"

#include "core/statistics.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr double kShown = 0.005; // of a step

double leastOf(const std::vector<double> &values)
{
    return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

double medianOf(const std::vector<double> &values)
{
    return median(values).value_or(0);
}

// Takes up to `ms` from what is not yet accounted for.
void take(LossAccount &account, double &left, LossPart part)
{
    part.ms = std::min(part.ms, left);
    if (part.ms < kShown * account.aloneMs)
        return;
    left -= part.ms;
    part.share = part.ms / account.lostMs;
    account.parts.push_back(part);
}

void takeWork(const StepParts &alone, const StepParts &scaled, LossAccount &account, double &left)
{
    const double before = medianOf(alone.computeMs);
    const double after = medianOf(scaled.computeMs);
    double more = std::max(0.0, after - before);
    if (alone.clockMHz && scaled.clockMHz && *scaled.clockMHz<*alone.clockMHz && * scaled.clockMHz> 0) {
        const double byClock = std::min(more, before * (*alone.clockMHz / *scaled.clockMHz - 1));
        take(account, left, {LossCause::Clock, byClock, 0, *alone.clockMHz, *scaled.clockMHz, {}});
        more -= byClock;
    }
    take(account, left, {LossCause::Work, more, 0, before, after, {}});
}

} // namespace

std::optional<LossAccount> accountForLoss(const StepParts &alone, const StepParts &scaled)
{
    if (!(alone.stepMs > 0) || !(scaled.stepMs > 0))
        return std::nullopt;
    LossAccount account;
    account.aloneMs = alone.stepMs;
    account.scaledMs = scaled.stepMs;
    account.lostMs = scaled.stepMs - alone.stepMs;
    account.efficiency = alone.stepMs / scaled.stepMs;
    account.withinNoise = std::abs(account.lostMs) <= std::hypot(alone.noise, scaled.noise) * scaled.stepMs;
    if (account.lostMs <= 0)
        return account;
    double left = account.lostMs;
    // A wait for collectives is transfer plus waiting for the slowest rank. The rank that waits least waits
    // for nobody: its wait is the transfer.
    const double transferBefore = leastOf(alone.commMs);
    const double transfer = leastOf(scaled.commMs);
    take(account, left,
         {LossCause::Communication,
          std::max(0.0, transfer - transferBefore),
          0,
          transferBefore,
          transfer,
          {}});
    const double inputBefore = medianOf(alone.dataMs);
    const double input = medianOf(scaled.dataMs);
    take(account, left, {LossCause::Data, std::max(0.0, input - inputBefore), 0, inputBefore, input, {}});
    if (scaled.computeMs.size() > 1) {
        const auto slowest = std::max_element(scaled.computeMs.begin(), scaled.computeMs.end());
        const double middle = medianOf(scaled.computeMs);
        take(account, left,
             {LossCause::Straggler, *slowest - middle, 0, middle, *slowest,
              static_cast<int>(slowest - scaled.computeMs.begin())});
    }
    if (!alone.computeMs.empty() && !scaled.computeMs.empty())
        takeWork(alone, scaled, account, left);
    take(account, left, {LossCause::Unexplained, left, 0, alone.stepMs, scaled.stepMs, {}});
    std::stable_sort(account.parts.begin(), account.parts.end(),
                     [](const LossPart &a, const LossPart &b) { return a.ms > b.ms; });
    return account;
}

StepParts sharedOut(StepParts alone, int devices)
{
    alone.stepMs /= devices;
    for (std::vector<double> *parts : {&alone.computeMs, &alone.commMs, &alone.dataMs})
        for (double &ms : *parts)
            ms /= devices;
    return alone;
}

} // namespace sb
