// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scaling_chart.h"
#include "page_desk.h"
#include "pages/figure_dialog.h"
#include "pages/scaling_page.h"
#include "pages/scaling_table.h"
#include "ui_support.h"
#include "widgets/segmented.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

namespace sb {

namespace {

class ScalingPageTest : public testing::Test {
protected:
    void show(int frameworks, int repeats = 7)
    {
        ASSERT_TRUE(desk.open(test::publishedRuns(frameworks, repeats)));
        page.resize(1190, 711);
        page.show();
        QTest::qWait(80);
    }
    test::PageDesk desk;
    ScalingPage page{desk.session(), desk.settings()};
};

TEST_F(ScalingPageTest, OffersAPlanWhenThereIsNothing)
{
    page.resize(1190, 711);
    page.show();
    EXPECT_FALSE(page.table()->isVisible());
    test::picture(page, QStringLiteral("scaling-empty"));
}

TEST_F(ScalingPageTest, ListsEveryColumnWithADashForWhatIsAbsent)
{
    show(8, 1);
    QAbstractItemModel *model = page.table()->model();
    ASSERT_EQ(model->rowCount(), 8);
    ASSERT_EQ(model->columnCount(), 1 + 4 + 3 + 1 + 1 + 3);
    EXPECT_EQ(model->index(0, 0).data().toString(), QStringLiteral("OneFlow"));
    EXPECT_EQ(model->index(0, 4).data().toString(), QStringLiteral("12\u202F411.97"));
    EXPECT_EQ(model->index(0, 7).data().toString(), QStringLiteral("31.21"));
    EXPECT_EQ(model->index(0, 10).data().toString(), QStringLiteral("—")); // no interval from one run
    EXPECT_EQ(model->index(0, 12).data().toString(), QStringLiteral("—"));
}

TEST_F(ScalingPageTest, ClickEmphasisesAndSpaceHides)
{
    show(3);
    const QModelIndex second = page.table()->model()->index(1, 0);
    QTest::mouseClick(page.table()->viewport(), Qt::LeftButton, {},
                      page.table()->visualRect(second).center());
    EXPECT_EQ(page.throughputChart()->figure().emphasised, std::optional<std::size_t>(1));
    test::picture(page, QStringLiteral("scaling-emphasised-page"));
    QTest::keyClick(page.table(), Qt::Key_Space);
    EXPECT_TRUE(page.speedupChart()->figure().hidden.contains(1));
    EXPECT_FALSE(page.throughputChart()->figure().emphasised);
    EXPECT_TRUE(second.data(ScalingTableModel::HiddenRole).toBool());
    QTest::keyClick(page.table(), Qt::Key_Space);
    EXPECT_TRUE(page.speedupChart()->figure().hidden.empty());
}

TEST_F(ScalingPageTest, CopiesPlainNumbers)
{
    show(1);
    page.table()->setFocus();
    QTest::keyClick(page.table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    ASSERT_GE(lines.size(), 2);
    EXPECT_TRUE(lines[1].startsWith(QStringLiteral("OneFlow\t397.64\t3130.34\t"))) << lines[1].toStdString();
}

TEST_F(ScalingPageTest, ExportsTheFiguresThatItShows)
{
    show(3);
    QTemporaryDir folder;
    FigureDialog dialog(page.figures(), folder.path());
    EXPECT_EQ(dialog.files().size(), 4);
    EXPECT_EQ(dialog.exportFiles(), QString());
    for (const QString &name : dialog.files())
        EXPECT_GT(QFileInfo(folder.filePath(name)).size(), 1000) << name.toStdString();
    dialog.show();
    test::picture(dialog, QStringLiteral("figure-dialog"));
}

TEST_F(ScalingPageTest, CutsNothingAtAnySizeThemeAndLanguage)
{
    show(8, 5);
    for (const bool chinese : {false, true}) {
        desk.speak(chinese);
        for (const bool dark : {false, true}) {
            desk.useTheme(dark);
            for (const QSize size : {QSize(944, 613), QSize(1190, 711), QSize(1712, 1026)}) {
                page.resize(size);
                QTest::qWait(60);
                const QStringList cut = test::cutTexts(page);
                EXPECT_TRUE(cut.isEmpty()) << cut.join(QStringLiteral("; ")).toStdString();
                test::picture(page, QStringLiteral("scaling-page-%1-%2-%3")
                                        .arg(size.width())
                                        .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                        .arg(chinese ? QStringLiteral("zh") : QStringLiteral("en")));
            }
        }
    }
}

} // namespace

} // namespace sb
