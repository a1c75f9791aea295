// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session_model.h"
#include "settings/settings.h"

#include <QObject>

#include <functional>

namespace sb {

// Opening, making and closing workspaces, and starting plans, with the questions that go with it. Nothing
// blocks; what fails is told by failed().
class WorkspaceActions : public QObject {
    Q_OBJECT
public:
    WorkspaceActions(SessionModel &session, Settings &settings, QWidget *window);

    bool open(const QString &folder);
    bool create(const QString &folder);
    void askOpen();
    void askOpenBundle();
    // Unpacks a bundle in the background, into a new folder beside it, and opens that; read-only.
    void openBundle(const QString &file);
    // Shows what logs from elsewhere would become, then imports them; asks for a workspace where none is
    // open.
    void askImport();
    void askNew(std::function<void()> then = {});
    void askLocate(const QString &oldFolder);
    void close();
    // Notes what the workspace holds in the list of recent ones.
    void remember();

    // Makes a workspace below the home folder unless one is open, takes the first study's plan and starts it.
    bool startFirstStudy();
    // Starts the plan of the session; asks for a workspace first where none is open.
    void startPlan();

Q_SIGNALS:
    void failed(const QString &lead, const QString &reason);
    void started();

private:
    bool begin();
    bool report(const QString &lead, const Result<void> &result);

    SessionModel &m_session;
    Settings &m_settings;
    QWidget *m_window;
};

// The first free folder of "study", "study-2", … beside a bundle called study.tar.zst.
QString freeBundleFolder(const QString &file);

// The first free folder of "first-study", "first-study-2", … below `parent`.
QString freeStudyFolder(const QString &parent);

} // namespace sb
