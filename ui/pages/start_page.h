// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/texts.h"

#include <QWidget>

class QTableView;

namespace sb {

class AppearanceForm;
class Banner;
class Door;
class FormRows;
class PageHeader;
class Panel;
class RecentModel;
class RememberingSplitter;
class TextLabel;

// Where one begins: the doors, recent workspaces, what this machine is, how the window looks. The page asks
// for things; the window does them.
class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    Banner *banner() { return m_banner; }
    QWidget *appearance();

Q_SIGNALS:
    void firstStudyWanted();
    void nodeWanted();
    void openWanted();
    void importWanted();
    void newWanted();
    void folderChosen(const QString &folder);    // a recent one or one dropped on the page
    void planFileChosen(const QString &path);    // dropped
    void locateWanted(const QString &oldFolder); // a recent one that is gone

protected:
    void changeEvent(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    QWidget *buildDoors();
    Panel *buildRecents();
    Panel *buildMachine();
    Panel *buildAppearance();
    void showMachine();
    void showRecents();
    void openRecent(const QModelIndex &index);

    SessionModel &m_session;
    Settings &m_settings;
    PageHeader *m_header;
    Banner *m_banner;
    RememberingSplitter *m_splitter;
    Door *m_first = nullptr;
    Door *m_node = nullptr;
    Door *m_open = nullptr;
    QTableView *m_recents = nullptr;
    TextLabel *m_noRecents = nullptr;
    RecentModel *m_recentModel = nullptr;
    FormRows *m_machine = nullptr;
    AppearanceForm *m_appearance = nullptr;
    Texts m_texts;
};

} // namespace sb
