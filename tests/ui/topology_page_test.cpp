// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_parser.h"
#include "pages/paste_dialog.h"
#include "pages/topology_page.h"
#include "topology/graph_view.h"
#include "topology/matrix_view.h"
#include "topology/topology_exporter.h"
#include "topology/topology_panels.h"
#include "ui_support.h"
#include "widgets/banner.h"

#include <QApplication>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTranslator>

#include <gtest/gtest.h>

namespace sb::test {

namespace {

QString topologyText(const char *name)
{
    QFile file(QStringLiteral(SCALEBOARD_TEST_DATA "/topology/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

struct PageDesk {
    QTemporaryDir folder;
    Settings settings{folder.path() + QStringLiteral("/settings.ini")};
    TopologyPage page{settings};

    bool show(const char *name, const QString &product = QStringLiteral("NVIDIA H100 80GB HBM3"))
    {
        return page.takeText(topologyText(name), {QLatin1String(name), QStringLiteral("file"),
                                                  QDateTime::currentDateTimeUtc(), product});
    }
};

} // namespace

TEST(TopologyPage, LinksMatrixGraphAndPair)
{
    PageDesk desk;
    ASSERT_TRUE(desk.show("dgx1.txt", QStringLiteral("Tesla V100-SXM2-16GB")));
    desk.page.resize(1190, 700);
    desk.page.show();
    MatrixView *matrix = desk.page.matrix();
    const QModelIndex cell = matrix->matrix().index(2, 6);
    EXPECT_EQ(cell.data(Qt::DisplayRole).toString(), QStringLiteral("NV1"));
    EXPECT_EQ(cell.data(Qt::AccessibleTextRole).toString(),
              QStringLiteral("GPU2 to GPU6, NV1, 1 link(s), 25 gigabytes per second"));
    // By keyboard in the matrix, seen in the graph and in the panel.
    matrix->setCurrentIndex(cell);
    QTest::keyClick(matrix, Qt::Key_Return);
    EXPECT_EQ(desk.page.graph()->selected(), (DevicePair{2, 6}));
    const auto rows = desk.page.pairPanel()->rows();
    ASSERT_GE(rows.size(), 2U);
    EXPECT_EQ(rows[1].second, QStringLiteral("25 GB/s each way"));
    // By pointer in the graph.
    const LayoutRect &gpu0 = desk.page.graph()->graph().nodes[0].rect;
    QSignalSpy chosen(desk.page.graph(), &GraphView::pairSelected);
    QTest::mouseClick(desk.page.graph(), Qt::LeftButton, {},
                      QPointF(gpu0.centre().x + 16, gpu0.centre().y + 16).toPoint());
    EXPECT_EQ(chosen.count(), 1);
    QTest::keyClick(desk.page.graph(), Qt::Key_Escape);
    EXPECT_EQ(desk.page.graph()->selected(), std::nullopt);
}

TEST(TopologyPage, OffersTheLineOfTheBestSet)
{
    PageDesk desk;
    ASSERT_TRUE(desk.show("dgx1.txt"));
    EXPECT_EQ(desk.page.setsPanel()->table()->rowCount(), 4);
    EXPECT_EQ(desk.page.setsPanel()->currentLine(), QStringLiteral("CUDA_VISIBLE_DEVICES=0,1,2,3"));
    EXPECT_TRUE(
        desk.page.meaningPanel()->text().contains(QStringLiteral("GPU0–3 and GPU4–7 are two islands.")));
}

TEST(TopologyPage, SaysWhyATextHoldsNothingAndKeepsWhatItShowed)
{
    PageDesk desk;
    ASSERT_TRUE(desk.show("pcie4.txt"));
    EXPECT_FALSE(desk.page.takeText(QStringLiteral("bash: nvidia-smi: command not found"),
                                    {QStringLiteral("x"), {}, {}, {}}));
    EXPECT_TRUE(desk.page.banner()->isShown());
    EXPECT_TRUE(desk.page.banner()->text().contains(QStringLiteral("not installed")));
    EXPECT_EQ(desk.page.matrix()->matrix().topology().gpuCount(), 4);
}

TEST(TopologyPage, MarksDamageAndTellsTheRail)
{
    PageDesk desk;
    ASSERT_TRUE(desk.show("damaged.txt"));
    EXPECT_EQ(desk.page.summary().damagedRows, 2);
    const MatrixModel &model = desk.page.matrix()->matrix();
    EXPECT_EQ(model.index(5, 14).data(Qt::DisplayRole).toString(), QStringLiteral("!"));
    EXPECT_EQ(model.index(5, 18).data(Qt::DisplayRole).toString(), QStringLiteral("—"));
}

TEST(PasteDialog, JudgesWhileTyping)
{
    PasteDialog dialog;
    EXPECT_FALSE(dialog.acceptButton()->isEnabled());
    dialog.editor()->setPlainText(QStringLiteral("hello"));
    EXPECT_FALSE(dialog.acceptButton()->isEnabled());
    EXPECT_TRUE(dialog.verdict().contains(QStringLiteral("no topology table")));
    dialog.editor()->setPlainText(topologyText("dgx1.txt"));
    EXPECT_TRUE(dialog.acceptButton()->isEnabled());
    EXPECT_EQ(dialog.name(), QStringLiteral("pasted"));
}

TEST(TopologyExporter, WritesEveryFormat)
{
    const Topology topology = parseTopology(topologyText("dgx1.txt").toStdString());
    for (const auto picture : {TopologyPicture::Graph, TopologyPicture::Matrix}) {
        const auto svg = exportTopology(topology, picture, TopologyFormat::Svg, QApplication::font(),
                                        WordLanguage::English);
        ASSERT_TRUE(svg);
        EXPECT_TRUE(svg->contains(picture == TopologyPicture::Graph ? ">GPU0<" : ">NV2<"));
        EXPECT_FALSE(svg->contains("<image"));
        const auto pdf = exportTopology(topology, picture, TopologyFormat::Pdf, QApplication::font(),
                                        WordLanguage::English);
        ASSERT_TRUE(pdf);
        EXPECT_TRUE(pdf->startsWith("%PDF"));
        EXPECT_EQ(*pdf, *exportTopology(topology, picture, TopologyFormat::Pdf, QApplication::font(),
                                        WordLanguage::English));
        const auto png = exportTopology(topology, picture, TopologyFormat::Png, QApplication::font(),
                                        WordLanguage::English);
        ASSERT_TRUE(png);
        EXPECT_GE(QImage::fromData(*png).width(), 1800);
        if (const QString folder = qEnvironmentVariable("SCALEBOARD_PICTURES"); !folder.isEmpty()) {
            const QString base =
                folder + (picture == TopologyPicture::Graph ? QStringLiteral("/export-graph")
                                                            : QStringLiteral("/export-matrix"));
            for (const auto &[suffix, bytes] :
                 {std::pair(QStringLiteral(".svg"), *svg), std::pair(QStringLiteral(".pdf"), *pdf),
                  std::pair(QStringLiteral(".png"), *png)}) {
                QFile file(base + suffix);
                ASSERT_TRUE(file.open(QIODevice::WriteOnly));
                file.write(bytes);
            }
        }
    }
    EXPECT_FALSE(exportTopology({}, TopologyPicture::Graph, TopologyFormat::Svg, QApplication::font(),
                                WordLanguage::English));
}

// Pictures to look at, for every kind of machine, in both themes and languages.
TEST(TopologyPage, PaintsEveryMachine)
{
    QTranslator chinese;
    QTranslator english; // plurals
    ASSERT_TRUE(english.load(QStringLiteral(":/i18n/scaleboard_en.qm")));
    QApplication::installTranslator(&english);
    ASSERT_TRUE(chinese.load(QStringLiteral(":/i18n/scaleboard_zh_CN.qm")));
    for (const bool dark : {false, true}) {
        QApplication::setPalette((dark ? Tokens::dark() : Tokens::light()).toPalette());
        for (const bool zh : {false, true}) {
            if (zh)
                QApplication::installTranslator(&chinese);
            for (const char *name :
                 {"dgx1.txt", "h100x8-10nics.txt", "pcie4.txt", "damaged.txt", "damaged-pair.txt",
                  "v100x16.txt", "pci-tree.txt", "lone-gpu.txt", "other-maker.txt"}) {
                for (const QSize size : {QSize(1190, 686), QSize(1712, 1000)}) {
                    if ((dark || zh) && size.width() > 1200)
                        continue;
                    PageDesk desk;
                    ASSERT_TRUE(desk.show(name, QLatin1String(name) == QLatin1String("dgx1.txt")
                                                    ? QStringLiteral("Tesla V100-SXM2-16GB")
                                                    : QStringLiteral("NVIDIA H100 80GB HBM3")));
                    desk.page.setAutoFillBackground(true);
                    desk.page.resize(size);
                    desk.page.show();
                    QApplication::processEvents();
                    MatrixView *matrix = desk.page.matrix();
                    matrix->setCurrentIndex(matrix->matrix().index(0, 3));
                    QTest::keyClick(matrix, Qt::Key_Return);
                    const QImage image = desk.page.grab().toImage();
                    EXPECT_EQ(image.width(), size.width());
                    picture(desk.page, QStringLiteral("topology-%1%2%3-%4")
                                           .arg(QString(QLatin1String(name)).section(QLatin1Char('.'), 0, 0),
                                                dark ? QStringLiteral("-dark") : QString(),
                                                zh ? QStringLiteral("-zh") : QString())
                                           .arg(size.width()));
                }
            }
            if (zh)
                QApplication::removeTranslator(&chinese);
        }
    }
    QApplication::removeTranslator(&english);
    QApplication::setPalette(Tokens::light().toPalette());
}

} // namespace sb::test
