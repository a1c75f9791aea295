// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "widgets/state_mark.h"

#include <QAbstractTableModel>

#include <vector>

namespace sb {

// The nodes of the session, a row each; the columns of the Nodes page. Two lines a cell: the second is
// SecondLineRole.
class NodeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, State, Gpus, Driver, Network, Clock, kColumns };
    enum Role { SecondLineRole = Qt::UserRole, MarkRole, StepsRole, NeedsYouRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setNodes(const std::vector<NodeStatus> &nodes);
    const NodeStatus *nodeAt(int row) const;
    int rowOf(const std::string &name) const; // -1: there is none
    void retranslate();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<NodeStatus> m_nodes;
};

// Words for the window.
QString nodeStepTitle(SshStep step);
QString nodeStateText(const NodeStatus &node);
StepState nodeMark(const NodeStatus &node);

} // namespace sb
