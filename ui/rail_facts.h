// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/step_model.h"
#include "session/session_model.h"

namespace sb {

// What the rail says about this session. `stale`: no data of a run for too long.
RailFacts railFacts(const SessionModel &session, bool stale);

} // namespace sb
