// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology_parser.h"
#include "pages/paste_dialog.h"
#include "pages/topology_page.h"
#include "topology/graph_view.h"
#include "topology/matrix_view.h"
#include "topology/measured_labels.h"
#include "topology/topology_exporter.h"
#include "topology/topology_panels.h"
#include "ui_support.h"
#include "widgets/banner.h"
#include "widgets/segmented.h"

#include <QApplication>
#include <QComboBox>
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
        return page.takeText(topologyText(name), {QLatin1String(name),
                                                  QStringLiteral("file"),
                                                  QDateTime::currentDateTimeUtc(),
                                                  product,
                                                  false,
                                                  {}});
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

TEST(TopologyPage, MarksTheNodeThatIsNotLikeTheOthers)
{
    PageDesk desk;
    const QString text = topologyText("dgx1.txt");
    QString odd = text;
    odd.replace(QStringLiteral("GPU2\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tNV1"),
                QStringLiteral("GPU2\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tSYS"));
    odd.replace(QStringLiteral("GPU6\tSYS\tSYS\tNV1"), QStringLiteral("GPU6\tSYS\tSYS\tSYS"));
    ASSERT_NE(odd, text);
    const auto take = [&](const char *node, const QString &matrix) {
        return desk.page.takeText(matrix, {QLatin1String(node),
                                           QStringLiteral("from the node itself"),
                                           QDateTime::currentDateTimeUtc(),
                                           {},
                                           true,
                                           {}});
    };
    for (const char *node : {"node1", "node2", "node4"})
        ASSERT_TRUE(take(node, text));
    ASSERT_TRUE(take("node3", odd));
    desk.page.resize(1190, 700);
    desk.page.show();
    // What nodes say by themselves does not take the page away from the one that is looked at.
    EXPECT_TRUE(desk.page.subtitle().contains(QStringLiteral("3 of 4 nodes alike")));
    auto *names = desk.page.findChild<QComboBox *>();
    ASSERT_EQ(names->count(), 4);
    EXPECT_EQ(names->currentText(), QStringLiteral("node1"));
    EXPECT_EQ(names->itemText(3), QStringLiteral("node3 ⚠"));
    names->setCurrentIndex(3);
    Q_EMIT names->activated(3);
    EXPECT_TRUE(desk.page.subtitle().contains(QStringLiteral("unlike 3 of 4 nodes")));
    EXPECT_TRUE(
        desk.page.meaningPanel()->text().contains(QStringLiteral("GPU2–GPU6 is SYS here, NV1 elsewhere")))
        << desk.page.meaningPanel()->text().toStdString();
    picture(desk.page, QStringLiteral("topology-unlike"));
    QSignalSpy again(&desk.page, &TopologyPage::readAgainWanted);
    desk.page.readAgainButton()->click();
    ASSERT_EQ(again.count(), 1);
    EXPECT_EQ(again[0][0].toString(), QStringLiteral("node3"));
    desk.page.keepNodes({QStringLiteral("node1"), QStringLiteral("node2")});
    EXPECT_EQ(names->count(), 2);
    EXPECT_EQ(names->currentText(), QStringLiteral("node1"));
    desk.page.keepNodes({});
    EXPECT_EQ(desk.page.summary().nodes, 0);
}

TEST(TopologyPage, DrawsMeasuredRatesOverNominal)
{
    QTranslator english; // plurals
    ASSERT_TRUE(english.load(QStringLiteral(":/i18n/scaleboard_en.qm")));
    QApplication::installTranslator(&english);
    PageDesk desk;
    // Rates alone belong to no machine.
    EXPECT_TRUE(desk.page.takeText(topologyText("nvbandwidth.txt"), {QStringLiteral("m"), {}, {}, {}}));
    EXPECT_TRUE(desk.page.banner()->isShown());
    ASSERT_TRUE(desk.show("dgx1.txt", QStringLiteral("Tesla V100-SXM2-16GB")));
    desk.page.resize(1190, 700);
    desk.page.show();
    const MatrixModel &model = desk.page.matrix()->matrix();
    EXPECT_EQ(model.index(2, 6).data(Qt::DisplayRole).toString(), QStringLiteral("NV1"));
    ASSERT_TRUE(desk.page.takeText(topologyText("nvbandwidth.txt"), {QStringLiteral("m"), {}, {}, {}}));
    EXPECT_EQ(desk.page.rates()->current(), 1);
    EXPECT_TRUE(desk.page.subtitle().contains(QStringLiteral("GB/s measured by nvbandwidth")));
    EXPECT_EQ(model.index(2, 6).data(Qt::DisplayRole).toString(), QStringLiteral("24.2"));
    EXPECT_FALSE(model.index(2, 6).data(MatrixModel::SlowRole).toBool());
    EXPECT_EQ(model.index(6, 2).data(Qt::DisplayRole).toString(), QStringLiteral("12.1"));
    EXPECT_TRUE(model.index(6, 2).data(MatrixModel::SlowRole).toBool());
    // PCIe: the nominal rate is an upper bound, so that 9 of 15.75 GB/s is not called slow.
    EXPECT_FALSE(model.index(0, 7).data(MatrixModel::SlowRole).toBool());
    desk.page.matrix()->setCurrentIndex(model.index(2, 6));
    QTest::keyClick(desk.page.matrix(), Qt::Key_Return);
    QString pair;
    for (const auto &[label, value] : desk.page.pairPanel()->rows())
        pair += label + QStringLiteral(": ") + value + QStringLiteral("\n");
    EXPECT_TRUE(pair.contains(QStringLiteral("Measured: 24.2 GB/s there, 12.1 back · 48\u00a0%")))
        << pair.toStdString();
    picture(desk.page, QStringLiteral("topology-measured"));
    // Back to words, and measured again after the same node was read anew.
    desk.page.rates()->setCurrent(0);
    Q_EMIT desk.page.rates()->chosen(0);
    EXPECT_EQ(model.index(2, 6).data(Qt::DisplayRole).toString(), QStringLiteral("NV1"));
    QApplication::removeTranslator(&english);
}

TEST(TopologyPage, PutsNoMeasuredFigureOnAnother)
{
    const Topology topology = parseTopology(topologyText("dgx1.txt").toStdString());
    const auto measured = readLinkMeasurements(topologyText("nvbandwidth.txt").toStdString());
    ASSERT_TRUE(measured);
    const GraphLayout layout = layoutTopology(topology, 482, 360);
    const auto labels = measuredLabels(topology, layout, *measured);
    EXPECT_EQ(labels.size(), 16U); // the NVLinks of a DGX-1
    for (std::size_t i = 0; i < labels.size(); ++i)
        for (std::size_t j = i + 1; j < labels.size(); ++j)
            EXPECT_FALSE(std::abs(labels[i].centre.x - labels[j].centre.x) < 30 &&
                         std::abs(labels[i].centre.y - labels[j].centre.y) < 15)
                << labels[i].a << "-" << labels[i].b << " and " << labels[j].a << "-" << labels[j].b;
}

TEST(TopologyPage, OffersTheChosenSetToThePlan)
{
    PageDesk desk;
    ASSERT_TRUE(desk.show("dgx1.txt"));
    QSignalSpy wanted(&desk.page, &TopologyPage::useInPlanWanted);
    desk.page.setsPanel()->useButton()->click();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted[0][0].toInt(), 4);
    EXPECT_EQ(wanted[0][1].toString(), QStringLiteral("0,1,2,3"));
}

TEST(TopologyPage, SaysWhatIsNearEachGpu)
{
    PageDesk desk;
    ASSERT_TRUE(desk.show("dgx1.txt"));
    const QString text = desk.page.meaningPanel()->text();
    EXPECT_TRUE(text.contains(QStringLiteral("GPU0–1"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("mlx5_0 (PIX)")));
    EXPECT_TRUE(text.contains(QStringLiteral("cores 0-19,40-59")));
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
