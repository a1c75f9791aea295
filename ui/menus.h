// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/step_model.h"
#include "settings/settings.h"
#include "widgets/texts.h"

#include <QKeySequence>
#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace sb {

// What the menus do. An empty function leaves its entry out.
struct MenuTargets {
    std::function<void()> newWorkspace, openWorkspace, openBundle, closeWorkspace, openPlan, savePlan,
        exportPage;
    std::function<void()> copyCommands, find, settings;
    std::function<void(PageId)> showPage;
    std::function<void()> toggleRail, nextPanel, previousPanel, toggleFullScreen;
    std::function<void()> addNode, probeNodes;
    std::function<void()> start, pause, stop, dryRun, firstStudy;
    std::function<void()> shortcuts, about;
    std::function<void(const QString &folder)> openRecent;
};

// The menu bar. Every action of the window is here with its shortcut.
class Menus : public QObject {
    Q_OBJECT
public:
    Menus(QMainWindow &window, Settings &settings, MenuTargets targets, const std::vector<PageId> &pages);

    // Which entries can be used now.
    struct State {
        bool workspace = false;
        bool sweepActive = false;
        bool canStart = false;
        bool canPause = false;
    };
    void setState(const State &state);
    void retranslate() const { m_texts.refresh(); }
    QMenu *helpMenu() { return m_help; }
    // "Ctrl+O — Open workspace…", a line an action that has a shortcut, in menu order.
    QStringList shortcutLines() const;

private:
    using Text = std::function<QString()>;
    QMenu *addMenu(Text text);
    QAction *add(QMenu *menu, Text text, const QKeySequence &keys, const std::function<void()> &target);
    void buildFile();
    void buildEdit();
    void buildView(const std::vector<PageId> &pages);
    void buildNodes();
    void buildRun();
    void buildHelp();
    void fillRecents();

    QMainWindow &m_window;
    Settings &m_settings;
    MenuTargets m_targets;
    Texts m_texts;
    std::vector<QAction *> m_actions;
    QMenu *m_recents = nullptr;
    QMenu *m_help = nullptr;
    QAction *m_close = nullptr;
    QAction *m_start = nullptr;
    QAction *m_pause = nullptr;
    QAction *m_stop = nullptr;
    QAction *m_firstStudy = nullptr;
};

} // namespace sb
