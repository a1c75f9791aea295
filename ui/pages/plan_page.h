// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/plan_axes.h"
#include "session/session_model.h"
#include "settings/settings.h"
#include "widgets/texts.h"

#include <QWidget>

namespace sb {

class Banner;
class PageHeader;
class PlanDetails;
class PlanFoot;
class PlanGrid;
class RememberingSplitter;

// What will run, and for how long. The plan itself lives in the session; this page edits it.
class PlanPage : public QWidget {
    Q_OBJECT
public:
    PlanPage(SessionModel &session, Settings &settings, QWidget *parent = nullptr);

    PlanAxes *axes() { return m_axes; }
    PlanGrid *grid() { return m_grid; }
    PlanDetails *details() { return m_details; }
    PlanFoot *foot() { return m_foot; }
    Banner *banner() { return m_banner; }

    void choosePreset(PlanAxes::Preset preset);
    void openPlanFile(const QString &path);
    void askOpen();
    void askSave();
    void showDryRun();
    void copyCommands();
    // The plan file opened last; empty for presets and plans of one's own.

Q_SIGNALS:
    void startWanted();

protected:
    void changeEvent(QEvent *event) override;

private:
    void buildHeader();
    void showPlan();
    void showName();
    void showProgress();
    void showProblem();
    PlanAxes::Preset presetOf(const Plan &plan) const;
    QString dryRunText() const;
    void save(const QString &path);

    SessionModel &m_session;
    Settings &m_settings;
    PageHeader *m_header;
    Banner *m_banner;
    PlanAxes *m_axes;
    PlanGrid *m_grid;
    PlanDetails *m_details;
    PlanFoot *m_foot;
    RememberingSplitter *m_rows = nullptr; // grid over details
    QString m_planFile;
    PlanAxes::Preset m_preset = PlanAxes::Preset::Own;
    bool m_editing = false; // the change of the plan comes from the axes panel
    Texts m_texts;
};

} // namespace sb
