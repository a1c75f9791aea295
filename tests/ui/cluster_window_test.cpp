// SPDX-License-Identifier: GPL-3.0-or-later
// The window over real nodes. tests/cluster/topology_test.py starts it in its cluster, where four nodes with
// a stand-in for nvidia-smi wait; the second one has a broken link.
#include "pages/host_key_dialog.h"
#include "pages/nodes_page.h"
#include "pages/topology_page.h"
#include "topology/topology_panels.h"
#include "ui_support.h"
#include "widgets/banner.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include <gtest/gtest.h>

namespace sb::test {

namespace {

class ClusterWindow : public testing::Test {
protected:
    void SetUp() override
    {
        const QByteArray config = qgetenv("SCALEBOARD_SSH_CONFIG");
        if (config.isEmpty())
            GTEST_SKIP() << "tests/cluster/topology_test.py starts this in a cluster";
        SessionModel::Options options;
        options.pluginFolder = SCALEBOARD_SOURCE "/plugins";
        options.sshConfig = config.toStdString();
        options.readTopologies = true;
        m_session = std::make_unique<SessionModel>(options);
        m_settings = std::make_unique<Settings>(m_folder.filePath(QStringLiteral("settings.ini")));
        m_window = std::make_unique<MainWindow>(*m_session, *m_settings);
        m_window->resize(1366, 738);
        m_window->show();
        m_window->showPage(PageId::Nodes);
        m_nodes = qobject_cast<NodesPage *>(m_window->page(PageId::Nodes));
        m_topology = qobject_cast<TopologyPage *>(m_window->page(PageId::Topology));
    }

    void connectTo(const char *names)
    {
        m_nodes->field()->setText(QLatin1String(names));
        m_nodes->connectButton()->click();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<SessionModel> m_session;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    NodesPage *m_nodes = nullptr;
    TopologyPage *m_topology = nullptr;
};

} // namespace

TEST_F(ClusterWindow, ReadsItsNodesAndSaysWhichIsUnlikeTheOthers)
{
    connectTo("gpu[1-3]");
    ASSERT_TRUE(waitFor([this] { return m_session->topologies().size() == 3; }, 30000));
    ASSERT_TRUE(waitFor([this] { return m_session->nodes().size() == 3; }, 10000));
    picture(*m_window, QStringLiteral("cluster-nodes"));
    m_window->showPage(PageId::Topology);
    EXPECT_EQ(m_topology->summary().nodes, 3);
    EXPECT_EQ(m_topology->summary().islands, 2);
    auto *names = m_topology->findChild<QComboBox *>();
    ASSERT_EQ(names->count(), 3);
    const int odd = names->findText(QStringLiteral("gpu2 ⚠"));
    ASSERT_GE(odd, 0);
    EXPECT_GE(names->findText(QStringLiteral("gpu1")), 0) << "without a warning sign";
    names->setCurrentIndex(odd);
    Q_EMIT names->activated(odd);
    EXPECT_EQ(m_topology->subtitle(),
              QStringLiteral("nvidia-smi topo -m · read just now · unlike 2 of 3 nodes"));
    EXPECT_TRUE(
        m_topology->meaningPanel()->text().contains(QStringLiteral("GPU2–GPU6 is SYS here, NV1 elsewhere")));
    picture(*m_window, QStringLiteral("cluster-topology"));
    m_topology->setsPanel()->useButton()->click();
    EXPECT_EQ(m_session->plan().gpuSets, (std::map<int, std::string>{{4, "0,1,2,3"}}));
    // A node that leaves takes its topology along.
    ASSERT_TRUE(m_session->removeNode("gpu2"));
    EXPECT_EQ(m_topology->summary().nodes, 2);
}

TEST_F(ClusterWindow, SaysWhyANodeCannotBeReadWhenAskedAgain)
{
    connectTo("gpu1");
    ASSERT_TRUE(waitFor([this] { return m_session->topologies().size() == 1; }, 30000));
    m_window->showPage(PageId::Topology);
    const auto before = m_session->topologies().at("gpu1").readAtUtcS;
    int read = 0;
    QObject::connect(m_session.get(), &SessionModel::topologyRead, m_window.get(), [&read] { ++read; });
    m_topology->readAgainButton()->click();
    ASSERT_TRUE(waitFor([&read] { return read == 1; }, 20000));
    EXPECT_GE(m_session->topologies().at("gpu1").readAtUtcS, before);
    EXPECT_FALSE(m_topology->banner()->isShown());
}

TEST_F(ClusterWindow, AsksAboutAnUnknownKeyAndStopsAtACancel)
{
    connectTo("stranger");
    UnknownKeyDialog *dialog = nullptr;
    ASSERT_TRUE(waitFor(
        [this, &dialog] {
            dialog = m_window->findChild<UnknownKeyDialog *>();
            return dialog != nullptr && dialog->isVisible();
        },
        20000));
    picture(*dialog, QStringLiteral("cluster-unknown-key"));
    dialog->cancelButton()->click();
    ASSERT_TRUE(waitFor(
        [this] {
            const auto &nodes = m_session->nodeStatuses();
            return !nodes.empty() && nodes.back().ssh.state == SshState::Failed;
        },
        20000));
    EXPECT_TRUE(m_session->nodes().empty());
    picture(*m_window, QStringLiteral("cluster-refused"));
}

} // namespace sb::test
