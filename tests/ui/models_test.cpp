// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/case_grid_model.h"
#include "models/log_model.h"
#include "models/presets.h"
#include "models/recent_model.h"
#include "models/step_model.h"
#include "widgets/case_delegate.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace sb {
namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

Framework nativeFramework()
{
    Framework framework;
    framework.name = "native";
    framework.title = "Native (sbtrain)";
    framework.devices = {"cpu"};
    Workload workload;
    workload.name = "resnet50";
    workload.title = "ResNet-50 v1.5";
    workload.unit = "images";
    workload.defaultBatchSize = 32;
    workload.precisions = {{"cpu", {"fp32"}}};
    workload.flopsPerSample = 24e9;
    framework.workloads = {workload};
    return framework;
}

NodeFacts machine(int cores)
{
    NodeFacts node;
    node.name = "local";
    node.cores = cores;
    return node;
}

struct Grid {
    std::vector<Framework> frameworks{nativeFramework()};
    std::vector<NodeFacts> nodes{machine(2)};
    Plan plan;
    std::vector<PlannedCase> cases;

    Grid()
    {
        plan.frameworks = {"native"};
        plan.workloads = {{"resnet50", {"fp32", "bf16"}, {4, 8}}};
        plan.scales = {{1, 1}, {1, 2}};
        plan.measurement = {2, 8, 3};
        cases = expandPlan(plan, frameworks, nodes);
    }
};

TEST(CaseGridModel, ShowsEveryCaseOnceInItsGroup)
{
    const Grid grid;
    CaseGridModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.setCases(grid.cases, grid.frameworks, 3);
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.columnCount(), 8);
    ASSERT_EQ(model.groups().size(), 4U);
    EXPECT_EQ(model.groups()[1].firstColumn, 2);
    for (std::size_t i = 0; i < grid.cases.size(); ++i)
        EXPECT_TRUE(model.indexOfCase(i).isValid()) << i;
    EXPECT_FALSE(model.indexOfCase(grid.cases.size()).isValid());
}

TEST(CaseGridModel, RefusedCaseSaysWhyAndHasNoPlaceInTheOrder)
{
    const Grid grid;
    CaseGridModel model;
    model.setCases(grid.cases, grid.frameworks, 3);
    for (std::size_t i = 0; i < grid.cases.size(); ++i) {
        const QModelIndex index = model.indexOfCase(i);
        const bool refused = grid.cases[i].refused();
        EXPECT_EQ(refused, grid.cases[i].key.precision == "bf16");
        EXPECT_EQ(index.data(CaseGridModel::StateRole).value<CaseState>(),
                  refused ? CaseState::Refused : CaseState::Planned);
        EXPECT_EQ(index.data(CaseGridModel::OrderRole).isValid(), !refused);
        EXPECT_EQ(index.data(Qt::ToolTipRole).isValid(), refused);
        if (refused) {
            EXPECT_EQ(CaseDelegate().cellText(index), QStringLiteral("no bf16"));
        }
    }
}

TEST(CaseGridModel, ProgressAndResultsChangeTheState)
{
    const Grid grid;
    CaseGridModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.setCases(grid.cases, grid.frameworks, 3);
    std::vector<CaseProgress> progress(grid.cases.size(), {.repeats = 3});
    progress[0] = {.repeats = 3, .done = 3};
    progress[1] = {.repeats = 3, .done = 1, .failed = 1};
    model.setProgress(progress);
    EXPECT_EQ(model.indexOfCase(0).data(CaseGridModel::StateRole).value<CaseState>(), CaseState::Done);
    EXPECT_EQ(model.indexOfCase(1).data(CaseGridModel::StateRole).value<CaseState>(), CaseState::Failed);
    progress[1].running = true;
    model.setProgress(progress);
    EXPECT_EQ(model.indexOfCase(1).data(CaseGridModel::StateRole).value<CaseState>(), CaseState::Running);

    CaseResult result;
    result.key = grid.cases[0].key;
    result.throughput = 12.5;
    result.unit = "images";
    result.repeats = 3;
    model.setResults(std::vector{result});
    CaseDelegate delegate;
    delegate.setShow(CaseDelegate::Show::Result);
    EXPECT_EQ(delegate.cellText(model.indexOfCase(0)), QStringLiteral("12.50"));
    EXPECT_EQ(delegate.cellText(model.indexOfCase(1)), QStringLiteral("—")); // no result: never 0
}

TEST(CaseGridModel, ProgressOfAnotherPlanIsIgnored)
{
    const Grid grid;
    CaseGridModel model;
    model.setCases(grid.cases, grid.frameworks, 3);
    model.setProgress(std::vector<CaseProgress>{{.repeats = 3, .done = 3}});
    EXPECT_EQ(model.indexOfCase(0).data(CaseGridModel::StateRole).value<CaseState>(), CaseState::Planned);
}

LiveRun runWithLines(int lines)
{
    LiveRun live;
    live.run.id = "run-1";
    for (int i = 0; i < lines; ++i)
        live.log.push_back({.rank = i % 2, .text = "line " + std::to_string(i), .warning = i % 10 == 9});
    live.logLines = lines;
    return live;
}

TEST(LogModel, TakesOverOnlyWhatIsNew)
{
    LogModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    LiveRun live = runWithLines(20);
    model.sync(live);
    EXPECT_EQ(model.rowCount(), 20);
    EXPECT_EQ(model.warnings(), 2);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.sync(live);
    EXPECT_EQ(inserted.count(), 0);
    live.log.push_back({.rank = 0, .text = "one more", .warning = true});
    ++live.logLines;
    model.sync(live);
    ASSERT_EQ(inserted.count(), 1);
    EXPECT_EQ(inserted.first().at(1).toInt(), 20);
    EXPECT_EQ(model.index(20).data().toString(), QStringLiteral("one more"));
    EXPECT_EQ(model.warnings(), 3);
}

TEST(LogModel, KeepsTheNewestLinesAndCountsAll)
{
    LogModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    LiveRun live;
    live.run.id = "run-1";
    const int total = static_cast<int>(LiveRun::kMostLogLines) + 700;
    for (int i = 0; i < total; ++i) {
        live.log.push_back({.rank = 0, .text = std::to_string(i), .warning = false});
        if (live.log.size() > LiveRun::kMostLogLines)
            live.log.pop_front();
        live.logLines = i + 1;
        if (i % 300 == 0)
            model.sync(live);
    }
    model.sync(live);
    EXPECT_EQ(model.rowCount(), static_cast<int>(LiveRun::kMostLogLines));
    EXPECT_EQ(model.linesSeen(), total);
    EXPECT_EQ(model.index(0).data().toString(), QStringLiteral("700"));
    EXPECT_EQ(model.index(model.rowCount() - 1).data().toString(), QString::number(total - 1));
}

TEST(LogModel, AnotherRunBeginsAfresh)
{
    LogModel model;
    model.sync(runWithLines(20));
    LiveRun other = runWithLines(3);
    other.run.id = "run-2";
    model.sync(other);
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.warnings(), 0);
}

TEST(LogFilter, ShowsWarningsOnly)
{
    LogModel model;
    LogFilter filter;
    filter.setSourceModel(&model);
    QAbstractItemModelTester tester(&filter, Mode::Fatal);
    model.sync(runWithLines(20));
    EXPECT_EQ(filter.rowCount(), 20);
    filter.setWarningsOnly(true);
    ASSERT_EQ(filter.rowCount(), 2);
    EXPECT_EQ(filter.index(0, 0).data().toString(), QStringLiteral("line 9"));
}

TEST(RecentModel, MissingFolderOffersToLocateIt)
{
    QTemporaryDir folder;
    RecentModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    model.setRecents({{folder.path(), QStringLiteral("here"), 6, 1, now},
                      {folder.path() + QStringLiteral("/gone"), QStringLiteral("gone"), 6, 1, now}});
    EXPECT_FALSE(model.index(0, 0).data(RecentModel::MissingRole).toBool());
    EXPECT_TRUE(model.index(1, 0).data(RecentModel::MissingRole).toBool());
    EXPECT_NE(model.index(0, RecentModel::Content).data(), model.index(1, RecentModel::Content).data());
}

TEST(StepModel, NamesPagePlaceAndStateForReaders)
{
    StepModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.setPages({PageId::Start, PageId::Plan, PageId::Live});
    model.setFacts({.workspaceName = QStringLiteral("demo"),
                    .cases = 4,
                    .sweepActive = true,
                    .totalRuns = 100,
                    .doneRuns = 41});
    const QString spoken = model.index(2).data(Qt::AccessibleTextRole).toString();
    EXPECT_TRUE(spoken.startsWith(QStringLiteral("Live, step 3 of 3, running, 41 percent")))
        << spoken.toStdString();
    EXPECT_EQ(model.index(2).data(StepModel::StateRole).value<StepState>(), StepState::Current);
}

TEST(FirstStudy, FillsTheMachineInPowersOfTwo)
{
    const std::vector<Framework> frameworks{nativeFramework()};
    const std::vector<NodeFacts> nodes{machine(6)};
    const auto plan = firstStudyPlan(frameworks, nodes);
    ASSERT_TRUE(plan.has_value());
    EXPECT_TRUE(checkPlan(*plan, frameworks).ok());
    EXPECT_EQ(plan->scales, (std::vector<Scale>{{1, 1}, {1, 2}, {1, 4}}));
    for (const PlannedCase &planned : expandPlan(*plan, frameworks, nodes))
        EXPECT_FALSE(planned.refused()) << planned.refusalReason;
}

TEST(FirstStudy, IsNotOfferedWhereNothingRuns)
{
    std::vector<Framework> frameworks{nativeFramework()};
    EXPECT_FALSE(firstStudyPlan(frameworks, {}).has_value());
    frameworks.front().devices = {"cuda"};
    EXPECT_FALSE(firstStudyPlan(frameworks, std::vector{machine(4)}).has_value());
}

} // namespace
} // namespace sb
