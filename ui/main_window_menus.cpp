// SPDX-License-Identifier: GPL-3.0-or-later
// What the entries of the menus do.
#include "main_window.h"

#include "pages/compare_page.h"
#include "pages/live_page.h"
#include "pages/nodes_page.h"
#include "pages/plan_page.h"
#include "pages/report_page.h"
#include "pages/scaling_page.h"
#include "pages/topology_page.h"
#include "widgets/panel_steps.h"
#include "widgets/step_rail.h"
#include "widgets/tab_order.h"
#include "window_dialogs.h"
#include "workspace_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QStackedWidget>

namespace sb {

void MainWindow::buildMenus()
{
    MenuTargets targets;
    targets.newWorkspace = [this] { m_workspaces->askNew(); };
    targets.openWorkspace = [this] { m_workspaces->askOpen(); };
    targets.openBundle = [this] { m_workspaces->askOpenBundle(); };
    targets.closeWorkspace = [this] { m_workspaces->close(); };
    targets.openRecent = [this](const QString &folder) { m_workspaces->open(folder); };
    targets.openPlan = [this] {
        showPage(PageId::Plan);
        m_plan->askOpen();
    };
    targets.savePlan = [this] { m_plan->askSave(); };
    targets.exportPage = [this] {
        if (currentPage() == PageId::Topology)
            return m_topology->askExport();
        if (currentPage() == PageId::Scaling)
            return m_scaling->exportFigures();
        if (currentPage() == PageId::Compare)
            return m_compare->exportFigures();
        showPage(PageId::Report); // says what is missing where there is nothing to export
        m_report->askExport();
    };
    targets.copyCommands = [this] {
        if (currentPage() == PageId::Report)
            QApplication::clipboard()->setText(m_report->commandLine());
        else
            m_plan->copyCommands();
    };
    targets.find = [this] {
        showPage(PageId::Live);
        m_live->focusFind();
    };
    targets.settings = [this] { showSettings(); };
    targets.showPage = [this](PageId id) { showPage(id); };
    targets.toggleRail = [this] {
        m_settings.setRailCollapsed(!m_settings.railCollapsed());
        fitRail();
    };
    targets.nextPanel = [this] { stepPanel(1); };
    targets.previousPanel = [this] { stepPanel(-1); };
    targets.toggleFullScreen = [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); };
    targets.start = [this] { m_workspaces->startPlan(); };
    targets.pause = [this] { m_live->togglePause(); };
    targets.stop = [this] { m_live->askStop(); };
    targets.dryRun = [this] {
        showPage(PageId::Plan);
        m_plan->showDryRun();
    };
    targets.addNode = [this] { addNode(); };
    targets.probeNodes = [this] { m_session.probeNodes(); };
    targets.firstStudy = [this] { m_workspaces->startFirstStudy(); };
    targets.shortcuts = [this] { showShortcuts(m_menus->shortcutLines(), this); };
    targets.about = [this] { showAbout(this); };
    m_menus = new Menus(*this, m_settings, std::move(targets), pages());
    for (const auto &[id, page] : m_pages)
        orderTabs(page);
    connect(m_stack, &QStackedWidget::currentChanged, this, [this] { orderTabs(m_stack->currentWidget()); });
}

void MainWindow::stepPanel(int direction)
{
    focusNextPanel({m_rail, m_stack->currentWidget()}, direction);
}

void MainWindow::showSettings()
{
    openSettings(m_settings, this);
}

void MainWindow::addNode()
{
    showPage(PageId::Nodes);
    m_nodes->field()->setFocus();
    m_nodes->field()->selectAll();
}

} // namespace sb
