// SPDX-License-Identifier: GPL-3.0-or-later
// Style, rail texts, settings, languages and themes.
#include "models/step_model.h"
#include "pages/appearance_panel.h"
#include "settings/appearance.h"
#include "settings/settings.h"
#include "ui_support.h"
#include "widgets/sb_style.h"
#include "widgets/segmented.h"
#include "widgets/step_delegate.h"
#include "widgets/step_rail.h"
#include "widgets/text.h"
#include "window_dialogs.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPushButton>
#include <QStyle>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace sb {
namespace {

// Every state that a rail line can have, with figures as large as they get.
std::vector<RailFacts> everyRailState()
{
    const RailFacts plan{.workspaceName = QStringLiteral("a-rather-long-workspace-name"), .cases = 9999};
    RailFacts broken = plan;
    broken.planBroken = true;
    RailFacts running = plan;
    running.sweepActive = true;
    running.totalRuns = 9999;
    running.doneRuns = 9998;
    RailFacts pausing = running;
    pausing.pausing = true;
    RailFacts stale = running;
    stale.stale = true;
    RailFacts failed = running;
    failed.sweepActive = false;
    failed.failedRuns = 999;
    RailFacts paused = running;
    paused.sweepActive = false;
    RailFacts done = paused;
    done.doneRuns = 9999;
    done.curves = 99;
    done.results = 9999;
    return {{},    plan,   broken, running, pausing,
            stale, failed, paused, done,    {.workspaceName = QStringLiteral("很长的中文工作区名称示例")}};
}

double railWidth(const QString &text)
{
    double width = 0;
    for (const QChar character : text)
        width += character.unicode() >= 0x2E80 ? 16.0 / 9.0 : 1.0;
    return width;
}

TEST(Rail, LinesKeepTheLengthRuleInBothLanguages)
{
    QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("s.ini")));
    Appearance appearance(settings);
    for (const Language language : {Language::English, Language::Chinese}) {
        appearance.overrideLanguage(language);
        for (const RailFacts &facts : everyRailState())
            for (const PageId page :
                 {PageId::Start, PageId::Plan, PageId::Live, PageId::Scaling, PageId::Report}) {
                const QString line = stepFor(page, facts).subLine;
                EXPECT_FALSE(line.isEmpty());
                EXPECT_LE(railWidth(line), 16.01) << line.toStdString();
            }
    }
    appearance.overrideLanguage(Language::English);
}

TEST(Rail, StatesFollowTheSession)
{
    EXPECT_EQ(stepFor(PageId::Live, {}).state, StepState::Nothing);
    const RailFacts failed{.sweepActive = false, .totalRuns = 4, .doneRuns = 3, .failedRuns = 1};
    EXPECT_EQ(stepFor(PageId::Live, failed).state, StepState::NeedsYou);
    const RailFacts stale{.sweepActive = true, .stale = true, .totalRuns = 4};
    EXPECT_EQ(stepFor(PageId::Live, stale).state, StepState::NeedsYou);
    const RailFacts done{.totalRuns = 4, .doneRuns = 4};
    EXPECT_EQ(stepFor(PageId::Live, done).state, StepState::Done);
    EXPECT_EQ(stepFor(PageId::Plan, {.cases = 3, .planBroken = true}).state, StepState::NeedsYou);
}

TEST(Style, ControlsHaveTheHeightsOfTheDesign)
{
    QPushButton plain(QStringLiteral("Copy"));
    QPushButton small(QStringLiteral("Copy"));
    setControlSize(&small, ControlSize::Small);
    QPushButton large(QStringLiteral("Start"));
    setControlSize(&large, ControlSize::Large);
    QLineEdit field;
    QComboBox combo;
    combo.addItem(QStringLiteral("ResNet-50"));
    EXPECT_EQ(plain.sizeHint().height(), 28);
    EXPECT_EQ(small.sizeHint().height(), 24);
    EXPECT_EQ(large.sizeHint().height(), 32);
    EXPECT_EQ(field.sizeHint().height(), 28);
    EXPECT_EQ(combo.sizeHint().height(), 28);
    EXPECT_EQ(QApplication::style()->pixelMetric(QStyle::PM_IndicatorWidth), 15);
}

TEST(Style, ControlsGrowWithTheFont)
{
    QPushButton button(QStringLiteral("Copy"));
    QFont large = button.font();
    large.setPointSizeF(large.pointSizeF() * 2.5);
    button.setFont(large);
    EXPECT_GE(button.sizeHint().height(), QFontMetrics(large).height() + 8);
}

TEST(Settings, OutliveTheSession)
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("s.ini"));
    {
        Settings settings(file);
        settings.setLanguage(Language::Chinese);
        settings.setTheme(Theme::Dark);
        for (int i = 0; i < 25; ++i)
            settings.rememberWorkspace(
                {QStringLiteral("/w/%1").arg(i), QString::number(i), i, 1, QDateTime::currentDateTimeUtc()});
        settings.rememberWorkspace(
            {QStringLiteral("/w/20"), QStringLiteral("again"), 7, 1, QDateTime::currentDateTimeUtc()});
    }
    const Settings settings(file);
    EXPECT_EQ(settings.language(), Language::Chinese);
    EXPECT_EQ(settings.theme(), Theme::Dark);
    const auto recents = settings.recents();
    ASSERT_EQ(recents.size(), static_cast<std::size_t>(Settings::kMostRecents));
    EXPECT_EQ(recents.front().name, QStringLiteral("again"));
    EXPECT_EQ(std::count_if(recents.begin(), recents.end(),
                            [](const RecentWorkspace &r) { return r.folder == QStringLiteral("/w/20"); }),
              1);
}

TEST(Appearance, LanguageAndThemeApplyAtOnce)
{
    test::Desk desk;
    Appearance &appearance = desk.appearance();
    appearance.overrideLanguage(Language::Desktop);
    desk.window().show();
    ASSERT_TRUE(desk.waitForNodes());
    auto *form = desk.window().findChild<AppearanceForm *>();
    ASSERT_NE(form, nullptr);
    const auto segments = [](Segmented *choice) { return choice->findChildren<QToolButton *>(); };
    QTest::mouseClick(segments(form->languageChoice()).at(2), Qt::LeftButton);
    QCoreApplication::processEvents();
    EXPECT_EQ(desk.window().rail()->list()->model()->index(0, 0).data().toString(), QStringLiteral("开始"));
    EXPECT_EQ(desk.window().menuBar()->actions().front()->text(), QStringLiteral("文件(&F)"));
    QTest::mouseClick(segments(form->themeChoice()).at(2), Qt::LeftButton);
    QCoreApplication::processEvents();
    EXPECT_TRUE(appearance.isDark());
    EXPECT_EQ(desk.window().palette().color(QPalette::Base), Tokens::dark().base);
    TextLabel label(TextRole::Body);
    EXPECT_EQ(label.palette().color(QPalette::WindowText), Tokens::dark().text);
    QTest::mouseClick(segments(form->themeChoice()).at(1), Qt::LeftButton);
    QTest::mouseClick(segments(form->languageChoice()).at(1), Qt::LeftButton);
    QCoreApplication::processEvents();
    EXPECT_EQ(label.palette().color(QPalette::WindowText), Tokens::light().text);
    EXPECT_EQ(desk.window().rail()->list()->model()->index(0, 0).data().toString(), QStringLiteral("Start"));
}

TEST(Appearance, EnglishKnowsOneAndMany)
{
    QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("s.ini")));
    Appearance appearance(settings);
    appearance.overrideLanguage(Language::English);
    EXPECT_EQ(stepFor(PageId::Plan, {.cases = 1}).subLine, QStringLiteral("1 case · ready"));
    EXPECT_EQ(stepFor(PageId::Plan, {.cases = 2}).subLine, QStringLiteral("2 cases · ready"));
}

TEST(Dialogs, AboutShowsTheIcon)
{
    QWidget window;
    showAbout(&window);
    QPixmap picture;
    for (const QLabel *label : window.findChildren<QLabel *>())
        if (!label->pixmap().isNull())
            picture = label->pixmap();
    ASSERT_FALSE(picture.isNull());
    EXPECT_EQ(picture.toImage().pixelColor(10, 32), QColor(0x1B, 0x2A, 0x41)); // its ground
}

TEST(Duration, SpeaksTheLanguageOfTheWindow)
{
    QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("s.ini")));
    Appearance appearance(settings);
    appearance.overrideLanguage(Language::English);
    EXPECT_EQ(durationText(37140), QStringLiteral("10 h 19 min"));
    EXPECT_EQ(durationText(42.3), QStringLiteral("42 s"));
    EXPECT_EQ(durationText(-1), QStringLiteral("—"));
    appearance.overrideLanguage(Language::Chinese);
    EXPECT_EQ(durationText(37140), QStringLiteral("10 小时 19 分"));
    appearance.overrideLanguage(Language::English);
}

} // namespace
} // namespace sb
