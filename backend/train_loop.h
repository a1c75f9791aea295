// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "events.h"
#include "options.h"

namespace sbtrain {

// One run from the options to the last event. Errors are returned, not reported: the caller writes the error
// event. Returned codes: Ok, or Interrupted / Terminated after a signal and a clean end.
Result<ExitCode> run_training(const Options &options, EventWriter &events, double start_time_s);

} // namespace sbtrain
