// SPDX-License-Identifier: GPL-3.0-or-later
// The main road with real training: from the Start page to an exported report.
#include "pages/live_chart_panel.h"
#include "pages/live_page.h"
#include "pages/live_side.h"
#include "pages/log_panel.h"
#include "pages/plan_foot.h"
#include "pages/plan_page.h"
#include "pages/report_page.h"
#include "pages/scaling_page.h"
#include "ui_support.h"
#include "widgets/banner.h"
#include "widgets/confirm_dialog.h"
#include "widgets/door.h"
#include "widgets/figure_strip.h"
#include "widgets/step_rail.h"
#include "workspace_actions.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include <algorithm>

namespace sb {
namespace {

bool haveTrainer()
{
    return !QStandardPaths::findExecutable(QStringLiteral("sbtrain"),
                                           {QCoreApplication::applicationDirPath()})
                .isEmpty();
}

// Clicks the row of a page in the rail.
void clickRail(MainWindow &window, PageId page)
{
    const std::vector<PageId> pages = window.pages();
    const auto row = static_cast<int>(std::find(pages.begin(), pages.end(), page) - pages.begin());
    QListView *list = window.rail()->list();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(row, 0)).center());
    ASSERT_EQ(window.currentPage(), page);
}

// Answers the next folder dialog.
void answerFolderDialog(const QString &folder)
{
    auto *poll = new QTimer(qApp);
    QObject::connect(poll, &QTimer::timeout, poll, [poll, folder] {
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *dialog = qobject_cast<QFileDialog *>(widget); dialog && dialog->isVisible()) {
                poll->deleteLater();
                dialog->setDirectory(folder);
                dialog->findChild<QLineEdit *>()->setText(folder);
                QMetaObject::invokeMethod(dialog, "accept");
                return;
            }
    });
    poll->start(20);
}

TEST(Flow, FromStartPageToAnExportedReport)
{
    if (!haveTrainer())
        GTEST_SKIP() << "sbtrain is not built";
    test::Desk desk;
    MainWindow &window = desk.window();
    window.resize(1366, 738);
    window.show();
    ASSERT_TRUE(desk.waitForNodes());

    // From the Start page through its door to the nodes, then to a plan that is short enough for a test.
    ASSERT_TRUE(window.workspaces().create(desk.folder() + QStringLiteral("/results")));
    clickRail(window, PageId::Start);
    const auto doors = window.page(PageId::Start)->findChildren<Door *>();
    ASSERT_EQ(doors.size(), 3);
    QTest::mouseClick(doors[1]->button(), Qt::LeftButton);
    ASSERT_EQ(window.currentPage(), PageId::Nodes);
    clickRail(window, PageId::Plan);
    desk.session().setPlan(test::tinyPlan(4, 40, 2));
    ASSERT_FALSE(desk.session().planProblem().has_value());
    auto *plan = qobject_cast<PlanPage *>(window.page(PageId::Plan));
    ASSERT_TRUE(plan->foot()->startButton()->isEnabled());
    test::picture(window, QStringLiteral("plan-before"));
    QTest::mouseClick(plan->foot()->startButton(), Qt::LeftButton);
    EXPECT_EQ(window.currentPage(), PageId::Live);
    ASSERT_TRUE(desk.session().progress().active);
    EXPECT_EQ(desk.session().progress().totalRuns, 4);

    auto *live = qobject_cast<LivePage *>(window.page(PageId::Live));
    ASSERT_TRUE(test::waitFor(
        [&] {
            return desk.session().live() && desk.session().live()->run.ranks() == 2 &&
                   desk.session().live()->ranks.back().size() > 15;
        },
        60000));
    ASSERT_TRUE(test::waitFor([&] { return live->log()->model().rowCount() > 0; }, 2000));
    EXPECT_NE(live->figures()->spokenText(), QString());
    test::picture(window, QStringLiteral("live-running"));

    ASSERT_TRUE(test::waitFor([&] { return !desk.session().progress().active; }, 120000));
    EXPECT_EQ(desk.session().progress().doneRuns, 4);
    EXPECT_EQ(desk.session().progress().failedRuns, 0);
    ASSERT_EQ(desk.session().results().size(), 2U);
    EXPECT_TRUE(desk.session().results().back().speedup.has_value());
    EXPECT_EQ(live->side()->grid().index(0, 1).data(CaseGridModel::StateRole).value<CaseState>(),
              CaseState::Done);
    test::picture(window, QStringLiteral("live-done"));

    clickRail(window, PageId::Plan);
    EXPECT_FALSE(plan->foot()->startButton()->isEnabled()); // every run is done
    test::picture(window, QStringLiteral("plan-done"));
    clickRail(window, PageId::Scaling);
    auto *scaling = qobject_cast<ScalingPage *>(window.page(PageId::Scaling));
    EXPECT_EQ(scaling->table()->model()->rowCount(), 1); // one curve
    test::picture(window, QStringLiteral("scaling-done"));
    clickRail(window, PageId::Report);
    auto *report = qobject_cast<ReportPage *>(window.page(PageId::Report));
    ASSERT_TRUE(test::waitFor([&] { return report->pageCount() > 0; }, 20000));
    test::picture(window, QStringLiteral("report-done"));
    QSignalSpy exported(report, &ReportPage::exported);
    const auto buttons = report->findChildren<QPushButton *>();
    const auto exportButton = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton *button) {
        return button->text().startsWith(QStringLiteral("Export to folder"));
    });
    ASSERT_NE(exportButton, buttons.end());
    answerFolderDialog(desk.folder());
    QTest::mouseClick(*exportButton, Qt::LeftButton);
    ASSERT_TRUE(test::waitFor([&] { return exported.count() > 0; }, 60000));
    QStringList pdfs = QDir(exported.first().first().toString()).entryList({QStringLiteral("*.pdf")});
    ASSERT_FALSE(pdfs.isEmpty());
    QFile pdf(exported.first().first().toString() + u'/' + pdfs.front());
    ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
    EXPECT_TRUE(pdf.read(5) == "%PDF-");
    EXPECT_GT(pdf.size(), 5000);

    window.workspaces().remember();
    window.showPage(PageId::Start);
    test::picture(window, QStringLiteral("start-after"));
    ASSERT_EQ(desk.settings().recents().size(), 1U);
    EXPECT_EQ(desk.settings().recents().front().runs, 4);
}

TEST(Flow, StoppingAsksAndKeepsRunningByDefault)
{
    if (!haveTrainer())
        GTEST_SKIP() << "sbtrain is not built";
    test::Desk desk;
    desk.window().show();
    ASSERT_TRUE(desk.waitForNodes());
    ASSERT_TRUE(desk.window().workspaces().create(desk.folder() + QStringLiteral("/results")));
    desk.session().setPlan(test::tinyPlan(4, 100000, 1)); // would take hours
    desk.window().workspaces().startPlan();
    ASSERT_TRUE(test::waitFor(
        [&] { return desk.session().live() && desk.session().live()->run.state == RunState::Running; },
        30000));
    auto *live = qobject_cast<LivePage *>(desk.window().page(PageId::Live));
    live->askStop();
    auto *dialog = live->findChild<ConfirmDialog *>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->rejectButton()->isDefault());
    test::picture(*dialog, QStringLiteral("stop-dialog"));
    QTest::keyClick(dialog, Qt::Key_Escape);
    EXPECT_FALSE(desk.session().live()->stopping);
    ASSERT_TRUE(test::waitFor([&] { return live->findChild<ConfirmDialog *>() == nullptr; }, 2000));

    live->askStop();
    dialog = live->findChild<ConfirmDialog *>();
    ASSERT_NE(dialog, nullptr);
    QTest::mouseClick(dialog->acceptButton(), Qt::LeftButton);
    EXPECT_TRUE(desk.session().live()->stopping);
    ASSERT_TRUE(test::waitFor([&] { return !desk.session().progress().active; }, 30000));
    EXPECT_EQ(desk.session().live()->run.state, RunState::Cancelled);
    test::picture(desk.window(), QStringLiteral("live-stopped"));
}

} // namespace
} // namespace sb
