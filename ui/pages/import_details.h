// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the import's dialog: the lines that a pattern is tried on, and the columns of a table.
#pragma once

#include "session/import.h"

#include <QPlainTextEdit>
#include <QWidget>

#include <map>
#include <string>

class QComboBox;
class QGridLayout;

namespace sb {

// The lines of a trial; what matches has a tint and its number is set off.
class TrialView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit TrialView(QWidget *parent = nullptr);
    void setTrial(const PatternTrial &trial);

protected:
    void changeEvent(QEvent *event) override;

private:
    void highlight();
    PatternTrial m_trial;
};

// Which column of a table holds what. Shows the guess and takes the user's word before it.
class ColumnChooser : public QWidget {
    Q_OBJECT
public:
    explicit ColumnChooser(QWidget *parent = nullptr);
    void setTable(const TableHead &table);
    // What the user has chosen: role → number of a column, as ImportOptions takes it.
    const std::map<std::string, std::string> &chosen() const { return m_chosen; }
    void forget() { m_chosen.clear(); } // another table comes
    QComboBox *box(const std::string &role) { return m_boxes.at(role); }

Q_SIGNALS:
    void changed();

private:
    std::map<std::string, QComboBox *> m_boxes;
    std::map<std::string, std::string> m_chosen;
};

} // namespace sb
