// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window.h"

#include "desktop_note.h"
#include "pages/compare_page.h"
#include "pages/live_page.h"
#include "pages/nodes_page.h"
#include "pages/plan_foot.h"
#include "pages/plan_page.h"
#include "pages/report_page.h"
#include "pages/scaling_page.h"
#include "pages/start_page.h"
#include "pages/topology_feed.h"
#include "pages/topology_page.h"
#include "rail_facts.h"
#include "sentences/sentence.h"
#include "widgets/banner.h"
#include "widgets/panel_steps.h"
#include "widgets/status_line.h"
#include "widgets/step_rail.h"
#include "window_dialogs.h"
#include "workspace_actions.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sb {

constexpr int kNarrowWindow = 1240; // below this the rail shows icons

MainWindow::MainWindow(SessionModel &session, Settings &settings, QWidget *parent)
    : QMainWindow(parent)
    , m_session(session)
    , m_settings(settings)
    , m_workspaces(new WorkspaceActions(session, settings, this))
    , m_rail(new StepRail(m_steps, this))
    , m_banner(new Banner(this))
    , m_stack(new QStackedWidget(this))
    , m_status(new StatusLine(session, this))
{
    auto *central = new QWidget(this);
    auto *row = new QHBoxLayout(central);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_rail);
    auto *column = new QVBoxLayout;
    column->setSpacing(0);
    auto *bannerRow = new QHBoxLayout;
    bannerRow->setContentsMargins(16, 0, 16, 0);
    bannerRow->addWidget(m_banner);
    column->addLayout(bannerRow);
    column->addWidget(m_stack, 1);
    row->addLayout(column, 1);
    setCentralWidget(central);
    setStatusBar(m_status);
    setMinimumSize(1120, 640);

    buildPages();
    buildMenus();
    connectPages();
    connectSession();
    if (!restoreGeometry(settings.windowGeometry()))
        resize(1366, 738);
    showPage(PageId::Start);
    m_start->setFocus();
    refresh();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPages()
{
    m_start = new StartPage(m_session, m_settings, m_stack);
    m_nodes = new NodesPage(m_session, m_settings, m_stack);
    m_topology = new TopologyPage(m_settings, m_stack);
    new TopologyFeed(m_session, m_topology); // owned by the page
    m_plan = new PlanPage(m_session, m_settings, m_stack);
    m_live = new LivePage(m_session, m_settings, m_stack);
    m_scaling = new ScalingPage(m_session, m_settings, m_stack);
    m_compare = new ComparePage(m_session, m_settings, m_stack);
    m_report = new ReportPage(m_session, m_settings, m_stack);
    m_pages = {{PageId::Start, m_start},     {PageId::Nodes, m_nodes},  {PageId::Topology, m_topology},
               {PageId::Plan, m_plan},       {PageId::Live, m_live},    {PageId::Scaling, m_scaling},
               {PageId::Compare, m_compare}, {PageId::Report, m_report}};
    for (const auto &[id, widget] : m_pages)
        m_stack->addWidget(widget);
    m_steps.setPages(pages());
}

void MainWindow::connectPages()
{
    connect(m_rail, &StepRail::pageChosen, this, &MainWindow::showPage);
    connect(m_rail->settingsButton(), &QPushButton::clicked, this, &MainWindow::showSettings);
    connect(m_rail->helpButton(), &QPushButton::clicked, this,
            [this] { m_menus->helpMenu()->popup(m_rail->helpButton()->mapToGlobal(QPoint(0, 0))); });
    connect(m_start, &StartPage::firstStudyWanted, m_workspaces, &WorkspaceActions::startFirstStudy);
    connect(m_start, &StartPage::nodeWanted, this, &MainWindow::addNode);
    connect(m_start, &StartPage::importWanted, m_workspaces, &WorkspaceActions::askImport);
    connect(m_start, &StartPage::openWanted, m_workspaces, &WorkspaceActions::askOpen);
    connect(m_start, &StartPage::newWanted, m_workspaces, [this] { m_workspaces->askNew(); });
    connect(m_start, &StartPage::folderChosen, m_workspaces, &WorkspaceActions::open);
    connect(m_start, &StartPage::locateWanted, m_workspaces, &WorkspaceActions::askLocate);
    connect(m_start, &StartPage::planFileChosen, this, [this](const QString &path) {
        showPage(PageId::Plan);
        m_plan->openPlanFile(path);
    });
    connect(m_plan, &PlanPage::startWanted, m_workspaces, &WorkspaceActions::startPlan);
    connect(m_live, &LivePage::planWanted, this, [this] { showPage(PageId::Plan); });
    connect(m_live, &LivePage::continueWanted, m_workspaces, &WorkspaceActions::startPlan);
    connect(m_live, &LivePage::staleChanged, this, [this] {
        m_status->setStale(m_live->staleS());
        refresh();
    });
    connect(m_scaling, &ScalingPage::planWanted, this, [this] { showPage(PageId::Plan); });
    connect(m_compare, &ComparePage::verdictChanged, this, &MainWindow::refresh);
    connect(m_compare, &ComparePage::comparisonsKept, m_report, &ReportPage::takeComparisons);
    connect(m_report, &ReportPage::planWanted, this, [this] { showPage(PageId::Plan); });
    connect(m_topology, &TopologyPage::topologyChanged, this, &MainWindow::refresh);
    connect(m_workspaces, &WorkspaceActions::failed, this, &MainWindow::tellFailure);
    connect(m_workspaces, &WorkspaceActions::started, this, [this] {
        m_banner->clear();
        showPage(PageId::Live);
    });
}

void MainWindow::connectSession()
{
    for (const auto signal :
         {&SessionModel::workspaceChanged, &SessionModel::planChanged, &SessionModel::resultsChanged,
          &SessionModel::progressChanged, &SessionModel::liveRunChanged, &SessionModel::nodesChanged})
        connect(&m_session, signal, this, &MainWindow::refresh);
    connect(&m_session, &SessionModel::problem, this, [this](const QString &said) {
        m_banner->showMessage(Banner::Kind::Warning, translateSentence(said));
    });
    connect(&m_session, &SessionModel::questionsChanged, this, [this] {
        if (!m_session.questions().empty())
            showPage(PageId::Nodes); // the question is explained there
    });
    connect(&m_session, &SessionModel::nodesChanged, this, [this] {
        // A first plan to look at; whatever the user brought stays.
        if (m_session.plan().frameworks.empty() && !m_session.nodes().empty())
            m_plan->choosePreset(PlanAxes::Preset::FirstStudy);
    });
    connect(&m_session, &SessionModel::planFinished, this, [this](bool everyRunDone) {
        const SweepProgress &progress = m_session.progress();
        const QString text = tr("%1 of %2 runs measured, %3 failed")
                                 .arg(progress.doneRuns)
                                 .arg(progress.totalRuns)
                                 .arg(progress.failedRuns);
        if (!isActiveWindow())
            showDesktopNote(everyRunDone ? tr("The sweep is done") : tr("The sweep has ended"), text);
    });
    for (const std::string &sentence : m_session.catalogProblems())
        m_banner->showMessage(Banner::Kind::Warning, tr("A plugin was left out."),
                              translateSentence(sentence));
}

void MainWindow::refresh()
{
    const bool stale = m_live->staleS().has_value();
    RailFacts facts = railFacts(m_session, stale);
    facts.topology = m_topology->summary();
    facts.compared = m_compare->verdict();
    m_steps.setFacts(facts);
    const SweepProgress &progress = m_session.progress();
    m_menus->setState(
        {.workspace = m_session.hasWorkspace(),
         .sweepActive = progress.active,
         .canStart = m_plan->foot()->startButton()->isEnabled(),
         .canPause = progress.active || progress.totalRuns > progress.doneRuns + progress.failedRuns});
    showTitle();
}

void MainWindow::showTitle()
{
    const QString name = QString::fromStdString(m_session.workspaceName());
    setWindowTitle(name.isEmpty() ? QStringLiteral("Scaleboard")
                                  : QString(name + QStringLiteral(" — Scaleboard")));
}

void MainWindow::showPage(PageId id)
{
    const auto at = m_pages.find(id);
    if (at == m_pages.end())
        return;
    m_stack->setCurrentWidget(at->second);
    m_rail->setCurrent(id);
}

PageId MainWindow::currentPage() const
{
    for (const auto &[id, widget] : m_pages)
        if (widget == m_stack->currentWidget())
            return id;
    return PageId::Start;
}

QWidget *MainWindow::page(PageId id) const
{
    const auto at = m_pages.find(id);
    return at == m_pages.end() ? nullptr : at->second;
}

std::vector<PageId> MainWindow::pages() const
{
    std::vector<PageId> ids;
    for (const auto &[id, widget] : m_pages)
        ids.push_back(id);
    return ids;
}

void MainWindow::fitRail()
{
    m_rail->fitWindow(width());
    m_rail->setCollapsed(m_settings.railCollapsed() || width() < kNarrowWindow);
}

void MainWindow::tellFailure(const QString &lead, const QString &reason)
{
    m_banner->showMessage(Banner::Kind::Error, lead, reason);
    connect(&m_session, &SessionModel::workspaceChanged, m_banner, &Banner::clear, Qt::SingleShotConnection);
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_menus) {
        m_menus->retranslate();
        refresh();
    }
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    fitRail();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_settings.setWindowGeometry(saveGeometry());
    m_workspaces->remember();
    event->accept();
}

} // namespace sb
