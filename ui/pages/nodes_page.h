// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/node_model.h"
#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/texts.h"

#include <QPointer>
#include <QWidget>

#include <set>

class QDialog;
class QLineEdit;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace sb {

class Banner;
class NodeDetails;
class PageHeader;
class Panel;
class RememberingSplitter;

// Where does it run? One field to add nodes over SSH, their states, what differs between them, and the
// details of one. Asks what only the user knows, one dialog at a time.
class NodesPage : public QWidget {
    Q_OBJECT
public:
    NodesPage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    QLineEdit *field() { return m_field; }
    QPushButton *connectButton() { return m_connect; }
    QTableView *table() { return m_table; }
    NodeDetails *details() { return m_details; }
    QDialog *dialog() const { return m_dialog; } // the one that is open, if any

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    QWidget *buildField();
    void buildTable();
    Panel *buildVersions();
    void addNodes();
    void removeNode();
    void takeNodes();
    void showVersions();
    void showDetails();
    void askNext();
    void showRefusedKeys();
    void openDialog(QDialog *dialog);
    void fail(const Error &error);

    SessionModel &m_session;
    PageHeader *m_header;
    Banner *m_banner;
    QLineEdit *m_field;
    QPushButton *m_connect;
    QPushButton *m_remove;
    QTableView *m_table;
    NodeModel *m_model;
    Panel *m_versions = nullptr;
    QTableView *m_versionTable = nullptr;
    QStandardItemModel *m_versionModel = nullptr;
    NodeDetails *m_details;
    QPointer<QDialog> m_dialog;
    std::set<std::string> m_toldKeys; // fingerprints that were shown as refused
    Texts m_texts;
};

} // namespace sb
