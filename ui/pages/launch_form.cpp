// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/launch_form.h"

#include "sentences/sentence.h"
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
    , m_nameSpace(new QLineEdit(this))
    , m_context(new QLineEdit(this))
    , m_limit(new QSpinBox(this))
    , m_folder(new QLineEdit(this))
    , m_note(new TextLabel(TextRole::Fine, Tone::Warn, this))
{
    m_launcher->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_launcher->setMinimumContentsLength(8);
    m_limit->setRange(0, kMostMinutes);
    m_limit->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_limit->setKeyboardTracking(false);
    m_limit->setAlignment(Qt::AlignRight);
    m_note->setWordWrap(true);
    const std::vector<TextLabel *> names = layOut();
    connect(m_launcher, &QComboBox::activated, this, &LaunchForm::edited);
    for (const QLineEdit *field : {m_partition, m_nameSpace, m_context, m_folder})
        connect(field, &QLineEdit::textEdited, this, &LaunchForm::edited);
    connect(m_limit, &QSpinBox::valueChanged, this, &LaunchForm::edited);
    m_texts.add([this, names] { setTexts(names); });
}

// A row for each field; gives the labels before them.
std::vector<TextLabel *> LaunchForm::layOut()
{
    using Kinds = std::vector<LaunchKind>;
    constexpr LaunchKind slurm = LaunchKind::Slurm;
    constexpr LaunchKind kubernetes = LaunchKind::Kubernetes;
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, kNameWidth);
    grid->setColumnStretch(1, 1);
    const std::vector<std::pair<QWidget *, Kinds>> fields{
        {m_launcher, {}},          {m_partition, {slurm}},         {m_nameSpace, {kubernetes}},
        {m_context, {kubernetes}}, {m_limit, {slurm, kubernetes}}, {m_folder, {slurm}}};
    std::vector<TextLabel *> names;
    for (const auto &[field, kinds] : fields) {
        const int row = static_cast<int>(names.size());
        auto *name = new TextLabel(TextRole::Body, Tone::Muted, this);
        name->setBuddy(field);
        grid->addWidget(name, row, 0);
        grid->addWidget(field, row, 1);
        names.push_back(name);
        if (!kinds.empty())
            m_rows.insert(m_rows.end(), {{name, kinds}, {field, kinds}});
    }
    grid->addWidget(m_note, static_cast<int>(names.size()), 0, 1, 2);
    m_rows.emplace_back(m_note, Kinds{kubernetes});
    return names;
}

void LaunchForm::setTexts(const std::vector<TextLabel *> &names)
{
    const QString texts[] = {tr("Started by"), tr("Partition"),  tr("Namespace"),
                             tr("Context"),    tr("Time limit"), tr("Shared folder")};
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i]->setText(texts[i]);
    m_limit->setSpecialValueText(tr("default"));
    m_limit->setSuffix(tr(" min"));
    m_partition->setPlaceholderText(tr("default"));
    m_nameSpace->setPlaceholderText(tr("of the context"));
    m_context->setPlaceholderText(tr("current"));
    m_folder->setPlaceholderText(tr("home folder"));
    m_launcher->setAccessibleName(tr("Launcher"));
    m_partition->setAccessibleName(tr("Slurm partition"));
    m_nameSpace->setAccessibleName(tr("Kubernetes namespace"));
    m_context->setAccessibleName(tr("Context of kubectl"));
    m_folder->setAccessibleName(tr("Folder that the nodes of Slurm share"));
    m_limit->setAccessibleName(tr("Time limit of a job in minutes"));
    m_launcher->setToolTip(
        tr("Who starts the processes: Scaleboard over its own connections; mpirun on the first node, which "
           "signs in to the others; or Slurm or Kubernetes, for a job that is submitted on the first node."));
    m_nameSpace->setToolTip(
        tr("Where the job is made; kubectl runs on the first node, with its configuration there."));
    m_context->setToolTip(tr("A context of kubectl's configuration on the first node"));
    m_folder->setToolTip(tr("A folder that the first node and the compute nodes of Slurm share"));
    m_note->setText(translateSentence(kubernetesMark()));
    for (int i = 0; i < m_launcher->count(); ++i)
        m_launcher->setItemText(i, title(m_launcher->itemData(i).toString().toStdString()));
}

QString LaunchForm::title(const std::string &launcher) const
{
    if (launcher.empty())
        return tr("Scaleboard");
    if (launcher == launchKindName(LaunchKind::Kubernetes))
        return QStringLiteral("Kubernetes");
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
    const bool kubernetes = plan.launcher == launchKindName(LaunchKind::Kubernetes);
    setTextIfOther(m_partition, plan.slurm.partition);
    setTextIfOther(m_nameSpace, plan.kubernetes.nameSpace);
    setTextIfOther(m_context, plan.kubernetes.context);
    setTextIfOther(m_folder, plan.slurm.folder);
    m_limit->setValue((kubernetes ? plan.kubernetes.timeLimitMin : plan.slurm.timeLimitMin).value_or(0));
    const auto kind = launchKindFromName(plan.launcher);
    for (const auto &[widget, kinds] : m_rows)
        widget->setVisible(kind && std::find(kinds.begin(), kinds.end(), *kind) != kinds.end());
}

void LaunchForm::writeTo(Plan &plan) const
{
    const std::string before = plan.launcher;
    plan.launcher = m_launcher->currentData().toString().toStdString();
    plan.slurm.partition = m_partition->text().trimmed().toStdString();
    plan.slurm.folder = m_folder->text().trimmed().toStdString();
    plan.kubernetes.nameSpace = m_nameSpace->text().trimmed().toStdString();
    plan.kubernetes.context = m_context->text().trimmed().toStdString();
    const auto limit = m_limit->value() > 0 ? std::optional(m_limit->value()) : std::nullopt;
    // The field shows the limit of the launcher that was chosen until now.
    if (before == launchKindName(LaunchKind::Kubernetes))
        plan.kubernetes.timeLimitMin = limit;
    else if (before == launchKindName(LaunchKind::Slurm))
        plan.slurm.timeLimitMin = limit;
}

void LaunchForm::refresh()
{
    m_texts.refresh();
}

} // namespace sb
