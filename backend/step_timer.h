// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbtrain {

// From the ends of steps to their lengths. A step lasts from the end of the one before, the first from when
// the program was ready, so that lengths add up to the time that really passed.
class StepTimer {
public:
    explicit StepTimer(double ready_time_s)
        : m_last_s(ready_time_s)
    {
    }

    double step_ms(double end_time_s)
    {
        const double length_ms = 1e3 * (end_time_s - m_last_s);
        m_last_s = end_time_s;
        return length_ms;
    }

private:
    double m_last_s;
};

} // namespace sbtrain
