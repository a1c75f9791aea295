// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/launch_form.h"

#include "widgets/sb_style.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace sb {

namespace {

constexpr int kNameWidth = 100;
constexpr int kMostMinutes = 525'600; // a year, as the check of a plan has it

void setTextIfOther(QLineEdit *field, const std::string &text)
{
    if (field->text().toStdString() != text) // or the cursor would jump while it is typed in
        field->setText(toQString(text));
}

} // namespace

LaunchForm::LaunchForm(std::span<const Framework> frameworks, QWidget *parent)
    : QWidget(parent)
    , m_frameworks(frameworks.begin(), frameworks.end())
    , m_launcher(new QComboBox(this))
    , m_partition(new QLineEdit(this))
    , m_folder(new QLineEdit(this))
    , m_limit(new QSpinBox(this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, kNameWidth);
    grid->setColumnStretch(1, 1);
    m_launcher->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_launcher->setMinimumContentsLength(8);
    m_limit->setRange(0, kMostMinutes);
    m_limit->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_limit->setKeyboardTracking(false);
    m_limit->setAlignment(Qt::AlignRight);
    TextLabel *names[4];
    QWidget *const fields[] = {m_launcher, m_partition, m_limit, m_folder};
    for (int row = 0; row < 4; ++row) {
        names[row] = new TextLabel(TextRole::Body, Tone::Muted, this);
        names[row]->setBuddy(fields[row]);
        grid->addWidget(names[row], row, 0);
        grid->addWidget(fields[row], row, 1);
        if (row > 0)
            m_ofSlurm.insert(m_ofSlurm.end(), {names[row], fields[row]});
    }
    connect(m_launcher, &QComboBox::activated, this, &LaunchForm::edited);
    connect(m_partition, &QLineEdit::textEdited, this, &LaunchForm::edited);
    connect(m_folder, &QLineEdit::textEdited, this, &LaunchForm::edited);
    connect(m_limit, &QSpinBox::valueChanged, this, &LaunchForm::edited);
    m_texts.add([this, launcher = names[0], partition = names[1], limit = names[2], folder = names[3]] {
        launcher->setText(tr("Started by"));
        partition->setText(tr("Partition"));
        limit->setText(tr("Time limit"));
        folder->setText(tr("Shared folder"));
        m_limit->setSpecialValueText(tr("default"));
        m_limit->setSuffix(tr(" min"));
        m_partition->setPlaceholderText(tr("default"));
        m_folder->setPlaceholderText(tr("home folder"));
        m_launcher->setAccessibleName(tr("Launcher"));
        m_partition->setAccessibleName(tr("Slurm partition"));
        m_folder->setAccessibleName(tr("Folder that the nodes of Slurm share"));
        m_limit->setAccessibleName(tr("Time limit of a Slurm job in minutes"));
        m_launcher->setToolTip(tr(
            "Who starts the processes: Scaleboard over its own connections; mpirun on the first node, which "
            "signs in to the others; or Slurm, for a job that is submitted on the first node."));
        m_folder->setToolTip(tr("A folder that the first node and the compute nodes of Slurm share"));
        for (int i = 0; i < m_launcher->count(); ++i)
            m_launcher->setItemText(i, title(m_launcher->itemData(i).toString().toStdString()));
    });
}

QString LaunchForm::title(const std::string &launcher) const
{
    if (launcher.empty())
        return tr("Scaleboard");
    return launcher == launchKindName(LaunchKind::Slurm) ? QStringLiteral("Slurm") : toQString(launcher);
}

void LaunchForm::showChoices(const Plan &plan)
{
    std::vector<std::string> choices{""};
    for (const std::string &name : launchKindNames()) {
        const auto kind = *launchKindFromName(name);
        const bool all =
            std::all_of(plan.frameworks.begin(), plan.frameworks.end(), [&](const std::string &framework) {
                const Framework *known = findFramework(m_frameworks, framework);
                return known && known->allows(kind);
            });
        // What "" stands for needs no second entry.
        if ((all && kind != LaunchKind::PerRank) || name == plan.launcher)
            choices.push_back(name);
    }
    if (std::find(choices.begin(), choices.end(), plan.launcher) == choices.end())
        choices.push_back(plan.launcher); // nothing of ours; the check of the plan says so
    m_launcher->clear();
    for (const std::string &choice : choices)
        m_launcher->addItem(title(choice), toQString(choice));
    m_launcher->setCurrentIndex(m_launcher->findData(toQString(plan.launcher)));
}

void LaunchForm::setPlan(const Plan &plan)
{
    const QSignalBlocker quiet(this);
    showChoices(plan);
    setTextIfOther(m_partition, plan.slurm.partition);
    setTextIfOther(m_folder, plan.slurm.folder);
    m_limit->setValue(plan.slurm.timeLimitMin.value_or(0));
    for (QWidget *part : m_ofSlurm)
        part->setVisible(plan.launcher == launchKindName(LaunchKind::Slurm));
}

void LaunchForm::writeTo(Plan &plan) const
{
    plan.launcher = m_launcher->currentData().toString().toStdString();
    plan.slurm.partition = m_partition->text().trimmed().toStdString();
    plan.slurm.folder = m_folder->text().trimmed().toStdString();
    plan.slurm.timeLimitMin = m_limit->value() > 0 ? std::optional(m_limit->value()) : std::nullopt;
}

void LaunchForm::refresh()
{
    m_texts.refresh();
}

} // namespace sb
