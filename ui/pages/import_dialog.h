// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/import_task.h"
#include "session/session_model.h"

#include <QDialog>
#include <QTimer>

class QLineEdit;
class QPushButton;
class QSplitter;
class QStandardItemModel;
class QTableView;

namespace sb {

class ColumnChooser;
class TextLabel;
class TrialView;

// Shows what a file or a folder of logs would become before anything is imported. A pattern for logs of no
// known form is tried while it is typed, and what it takes is shown in the lines of the first log; the
// columns of a table are chosen here. Nothing blocks; reading goes on in a thread.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    ImportDialog(SessionModel &session, const QString &startFolder, QWidget *parent = nullptr);

    void setPath(const QString &path);
    const ImportPreview *preview() const; // null: there is none, or it failed
    QLineEdit *patternField() { return m_pattern; }
    QPushButton *acceptButton() { return m_accept; }
    QString verdict() const;
    QTableView *table() { return m_table; }
    TrialView *trial() { return m_trial; }
    ColumnChooser *columns() { return m_columns; }

Q_SIGNALS:
    void previewed();

private:
    void buildForm();
    void buildPreview();
    void showDetails(const ImportPreview &found);
    void showRows(const ImportPreview &found);
    void choose(bool folder);
    void read();
    void showPreview();

    ImportTask m_task;
    QString m_startFolder;
    QTimer m_pause; // after the last key
    QLineEdit *m_path;
    QLineEdit *m_pattern;
    QStandardItemModel *m_model;
    QTableView *m_table;
    TextLabel *m_trialTitle;
    TrialView *m_trial;
    ColumnChooser *m_columns;
    TextLabel *m_verdict;
    QPushButton *m_accept;
};

} // namespace sb
