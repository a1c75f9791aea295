// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QObject>
#include <QString>

#include <memory>
#include <vector>

class QSettings;

namespace sb {

enum class Language { Desktop, English, Chinese };
enum class Theme { Desktop, Light, Dark };

// A workspace that was open before. The counts are those of the last time it was closed.
struct RecentWorkspace {
    QString folder;
    QString name;
    int runs = 0;
    int nodes = 0;
    QDateTime openedUtc;
    bool operator==(const RecentWorkspace &) const = default;
};

// What the window remembers between sessions, typed; the keys of the file are nobody else's business.
class Settings : public QObject {
    Q_OBJECT
public:
    // An empty path means the user's settings file.
    explicit Settings(const QString &file = {}, QObject *parent = nullptr);
    ~Settings() override;

    Language language() const;
    void setLanguage(Language language);
    Theme theme() const;
    void setTheme(Theme theme);

    // Newest first, at most kMostRecents.
    std::vector<RecentWorkspace> recents() const;
    void rememberWorkspace(const RecentWorkspace &workspace);
    void forgetWorkspace(const QString &folder);
    // Where file dialogs start: the folder that holds the newest workspace, else the home folder.
    QString startFolder() const;

    QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray &geometry);
    bool railCollapsed() const;
    void setRailCollapsed(bool collapsed);
    QByteArray splitterState(const QString &splitter) const;
    void setSplitterState(const QString &splitter, const QByteArray &state);

    static constexpr int kMostRecents = 20;

Q_SIGNALS:
    void languageChanged();
    void themeChanged();
    void recentsChanged();

private:
    void writeRecents(const std::vector<RecentWorkspace> &recents);

    std::unique_ptr<QSettings> m_file;
};

} // namespace sb
