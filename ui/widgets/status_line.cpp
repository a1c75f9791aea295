// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/status_line.h"

#include "models/recent_model.h"
#include "widgets/icon.h"

#include <QEvent>

#include <algorithm>
#include <cmath>

namespace sb {

StatusLine::StatusLine(SessionModel &session, QWidget *parent)
    : QStatusBar(parent)
    , m_session(session)
    , m_mark(new QLabel(this))
    , m_nodes(new TextLabel(TextRole::Secondary, Tone::Normal, this))
    , m_run(new TextLabel(TextRole::Secondary, this))
    , m_folder(new TextLabel(TextRole::Mono, Tone::Muted, this))
{
    setSizeGripEnabled(false);
    setContentsMargins(8, 1, 8, 0);
    m_mark->setPixmap(toneIcon(QStringLiteral("ok"), Tone::Ok).pixmap(14, 14));
    addWidget(m_mark);
    addWidget(m_nodes);
    m_run->setContentsMargins(0, 0, 14, 0);
    addPermanentWidget(m_run);
    addPermanentWidget(m_folder);
    setMinimumHeight(std::max(25, m_nodes->fontMetrics().height() + 8));
    connect(&session, &SessionModel::nodesChanged, this, &StatusLine::refresh);
    connect(&session, &SessionModel::progressChanged, this, [this] {
        m_sinceReport.start();
        refresh();
    });
    connect(&session, &SessionModel::deployProgressed, this,
            [this](const QString &host, qint64 sent, qint64 total) {
                tellDeploying(tr("Program to %1: %2 %").arg(host).arg(total > 0 ? 100 * sent / total : 0));
            });
    connect(&session, &SessionModel::programBuilding, this, [this](const QString &host, int percent) {
        tellDeploying(tr("Building from source on %1: %2 %").arg(host).arg(percent));
    });
    connect(&session, &SessionModel::imagePulling, this, [this](const QString &host, const QString &words) {
        tellDeploying(tr("Getting the image on %1: %2").arg(host, words));
    });
    connect(&session, &SessionModel::liveDataAppended, this, [this] { m_deploying.clear(); });
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &StatusLine::refresh);
    connect(&session, &SessionModel::workspaceChanged, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::tellDeploying(const QString &what)
{
    m_deploying = what;
    refresh();
}

void StatusLine::setStale(std::optional<double> seconds)
{
    m_staleS = seconds;
    refresh();
}

void StatusLine::refresh()
{
    const std::size_t nodes = m_session.nodes().size();
    const bool ready = nodes > 0;
    const std::vector<NodeStatus> &known = m_session.nodeStatuses();
    const bool local = known.size() == 1 && known.front().name == kLocalNode;
    m_nodes->setText(ready                  ? tr("%n node(s) ready", nullptr, static_cast<int>(nodes))
                     : !m_session.probing() ? tr("No node is ready")
                     : local                ? tr("Reading this machine…")
                                            : tr("Connecting to nodes…"));
    m_mark->setPixmap(
        toneIcon(ready ? QStringLiteral("ok") : QStringLiteral("clock"), ready ? Tone::Ok : Tone::Muted)
            .pixmap(QSize(14, 14), devicePixelRatioF()));
    const SweepProgress &progress = m_session.progress();
    if (progress.active && !m_tick.isActive())
        m_tick.start();
    else if (!progress.active)
        m_tick.stop();
    if (m_staleS && progress.active) {
        m_run->setTone(Tone::Warn);
        m_run->setText(tr("No data for %1 s").arg(std::floor(*m_staleS)));
    } else if (progress.active && !m_deploying.isEmpty()) {
        m_run->setTone(Tone::Muted);
        m_run->setText(m_deploying);
    } else if (progress.active) {
        const QString run =
            tr("Run %1 of %2")
                .arg(std::min(progress.doneRuns + progress.failedRuns + 1, progress.totalRuns))
                .arg(progress.totalRuns);
        m_run->setTone(Tone::Muted);
        const double sinceS =
            m_sinceReport.isValid() ? static_cast<double>(m_sinceReport.elapsed()) / 1000.0 : 0;
        m_run->setText(progress.leftS
                           ? QString(run + QStringLiteral(" · ") +
                                     tr("%1 left").arg(durationText(std::max(0.0, *progress.leftS - sinceS))))
                           : run);
    } else {
        m_run->setTone(Tone::Muted);
        m_run->setText(tr("No run in progress"));
    }
    m_folder->setFont(roleFont(m_session.hasWorkspace() ? TextRole::Mono : TextRole::Secondary));
    m_folder->setText(m_session.hasWorkspace() ? shortPath(toQString(m_session.workspaceFolder()))
                                               : tr("No workspace open"));
}

void StatusLine::changeEvent(QEvent *event)
{
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace sb
