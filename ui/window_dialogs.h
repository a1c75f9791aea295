// SPDX-License-Identifier: GPL-3.0-or-later
// Small windows of the main window. None blocks.
#pragma once

#include <QStringList>

class QWidget;

namespace sb {

class Settings;

void openSettings(Settings &settings, QWidget *parent);
// Lines of "keys TAB what they do".
void showShortcuts(const QStringList &lines, QWidget *parent);
void showAbout(QWidget *parent);

} // namespace sb
