// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "settings/settings.h"

#include <QObject>
#include <QTranslator>

#include <memory>
#include <vector>

Q_MOC_INCLUDE(<QDBusVariant>)

class QDBusVariant;

namespace sb {

// Puts the language and theme of the settings in force, at once and for as long as it lives. "As the desktop"
// asks the desktop's portal, without waiting for it, and follows its changes; with no portal the lightness
// of the palette that the platform gave decides.
class Appearance : public QObject {
    Q_OBJECT
public:
    explicit Appearance(Settings &settings, QObject *parent = nullptr);
    ~Appearance() override;

    // For one session only, over what the settings say.
    void overrideLanguage(Language language);
    void overrideTheme(Theme theme);
    bool isDark() const { return m_dark; }
    // The language in force: never Desktop.
    Language language() const { return m_language; }

private Q_SLOTS:
    void portalSettingChanged(const QString &group, const QString &key, const QDBusVariant &value);

private:
    void askPortal();
    void applyTheme();
    void applyLanguage();

    Settings &m_settings;
    Language m_languageOverride = Language::Desktop;
    Theme m_themeOverride = Theme::Desktop;
    Language m_language = Language::English;
    bool m_desktopDark = false;
    bool m_dark = false;
    std::vector<std::unique_ptr<QTranslator>> m_translators;
};

} // namespace sb
