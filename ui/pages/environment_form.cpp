// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/environment_form.h"

#include "widgets/sb_style.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <map>

namespace sb {

namespace {
constexpr int kNameWidth = 100;
}

EnvironmentForm::EnvironmentForm(std::span<const Framework> frameworks, QWidget *parent)
    : QWidget(parent)
    , m_frameworks(frameworks.begin(), frameworks.end())
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnMinimumWidth(0, kNameWidth);
    m_grid->setColumnStretch(1, 1);
}

void EnvironmentForm::setKnown(const std::vector<std::string> &environments)
{
    if (environments == m_known)
        return;
    m_known = environments;
    for (const Row &row : m_rows)
        offerKnown(row);
}

// What is typed in stays.
void EnvironmentForm::offerKnown(const Row &row) const
{
    const QSignalBlocker quiet(row.choice);
    const QString text = row.choice->currentText();
    row.choice->clear();
    for (const std::string &environment : m_known)
        row.choice->addItem(toQString(environment));
    row.choice->setCurrentIndex(-1);
    row.choice->setEditText(text);
}

void EnvironmentForm::makeRows(const Plan &plan)
{
    const bool same =
        std::equal(m_rows.begin(), m_rows.end(), plan.frameworks.begin(), plan.frameworks.end(),
                   [](const Row &row, const std::string &name) { return row.framework == name; });
    if (same)
        return;
    for (const Row &row : m_rows) {
        delete row.name;
        delete row.choice;
    }
    m_rows.clear();
    for (const std::string &name : plan.frameworks) {
        const Framework *framework = findFramework(m_frameworks, name);
        Row row{name, toQString(framework ? framework->title : name),
                new TextLabel(TextRole::Body, Tone::Muted, this), new QComboBox(this)};
        row.choice->setEditable(true);
        row.choice->setInsertPolicy(QComboBox::NoInsert);
        row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        row.choice->setMinimumContentsLength(8);
        row.name->setBuddy(row.choice);
        row.name->setText(row.title);
        const int line = static_cast<int>(m_rows.size());
        m_grid->addWidget(row.name, line, 0);
        m_grid->addWidget(row.choice, line, 1);
        offerKnown(row);
        connect(row.choice, &QComboBox::activated, this, &EnvironmentForm::edited);
        connect(row.choice->lineEdit(), &QLineEdit::editingFinished, this, &EnvironmentForm::edited);
        m_rows.push_back(row);
    }
    refresh();
}

void EnvironmentForm::setPlan(const Plan &plan)
{
    const QSignalBlocker quiet(this);
    makeRows(plan);
    for (const Row &row : m_rows) {
        const auto found = plan.environments.find(row.framework);
        const QString text = found == plan.environments.end() ? QString() : toQString(found->second);
        if (row.choice->currentText() != text)
            row.choice->setEditText(text);
    }
}

void EnvironmentForm::writeTo(Plan &plan) const
{
    std::map<std::string, std::string> chosen;
    for (const Row &row : m_rows)
        if (const QString text = row.choice->currentText().trimmed();
            !text.isEmpty() &&
            std::find(plan.frameworks.begin(), plan.frameworks.end(), row.framework) != plan.frameworks.end())
            chosen[row.framework] = text.toStdString();
    plan.environments = std::move(chosen);
}

void EnvironmentForm::refresh()
{
    for (const Row &row : m_rows) {
        row.choice->lineEdit()->setPlaceholderText(tr("as on the node"));
        row.choice->setAccessibleName(tr("Environment of %1").arg(row.title));
        row.choice->setToolTip(
            tr("Where it runs on a node: venv:/folder, conda:name, module:name, or in a container: "
               "docker:image, "
               "podman:image, apptainer:image, enroot:image. Those that every node has are offered."));
    }
}

} // namespace sb
