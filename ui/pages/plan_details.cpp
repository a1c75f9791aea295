// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan_details.h"

#include "core/units.h"
#include "models/case_grid_model.h"
#include "sentences/sentence.h"
#include "widgets/icon.h"
#include "widgets/sb_style.h"
#include "widgets/segmented.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextOption>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

PlanDetails::PlanDetails(SessionModel &session, QWidget *parent)
    : Panel(TitleRow::Normal, parent)
    , m_session(session)
    , m_tabs(new Segmented(3, this))
    , m_copy(new QPushButton(toneIcon(QStringLiteral("copy")), QString(), this))
    , m_text(new QPlainTextEdit(this))
{
    setControlSize(m_copy, ControlSize::Small);
    addTool(m_tabs);
    addTool(m_copy);
    m_text->setReadOnly(true);
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere); // on screen only; copies stay whole
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTabChangesFocus(true);
    m_text->setFont(roleFont(TextRole::Mono));
    m_text->document()->setDocumentMargin(8);
    setBodyMargins(3, 1, 1, 1);
    body()->addWidget(m_text);
    connect(m_tabs, &Segmented::chosen, this, &PlanDetails::refresh);
    connect(m_copy, &QPushButton::clicked, this, &PlanDetails::copy);
    m_texts.add([this] {
        m_tabs->setTexts({tr("Commands"), tr("Rules"), tr("Estimate")});
        m_tabs->setAccessibleName(tr("Details of the case"));
        m_copy->setText(tr("Copy"));
        m_text->setAccessibleName(tr("Details of the case"));
    });
    refresh();
}

void PlanDetails::setCase(std::optional<std::size_t> caseIndex)
{
    m_case = caseIndex;
    refresh();
}

QString PlanDetails::text() const
{
    return m_text->toPlainText();
}

void PlanDetails::copy() const
{
    QApplication::clipboard()->setText(text());
}

void PlanDetails::refresh()
{
    const std::vector<PlannedCase> &cases = m_session.cases();
    const bool known = m_case && *m_case < cases.size();
    m_copy->setEnabled(known);
    if (!known) {
        setTitle(tr("No case chosen"));
        setHint({});
        m_text->clear();
        return;
    }
    const PlannedCase &planned = cases[*m_case];
    const CaseKey &key = planned.key;
    const Framework *plugin = findFramework(m_session.frameworks(), key.framework);
    const QString framework = toQString(plugin ? plugin->title : key.framework);
    setTitle(QStringLiteral("%1 · %2 · %3 · %4")
                 .arg(framework, precisionText(key.precision))
                 .arg(key.batchSizePerDevice)
                 .arg(toQString(key.scaleName())));
    setHint(tr("%1 · steps %2–%3 measured")
                .arg(CaseGridModel::devicesText(key.devices(), key.device))
                .arg(key.warmupSteps + 1)
                .arg(key.warmupSteps + key.measuredSteps));
    const auto tab = static_cast<Tab>(m_tabs->current());
    m_text->setFont(roleFont(tab == Tab::Commands ? TextRole::Mono : TextRole::Body));
    m_text->setPlainText(tab == Tab::Commands ? commandsText(*m_case)
                         : tab == Tab::Rules  ? rulesText(planned)
                                              : estimateText(planned));
}

QString PlanDetails::commandsText(std::size_t caseIndex) const
{
    const PlannedCase &planned = m_session.cases()[caseIndex];
    if (planned.refused())
        return tr("This case does not run: %1").arg(translateSentence(planned.refusalReason));
    QStringList lines;
    const std::vector<std::string> commands = m_session.commandsFor(caseIndex);
    int rank = planned.key.devices() - static_cast<int>(commands.size());
    for (const std::string &command : commands) { // a launcher's command comes before those of the ranks
        lines << (rank < 0 ? QStringLiteral("$ %1").arg(toQString(command))
                           : QStringLiteral("rank%1$ %2").arg(rank).arg(toQString(command)));
        ++rank;
    }
    if (const std::string manifest = m_session.manifestFor(caseIndex); !manifest.empty())
        lines << QStringLiteral("\njob.json:\n%1").arg(toQString(manifest));
    return lines.join(u'\n');
}

QString PlanDetails::rulesText(const PlannedCase &planned) const
{
    const CaseKey &key = planned.key;
    QStringList lines;
    lines << (planned.refused() ? tr("Refused: %1").arg(translateSentence(planned.refusalReason))
                                : tr("Runs: the nodes have what it needs."));
    lines << tr("Key: %1").arg(QStringLiteral("%1 · %2 · %3 · %4 · %5")
                                   .arg(toQString(key.framework), toQString(key.workload),
                                        toQString(key.precision), toQString(key.device),
                                        toQString(key.data)));
    if (key.threadsPerDevice > 0)
        lines << tr("Each worker computes with %n CPU thread(s).", nullptr, key.threadsPerDevice);
    for (const auto &[name, value] : key.options)
        lines << QStringLiteral("%1 = %2").arg(toQString(name), toQString(value));
    lines << tr("Results are compared and put on one curve only where everything else in the key is alike.");
    return lines.join(u'\n');
}

QString PlanDetails::estimateText(const PlannedCase &planned) const
{
    if (planned.refused())
        return tr("Nothing to estimate: this case does not run.");
    if (!planned.estimatedRunTimeS)
        return tr("No estimate: the plugin does not state the arithmetic of this workload.");
    const int repeats = m_session.plan().measurement.repeats;
    QStringList lines;
    lines << tr("One run: about %1").arg(durationText(*planned.estimatedRunTimeS));
    lines << tr("%n repeat(s): about %1", nullptr, repeats)
                 .arg(durationText(*planned.estimatedRunTimeS * repeats));
    const auto measured = std::find_if(m_session.results().begin(), m_session.results().end(),
                                       [&](const CaseResult &r) { return r.key == planned.key; });
    if (measured != m_session.results().end())
        lines << tr("Measured step time here: %1 ms").arg(toQString(formatNumber(measured->stepTimeMs, 1)));
    else
        lines << tr(
            "From the arithmetic of the workload and a low rate of the device; the first run corrects it.");
    return lines.join(u'\n');
}

void PlanDetails::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_texts.refresh();
        refresh();
    } else if (event->type() == QEvent::ApplicationFontChange) {
        refresh();
    }
}

} // namespace sb
