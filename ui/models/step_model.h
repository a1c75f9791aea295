// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison.h"
#include "widgets/state_mark.h"

#include <QAbstractListModel>

#include <optional>
#include <vector>

namespace sb {

// The pages of the path of work, in its order. The rail shows those that are registered.
enum class PageId { Start, Nodes, Topology, Plan, Live, Scaling, Compare, Report };

QString pageTitle(PageId page);

// What one row of the rail says.
struct Step {
    PageId page = PageId::Start;
    QString subLine;
    StepState state = StepState::Nothing;
    QString spokenState; // "running, 41 percent"
    bool operator==(const Step &) const = default;
};

// What the topology page shows.
struct TopologySummary {
    int nodes = 0;   // read
    int islands = 0; // of the node shown; 0 when they cannot be told
    int damagedRows = 0;
};

// Facts the rail is made of; the window gathers them from the session.
struct RailFacts {
    QString workspaceName = {}; // empty: none open
    int nodes = 0;              // in the list
    int readyNodes = 0;
    int failedNodes = 0; // that need the user
    bool onlyThisMachine = true;
    int cases = 0; // that will run
    bool planBroken = false;
    bool sweepActive = false;
    bool stale = false; // no data for some seconds although a run is on
    bool pausing = false;
    int totalRuns = 0;
    int doneRuns = 0;
    int failedRuns = 0;
    int storedRuns = 0; // in the workspace
    int curves = 0;     // with at least two points
    int results = 0;
    TopologySummary topology = {};
    std::optional<Verdict> compared = {}; // A against B at their largest scale
};

// Row texts for `page`. At most 16 Latin or 9 Chinese characters, so that the rail never cuts one.
Step stepFor(PageId page, const RailFacts &facts);

class StepModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { SubLineRole = Qt::UserRole, StateRole, IconNameRole, PageRole };
    explicit StepModel(QObject *parent = nullptr);

    void setPages(const std::vector<PageId> &pages);
    void setFacts(const RailFacts &facts);
    void retranslate();
    std::optional<int> rowOf(PageId page) const;
    PageId pageAt(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QString spokenText(const Step &step, int row) const;

    RailFacts m_facts;
    std::vector<Step> m_steps;
};

} // namespace sb

Q_DECLARE_METATYPE(sb::StepState)
