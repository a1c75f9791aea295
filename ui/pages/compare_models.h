// SPDX-License-Identifier: GPL-3.0-or-later
// The two tables of the Compare page.
#pragma once

#include "core/comparison.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <vector>

namespace sb {

// A key's name in the window's language: "Batch per device"; switches of a framework keep their own.
QString keyFieldText(const std::string &field);

// What the keys of A and B are, and in what they differ.
class KeyTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { KeyRoleRole = Qt::UserRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setKeys(const std::vector<KeyDifference> &keys, bool onlyDifferences);
    int differing() const;
    int total() const { return static_cast<int>(m_all.size()); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<KeyDifference> m_all;
    std::vector<KeyDifference> m_keys;
};

// Case by case: ratio, interval, verdict.
class CaseTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Case,
        Devices,
        ThroughputA,
        ThroughputB,
        Ratio,
        Interval,
        Plot,
        VerdictColumn,
        ColumnCount
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setCases(const std::vector<Comparison> &cases);
    const std::vector<Comparison> &cases() const { return m_cases; }
    // The common axis of the interval plots: this far from 1 on either side.
    double reach() const { return m_reach; }
    // Tab-separated with headers and plain numbers.
    QString asTabs() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Comparison> m_cases;
    double m_reach = 0.01;
};

// "▲ faster +3.3 %": shape, word and colour.
QString verdictText(const Comparison &comparison);

// Role tags of keys, intervals around 1, verdicts in their colours.
class CompareDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace sb
