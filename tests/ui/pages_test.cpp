// SPDX-License-Identifier: GPL-3.0-or-later
// Every page at every size of the design, in both languages: no text is cut. Plan edits change the plan.
#include "pages/live_figures.h"
#include "pages/plan_axes.h"
#include "pages/plan_details.h"
#include "pages/plan_foot.h"
#include "pages/plan_grid.h"
#include "pages/plan_page.h"
#include "settings/appearance.h"
#include "ui_support.h"
#include "widgets/banner.h"
#include "widgets/chip.h"
#include "widgets/rank_strip.h"
#include "widgets/step_rail.h"
#include "workspace_actions.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <gtest/gtest.h>

namespace sb {
namespace {

QString pageName(PageId page)
{
    return page == PageId::Start     ? QStringLiteral("start")
           : page == PageId::Nodes   ? QStringLiteral("nodes")
           : page == PageId::Plan    ? QStringLiteral("plan")
           : page == PageId::Live    ? QStringLiteral("live")
           : page == PageId::Scaling ? QStringLiteral("scaling")
                                     : QStringLiteral("report");
}

void expectNothingCut(test::Desk &desk, const QString &variant)
{
    for (const PageId page : desk.window().pages()) {
        desk.window().showPage(page);
        // A layout settles over several rounds of the event loop; on a busy machine that takes a while.
        QStringList cut;
        const auto settled = [&] { return (cut = test::cutTexts(desk.window())).isEmpty(); };
        QTest::qWait(60);
        [[maybe_unused]] const bool inTime = QTest::qWaitFor(settled, 3000);
        EXPECT_TRUE(cut.isEmpty()) << pageName(page).toStdString() << " " << variant.toStdString() << ": "
                                   << cut.join(QStringLiteral("; ")).toStdString();
        test::picture(desk.window(), pageName(page) + QLatin1Char('-') + variant);
    }
}

TEST(Pages, CutNoTextAtAnySizeInEitherLanguage)
{
    test::Desk desk;
    Appearance &appearance = desk.appearance();
    desk.window().show();
    ASSERT_TRUE(desk.waitForNodes());
    for (const QSize size : {QSize(1120, 640), QSize(1366, 738), QSize(1920, 1053)})
        for (const Language language : {Language::English, Language::Chinese}) {
            appearance.overrideLanguage(language);
            desk.window().resize(size);
            expectNothingCut(
                desk, QStringLiteral("%1x%2-%3")
                          .arg(size.width())
                          .arg(size.height())
                          .arg(language == Language::English ? QStringLiteral("en") : QStringLiteral("zh")));
        }
    appearance.overrideLanguage(Language::English);
    appearance.overrideTheme(Theme::Dark);
    desk.window().resize(1366, 738);
    expectNothingCut(desk, QStringLiteral("dark"));
    appearance.overrideTheme(Theme::Light);
}

TEST(Pages, CutNoTextAtTwiceTheTextSize)
{
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(QFontInfo(before).pointSizeF() * 2);
    QApplication::setFont(large);
    {
        test::Desk desk;
        desk.window().resize(1920, 1053);
        desk.window().show();
        ASSERT_TRUE(desk.waitForNodes());
        expectNothingCut(desk, QStringLiteral("text200"));
    }
    QApplication::setFont(before);
}

class PlanPageTest : public testing::Test {
protected:
    void SetUp() override
    {
        desk.window().show();
        ASSERT_TRUE(desk.waitForNodes());
        page = qobject_cast<PlanPage *>(desk.window().page(PageId::Plan));
        desk.session().setPlan(test::tinyPlan(2, 8, 3));
        desk.window().showPage(PageId::Plan);
    }
    Chip *chip(const QString &text)
    {
        for (Chip *candidate : page->axes()->findChildren<Chip *>())
            if (candidate->text() == text)
                return candidate;
        return nullptr;
    }
    template <typename Field>
    Field *named(const QString &name)
    {
        for (Field *field : page->axes()->findChildren<Field *>())
            if (field->accessibleName() == name)
                return field;
        return nullptr;
    }

    test::Desk desk;
    PlanPage *page = nullptr;
};

TEST_F(PlanPageTest, TogglingAScaleChangesThePlan)
{
    Chip *four = chip(QStringLiteral("1n4g"));
    ASSERT_NE(four, nullptr);
    QTest::mouseClick(four, Qt::LeftButton);
    EXPECT_EQ(desk.session().plan().scales, (std::vector<Scale>{{1, 1}, {1, 2}, {1, 4}}));
    QTest::mouseClick(chip(QStringLiteral("1n2g")), Qt::LeftButton);
    EXPECT_EQ(desk.session().plan().scales, (std::vector<Scale>{{1, 1}, {1, 4}}));
    EXPECT_EQ(page->grid()->model().columnCount(), 2);
}

TEST_F(PlanPageTest, PublishedRecipesAreFoldedUntilThePlanHasOne)
{
    const auto boxes = page->axes()->findChildren<QCheckBox *>();
    const auto recipe = std::find_if(boxes.begin(), boxes.end(), [](const QCheckBox *box) {
        return box->text() == QStringLiteral("NGC PyTorch");
    });
    ASSERT_NE(recipe, boxes.end());
    EXPECT_FALSE((*recipe)->isVisible());
    Plan plan = desk.session().plan();
    plan.frameworks.push_back("ngc_pytorch");
    desk.session().setPlan(plan);
    EXPECT_TRUE((*recipe)->isVisible());
    EXPECT_TRUE((*recipe)->isChecked());
}

TEST_F(PlanPageTest, AnotherScaleCanBeTyped)
{
    auto *field = named<QLineEdit>(QStringLiteral("Another scale"));
    ASSERT_NE(field, nullptr);
    QTest::keyClicks(field, QStringLiteral("3n4g"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(desk.session().plan().scales.back(), (Scale{3, 4}));
    EXPECT_NE(chip(QStringLiteral("3n4g")), nullptr);
    QTest::keyClicks(field, QStringLiteral("0n4g"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(desk.session().plan().scales.size(), 3U);
}

TEST_F(PlanPageTest, BatchSizesStepsAndRepeatsChangeThePlan)
{
    auto *batches = named<QLineEdit>(QStringLiteral("Batch sizes per device"));
    batches->clear();
    QTest::keyClicks(batches, QStringLiteral("8, 16"));
    EXPECT_EQ(desk.session().plan().workloads.front().batchSizesPerDevice, (std::vector<int>{8, 16}));
    EXPECT_EQ(page->grid()->model().columnCount(), 4);
    named<QSpinBox>(QStringLiteral("Repeats"))->setValue(5);
    named<QSpinBox>(QStringLiteral("Steps to skip"))->setValue(7);
    named<QSpinBox>(QStringLiteral("Steps to measure"))->setValue(21);
    EXPECT_EQ(desk.session().plan().measurement, (MeasurementRule{7, 21, 5}));
}

TEST_F(PlanPageTest, TheLauncherChangesThePlan)
{
    auto *launcher = named<QComboBox>(QStringLiteral("Launcher"));
    auto *partition = named<QLineEdit>(QStringLiteral("Slurm partition"));
    ASSERT_TRUE(launcher && partition);
    EXPECT_TRUE(partition->isHidden());
    const auto choose = [&](const char *name) {
        const int index = launcher->findData(QString::fromLatin1(name));
        ASSERT_GE(index, 0) << name;
        launcher->setCurrentIndex(index);
        Q_EMIT launcher->activated(index);
    };
    choose("mpirun");
    EXPECT_EQ(desk.session().plan().launcher, "mpirun");
    EXPECT_TRUE(partition->isHidden());
    choose("slurm");
    EXPECT_FALSE(partition->isHidden());
    QTest::keyClicks(partition, QStringLiteral("gpu"));
    named<QSpinBox>(QStringLiteral("Time limit of a job in minutes"))->setValue(30);
    EXPECT_EQ(desk.session().plan().launcher, "slurm");
    desk.window().resize(1920, 1053); // the whole form fits
    QCoreApplication::processEvents();
    test::picture(desk.window(), QStringLiteral("plan-slurm"));
    EXPECT_EQ(desk.session().plan().slurm, (SlurmSettings{.partition = "gpu", .timeLimitMin = 30}));
    auto *nameSpace = named<QLineEdit>(QStringLiteral("Kubernetes namespace"));
    ASSERT_TRUE(nameSpace);
    EXPECT_TRUE(nameSpace->isHidden());
    choose("kubernetes");
    EXPECT_FALSE(nameSpace->isHidden());
    EXPECT_TRUE(partition->isHidden());
    EXPECT_EQ(named<QSpinBox>(QStringLiteral("Time limit of a job in minutes"))->value(), 0); // Slurm's stays
    QTest::keyClicks(nameSpace, QStringLiteral("train"));
    named<QSpinBox>(QStringLiteral("Time limit of a job in minutes"))->setValue(45);
    Plan plan = desk.session().plan();
    plan.threadsPerDevice = 2;
    plan.environments["native"] = "docker:registry.example/scaleboard:1";
    desk.session().setPlan(plan);
    desk.window().resize(1920, 1400); // the whole form fits
    QCoreApplication::processEvents();
    test::picture(desk.window(), QStringLiteral("plan-kubernetes"));
    desk.appearance().overrideLanguage(Language::Chinese);
    desk.appearance().overrideTheme(Theme::Dark);
    QCoreApplication::processEvents();
    test::picture(desk.window(), QStringLiteral("plan-kubernetes-dark-zh"));
    desk.appearance().overrideTheme(Theme::Light);
    desk.appearance().overrideLanguage(Language::English);
    QCoreApplication::processEvents();
    EXPECT_EQ(desk.session().plan().kubernetes,
              (KubernetesSettings{.nameSpace = "train", .timeLimitMin = 45}));
    EXPECT_EQ(desk.session().plan().slurm.timeLimitMin, 30);
    const QList<QLabel *> labels = desk.window().findChildren<QLabel *>();
    const bool marked = std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
        return label->text().contains(QStringLiteral("not run against a cluster"));
    });
    EXPECT_TRUE(marked);
    choose("");
    EXPECT_EQ(desk.session().plan().launcher, "");
}

TEST_F(PlanPageTest, AnEnvironmentThatIsTypedInChangesThePlan)
{
    const std::vector<std::string> frameworks = desk.session().plan().frameworks;
    ASSERT_FALSE(frameworks.empty());
    QComboBox *choice = nullptr;
    for (QComboBox *box : desk.window().findChildren<QComboBox *>())
        if (box->accessibleName().startsWith(QStringLiteral("Environment of ")))
            choice = box;
    ASSERT_NE(choice, nullptr);
    choice->lineEdit()->setText(QStringLiteral("podman:localhost/x:1"));
    Q_EMIT choice->lineEdit()->editingFinished();
    EXPECT_EQ(desk.session().plan().environments,
              (std::map<std::string, std::string>{{frameworks.back(), "podman:localhost/x:1"}}));
    choice->lineEdit()->clear();
    Q_EMIT choice->lineEdit()->editingFinished();
    EXPECT_TRUE(desk.session().plan().environments.empty());
}

TEST_F(PlanPageTest, AnotherModelBringsItsOwnBatchSize)
{
    auto *models = named<QComboBox>(QStringLiteral("Model"));
    const int bert = models->findData(QStringLiteral("bert-tiny"));
    ASSERT_GE(bert, 0);
    models->setCurrentIndex(bert);
    Q_EMIT models->activated(bert);
    EXPECT_EQ(desk.session().plan().workloads.front().name, "bert-tiny");
    EXPECT_EQ(desk.session().plan().workloads.front().batchSizesPerDevice, (std::vector<int>{16}));
    EXPECT_FALSE(desk.session().planProblem().has_value());
}

TEST_F(PlanPageTest, PlanThatCannotRunSaysWhereAndCannotStart)
{
    auto *batches = named<QLineEdit>(QStringLiteral("Batch sizes per device"));
    batches->clear();
    QTest::keyClicks(batches, QStringLiteral("eight"));
    EXPECT_TRUE(desk.session().planProblem().has_value());
    EXPECT_TRUE(page->banner()->isShown());
    EXPECT_TRUE(page->banner()->text().contains(QStringLiteral("batch_sizes_per_device")));
    EXPECT_FALSE(page->foot()->startButton()->isEnabled());
    batches->clear();
    QTest::keyClicks(batches, QStringLiteral("8"));
    EXPECT_FALSE(page->banner()->isShown());
    EXPECT_TRUE(page->foot()->startButton()->isEnabled());
}

TEST_F(PlanPageTest, WrongPlanFileIsNamedAndThePlanStays)
{
    const Plan before = desk.session().plan();
    const QString path = desk.folder() + QStringLiteral("/broken.json");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"schema": 1, "name": "x", "framworks": ["native"]})");
    file.close();
    page->openPlanFile(path);
    EXPECT_TRUE(page->banner()->isShown());
    EXPECT_TRUE(page->banner()->text().contains(QStringLiteral("broken.json")));
    EXPECT_EQ(desk.session().plan(), before);
}

TEST_F(PlanPageTest, DetailsShowTheCommandOfEveryRank)
{
    const QString text = page->details()->text();
    EXPECT_TRUE(text.contains(QStringLiteral("rank0$"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("rank1$")));
    EXPECT_TRUE(text.contains(QStringLiteral("resnet20-cifar")));
    page->grid()->view()->setCurrentIndex(page->grid()->model().index(0, 0));
    EXPECT_FALSE(page->details()->text().contains(QStringLiteral("rank1$")));
}

TEST_F(PlanPageTest, ArrowKeysMoveThroughTheRail)
{
    QListView *list = desk.window().rail()->list();
    list->setFocus();
    desk.window().showPage(PageId::Start);
    QTest::keyClick(list, Qt::Key_Down);
    EXPECT_EQ(desk.window().currentPage(), PageId::Nodes);
    QTest::keyClick(list, Qt::Key_Down);
    EXPECT_EQ(desk.window().currentPage(), PageId::Topology);
}

TEST(Window, EveryIconOnlyButtonHasAName)
{
    test::Desk desk;
    desk.window().show();
    ASSERT_TRUE(desk.waitForNodes());
    for (const QAbstractButton *button : desk.window().findChildren<QAbstractButton *>())
        if (button->isVisible() && button->text().isEmpty() && button->focusPolicy() != Qt::NoFocus) {
            EXPECT_FALSE(button->accessibleName().isEmpty()) << button->metaObject()->className();
        }
}

TEST(Window, FailureToOpenAWorkspaceIsToldInABanner)
{
    test::Desk desk;
    desk.window().show();
    EXPECT_FALSE(desk.window().workspaces().open(desk.folder() + QStringLiteral("/not-there")));
    bool shown = false;
    for (const Banner *banner : desk.window().findChildren<Banner *>())
        shown = shown || (banner->isShown() && banner->text().contains(QStringLiteral("not-there")));
    EXPECT_TRUE(shown);
}

LiveRun liveRun(int ranks, int steps, double stepMs)
{
    LiveRun live;
    live.run.id = "r";
    live.run.unit = "images";
    live.run.state = RunState::Running;
    live.run.key.nodes = 1;
    live.run.key.devicesPerNode = ranks;
    live.run.key.warmupSteps = 2;
    live.run.key.measuredSteps = 10;
    live.run.hosts = {"local"};
    for (int rank = 0; rank < ranks; ++rank) {
        Series series;
        series.rank = rank;
        for (int step = 1; step <= steps; ++step) {
            series.step.push_back(step);
            series.timeS.push_back(step * stepMs / 1000);
            series.stepTimeMs.push_back(stepMs);
            series.throughput.push_back(1000.0 / stepMs);
        }
        live.ranks.push_back(series);
    }
    return live;
}

TEST(LiveFigures, WarmUpIsNotCounted)
{
    LiveRun live = liveRun(1, 2, 100);
    EXPECT_FALSE(liveFigures(live, {}, std::nullopt).median.has_value());
    live = liveRun(1, 3, 100);
    EXPECT_TRUE(liveFigures(live, {}, std::nullopt).median.has_value());
}

TEST(LiveFigures, HaveNoSpeedupWithoutABaseline)
{
    const LiveRun live = liveRun(2, 6, 100);
    EXPECT_TRUE(liveFigures(live, {}, std::nullopt).figures[2].value.isEmpty());
    CaseResult baseline;
    baseline.key = live.run.key.baseline();
    baseline.throughput = 8;
    const auto figures = liveFigures(live, std::vector{baseline}, std::nullopt).figures;
    EXPECT_EQ(figures[2].value, QStringLiteral("1.25"));
}

TEST(LiveFigures, SlowStepsAreNotStaleAfterTwoSeconds)
{
    EXPECT_DOUBLE_EQ(staleAfterS(liveRun(1, 5, 100)), 2.0);
    EXPECT_DOUBLE_EQ(staleAfterS(liveRun(1, 5, 4000)), 12.0);
}

TEST(LiveFigures, StaleValuesSayHowOld)
{
    const auto figures = liveFigures(liveRun(1, 6, 100), {}, 3.4).figures;
    EXPECT_TRUE(figures[0].stale);
    EXPECT_TRUE(figures[0].remark.contains(QStringLiteral("3"))) << figures[0].remark.toStdString();
}

TEST(RankStrip, NamesTheOneThatStandsOut)
{
    EXPECT_EQ(oddRank({0.001, -0.002, 0.043, 0.0}), 2);
    EXPECT_FALSE(oddRank({0.001, -0.002, 0.01, 0.0}).has_value()); // nobody's fault
    EXPECT_FALSE(oddRank({0.05, -0.05}).has_value());              // of two, either could be it
}

TEST(RankStrip, BarsHangOnTheZeroLine)
{
    const QRectF area(0, 0, 100, 40);
    const QRectF up = RankStrip::barRect(area, 0, 4, 0.05, 0.05);
    EXPECT_DOUBLE_EQ(up.top(), 0);
    EXPECT_DOUBLE_EQ(up.bottom(), 20);
    const QRectF down = RankStrip::barRect(area, 3, 4, -0.025, 0.05);
    EXPECT_DOUBLE_EQ(down.top(), 20);
    EXPECT_DOUBLE_EQ(down.bottom(), 30);
    EXPECT_GT(down.left(), 75);
}

} // namespace
} // namespace sb
