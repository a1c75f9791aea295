// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison.h"
#include "core/reference.h"
#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/texts.h"

#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace sb {

class CaseTableModel;
class EmptyState;
class KeyTableModel;
class PageHeader;
class Panel;
class RunDots;
class TextLabel;

// Is A faster than B? A and B are curves of the workspace or published ones. What differs between them comes
// first; where that makes a ratio meaningless there is none until the user insists, and then it is marked.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    ComparePage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    // Chooses sides by their titles; false when there are no such ones.
    bool choose(const QString &a, const QString &b);
    QComboBox *sideA() { return m_a; }
    QComboBox *sideB() { return m_b; }
    QCheckBox *anyway() { return m_anyway; }
    QTableView *caseTable() { return m_caseTable; }
    QString sentence() const;
    // For the rail: the verdict at the largest scale, nothing before two sides are chosen.
    std::optional<Verdict> verdict() const;
    void setPublishedShown(bool shown);

Q_SIGNALS:
    void planWanted();
    void verdictChanged();

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Side {
        QString title;
        std::vector<CaseResult> results;
        std::string framework;
        bool published = false;
    };
    void buildHeader();
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
    const Side *sideOf(const QComboBox *combo) const;

    SessionModel &m_session;
    Settings &m_settings;
    PageHeader *m_header;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
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
    RunDots *m_dots;
    QPushButton *m_published = nullptr;
    std::vector<Side> m_sides;
    std::optional<ReferenceSet> m_reference;
    Texts m_texts;
};

} // namespace sb
