// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop_note.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QVariantMap>

namespace sb {

void showDesktopNote(const QString &title, const QString &text)
{
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    // Application, id to replace, icon, title, text, actions, hints, time until it goes (-1: as the desktop
    // does).
    call << QStringLiteral("Scaleboard") << 0U << QStringLiteral("scaleboard") << title << text
         << QStringList() << QVariantMap() << -1;
    bus.send(call);
}

} // namespace sb
