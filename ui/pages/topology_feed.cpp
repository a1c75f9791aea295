// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/topology_feed.h"

#include "pages/topology_page.h"
#include "sentences/sentence.h"
#include "session/session_model.h"

namespace sb {

TopologyFeed::TopologyFeed(SessionModel &session, TopologyPage *page)
    : QObject(page)
    , m_session(session)
    , m_page(page)
{
    connect(&session, &SessionModel::topologyRead, this, &TopologyFeed::take);
    connect(&session, &SessionModel::nodesChanged, this, &TopologyFeed::dropRemoved);
    connect(page, &TopologyPage::readAgainWanted, this, [this](const QString &node) {
        m_asked.insert(node);
        m_session.readTopology(node.toStdString());
    });
    connect(page, &TopologyPage::useInPlanWanted, this, &TopologyFeed::useInPlan);
    for (const auto &[name, topology] : session.topologies())
        take(topology);
}

void TopologyFeed::take(const NodeTopology &topology)
{
    const QString name = QString::fromStdString(topology.node);
    const bool asked = m_asked.remove(name);
    if (topology.text.empty()) {
        if (asked)
            m_page->tellFailure(name, translateSentence(topology.error));
        return;
    }
    QString product;
    for (const NodeFacts &node : m_session.nodes())
        if (node.name == topology.node && !node.gpus.empty())
            product = QString::fromStdString(node.gpus.front().name);
    m_page->takeText(QString::fromStdString(topology.text),
                     {name,
                      {},
                      QDateTime::fromSecsSinceEpoch(topology.readAtUtcS),
                      product,
                      true,
                      translateSentence(topology.note)});
}

void TopologyFeed::dropRemoved()
{
    QSet<QString> names;
    for (const NodeStatus &node : m_session.nodeStatuses())
        names.insert(QString::fromStdString(node.name));
    m_page->keepNodes(names);
}

// Cases on so many GPUs of a node take these from now on.
void TopologyFeed::useInPlan(int gpus, const QString &numbers)
{
    Plan plan = m_session.plan();
    plan.gpuSets[gpus] = numbers.toStdString();
    m_session.setPlan(plan);
}

} // namespace sb
