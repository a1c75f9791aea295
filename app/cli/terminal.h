// SPDX-License-Identifier: GPL-3.0-or-later
// Questions of a session at the terminal.
#pragma once

#include <QObject>

namespace sb {
class SessionModel;
}

namespace sb::cli {

// Answers the session's questions by asking at the controlling terminal, one after the other. Without a
// terminal every question is declined, so that a script never hangs and never trusts a key by itself.
// Secrets are read without echo and from the terminal only, never from an argument or the environment.
void answerAtTerminal(SessionModel &session, QObject *context);

} // namespace sb::cli
