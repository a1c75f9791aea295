// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan_foot.h"

#include "models/recent_model.h"
#include "widgets/icon.h"
#include "widgets/sb_style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

PlanFoot::PlanFoot(SessionModel &session, QWidget *parent)
    : Panel(TitleRow::None, parent)
    , m_session(session)
    , m_state(new TextLabel(TextRole::Strong, this))
    , m_where(new TextLabel(TextRole::Secondary, this))
    , m_total(new TextLabel(TextRole::Total, this))
    , m_runs(new TextLabel(TextRole::Secondary, this))
    , m_dryRun(new QPushButton(this))
    , m_start(new QPushButton(toneIcon(QStringLiteral("play"), Tone::OnAccent), QString(), this))
{
    setBodyMargins(36, 8, 12, 8);
    auto *row = new QHBoxLayout;
    row->setSpacing(18);
    auto *left = new QVBoxLayout;
    left->setSpacing(0);
    m_state->setElided(true);
    m_where->setElided(true);
    left->addWidget(m_state);
    left->addWidget(m_where);
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    m_total->setAlignment(Qt::AlignRight);
    m_runs->setAlignment(Qt::AlignRight);
    right->addWidget(m_total);
    right->addWidget(m_runs);
    row->addLayout(left, 1);
    row->addLayout(right);
    row->addWidget(m_dryRun);
    row->addWidget(m_start);
    body()->addLayout(row);
    setButtonRole(m_start, ButtonRole::Primary);
    setControlSize(m_start, ControlSize::Large);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setMinimumHeight(58);
    refresh();
}

PlanFoot::ToDo PlanFoot::toDo() const
{
    const int repeats = m_session.plan().measurement.repeats;
    ToDo left{0, 0.0};
    for (const PlannedCase &planned : m_session.cases()) {
        if (planned.refused())
            continue;
        const auto &results = m_session.results();
        const auto at = std::find_if(results.begin(), results.end(),
                                     [&](const CaseResult &r) { return r.key == planned.key; });
        const int runs = std::max(0, repeats - (at == results.end() ? 0 : at->repeats));
        left.runs += runs;
        if (runs > 0 && !planned.estimatedRunTimeS)
            left.timeS.reset();
        else if (left.timeS)
            *left.timeS += runs * planned.estimatedRunTimeS.value_or(0);
    }
    return left;
}

QString PlanFoot::nodesText() const
{
    const std::size_t nodes = m_session.nodes().size();
    QString text = nodes == 0 ? (m_session.probing() ? tr("Reading this machine…") : tr("No node is ready"))
                              : tr("%n node(s) ready", nullptr, static_cast<int>(nodes));
    return text + QStringLiteral(" · ") +
           (m_session.hasWorkspace()
                ? tr("results go to %1").arg(shortPath(toQString(m_session.workspaceFolder())))
                : tr("starting asks where the results go"));
}

void PlanFoot::refresh()
{
    const bool broken = m_session.planProblem().has_value();
    const bool active = m_session.progress().active;
    const bool cases = std::any_of(m_session.cases().begin(), m_session.cases().end(),
                                   [](const PlannedCase &c) { return !c.refused(); });
    const auto [left, timeS] = toDo();
    m_ready = !broken && cases && left > 0;
    m_state->setText(broken      ? tr("The plan needs a change")
                     : !cases    ? tr("No case can run on these nodes")
                     : active    ? tr("This plan is running")
                     : left == 0 ? tr("Every run of this plan is done")
                                 : tr("Ready to start"));
    m_where->setText(nodesText());
    m_total->setText(timeS && cases && left > 0 ? tr("about %1").arg(durationText(*timeS))
                                                : QStringLiteral("—"));
    m_runs->setText(tr("%n run(s) to do", nullptr, left));
    m_dryRun->setText(tr("Dry run…"));
    m_dryRun->setEnabled(!broken && cases);
    m_start->setText(left > 0 ? tr("Start %n run(s)", nullptr, left) : tr("Nothing to start"));
    m_start->setEnabled(m_ready && !active);
    m_start->setIcon(toneIcon(QStringLiteral("play"), Tone::OnAccent));
    update();
}

void PlanFoot::paintEvent(QPaintEvent *event)
{
    Panel::paintEvent(event);
    QPainter painter(this);
    const Tokens &tokens = Tokens::of(palette());
    paintIcon(&painter, m_ready ? QStringLiteral("ok") : QStringLiteral("info"),
              QRectF(12, m_state->mapTo(this, QPoint(0, 0)).y() + 1, 16, 16),
              m_ready ? tokens.ok : tokens.text2);
}

void PlanFoot::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        refresh();
}

} // namespace sb
