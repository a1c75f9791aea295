// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare_sides.h"
#include "core/reference.h"
#include "pages/figure_dialog.h"
#include "session/kept_comparisons.h"
#include "session/other_runs.h"
#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/page_frame.h"

#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QPushButton;
class QStackedWidget;
class QTableView;
class QTableWidget;

namespace sb {

class CaseTableModel;
class KeyTableModel;
class PaintedChart;
class Panel;
class Segmented;
class TextLabel;

// Is A faster than B? A and B are curves of the workspace, of others that were added, or published ones. What
// differs between them comes first; where that makes a ratio meaningless there is none until the user
// insists, and then it is marked. The other view is one case over time.
class ComparePage : public PageFrame {
    Q_OBJECT
public:
    ComparePage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    // Chooses sides by their titles; false when there are no such ones.
    bool choose(const QString &a, const QString &b);
    QComboBox *sideA() { return m_a; }
    QCheckBox *anyway() { return m_anyway; }
    QTableView *caseTable() { return m_caseTable; }
    QString sentence() const;
    // For the rail: the verdict at the largest scale, nothing before two sides are chosen.
    std::optional<Verdict> verdict() const;
    void setPublishedShown(bool shown);
    // Runs of another workspace or a bundle, to be compared with; a sentence when it cannot be opened.
    std::optional<QString> addOther(const QString &path);
    void setHistoryShown(bool shown);
    QTableWidget *historyTable() { return m_historyTable; }
    // The comparison at hand, or its history, with everything an export needs inside.
    std::vector<NamedFigure> figures() const;
    void exportFigures();
    // Puts the comparison into the workspace's report, or takes it out again.
    void setInReport(bool kept);
    QPushButton *reportButton() { return m_report; }
    QString note() const;

Q_SIGNALS:
    void planWanted();
    void verdictChanged();
    void comparisonsKept(); // the report's comparisons are others now

protected:
    void changeEvent(QEvent *event) override;

private:
    void buildHeader();
    void connectParts();
    QWidget *buildHistory();
    void askOther(bool bundle);
    void readReference();
    void showHistory();
    void showReportButton();
    QStringList notesOf(const CompareSide &a, const CompareSide &b, const ComparedSides &compared) const;
    std::vector<HistoryPoint> historyOf(const CaseKey &key) const;
    NamedFigure verdictFigure(const Comparison &one) const;
    KeptComparison keptNow() const;
    QWidget *buildSides();
    QWidget *buildTop();
    QWidget *buildCases();
    void writeTexts();
    void takeResults();
    void fillSides();
    void compare();
    void showCase();
    void showVerdict(const Comparison &comparison);
    void showBlocked(const QString &why);
    const CompareSide *sideOf(const QComboBox *combo) const;
    const Comparison *chosenCase() const;

    SessionModel &m_session;
    Settings &m_settings;
    QComboBox *m_a;
    QComboBox *m_b;
    QCheckBox *m_onlyDifferences;
    QCheckBox *m_anyway;
    Panel *m_keysPanel;
    Panel *m_verdictPanel;
    Panel *m_casesPanel;
    QTableView *m_keyTable;
    QTableView *m_caseTable;
    KeyTableModel *m_keys;
    CaseTableModel *m_cases;
    TextLabel *m_ratio;
    TextLabel *m_interval;
    TextLabel *m_sentence;
    TextLabel *m_note;
    PaintedChart *m_dots;
    Segmented *m_view; // cases, history
    QStackedWidget *m_views;
    PaintedChart *m_historyChart;
    QTableWidget *m_historyTable;
    QPushButton *m_published = nullptr;
    QPushButton *m_report = nullptr;
    QPushButton *m_export = nullptr;
    std::vector<CompareSide> m_sides;
    std::vector<OtherRuns> m_others;
    std::optional<ReferenceSet> m_reference;
};

} // namespace sb
