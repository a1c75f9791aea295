// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/live_page.h"

#include "charts/chart_text.h"
#include "core/units.h"
#include "pages/live_chart_panel.h"
#include "pages/live_figures.h"
#include "pages/live_side.h"
#include "pages/log_panel.h"
#include "pages/run_details.h"
#include "sentences/sentence.h"
#include "widgets/banner.h"
#include "widgets/confirm_dialog.h"
#include "widgets/empty_state.h"
#include "widgets/icon.h"
#include "widgets/panel.h"
#include "widgets/rank_strip.h"
#include "widgets/remembering_splitter.h"
#include "widgets/sb_style.h"

#include <QDateTime>
#include <QEvent>
#include <QPushButton>
#include <QResizeEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace sb {

namespace {
constexpr int kRedrawMs = 40;
constexpr int kAgeMs = 250;
constexpr int kRankSteps = 20;
constexpr int kLowWindow = 560; // below this height the ranks shrink

bool isOn(const LiveRun &live)
{
    return live.run.state == RunState::Starting || live.run.state == RunState::Running;
}

} // namespace

LivePage::LivePage(SessionModel &session, Settings &settings, QWidget *parent)
    : PageFrame(QStringLiteral("live"), parent)
    , m_session(session)
    , m_banner(new Banner(this))
    , m_figures(new FigureStrip(this))
    , m_chart(new LiveChartPanel(this))
    , m_ranksPanel(new Panel(Panel::TitleRow::Dense, this))
    , m_ranks(new RankStrip(m_ranksPanel))
    , m_log(new LogPanel(this))
    , m_side(new LiveSide(session, this))
{
    addBanner(m_banner);
    auto *columns = new RememberingSplitter(settings, QStringLiteral("live"), Qt::Horizontal, this);
    columns->addWidget(buildMain());
    columns->addWidget(m_side);
    columns->setStretchFactor(0, 1);
    columns->setDefaultSizes({846, 300});
    column()->addWidget(columns, 1);
    buildHeader();

    m_redraw.setSingleShot(true);
    m_redraw.setInterval(kRedrawMs);
    m_ageTimer.setInterval(kAgeMs);
    connect(&m_redraw, &QTimer::timeout, this, &LivePage::showData);
    connect(&m_ageTimer, &QTimer::timeout, this, &LivePage::tick);
    connect(&session, &SessionModel::liveRunChanged, this, &LivePage::takeRun);
    connect(&session, &SessionModel::liveDataAppended, this, &LivePage::takeData);
    connect(&session, &SessionModel::workspaceChanged, this, &LivePage::takeRun);
    connect(&session, &SessionModel::progressChanged, this, [this] {
        m_side->refresh();
        showHeader();
        showButtons();
    });
    connect(empty()->button(), &QPushButton::clicked, this, &LivePage::planWanted);
    takeRun();
}

void LivePage::buildHeader()
{
    m_steps = new QPushButton(this);
    m_pause = new QPushButton(this);
    m_stop = new QPushButton(toneIcon(QStringLiteral("stop"), Tone::Err), QString(), this);
    setButtonRole(m_stop, ButtonRole::Danger);
    header()->addTool(m_steps);
    connect(m_steps, &QPushButton::clicked, this, &LivePage::showSteps);
    header()->addTool(m_pause);
    header()->addTool(m_stop);
    connect(m_pause, &QPushButton::clicked, this, &LivePage::togglePause);
    connect(m_stop, &QPushButton::clicked, this, &LivePage::askStop);
    texts().add([this] {
        header()->setTitle(tr("Live"));
        m_stop->setText(tr("Stop run…"));
        m_steps->setText(tr("Steps…"));
        m_steps->setToolTip(
            tr("Percentiles, drift, outliers and stragglers of this run, once it has ended."));
        m_ranksPanel->setTitle(tr("Ranks"));
        m_ranks->setAccessibleName(tr("Ranks"));
        m_figures->setAccessibleName(tr("Figures of the run"));
        showButtons();
        showHeader();
        showEmpty();
    });
}

QWidget *LivePage::buildMain()
{
    auto *main = new QWidget(this);
    auto *layout = new QVBoxLayout(main);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    m_ranksPanel->setBodyMargins(1, 2, 1, 2);
    m_ranksPanel->body()->addWidget(m_ranks);
    m_ranksPanel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_log->setMinimumHeight(110);
    layout->addWidget(m_figures);
    layout->addWidget(m_chart, 7);
    layout->addWidget(m_ranksPanel);
    layout->addWidget(m_log, 3);
    return main;
}

void LivePage::takeRun()
{
    const std::optional<LiveRun> &live = m_session.live();
    if (!live) {
        m_chart->clear();
        m_log->clear();
        m_ageTimer.stop();
        showEmpty();
        showContent(false);
        showHeader();
        showButtons();
        m_side->refresh();
        return;
    }
    showContent(true);
    m_chart->showRun(*live, m_session.plan().measurement.repeats);
    m_ranksPanel->setVisible(live->ranks.size() > 1);
    if (isOn(*live)) {
        if (!m_ageTimer.isActive()) {
            m_sinceData.start();
            m_ageTimer.start();
        }
        if (m_session.progress().failedRuns == 0) // a sweep begins; of one going on, the failure stays told
            m_banner->clear();
    } else {
        m_ageTimer.stop();
    }
    showData();
    showEnd();
    showButtons();
    tick();
}

void LivePage::takeData()
{
    const std::optional<LiveRun> &live = m_session.live();
    if (!live)
        return;
    // Telemetry goes on while a run hangs; only steps and log lines count as data of the run.
    std::int64_t seen = live->logLines;
    for (const Series &series : live->ranks)
        seen += static_cast<std::int64_t>(series.size());
    if (seen != m_stepsSeen)
        m_sinceData.start();
    m_stepsSeen = seen;
    if (!m_redraw.isActive())
        m_redraw.start();
}

std::optional<double> LivePage::staleS() const
{
    const std::optional<LiveRun> &live = m_session.live();
    // Before the first step a program tunes itself; that is not silence.
    if (!live || !isOn(*live) || !m_sinceData.isValid() || live->ranks.empty() || live->ranks.front().empty())
        return std::nullopt;
    const double age = static_cast<double>(m_sinceData.elapsed()) / 1000.0;
    return age > staleAfterS(*live) ? std::optional(age) : std::nullopt;
}

void LivePage::tick()
{
    const std::optional<double> stale = staleS();
    m_chart->setStale(stale);
    if (stale || m_wasStale)
        showData();
    if (stale.has_value() != m_wasStale) {
        m_wasStale = stale.has_value();
        Q_EMIT staleChanged(m_wasStale);
    }
    m_side->tick();
    showHeader();
}

void LivePage::showHeader()
{
    const std::optional<LiveRun> &live = m_session.live();
    if (!live)
        return header()->setSubtitle(QString());
    const SweepProgress &progress = m_session.progress();
    const int number = progress.doneRuns + progress.failedRuns + (isOn(*live) ? 1 : 0);
    QStringList parts;
    parts << tr("Run %1 of %2").arg(std::max(1, number)).arg(std::max(number, progress.totalRuns));
    const QDateTime started =
        QDateTime::fromString(toQString(live->run.startedUtc), Qt::ISODate).toLocalTime();
    if (started.isValid())
        parts << tr("started %1").arg(started.toString(QStringLiteral("HH:mm:ss")));
    const bool firstStepSeen = !live->ranks.empty() && !live->ranks.front().empty();
    if (live->stopping && isOn(*live))
        parts << tr("stopping");
    else if (isOn(*live) && live->run.job && !firstStepSeen)
        parts << jobText(*live->run.job);
    else if (isOn(*live) && !firstStepSeen)
        parts << tr("getting ready, no step yet");
    else if (isOn(*live) && m_sinceData.isValid())
        parts << tr("data %1 s old")
                     .arg(toQString(formatNumber(static_cast<double>(m_sinceData.elapsed()) / 1000.0, 1)));
    else
        parts << runStateText(live->run.state);
    header()->setSubtitle(parts.join(QStringLiteral(" · ")));
}

void LivePage::showButtons()
{
    const SweepProgress &progress = m_session.progress();
    const std::optional<LiveRun> &live = m_session.live();
    const bool on = live && isOn(*live);
    const int left = progress.totalRuns - progress.doneRuns - progress.failedRuns;
    const bool canContinue = !progress.active && left > 0;
    m_pause->setText(canContinue               ? tr("Continue")
                     : progress.pauseRequested ? tr("Do not pause")
                                               : tr("Pause after this run"));
    m_pause->setIcon(
        toneIcon(canContinue || progress.pauseRequested ? QStringLiteral("play") : QStringLiteral("pause")));
    m_pause->setEnabled(progress.active || canContinue);
    m_stop->setEnabled(progress.active && on && !live->stopping);
    m_pause->setVisible(live.has_value());
    m_steps->setVisible(live.has_value());
    m_steps->setEnabled(!on); // the index gets the steps at the end
    m_stop->setVisible(live.has_value());
}

void LivePage::showData()
{
    const std::optional<LiveRun> &live = m_session.live();
    if (!live)
        return;
    const LiveFigures figures = liveFigures(*live, m_session.results(), staleS());
    m_figures->setFigures(figures.figures);
    m_chart->setMedian(figures.median, figures.interval);
    m_chart->dataAppended(*live);
    m_log->sync(*live);
    showRanks();
}

void LivePage::showRanks()
{
    const LiveRun &live = *m_session.live();
    const std::vector<double> deviations = rankDeviations(live, kRankSteps);
    std::vector<QString> hosts;
    for (std::size_t rank = 0; rank < deviations.size(); ++rank) {
        const std::size_t node = rank / static_cast<std::size_t>(std::max(1, live.run.key.devicesPerNode));
        // A queue's job is not on the node that it was submitted on.
        const bool known = node < live.run.hosts.size() && !live.run.job;
        hosts.push_back(!known                               ? QStringLiteral("—")
                        : live.run.hosts[node] == kLocalNode ? tr("This machine")
                                                             : toQString(live.run.hosts[node]));
    }
    m_ranks->setRanks(deviations, hosts, oddRank(deviations));
    m_ranksPanel->setHint(deviations.empty()
                              ? tr("waiting for every rank")
                              : tr("step time against the median, last %1 steps").arg(kRankSteps));
}

void LivePage::showEnd()
{
    const LiveRun &live = *m_session.live();
    if (live.run.state != RunState::Failed && live.run.state != RunState::Lost)
        return;
    if (m_endShown == live.run.id)
        return;
    m_endShown = live.run.id;
    m_banner->showMessage(Banner::Kind::Error,
                          live.run.state == RunState::Failed ? tr("%1 failed.").arg(runTitle(live.run))
                                                             : tr("%1 was lost.").arg(runTitle(live.run)),
                          translateSentence(live.run.reason));
}

void LivePage::showEmpty()
{
    QString text = tr("Start a plan, and its runs are shown here while they go on.");
    const std::vector<Run> &runs = m_session.runs();
    if (!runs.empty()) {
        const Run &last = runs.back();
        text = tr("Last run: %1, %2.").arg(runTitle(last), runStateText(last.state));
        if (!isFinal(last.state))
            text =
                tr("%1 was under way when Scaleboard was left. It goes on by itself; start its plan again to "
                   "follow it.")
                    .arg(runTitle(last));
        else if (last.measurement)
            text = tr("Last run: %1, %2 %3.")
                       .arg(runTitle(last), toQString(formatThroughput(last.measurement->throughput)),
                            rateUnit(last.unit));
    }
    empty()->setTexts(tr("Nothing is running"), text, tr("Open the plan"));
}

void LivePage::showSteps()
{
    const std::optional<LiveRun> &live = m_session.live();
    if (!live)
        return;
    auto *details = new RunDetails(m_session, {live->run.id}, live->run.id, this);
    details->setAttribute(Qt::WA_DeleteOnClose);
    details->show();
}

void LivePage::togglePause()
{
    const SweepProgress &progress = m_session.progress();
    if (progress.active)
        m_session.setPauseAfterRun(!progress.pauseRequested);
    else if (progress.totalRuns > progress.doneRuns + progress.failedRuns)
        Q_EMIT continueWanted();
}

void LivePage::askStop()
{
    const std::optional<LiveRun> &live = m_session.live();
    if (!live || !isOn(*live) || live->stopping)
        return;
    const Run &run = live->run;
    const std::set<std::string> hosts(run.hosts.begin(), run.hosts.end());
    ConfirmDialog::Words words;
    words.title = tr("Stop this run?");
    words.subject = tr("%1, repeat %2").arg(runTitle(run)).arg(run.repeat);
    words.text =
        tr("%1 process(es) on %n node(s) will be ended, and the sweep with them. Steps so far are kept and "
           "marked as partial; starting the plan again does the runs that are missing.",
           nullptr, static_cast<int>(std::max<std::size_t>(1, hosts.size())))
            .arg(run.processes());
    words.icon = QStringLiteral("stop");
    words.doIt = tr("Stop run");
    words.leaveIt = tr("Keep running");
    auto *dialog = new ConfirmDialog(words, this);
    connect(dialog, &QDialog::accepted, this, [this, id = run.id] {
        const std::optional<LiveRun> &now = m_session.live();
        if (now && now->run.id == id) // another run may have begun while the question stood
            m_session.stopRun();
    });
    dialog->open();
}

void LivePage::focusFind()
{
    m_log->focusFind();
}

void LivePage::changeEvent(QEvent *event)
{
    PageFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        if (const std::optional<LiveRun> &live = m_session.live()) {
            m_chart->showRun(*live, m_session.plan().measurement.repeats);
            showData();
        }
    }
}

void LivePage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_ranks->setFixedHeight(event->size().height() < kLowWindow ? 40 : 74); // a picture, no text is cut
}

} // namespace sb
