// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace sb {

// A note of the desktop (org.freedesktop.Notifications). Does not wait; without such a service nothing
// happens.
void showDesktopNote(const QString &title, const QString &text);

} // namespace sb
