// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace sb {

namespace {

const QString kLanguage = QStringLiteral("appearance/language");
const QString kTheme = QStringLiteral("appearance/theme");
const QString kRecents = QStringLiteral("recent");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kRail = QStringLiteral("window/railCollapsed");
const QString kSplitters = QStringLiteral("splitters/");

// A word that is not in the list (an older or newer file) counts as the first one.
template <typename Enum>
Enum fromWord(const QString &word, std::initializer_list<const char *> words)
{
    int i = 0;
    for (const char *known : words) {
        if (word == QLatin1String(known))
            return static_cast<Enum>(i);
        ++i;
    }
    return static_cast<Enum>(0);
}

} // namespace

Settings::Settings(const QString &file, QObject *parent)
    : QObject(parent)
    , m_file(file.isEmpty()
                 ? std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                               QStringLiteral("scaleboard"), QStringLiteral("scaleboard"))
                 : std::make_unique<QSettings>(file, QSettings::IniFormat))
{
}

Settings::~Settings() = default;

Language Settings::language() const
{
    return fromWord<Language>(m_file->value(kLanguage).toString(), {"desktop", "en", "zh"});
}

void Settings::setLanguage(Language language)
{
    if (language == this->language())
        return;
    static const char *const kWords[] = {"desktop", "en", "zh"};
    m_file->setValue(kLanguage, QLatin1String(kWords[static_cast<int>(language)]));
    Q_EMIT languageChanged();
}

Theme Settings::theme() const
{
    return fromWord<Theme>(m_file->value(kTheme).toString(), {"desktop", "light", "dark"});
}

void Settings::setTheme(Theme theme)
{
    if (theme == this->theme())
        return;
    static const char *const kWords[] = {"desktop", "light", "dark"};
    m_file->setValue(kTheme, QLatin1String(kWords[static_cast<int>(theme)]));
    Q_EMIT themeChanged();
}

std::vector<RecentWorkspace> Settings::recents() const
{
    std::vector<RecentWorkspace> recents;
    const int count = m_file->beginReadArray(kRecents);
    for (int i = 0; i < std::min(count, kMostRecents); ++i) {
        m_file->setArrayIndex(i);
        RecentWorkspace recent;
        recent.folder = m_file->value(QStringLiteral("folder")).toString();
        recent.name = m_file->value(QStringLiteral("name")).toString();
        recent.runs = m_file->value(QStringLiteral("runs")).toInt();
        recent.nodes = m_file->value(QStringLiteral("nodes")).toInt();
        recent.openedUtc = m_file->value(QStringLiteral("openedUtc")).toDateTime();
        if (!recent.folder.isEmpty())
            recents.push_back(std::move(recent));
    }
    m_file->endArray();
    return recents;
}

void Settings::rememberWorkspace(const RecentWorkspace &workspace)
{
    std::vector<RecentWorkspace> all = recents();
    std::erase_if(all, [&](const RecentWorkspace &r) { return r.folder == workspace.folder; });
    all.insert(all.begin(), workspace);
    if (static_cast<int>(all.size()) > kMostRecents)
        all.resize(kMostRecents);
    writeRecents(all);
}

void Settings::forgetWorkspace(const QString &folder)
{
    std::vector<RecentWorkspace> all = recents();
    std::erase_if(all, [&](const RecentWorkspace &r) { return r.folder == folder; });
    writeRecents(all);
}

void Settings::writeRecents(const std::vector<RecentWorkspace> &all)
{
    m_file->remove(kRecents);
    m_file->beginWriteArray(kRecents, static_cast<int>(all.size()));
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        const RecentWorkspace &recent = all[static_cast<std::size_t>(i)];
        m_file->setArrayIndex(i);
        m_file->setValue(QStringLiteral("folder"), recent.folder);
        m_file->setValue(QStringLiteral("name"), recent.name);
        m_file->setValue(QStringLiteral("runs"), recent.runs);
        m_file->setValue(QStringLiteral("nodes"), recent.nodes);
        m_file->setValue(QStringLiteral("openedUtc"), recent.openedUtc);
    }
    m_file->endArray();
    Q_EMIT recentsChanged();
}

QString Settings::startFolder() const
{
    const std::vector<RecentWorkspace> all = recents();
    const QString beside = all.empty() ? QString() : QFileInfo(all.front().folder).absolutePath();
    return !beside.isEmpty() && QDir(beside).exists() ? beside : QDir::homePath();
}

QByteArray Settings::windowGeometry() const
{
    return m_file->value(kGeometry).toByteArray();
}

void Settings::setWindowGeometry(const QByteArray &geometry)
{
    m_file->setValue(kGeometry, geometry);
}

bool Settings::railCollapsed() const
{
    return m_file->value(kRail, false).toBool();
}

void Settings::setRailCollapsed(bool collapsed)
{
    m_file->setValue(kRail, collapsed);
}

QByteArray Settings::splitterState(const QString &splitter) const
{
    return m_file->value(kSplitters + splitter).toByteArray();
}

void Settings::setSplitterState(const QString &splitter, const QByteArray &state)
{
    m_file->setValue(kSplitters + splitter, state);
}

} // namespace sb
