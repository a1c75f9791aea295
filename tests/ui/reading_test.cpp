// SPDX-License-Identifier: GPL-3.0-or-later
// What a keyboard and a screen reader get of every page, with a recorded study open.
#include "pages/figure_dialog.h"
#include "settings/appearance.h"
#include "ui_support.h"
#include "widgets/banner.h"
#include "widgets/page_frame.h"
#include "widgets/panel.h"
#include "workspace_actions.h"

#include <QAccessible>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QTabBar>
#include <QTest>

#include <gtest/gtest.h>

namespace sb {
namespace {

void copyTree(const QString &from, const QString &to)
{
    QDir().mkpath(to);
    for (const QFileInfo &entry : QDir(from).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
        const QString target = to + u'/' + entry.fileName();
        if (entry.isDir())
            copyTree(entry.filePath(), target);
        else
            QFile::copy(entry.filePath(), target);
    }
}

class ReadingTest : public testing::Test {
protected:
    void SetUp() override
    {
        desk.window().resize(1366, 738);
        desk.window().show();
        ASSERT_TRUE(desk.waitForNodes());
        const QString study = desk.folder() + QStringLiteral("/study");
        copyTree(QStringLiteral(SCALEBOARD_SOURCE "/resources/demo/h200-2gpu"), study);
        ASSERT_TRUE(desk.window().workspaces().open(study));
    }
    void goTo(PageId page)
    {
        desk.window().showPage(page);
        QTest::qWait(300); // the report lays its pages out
    }

    test::Desk desk;
};

// Where Tab stops on a page, in its order.
std::vector<QWidget *> tabStops(QWidget &page)
{
    std::vector<QWidget *> stops;
    for (QWidget *at = page.nextInFocusChain(); at != &page; at = at->nextInFocusChain())
        if (page.isAncestorOf(at) && at->isVisible() && at->isEnabled() && !at->focusProxy() &&
            (at->focusPolicy() & Qt::TabFocus) != 0)
            stops.push_back(at);
    return stops;
}

std::string described(const QWidget *widget)
{
    const QAccessibleInterface *seen = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
    return QStringLiteral("%1 \"%2\" at %3, %4")
        .arg(QLatin1String(widget->metaObject()->className()),
             seen ? seen->text(QAccessible::Name) : QString())
        .arg(widget->mapTo(widget->window(), QPoint()).x())
        .arg(widget->mapTo(widget->window(), QPoint()).y())
        .toStdString();
}

// The panel or the header that a widget is in.
const QWidget *placeOf(const QWidget *widget)
{
    while (widget && !qobject_cast<const Panel *>(widget) && !qobject_cast<const PageHeader *>(widget))
        widget = widget->parentWidget();
    return widget;
}

QRect onWindow(const QWidget *widget)
{
    return {widget->mapTo(widget->window(), QPoint()), widget->size()};
}

TEST_F(ReadingTest, EveryTabStopHasAName)
{
    for (const PageId page : desk.window().pages()) {
        goTo(page);
        for (QWidget *stop : tabStops(*desk.window().page(page))) {
            QAccessibleInterface *seen = QAccessible::queryAccessibleInterface(stop);
            ASSERT_TRUE(seen);
            EXPECT_TRUE(qobject_cast<QTabBar *>(stop) || !seen->text(QAccessible::Name).isEmpty())
                << "page " << static_cast<int>(page) << ": " << described(stop);
        }
    }
}

TEST_F(ReadingTest, TabGoesAsOneReads)
{
    for (const PageId page : desk.window().pages()) {
        goTo(page);
        const std::vector<QWidget *> stops = tabStops(*desk.window().page(page));
        for (std::size_t i = 1; i < stops.size(); ++i) {
            const QRect from = onWindow(stops[i - 1]), to = onWindow(stops[i]);
            if (placeOf(stops[i]) != placeOf(stops[i - 1]))
                continue;
            const bool up = to.bottom() < from.top();
            const bool back = to.right() < from.left() && to.top() < from.bottom();
            EXPECT_FALSE(up || back) << "page " << static_cast<int>(page) << ": from "
                                     << described(stops[i - 1]) << " to " << described(stops[i]);
        }
    }
}

TEST_F(ReadingTest, ExportIsThatOfThePage)
{
    const auto press = [&] {
        desk.window().activateWindow(); // a dialog that is gone leaves nothing active
        ASSERT_TRUE(QTest::qWaitForWindowActive(&desk.window()));
        QTest::keyClick(&desk.window(), Qt::Key_E, Qt::ControlModifier);
    };
    goTo(PageId::Scaling);
    press();
    auto *figures = desk.window().page(PageId::Scaling)->findChild<FigureDialog *>();
    ASSERT_NE(figures, nullptr);
    delete figures;
    goTo(PageId::Compare); // of three cases without a like one, so nothing to draw
    press();
    EXPECT_EQ(desk.window().currentPage(), PageId::Compare);
    goTo(PageId::Start);
    press();
    EXPECT_EQ(desk.window().currentPage(), PageId::Report);
    delete desk.window().page(PageId::Report)->findChild<QFileDialog *>();
    goTo(PageId::Report);
    press();
    auto *dialog = desk.window().page(PageId::Report)->findChild<QFileDialog *>();
    ASSERT_NE(dialog, nullptr);
    delete dialog;
    desk.window().workspaces().close();
    goTo(PageId::Report);
    press(); // nothing is left to export
    EXPECT_EQ(desk.window().page(PageId::Report)->findChild<QFileDialog *>(), nullptr);
}

TEST_F(ReadingTest, ShortcutsAreListedWithoutMnemonics)
{
    desk.appearance().overrideLanguage(Language::Chinese);
    QCoreApplication::processEvents();
    for (QAction *action : desk.window().findChildren<QAction *>())
        if (action->text().startsWith(QStringLiteral("键盘快捷键")))
            action->trigger();
    auto *dialog = desk.window().findChild<QDialog *>();
    ASSERT_NE(dialog, nullptr);
    int chinese = 0;
    for (const QLabel *label : dialog->findChildren<QLabel *>()) {
        EXPECT_FALSE(label->text().contains(u'(')) << label->text().toStdString();
        chinese += label->text() == QStringLiteral("新建工作区") ? 1 : 0;
    }
    EXPECT_EQ(chinese, 1);
    delete dialog;
    desk.appearance().overrideLanguage(Language::English);
}

TEST_F(ReadingTest, AFailureIsToldUntilAWorkspaceIsOpened)
{
    const auto told = [&] {
        for (const Banner *one : desk.window().findChildren<Banner *>())
            if (one->isVisible())
                return one->text();
        return QString();
    };
    const std::string before = desk.session().workspaceFolder();
    EXPECT_FALSE(desk.window().workspaces().open(desk.folder() + QStringLiteral("/nothing")));
    EXPECT_TRUE(told().contains(QStringLiteral("There is no workspace in")));
    EXPECT_EQ(desk.session().workspaceFolder(), before); // what was open stays
    EXPECT_TRUE(desk.window().workspaces().open(QString::fromStdString(before)));
    EXPECT_EQ(told(), QString());
}

} // namespace
} // namespace sb
