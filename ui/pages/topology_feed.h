// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QString>

namespace sb {

class SessionModel;
class TopologyPage;
struct NodeTopology;

// Between the session and the topology page: what nodes say about their wiring goes to the page, its wishes
// go to nodes and plan.
class TopologyFeed : public QObject {
    Q_OBJECT
public:
    TopologyFeed(SessionModel &session, TopologyPage *page);

private:
    void take(const NodeTopology &topology);
    void dropRemoved();
    void useInPlan(int gpus, const QString &numbers);

    SessionModel &m_session;
    TopologyPage *m_page;
    QSet<QString> m_asked; // by the user, who wants to know when it fails
};

} // namespace sb
