// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run.h"

#include <array>
#include <utility>

namespace sb {

namespace {
constexpr std::array<std::pair<RunState, const char *>, 7> kStateNames{{
    {RunState::Queued, "queued"},
    {RunState::Starting, "starting"},
    {RunState::Running, "running"},
    {RunState::Done, "done"},
    {RunState::Failed, "failed"},
    {RunState::Cancelled, "cancelled"},
    {RunState::Lost, "lost"},
}};
} // namespace

std::string runStateName(RunState state)
{
    for (const auto &[known, name] : kStateNames)
        if (known == state)
            return name;
    return {};
}

std::optional<RunState> runStateFromName(const std::string &name)
{
    for (const auto &[state, known] : kStateNames)
        if (name == known)
            return state;
    return std::nullopt;
}

} // namespace sb
