// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_desk.h"
#include "pages/report_export_panel.h"
#include "pages/report_page.h"
#include "pages/report_preview.h"
#include "report/report_command.h"
#include "ui_support.h"
#include "widgets/segmented.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace sb {

namespace {

class ReportPageTest : public testing::Test {
protected:
    void show(int frameworks)
    {
        ASSERT_TRUE(desk.open(test::publishedRuns(frameworks)));
        page.resize(1190, 711);
        page.show();
        ASSERT_TRUE(test::waitFor([this] { return page.pageCount() > 0; }, 5000));
        QTest::qWait(200);
    }
    test::PageDesk desk;
    ReportPage page{desk.session(), desk.settings()};
};

TEST_F(ReportPageTest, SaysWhatIsMissingWhenThereIsNothing)
{
    page.resize(1190, 711);
    page.show();
    QTest::qWait(200);
    EXPECT_EQ(page.pageCount(), 0);
    EXPECT_FALSE(page.preview()->isVisible());
    test::picture(page, QStringLiteral("report-empty"));
}

TEST_F(ReportPageTest, LeavesOutUncheckedSectionsAndKeepsTheirOrder)
{
    show(2);
    const int before = page.pageCount();
    ASSERT_EQ(page.sections()->count(), 8);
    page.sections()->item(7)->setCheckState(Qt::Unchecked); // the appendix
    ASSERT_TRUE(test::waitFor([&] { return page.pageCount() < before; }, 5000));
    EXPECT_EQ(page.sections()->item(7)->data(Qt::UserRole + 1).toString(), QStringLiteral("—"));
    QListWidgetItem *method = page.sections()->takeItem(2);
    page.sections()->insertItem(0, method);
    const QString moved = method->data(Qt::UserRole).toString();
    page.exportPanel()->findChild<Segmented *>()->chosen(0); // anything that builds again
    QTest::qWait(400);
    EXPECT_EQ(page.sections()->item(0)->data(Qt::UserRole).toString(), moved);
}

TEST_F(ReportPageTest, ExportsAndSaysWhereTo)
{
    show(2);
    QSignalSpy spy(&page, &ReportPage::exported);
    page.exportTo(desk.folder(QStringLiteral("out")));
    EXPECT_TRUE(page.exportPanel()->exporting());
    ASSERT_TRUE(test::waitFor([&] { return spy.count() == 1; }, 30000));
    const QDir out(desk.folder(QStringLiteral("out")));
    for (const char *name : {"report.pdf", "report.html", "report.md", "manifest.json"})
        EXPECT_TRUE(out.exists(QLatin1String(name))) << name;
    test::picture(page, QStringLiteral("report-exported"));
}

TEST_F(ReportPageTest, CancelLeavesNothing)
{
    show(2);
    page.exportTo(desk.folder(QStringLiteral("out")));
    QTest::qWait(1);
    for (QPushButton *button : page.exportPanel()->findChildren<QPushButton *>())
        if (button->text() == QStringLiteral("Cancel"))
            button->click();
    EXPECT_FALSE(page.exportPanel()->exporting());
    QStringList left =
        QDir(desk.folder(QString())).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    left.removeAll(QStringLiteral("study"));
    left.removeAll(QStringLiteral("settings.ini"));
    EXPECT_TRUE(left.isEmpty()) << left.join(QStringLiteral(", ")).toStdString();
}

TEST_F(ReportPageTest, CutsNothingAtAnySizeThemeAndLanguage)
{
    show(8);
    for (const bool chinese : {false, true}) {
        desk.speak(chinese);
        for (const bool dark : {false, true}) {
            desk.useTheme(dark);
            for (const QSize size : {QSize(944, 613), QSize(1190, 711), QSize(1712, 1026)}) {
                page.resize(size);
                QTest::qWait(200);
                page.preview()->showPage(3);
                const QStringList cut = test::cutTexts(page);
                EXPECT_TRUE(cut.isEmpty()) << cut.join(QStringLiteral("; ")).toStdString();
                test::picture(page, QStringLiteral("report-page-%1-%2-%3")
                                        .arg(size.width())
                                        .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                        .arg(chinese ? QStringLiteral("zh") : QStringLiteral("en")));
            }
        }
    }
}

TEST(ReportCommand, WritesTheReportOfAWorkspace)
{
    test::PageDesk desk;
    ASSERT_TRUE(desk.open(test::publishedRuns(2)));
    ReportCommandOptions options;
    options.workspace = desk.session().workspaceFolder();
    options.out = desk.folder(QStringLiteral("cli")).toStdString();
    options.language = "zh";
    options.formats = {"pdf", "md", "json"};
    desk.session().closeWorkspace();
    const InstallPaths none{};
    const auto written = runReportCommand(options, none);
    ASSERT_TRUE(written) << written.error().message;
    QFile text(desk.folder(QStringLiteral("cli/report.md")));
    ASSERT_TRUE(text.open(QIODevice::ReadOnly));
    EXPECT_TRUE(QString::fromUtf8(text.readAll()).startsWith(QStringLiteral("# 深度学习训练性能评测报告")));

    options.language = "fr";
    EXPECT_EQ(runReportCommand(options, none).error().message,
              "The language is \"fr\"; it must be en or zh.");
    options.language = "en";
    options.formats = {"docx"};
    EXPECT_NE(runReportCommand(options, none).error().message.find("docx"), std::string::npos);
    options.formats = {};
    options.palette = "neon";
    EXPECT_NE(runReportCommand(options, none).error().message.find("print, light, dark or grey"),
              std::string::npos);
    options.palette.clear();
    options.workspace = desk.folder(QStringLiteral("nowhere")).toStdString();
    EXPECT_EQ(runReportCommand(options, none).error().code, ErrorCode::NotFound);
}

} // namespace

} // namespace sb
