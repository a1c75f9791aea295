// SPDX-License-Identifier: GPL-3.0-or-later
#include "menus.h"

#include "models/recent_model.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>

namespace sb {

Menus::Menus(QMainWindow &window, Settings &settings, MenuTargets targets, const std::vector<PageId> &pages)
    : QObject(&window)
    , m_window(window)
    , m_settings(settings)
    , m_targets(std::move(targets))
{
    buildFile();
    buildEdit();
    buildView(pages);
    buildNodes();
    buildRun();
    buildHelp();
}

QMenu *Menus::addMenu(Text text)
{
    QMenu *menu = m_window.menuBar()->addMenu(QString());
    m_texts.add([menu, text = std::move(text)] { menu->setTitle(text()); });
    return menu;
}

QAction *Menus::add(QMenu *menu, Text text, const QKeySequence &keys, const std::function<void()> &target)
{
    if (!target)
        return nullptr;
    auto *action = new QAction(this);
    action->setShortcut(keys);
    menu->addAction(action);
    m_window.addAction(action); // shortcuts work also where the menu bar is not shown
    m_texts.add([action, text = std::move(text)] { action->setText(text()); });
    connect(action, &QAction::triggered, this, [target] { target(); });
    m_actions.push_back(action);
    return action;
}

void Menus::buildFile()
{
    QMenu *menu = addMenu([] { return tr("&File"); });
    add(
        menu, [] { return tr("&New workspace…"); }, QKeySequence::New, m_targets.newWorkspace);
    add(
        menu, [] { return tr("&Open workspace…"); }, QKeySequence::Open, m_targets.openWorkspace);
    add(
        menu, [] { return tr("Open &bundle…"); }, {}, m_targets.openBundle);
    m_recents = menu->addMenu(QString());
    m_texts.add([this] { m_recents->setTitle(tr("Open &recent")); });
    connect(m_recents, &QMenu::aboutToShow, this, &Menus::fillRecents);
    m_close = add(
        menu, [] { return tr("&Close workspace"); }, {}, m_targets.closeWorkspace);
    menu->addSeparator();
    add(
        menu, [] { return tr("Open &plan…"); }, {}, m_targets.openPlan);
    add(
        menu, [] { return tr("&Save plan…"); }, QKeySequence::Save, m_targets.savePlan);
    if (m_targets.exportPage) {
        menu->addSeparator();
        add(
            menu, [] { return tr("&Export…"); }, QKeySequence(Qt::CTRL | Qt::Key_E), m_targets.exportPage);
    }
    menu->addSeparator();
    add(
        menu, [] { return tr("&Quit"); }, QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { m_window.close(); });
}

void Menus::fillRecents()
{
    m_recents->clear();
    for (const RecentWorkspace &recent : m_settings.recents()) {
        QString text = recent.name + QStringLiteral(" · ") + shortPath(recent.folder);
        QAction *action = m_recents->addAction(text.replace(u'&', QStringLiteral("&&")));
        connect(action, &QAction::triggered, this,
                [this, folder = recent.folder] { m_targets.openRecent(folder); });
    }
    if (m_recents->isEmpty())
        m_recents->addAction(tr("Nothing yet"))->setEnabled(false);
}

void Menus::buildEdit()
{
    QMenu *menu = addMenu([] { return tr("&Edit"); });
    add(
        menu, [] { return tr("&Copy the command line"); }, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        m_targets.copyCommands);
    add(
        menu, [] { return tr("&Find in the log"); }, QKeySequence::Find, m_targets.find);
    menu->addSeparator();
    add(
        menu, [] { return tr("&Settings…"); }, QKeySequence(Qt::CTRL | Qt::Key_Comma), m_targets.settings);
}

void Menus::buildView(const std::vector<PageId> &pages)
{
    QMenu *menu = addMenu([] { return tr("&View"); });
    int number = 0;
    for (const PageId page : pages)
        add(
            menu, [page] { return pageTitle(page); },
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number++)),
            [this, page] { m_targets.showPage(page); });
    menu->addSeparator();
    add(
        menu, [] { return tr("&Rail as icons"); }, QKeySequence(Qt::CTRL | Qt::Key_B), m_targets.toggleRail);
    add(
        menu, [] { return tr("&Next panel"); }, QKeySequence(Qt::Key_F6), m_targets.nextPanel);
    add(
        menu, [] { return tr("&Previous panel"); }, QKeySequence(Qt::SHIFT | Qt::Key_F6),
        m_targets.previousPanel);
    menu->addSeparator();
    add(
        menu, [] { return tr("&Full screen"); }, QKeySequence(Qt::Key_F11), m_targets.toggleFullScreen);
}

void Menus::buildNodes()
{
    QMenu *menu = addMenu([] { return tr("&Nodes"); });
    add(
        menu, [] { return tr("&Add a node…"); }, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
        m_targets.addNode);
    add(
        menu, [] { return tr("&Probe all"); }, {}, m_targets.probeNodes);
}

void Menus::buildRun()
{
    QMenu *menu = addMenu([] { return tr("&Run"); });
    m_start = add(
        menu, [] { return tr("&Start the plan"); }, QKeySequence(Qt::Key_F5), m_targets.start);
    m_pause = add(
        menu, [] { return tr("&Pause after this run, or go on"); },
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), m_targets.pause);
    m_stop = add(
        menu, [] { return tr("S&top run…"); }, QKeySequence(Qt::SHIFT | Qt::Key_F5), m_targets.stop);
    menu->addSeparator();
    add(
        menu, [] { return tr("&Dry run…"); }, {}, m_targets.dryRun);
    m_firstStudy = add(
        menu, [] { return tr("Run the &first study"); }, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
        m_targets.firstStudy);
}

void Menus::buildHelp()
{
    m_help = addMenu([] { return tr("&Help"); });
    add(
        m_help, [] { return tr("&Keyboard shortcuts"); }, {}, m_targets.shortcuts);
    add(
        m_help, [] { return tr("&About Scaleboard"); }, {}, m_targets.about);
    add(
        m_help, [] { return tr("About &Qt"); }, {}, [] { QApplication::aboutQt(); });
}

void Menus::setState(const State &state)
{
    m_close->setEnabled(state.workspace && !state.sweepActive);
    m_start->setEnabled(state.canStart);
    m_pause->setEnabled(state.canPause);
    m_stop->setEnabled(state.sweepActive);
    m_firstStudy->setEnabled(!state.sweepActive);
}

QStringList Menus::shortcutLines() const
{
    static const QRegularExpression kChineseMnemonic(QStringLiteral("\\(&.\\)"));
    QStringList lines;
    for (const QAction *action : m_actions)
        if (!action->shortcut().isEmpty())
            lines << action->shortcut().toString(QKeySequence::NativeText) + u'\t' +
                         action->text().remove(kChineseMnemonic).remove(u'&').remove(u'…');
    return lines;
}

} // namespace sb
