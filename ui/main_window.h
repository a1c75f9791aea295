// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "menus.h"
#include "models/step_model.h"
#include "session/session_model.h"
#include "settings/settings.h"

#include <QMainWindow>

#include <map>

class QStackedWidget;

namespace sb {

class Banner;
class LivePage;
class NodesPage;
class PlanPage;
class ComparePage;
class ReportPage;
class ScalingPage;
class StartPage;
class StatusLine;
class StepRail;
class TopologyPage;
class WorkspaceActions;

// The window: rail, pages, menus, status bar. Pages do their own work; the window carries wishes of one page
// to another.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(SessionModel &session, Settings &settings, QWidget *parent = nullptr);
    ~MainWindow() override;

    void showPage(PageId page);
    PageId currentPage() const;
    QWidget *page(PageId page) const;
    std::vector<PageId> pages() const;
    WorkspaceActions &workspaces() { return *m_workspaces; }
    StepRail *rail() { return m_rail; }
    Menus *menus() { return m_menus; }

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildPages();
    void buildMenus();
    void connectPages();
    void connectSession();
    void refresh();
    void showTitle();
    void fitRail();
    void stepPanel(int direction);
    void addNode();
    void showSettings();
    void tellFailure(const QString &lead, const QString &reason);

    SessionModel &m_session;
    Settings &m_settings;
    WorkspaceActions *m_workspaces;
    StepModel m_steps;
    StepRail *m_rail;
    Banner *m_banner;
    QStackedWidget *m_stack;
    StatusLine *m_status;
    Menus *m_menus = nullptr;
    std::map<PageId, QWidget *> m_pages; // in the order of the path of work
    StartPage *m_start = nullptr;
    NodesPage *m_nodes = nullptr;
    TopologyPage *m_topology = nullptr;
    PlanPage *m_plan = nullptr;
    LivePage *m_live = nullptr;
    ScalingPage *m_scaling = nullptr;
    ComparePage *m_compare = nullptr;
    ReportPage *m_report = nullptr;
};

} // namespace sb
