// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/tokens.h"
#include "pages/import_details.h"
#include "pages/import_dialog.h"
#include "ui_support.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTranslator>

#include <gtest/gtest.h>

namespace sb::test {

namespace {

void write(const QString &path, const QByteArray &text)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
}

QByteArray steps(const char *form, double rate)
{
    QByteArray text;
    for (int step = 1; step <= 120; ++step)
        text += QString::asprintf(form, step, rate + step % 5).toUtf8() + '\n';
    return text;
}

// Two scales of a known form, one of an unknown one, and a file that is no log.
void makeLogs(const QString &base)
{
    const char *known =
        "DLL 2020-09-15 14:29:13.5 - Epoch: 0 Iteration: %d  train.loss : 7.1  train.total_ips : %.2f img/s";
    for (int run = 1; run <= 2; ++run)
        for (const int nodes : {1, 2})
            write(base + QStringLiteral("/pytorch/resnet50/%1n8g/r50_b128_fp16_%2.log").arg(nodes).arg(run),
                  steps(known, 1000.0 * nodes + run));
    write(base + QStringLiteral("/own/train.log"), steps("<%d> zoom=%.1f", 50));
    write(base + QStringLiteral("/README"), "nothing\n");
}

// The dialog in both languages and themes, for looking at.
void pictures(Desk &desk, const QString &path, const QString &pattern, const QString &name)
{
    QTranslator translator;
    ASSERT_TRUE(translator.load(QStringLiteral(":/i18n/scaleboard_zh_CN")));
    for (const bool chinese : {false, true}) {
        if (chinese)
            QApplication::installTranslator(&translator);
        for (const bool dark : {false, true}) {
            QApplication::setPalette((dark ? Tokens::dark() : Tokens::light()).toPalette());
            ImportDialog dialog(desk.session(), desk.folder());
            dialog.show();
            dialog.patternField()->setText(pattern);
            dialog.setPath(path);
            ASSERT_TRUE(waitFor([&] { return dialog.acceptButton()->isEnabled(); }, 20000));
            EXPECT_LE(dialog.minimumSizeHint().width(), 1366 - 40);
            EXPECT_LE(dialog.minimumSizeHint().height(), 768 - 80);
            picture(dialog, name + (chinese ? QStringLiteral("-zh") : QStringLiteral("-en")) +
                                (dark ? QStringLiteral("-dark") : QStringLiteral("-light")));
        }
    }
    QApplication::removeTranslator(&translator);
    QApplication::setPalette(Tokens::light().toPalette());
}

} // namespace

TEST(ImportDialog, FitsASmallScreenInBothLanguagesAndThemes)
{
    Desk desk;
    ASSERT_TRUE(desk.session().createWorkspace((desk.folder() + QStringLiteral("/ws")).toStdString()).ok());
    makeLogs(desk.folder() + QStringLiteral("/logs"));
    write(desk.folder() + QStringLiteral("/logs/results.csv"),
          "framework,model,gpus,batch size,images/s\nA,resnet50,8,128,2400\nA,resnet50,x,128,2400\n");
    pictures(desk, desk.folder() + QStringLiteral("/logs"), {}, QStringLiteral("import-tree"));
    pictures(desk, desk.folder() + QStringLiteral("/logs/own"),
             QStringLiteral("<(?P<step>[0-9]+)> zoom=(?P<rate>[0-9.]+)"), QStringLiteral("import-pattern"));
}

TEST(ImportDialog, ShowsWhatWouldBeImportedAndTriesAPattern)
{
    Desk desk;
    ASSERT_TRUE(desk.session().createWorkspace((desk.folder() + QStringLiteral("/ws")).toStdString()).ok());
    makeLogs(desk.folder() + QStringLiteral("/logs"));
    ImportDialog dialog(desk.session(), desk.folder());
    dialog.show();
    EXPECT_FALSE(dialog.acceptButton()->isEnabled());
    dialog.setPath(desk.folder() + QStringLiteral("/logs"));
    ASSERT_TRUE(waitFor([&] { return dialog.preview() != nullptr; }, 20000));
    EXPECT_EQ(dialog.verdict(), QStringLiteral("4 of 6 files can be imported: 2 cases."));
    EXPECT_EQ(dialog.table()->model()->rowCount(), 6);
    picture(dialog, QStringLiteral("import-dialog"));

    // A pattern for the log that nobody knows, typed in the window.
    dialog.setPath(desk.folder() + QStringLiteral("/logs/own"));
    ASSERT_TRUE(waitFor([&] { return dialog.verdict().startsWith(QStringLiteral("0 of 1")); }, 20000));
    QTest::keyClicks(dialog.patternField(), QStringLiteral("<(?P<step>[0-9]+)> zoom=(?P<rate>[0-9.]+)"));
    ASSERT_TRUE(waitFor([&] { return dialog.verdict().startsWith(QStringLiteral("1 of 1")); }, 20000));
    EXPECT_TRUE(dialog.trial()->isVisible());
    EXPECT_FALSE(dialog.trial()->extraSelections().isEmpty());
    picture(dialog, QStringLiteral("import-dialog-pattern"));
    dialog.patternField()->setText(QStringLiteral("(a"));
    ASSERT_TRUE(waitFor([&] { return dialog.verdict().startsWith(QStringLiteral("The pattern")); }, 20000));
    EXPECT_FALSE(dialog.acceptButton()->isEnabled());

    // What was shown is what comes.
    dialog.patternField()->clear();
    dialog.setPath(desk.folder() + QStringLiteral("/logs"));
    ASSERT_TRUE(waitFor([&] { return dialog.acceptButton()->isEnabled(); }, 20000));
    const auto report = desk.session().importRuns(*dialog.preview());
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->imported, 4);
    EXPECT_EQ(desk.session().results().size(), 2U);
}

TEST(ImportDialog, LetsTheUserChooseTheColumnsOfATable)
{
    Desk desk;
    ASSERT_TRUE(desk.session().createWorkspace((desk.folder() + QStringLiteral("/ws")).toStdString()).ok());
    write(desk.folder() + QStringLiteral("/t.csv"),
          "Model,GPUs,Rate A,Rate B\nresnet50,1,300.5,310\nresnet50,8,2400,2500\nresnet50,eight,1,1\n");
    ImportDialog dialog(desk.session(), desk.folder());
    dialog.show();
    dialog.setPath(desk.folder() + QStringLiteral("/t.csv"));
    ASSERT_TRUE(waitFor([&] { return dialog.columns()->isVisible(); }, 20000));
    EXPECT_FALSE(dialog.acceptButton()->isEnabled()); // nobody knows which of the rates
    EXPECT_EQ(dialog.columns()->box("workload")->currentIndex(), 1);
    EXPECT_EQ(dialog.columns()->box("throughput")->currentIndex(), 0);
    QComboBox *box = dialog.columns()->box("throughput");
    box->setCurrentIndex(3);
    Q_EMIT box->activated(3);
    ASSERT_TRUE(waitFor([&] { return dialog.acceptButton()->isEnabled(); }, 20000));
    EXPECT_EQ(dialog.verdict(), QStringLiteral("2 of 3 files can be imported: 2 cases."));
    picture(dialog, QStringLiteral("import-dialog-table"));
}

} // namespace sb::test
