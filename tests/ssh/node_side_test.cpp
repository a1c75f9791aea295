// SPDX-License-Identifier: GPL-3.0-or-later
// What is taken from a node's answers, and what is packed for it.
#include "session/node_topology.h"
#include "session/source_archive.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace sb {

namespace {

std::string data(const std::string &name)
{
    std::ifstream file(std::string(SCALEBOARD_TEST_DATA) + "/topology/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const QString &path, const QByteArray &content)
{
    QDir().mkpath(path.left(path.lastIndexOf(u'/')));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content);
}

} // namespace

TEST(NodeTopology, TakesTheToolThenThePciTree)
{
    const std::string pci = "@sb-topology pci\n" + data("pci-tree.txt");
    const NodeTopology tool = chooseTopology(
        "Welcome!\n@sb-topology nvidia\nGPU 0: Tesla V100-SXM2-16GB (UUID: GPU-1)\n" + data("dgx1.txt") + pci,
        "node1");
    EXPECT_EQ(tool.source, "nvidia-smi topo -m");
    EXPECT_NE(tool.text.find("Tesla V100"), std::string::npos);
    EXPECT_EQ(tool.text.find("scaleboard-pci"), std::string::npos);
    EXPECT_TRUE(tool.note.empty());
    const NodeTopology tree = chooseTopology("@sb-topology nvidia\nNo devices were found\n" + pci, "node1");
    EXPECT_EQ(tree.source, "the PCI tree in sysfs");
    EXPECT_NE(tree.note.find("nvidia-smi topo -m: "), std::string::npos);
    EXPECT_TRUE(tree.error.empty());
}

TEST(NodeTopology, SaysWhyThereIsNone)
{
    const NodeTopology none = chooseTopology("@sb-topology pci\nscaleboard-pci 1 1767225600\nend\n", "node7");
    EXPECT_TRUE(none.text.empty());
    EXPECT_NE(none.error.find("node7 has no GPU"), std::string::npos) << none.error;
    EXPECT_FALSE(chooseTopology("", "node7").error.empty());
}

TEST(SourceArchive, IsUnpackedByTarAsItWas)
{
    const QTemporaryDir folder;
    const QString source = folder.path() + QStringLiteral("/source");
    const QString deep = QStringLiteral("/") + QString(60, u'a') + QStringLiteral("/") + QString(70, u'b') +
                         QStringLiteral("/c.cpp");
    write(source + QStringLiteral("/CMakeLists.txt"), "project(x)\n");
    write(source + deep, QByteArray(1500, 'x'));
    write(source + QStringLiteral("/empty"), "");
    write(source + QStringLiteral("/block"), QByteArray(512, 'y'));
    write(source + QStringLiteral("/.git/config"), "no");
    write(source + QStringLiteral("/build/object.o"), "no");
    const auto archive = sourceArchive(source.toStdString());
    ASSERT_TRUE(archive) << archive.error().message;
    EXPECT_EQ(*archive, *sourceArchive(source.toStdString())) << "the same bytes each time";
    write(folder.path() + QStringLiteral("/a.tar"), *archive);
    const QString target = folder.path() + QStringLiteral("/target");
    QDir().mkpath(target);
    ASSERT_EQ(QProcess::execute(QStringLiteral("tar"),
                                {QStringLiteral("-xf"), folder.path() + QStringLiteral("/a.tar"),
                                 QStringLiteral("-C"), target}),
              0);
    QFile unpacked(target + deep);
    ASSERT_TRUE(unpacked.open(QIODevice::ReadOnly));
    EXPECT_EQ(unpacked.readAll(), QByteArray(1500, 'x'));
    EXPECT_EQ(QFile(target + QStringLiteral("/block")).size(), 512);
    EXPECT_TRUE(QFile::exists(target + QStringLiteral("/empty")));
    EXPECT_FALSE(QFile::exists(target + QStringLiteral("/.git/config")));
    EXPECT_FALSE(QFile::exists(target + QStringLiteral("/build/object.o")));
    EXPECT_FALSE(sourceArchive((source + QStringLiteral("/none")).toStdString()));
}

} // namespace sb
