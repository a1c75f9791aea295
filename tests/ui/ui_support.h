// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the window share: a session on the real plugins, waiting with the event loop, pictures.
#pragma once

#include "main_window.h"
#include "session/session_model.h"
#include "settings/appearance.h"
#include "settings/settings.h"

#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace sb::test {

// A window over a real session, with settings and a home folder of its own.
class Desk {
public:
    Desk();
    ~Desk();

    SessionModel &session() { return *m_session; }
    Settings &settings() { return *m_settings; }
    Appearance &appearance() { return *m_appearance; }
    MainWindow &window() { return *m_window; }
    QString folder() const { return m_folder.path(); }
    // Waits until this machine has been read and the first plan is there.
    bool waitForNodes();

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<Appearance> m_appearance;
    std::unique_ptr<SessionModel> m_session;
    std::unique_ptr<MainWindow> m_window;
};

// Runs the event loop until `done` or the time is over; true if done.
bool waitFor(const std::function<bool()> &done, int timeoutMs);

// With SCALEBOARD_PICTURES=FOLDER: a picture of the widget, to be looked at.
void picture(QWidget &widget, const QString &name);

// Texts of visible labels and buttons that get less room than they need, with their places.
QStringList cutTexts(QWidget &root);

// A plan that ends within seconds: ResNet-20 at batch 8, one worker and two.
Plan tinyPlan(int warmupSteps, int measuredSteps, int repeats);

} // namespace sb::test
