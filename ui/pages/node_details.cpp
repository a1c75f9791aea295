// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/node_details.h"

#include "core/text.h"
#include "core/units.h"
#include "models/node_model.h"
#include "sentences/sentence.h"
#include "widgets/banner.h"
#include "widgets/icon.h"
#include "widgets/sb_style.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sb {

namespace {

// The state's mark of one step.
class StepMark : public QWidget {
public:
    StepMark(SshStepReport::State state, QWidget *parent)
        : QWidget(parent)
        , m_state(state)
    {
        setFixedSize(16, 16);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const StepState mark = m_state == SshStepReport::State::Done     ? StepState::Done
                               : m_state == SshStepReport::State::Active ? StepState::Current
                               : m_state == SshStepReport::State::Failed ? StepState::Broken
                                                                         : StepState::Nothing;
        paintStateMark(&painter, rect(), mark, Tokens::of(palette()));
    }

private:
    SshStepReport::State m_state;
};

} // namespace

NodeDetails::NodeDetails(QWidget *parent)
    : Panel(Panel::TitleRow::Normal, parent)
    , m_retry(new QPushButton(toneIcon(QStringLiteral("refresh")), QString(), this))
{
    setControlSize(m_retry, ControlSize::Small);
    addTool(m_retry);
    connect(m_retry, &QPushButton::clicked, this, [this] {
        if (m_shown)
            Q_EMIT retryWanted(toQString(m_shown->name));
    });
    show(nullptr);
}

TextLabel *NodeDetails::addText(TextRole role, Tone tone, const QString &text)
{
    auto *label = new TextLabel(role, tone, m_content);
    label->setWordWrap(true);
    label->setText(text);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_column->addWidget(label);
    return label;
}

void NodeDetails::addStep(const SshStepReport &step, bool nameHop)
{
    if (nameHop)
        addText(TextRole::Strong, Tone::Normal, toQString(step.hop));
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(new StepMark(step.state, m_content));
    auto *title = new TextLabel(TextRole::Body, m_content);
    title->setText(nodeStepTitle(step.step));
    row->addWidget(title);
    auto *found = new TextLabel(TextRole::Secondary, Tone::Muted, m_content);
    found->setElided(true);
    found->setText(translateSentence(step.found));
    row->addWidget(found, 1);
    auto *time = new TextLabel(TextRole::Secondary, Tone::Muted, m_content);
    if (step.timeMs)
        time->setText(toQString(formatNumber(*step.timeMs, *step.timeMs < 10 ? 1 : 0)) +
                      QStringLiteral(" ms"));
    row->addWidget(time);
    m_column->addLayout(row);
}

void NodeDetails::addProblem(const SshProblem &problem)
{
    auto *banner = new Banner(m_content);
    banner->showMessage(Banner::Kind::Error, translateSentence(problem.message));
    m_column->addWidget(banner);
    if (!problem.cause.empty()) {
        addText(TextRole::Strong, Tone::Normal, tr("Most likely"));
        addText(TextRole::Body, Tone::Normal, translateSentence(problem.cause));
    }
    if (!problem.action.empty()) {
        addText(TextRole::Strong, Tone::Normal, tr("What to do"));
        addText(TextRole::Body, Tone::Normal, translateSentence(problem.action));
    }
    if (problem.command.empty())
        return;
    addText(TextRole::Secondary, Tone::Muted, tr("Same test in a terminal:"));
    addText(TextRole::Mono, Tone::Normal, toQString(problem.command));
    auto *copy = new QPushButton(toneIcon(QStringLiteral("copy")), tr("Copy"), m_content);
    setControlSize(copy, ControlSize::Small);
    connect(copy, &QPushButton::clicked, copy,
            [text = toQString(problem.command)] { QApplication::clipboard()->setText(text); });
    m_column->addWidget(copy, 0, Qt::AlignLeft);
}

void NodeDetails::show(const NodeStatus *node)
{
    if (m_content && node && m_shown == *node)
        return;
    m_shown = node ? std::optional(*node) : std::nullopt;
    m_retry->setVisible(node);
    m_retry->setText(node && node->ssh.state == SshState::Ready ? tr("Probe again") : tr("Try again"));
    delete m_content;
    m_content = new QWidget(this);
    m_column = new QVBoxLayout(m_content);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(7);
    body()->addWidget(m_content);
    setTitle(node ? (node->name == kLocalNode ? tr("This machine") : toQString(node->name)) : tr("Details"));
    setHint(node && node->name != kLocalNode ? toQString(node->address) : QString());
    if (!node) {
        addText(TextRole::Body, Tone::Muted, tr("Choose a node in the table."));
    } else {
        const bool severalHops = node->ssh.steps.size() > static_cast<std::size_t>(kSshSteps);
        std::string hop;
        for (const SshStepReport &step : node->ssh.steps) {
            addStep(step, severalHops && step.hop != hop && step.step != SshStep::Probe);
            hop = step.hop;
        }
        const bool broken = node->ssh.state == SshState::Failed || node->ssh.state == SshState::Lost;
        if (node->ssh.problem && broken) // not that of the attempt before
            addProblem(*node->ssh.problem);
        for (const std::string &warning : node->ssh.warnings)
            addText(TextRole::Secondary, Tone::Warn, QStringLiteral("⚠ ") + translateSentence(warning));
        if (node->facts) {
            addText(TextRole::Strong, Tone::Normal, tr("What it is"));
            const NodeFacts &facts = *node->facts;
            QStringList lines{toQString(facts.os.value_or("")), toQString(facts.cpuModel.value_or("")),
                              tr("Cores: %1").arg(facts.cores.value_or(0))};
            if (facts.memoryBytes)
                lines.back() += QStringLiteral(", ") + toQString(formatBytes(*facts.memoryBytes));
            for (const std::string &engine : facts.containerEngines)
                lines << toQString(engine);
            if (!facts.environments.empty())
                lines << tr("Environments: %1").arg(toQString(join(facts.environments, ", ")));
            if (facts.slurmVersion)
                lines << QStringLiteral("Slurm ") + toQString(*facts.slurmVersion);
            lines.removeAll(QString());
            addText(TextRole::Body, Tone::Normal, lines.join(u'\n'));
        }
    }
    m_column->addStretch(1);
}

QString NodeDetails::spokenText() const
{
    QStringList texts;
    for (const TextLabel *label : m_content->findChildren<TextLabel *>())
        texts << label->text();
    return texts.join(u'\n');
}

} // namespace sb
