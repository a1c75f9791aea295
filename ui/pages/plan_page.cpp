// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan_page.h"

#include "models/presets.h"
#include "pages/dry_run_window.h"
#include "pages/plan_details.h"
#include "pages/plan_foot.h"
#include "pages/plan_grid.h"
#include "sentences/sentence.h"
#include "widgets/banner.h"
#include "widgets/icon.h"
#include "widgets/remembering_splitter.h"

#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

PlanPage::PlanPage(SessionModel &session, Settings &settings, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_settings(settings)
    , m_header(new PageHeader(this))
    , m_banner(new Banner(this))
    , m_axes(new PlanAxes(session.frameworks(), this))
    , m_grid(new PlanGrid(this))
    , m_details(new PlanDetails(session, this))
    , m_foot(new PlanFoot(session, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 0, 16, 12);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    auto *right = new QWidget(this);
    auto *rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(10);
    m_rows = new RememberingSplitter(settings, QStringLiteral("plan-details"), Qt::Vertical, right);
    m_rows->addWidget(m_grid);
    m_rows->addWidget(m_details);
    m_rows->setStretchFactor(1, 1);
    m_details->setMinimumHeight(110);
    rightLayout->addWidget(m_rows, 1);
    rightLayout->addWidget(m_foot);
    auto *columns = new RememberingSplitter(settings, QStringLiteral("plan"), Qt::Horizontal, this);
    columns->addWidget(m_axes);
    columns->addWidget(right);
    columns->setStretchFactor(1, 1);
    columns->setDefaultSizes({286, 860});
    layout->addWidget(columns, 1);
    buildHeader();

    connect(m_axes, &PlanAxes::edited, this, [this] {
        m_editing = true;
        m_planFile.clear();
        m_session.setPlan(m_axes->plan());
        m_editing = false;
    });
    connect(m_axes, &PlanAxes::presetChosen, this, &PlanPage::choosePreset);
    connect(m_grid, &PlanGrid::caseChosen, this, [this](std::size_t index) { m_details->setCase(index); });
    connect(m_foot->startButton(), &QPushButton::clicked, this, &PlanPage::startWanted);
    connect(m_foot->dryRunButton(), &QPushButton::clicked, this, &PlanPage::showDryRun);
    connect(&session, &SessionModel::planChanged, this, &PlanPage::showPlan);
    connect(&session, &SessionModel::nodesChanged, this, [this] {
        m_axes->setNodes(m_session.nodes());
        m_foot->refresh();
    });
    connect(&session, &SessionModel::progressChanged, this, &PlanPage::showProgress);
    connect(&session, &SessionModel::resultsChanged, this, &PlanPage::showProgress);
    connect(&session, &SessionModel::workspaceChanged, this, &PlanPage::showProgress);
    m_axes->setNodes(session.nodes());
    showPlan();
}

void PlanPage::buildHeader()
{
    auto *open = new QPushButton(toneIcon(QStringLiteral("folder")), QString(), this);
    auto *save = new QPushButton(toneIcon(QStringLiteral("save")), QString(), this);
    m_header->addTool(open);
    m_header->addTool(save);
    connect(open, &QPushButton::clicked, this, &PlanPage::askOpen);
    connect(save, &QPushButton::clicked, this, &PlanPage::askSave);
    m_texts.add([this, open, save] {
        m_header->setTitle(tr("Plan"));
        open->setText(tr("Open plan…"));
        save->setText(tr("Save plan…"));
    });
}

PlanAxes::Preset PlanPage::presetOf(const Plan &plan) const
{
    if (m_planFile.isEmpty() && firstStudyPlan(m_session.frameworks(), m_session.nodes()) == plan)
        return PlanAxes::Preset::FirstStudy;
    if (m_planFile.isEmpty() && reportPlan(m_session.frameworks()) == plan)
        return PlanAxes::Preset::Report;
    return PlanAxes::Preset::Own;
}

void PlanPage::choosePreset(PlanAxes::Preset preset)
{
    m_planFile.clear();
    if (preset == PlanAxes::Preset::FirstStudy) {
        if (const auto plan = firstStudyPlan(m_session.frameworks(), m_session.nodes()))
            return m_session.setPlan(*plan);
    } else if (preset == PlanAxes::Preset::Report) {
        return m_session.setPlan(reportPlan(m_session.frameworks()));
    }
    showPlan();
}

void PlanPage::showPlan()
{
    const Plan &plan = m_session.plan();
    m_preset = presetOf(plan);
    if (!m_editing)
        m_axes->setPlan(plan, m_preset);
    showName();
    m_grid->model().setCases(m_session.cases(), m_session.frameworks(), plan.measurement.repeats);
    showProgress();
    m_grid->casesChanged();
    m_rows->setDefaultSizes({m_grid->wantedHeight(), 180});
    m_details->setCase(m_grid->currentCase());
    showProblem();
}

void PlanPage::showName()
{
    m_header->setSubtitle(!m_planFile.isEmpty()               ? QFileInfo(m_planFile).fileName()
                          : m_preset == PlanAxes::Preset::Own ? toQString(m_session.plan().name)
                                                              : m_axes->presetText());
}

void PlanPage::showProgress()
{
    m_grid->model().setResults(m_session.results());
    if (m_session.progress().totalRuns > 0)
        m_grid->model().setProgress(m_session.progress().cases);
    m_foot->refresh();
}

void PlanPage::showProblem()
{
    const std::optional<Error> &problem = m_session.planProblem();
    if (problem)
        m_banner->showMessage(Banner::Kind::Warning, tr("The plan cannot run as it is."),
                              translateSentence(problem->message));
    else
        m_banner->clear();
}

void PlanPage::openPlanFile(const QString &path)
{
    const QString before = m_planFile;
    m_planFile = path;
    const Result<void> loaded = m_session.loadPlan(path.toStdString());
    if (loaded)
        return;
    m_planFile = before;
    m_banner->showMessage(Banner::Kind::Error, tr("The plan file was not opened."),
                          translateSentence(loaded.error().message));
}

void PlanPage::askOpen()
{
    auto *dialog = new QFileDialog(this, tr("Open plan"), m_settings.startFolder(), tr("Plans (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &PlanPage::openPlanFile);
    dialog->open();
}

void PlanPage::askSave()
{
    auto *dialog = new QFileDialog(this, tr("Save plan"), m_settings.startFolder(), tr("Plans (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(m_planFile.isEmpty() ? QStringLiteral("sweep.plan.json")
                                            : QFileInfo(m_planFile).fileName());
    connect(dialog, &QFileDialog::fileSelected, this, &PlanPage::save);
    dialog->open();
}

void PlanPage::save(const QString &path)
{
    const Result<void> saved = m_session.savePlan(path.toStdString());
    if (!saved) {
        m_banner->showMessage(Banner::Kind::Error, tr("The plan was not saved."),
                              translateSentence(saved.error().message));
        return;
    }
    m_planFile = path;
    showName();
}

QString PlanPage::dryRunText() const
{
    QStringList lines;
    const std::vector<PlannedCase> &cases = m_session.cases();
    for (const PlannedRun &run : runOrder(cases, m_session.plan().measurement)) {
        const PlannedCase &planned = cases[run.caseIndex];
        lines << QStringLiteral("# %1, %2")
                     .arg(toQString(caseId(planned.key)), tr("repeat %1").arg(run.repeat));
        for (const std::string &command : m_session.commandsFor(run.caseIndex))
            lines << toQString(command);
        lines << QString();
    }
    return lines.join(u'\n');
}

void PlanPage::showDryRun()
{
    auto *window = new DryRunWindow(dryRunText(), m_settings.startFolder(), this);
    window->open();
}

void PlanPage::copyCommands()
{
    m_details->copy();
}

void PlanPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_texts.refresh();
        showName();
        showProblem();
    }
}

} // namespace sb
