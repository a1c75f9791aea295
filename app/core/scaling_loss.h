// SPDX-License-Identifier: GPL-3.0-or-later
// Where the efficiency of a larger run goes, with the evidence for each part.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace sb {

// What the ranks of one run spent a step on, as medians over its measured steps. Parts that a program does
// not log are absent.
struct StepParts {
    double stepMs = 0;
    std::vector<double> computeMs;  // own work, by rank; empty: not logged
    std::vector<double> commMs;     // waited for collectives, by rank
    std::vector<double> dataMs;     // waited for input, by rank
    std::optional<double> clockMHz; // median clock of the slowest device, where telemetry has it
    double noise = 0;               // half of the interval of the throughput over its value; 0: unknown
};

enum class LossCause {
    Communication, // what the rank that waits least still waits for collectives
    Data,          // waiting for input, more than alone
    Straggler,     // the median rank waits for the slowest: its own work is longer
    Clock,         // own work is longer because clocks are lower
    Work,          // own work is longer and clocks do not say why (memory, shared cores)
    Unexplained,   // the rest
};

struct LossPart {
    LossCause cause = LossCause::Unexplained;
    double ms = 0;    // a step
    double share = 0; // of the lost time
    // The two figures that it was computed from, alone and at scale: waits, own work, clocks (MHz); for a
    // straggler the median rank's work and the slowest's.
    double before = 0;
    double after = 0;
    std::optional<int> rank; // of a straggler
    bool operator==(const LossPart &) const = default;
};

struct LossAccount {
    double aloneMs = 0;
    double scaledMs = 0;
    double lostMs = 0;     // scaledMs − aloneMs: a step takes the same time on N devices if nothing is lost
    double efficiency = 0; // aloneMs / scaledMs
    bool withinNoise = false;    // what is lost is less than the two runs are uncertain by
    std::vector<LossPart> parts; // largest first, only those above 0.5 % of a step
    bool operator==(const LossAccount &) const = default;
};

// Both runs have the same batch per device; for strong scaling give sharedOut(alone, devices). Nothing
// without both step times. Parts never add up to more than what was lost: what is left over is Unexplained.
std::optional<LossAccount> accountForLoss(const StepParts &alone, const StepParts &scaled);

// What a step of one device would be if `devices` shared it without loss: all of its parts are that much
// shorter. Strong scaling is measured against it.
StepParts sharedOut(StepParts alone, int devices);

} // namespace sb
