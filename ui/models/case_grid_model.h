// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan.h"
#include "core/scaling.h"
#include "session/session_model.h"

#include <QAbstractTableModel>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sb {

enum class CaseState { Absent, Planned, Refused, Running, Partial, Done, Failed };

// The cases of a plan as a grid: a row a framework, a column a scale, columns grouped by workload, precision
// and batch size. Data are typed values; the delegate writes them.
class CaseGridModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        StateRole = Qt::UserRole, // CaseState
        CaseIndexRole,            // into SessionModel::cases(); invalid where there is no case
        RunTimeRole,              // seconds of one run, start-up included; invalid if unknown
        RepeatsRole,              // planned
        DoneRole,                 // repeats measured
        FailedRole,
        ThroughputRole, // median; invalid without a result
        UnitRole,
        OrderRole,   // place in a round of the sweep, from 1; invalid for refused cases
        RefusalRole, // two words
        FrameworkRole,
        GroupStartRole, // this column is the first of its group
    };
    struct Column {
        std::size_t group = 0;
        Scale scale;
        std::string device;
    };
    struct Group {
        std::string workload;
        std::string workloadTitle;
        std::string precision;
        int batchSizePerDevice = 0;
        int firstColumn = 0;
        int columns = 0;
    };
    explicit CaseGridModel(QObject *parent = nullptr);

    void setCases(std::span<const PlannedCase> cases, std::span<const Framework> frameworks, int repeats);
    void setResults(std::span<const CaseResult> results);
    void setProgress(std::span<const CaseProgress> progress); // parallel to the cases, or empty
    void retranslate();

    const std::vector<Group> &groups() const { return m_groups; }
    const std::vector<Column> &columns() const { return m_columns; }
    const std::vector<std::string> &frameworkTitles() const { return m_titles; }
    // Cell of a case, for selecting it; invalid if the grid has no such case.
    QModelIndex indexOfCase(std::size_t caseIndex) const;
    // "FP32 · batch 128", with the workload's title where the grid has more than one.
    QString groupTitle(const Group &group) const;
    // "8 GPUs", "2 workers".
    static QString devicesText(int devices, const std::string &device);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Cell {
        std::optional<std::size_t> caseIndex;
    };
    struct CaseInfo {
        PlannedCase planned;
        CaseProgress progress;
        std::optional<double> throughput;
        QString unit;
        int order = 0;
    };
    const CaseInfo *infoAt(const QModelIndex &index) const;
    CaseState stateOf(const CaseInfo &info) const;
    QString spokenText(const CaseInfo &info, int row) const;
    void buildGrid(std::span<const Framework> frameworks);
    std::size_t groupFor(const CaseKey &key, std::span<const Framework> frameworks);
    void everythingChanged();

    int m_repeats = 0;
    std::vector<CaseInfo> m_cases;
    std::vector<std::string> m_frameworks;
    std::vector<std::string> m_titles;
    std::vector<Group> m_groups;
    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_cells; // [row][column]
};

} // namespace sb

Q_DECLARE_METATYPE(sb::CaseState)
