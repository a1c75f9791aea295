// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/appearance.h"

#include "charts/tokens.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QLibraryInfo>
#include <QLocale>
#include <QToolTip>

namespace sb {

namespace {

const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kPortalSettings = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");
constexpr uint kPrefersDark = 1;

// The portal wraps the value in one variant more than its signature says.
uint unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}

} // namespace

Appearance::Appearance(Settings &settings, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
    , m_desktopDark(QApplication::palette().color(QPalette::Window).lightnessF() < 0.5F)
{
    connect(&settings, &Settings::languageChanged, this, &Appearance::applyLanguage);
    connect(&settings, &Settings::themeChanged, this, &Appearance::applyTheme);
    applyTheme();
    applyLanguage();
    askPortal();
}

Appearance::~Appearance() = default;

void Appearance::overrideLanguage(Language language)
{
    m_languageOverride = language;
    applyLanguage();
}

void Appearance::overrideTheme(Theme theme)
{
    m_themeOverride = theme;
    applyTheme();
}

void Appearance::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kPortal, kPortalPath, kPortalSettings, QStringLiteral("SettingChanged"), this,
                SLOT(portalSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read =
        QDBusMessage::createMethodCall(kPortal, kPortalPath, kPortalSettings, QStringLiteral("Read"));
    read << kGroup << kKey;
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(read), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (!reply.isError())
            portalSettingChanged(kGroup, kKey, reply.value());
        done->deleteLater();
    });
}

void Appearance::portalSettingChanged(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group != kGroup || key != kKey)
        return;
    m_desktopDark = unwrapped(value.variant()) == kPrefersDark;
    applyTheme();
}

void Appearance::applyTheme()
{
    const Theme theme = m_themeOverride != Theme::Desktop ? m_themeOverride : m_settings.theme();
    m_dark = theme == Theme::Dark || (theme == Theme::Desktop && m_desktopDark);
    const QPalette palette = (m_dark ? Tokens::dark() : Tokens::light()).toPalette();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

void Appearance::applyLanguage()
{
    Language wanted = m_languageOverride != Language::Desktop ? m_languageOverride : m_settings.language();
    if (wanted == Language::Desktop)
        wanted = QLocale::system().language() == QLocale::Chinese ? Language::Chinese : Language::English;
    m_language = wanted;
    // Each removal and installation tells every widget; an empty list and a full one are two tellings at
    // most.
    m_translators.clear();
    const bool chinese = wanted == Language::Chinese;
    const auto install = [this](const QString &file, const QString &folder) {
        auto translator = std::make_unique<QTranslator>();
        if (translator->load(file, folder) && QCoreApplication::installTranslator(translator.get()))
            m_translators.push_back(std::move(translator));
    };
    if (chinese)
        install(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    // English has a file too: it holds the plurals.
    install(chinese ? QStringLiteral("scaleboard_zh_CN") : QStringLiteral("scaleboard_en"),
            QStringLiteral(":/i18n"));
}

} // namespace sb
