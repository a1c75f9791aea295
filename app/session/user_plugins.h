// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStandardPaths>

#include <string>

namespace sb {

// Where a user's own plugins are: $XDG_DATA_HOME/scaleboard/plugins, usually
// ~/.local/share/scaleboard/plugins.
inline std::string userPluginFolder()
{
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    return data.isEmpty() ? std::string() : data.toStdString() + "/scaleboard/plugins";
}

} // namespace sb
