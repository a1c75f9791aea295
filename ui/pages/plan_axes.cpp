// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan_axes.h"

#include "core/text.h"
#include "pages/environment_form.h"
#include "pages/launch_form.h"
#include "widgets/chip.h"
#include "widgets/flow_layout.h"
#include "widgets/sb_style.h"
#include "widgets/segmented.h"
#include "widgets/tab_order.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

namespace {

// "3n4g" → 3 nodes with 4 devices each.
std::optional<Scale> scaleFromText(const QString &text)
{
    static const QRegularExpression kShape(QStringLiteral("^\\s*(\\d{1,5})n(\\d{1,5})g\\s*$"));
    const QRegularExpressionMatch match = kShape.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const Scale scale{match.captured(1).toInt(), match.captured(2).toInt()};
    return scale.nodes > 0 && scale.devicesPerNode > 0 ? std::optional(scale) : std::nullopt;
}

// "4, 8 16" → {4, 8, 16}; what is no number becomes 0, which the check of the plan then names.
std::vector<int> batchesFromText(const QString &text)
{
    std::vector<int> batches;
    for (const QString &part :
         text.split(QRegularExpression(QStringLiteral("[\\s,;，、]+")), Qt::SkipEmptyParts))
        batches.push_back(part.toInt());
    return batches;
}

QString batchesText(const std::vector<int> &batches)
{
    QStringList parts;
    for (const int batch : batches)
        parts << QString::number(batch);
    return parts.join(QStringLiteral(", "));
}

bool scaleLess(const Scale &a, const Scale &b)
{
    return std::pair(a.nodes, a.devicesPerNode) < std::pair(b.nodes, b.devicesPerNode);
}

} // namespace

std::vector<const Workload *> PlanAxes::knownWorkloads() const
{
    std::vector<const Workload *> known;
    for (const Framework &framework : m_frameworks)
        for (const Workload &workload : framework.workloads)
            if (std::none_of(known.begin(), known.end(),
                             [&](const Workload *w) { return w->name == workload.name; }))
                known.push_back(&workload);
    return known;
}

PlanWorkload *PlanAxes::shownWorkload()
{
    return m_plan.workloads.size() == 1 ? &m_plan.workloads.front() : nullptr;
}

void PlanAxes::setNodes(std::span<const NodeFacts> nodes)
{
    m_nodes.assign(nodes.begin(), nodes.end());
    // Offered is what every node has: the same folder or name stands for all of them.
    std::vector<std::string> known =
        m_nodes.empty() ? std::vector<std::string>() : m_nodes.front().environments;
    std::erase_if(known, [this](const std::string &environment) {
        return !std::all_of(m_nodes.begin(), m_nodes.end(), [&environment](const NodeFacts &node) {
            return std::find(node.environments.begin(), node.environments.end(), environment) !=
                   node.environments.end();
        });
    });
    m_environments->setKnown(known);
    showScales();
}

void PlanAxes::setPlan(const Plan &plan, Preset preset)
{
    m_plan = plan;
    m_preset->setCurrentIndex(static_cast<int>(preset));
    showPlan();
}

QString PlanAxes::presetText() const
{
    return m_preset->currentText();
}

Plan PlanAxes::plan() const
{
    return m_plan;
}

void PlanAxes::showPlan()
{
    m_showing = true;
    int chosen = 0;
    for (std::size_t i = 0; i < m_frameworks.size(); ++i) {
        const bool on = std::find(m_plan.frameworks.begin(), m_plan.frameworks.end(), m_frameworks[i].name) !=
                        m_plan.frameworks.end();
        m_frameworkBoxes[i]->setChecked(on);
        chosen += on ? 1 : 0;
        if (on && m_frameworks[i].needsSourceFolder())
            m_recipes->setChecked(true);
    }
    m_frameworkCount->setText(tr("%1 of %2").arg(chosen).arg(m_frameworks.size()));

    const PlanWorkload *workload = shownWorkload();
    const int several = m_workload->findData(QString());
    if (m_plan.workloads.size() > 1 && several < 0)
        m_workload->addItem(QString(), QString());
    else if (m_plan.workloads.size() <= 1 && several >= 0)
        m_workload->removeItem(several);
    if (m_plan.workloads.size() > 1)
        m_workload->setItemText(
            m_workload->findData(QString()),
            tr("%n models, as in the file", nullptr, static_cast<int>(m_plan.workloads.size())));
    m_workload->setCurrentIndex(m_workload->findData(workload ? toQString(workload->name) : QString()));
    m_batches->setEnabled(workload != nullptr);
    if (!workload || batchesFromText(m_batches->text()) != workload->batchSizesPerDevice)
        m_batches->setText(workload ? batchesText(workload->batchSizesPerDevice) : QString());
    m_skip->setValue(m_plan.measurement.warmupSteps);
    m_measure->setValue(m_plan.measurement.measuredSteps);
    m_repeats->setValue(m_plan.measurement.repeats);
    m_threads->setValue(m_plan.threadsPerDevice.value_or(0));
    m_device->setCurrent(m_plan.device == "cpu" ? 1 : m_plan.device == "cuda" ? 2 : 0);
    m_launch->setPlan(m_plan);
    m_environments->setPlan(m_plan);
    showPrecisions();
    showScales();
    m_showing = false;
}

void PlanAxes::showScales()
{
    // What the study usually varies, what these nodes have, and what the plan names already.
    std::vector<Scale> offered{{1, 1}, {1, 2}, {1, 4}, {1, 8}};
    for (int nodes = 2; nodes <= static_cast<int>(m_nodes.size()); nodes *= 2)
        offered.push_back(
            {nodes, m_nodes.front().gpus.empty() ? 1 : static_cast<int>(m_nodes.front().gpus.size())});
    offered.insert(offered.end(), m_plan.scales.begin(), m_plan.scales.end());
    std::sort(offered.begin(), offered.end(), scaleLess);
    offered.erase(std::unique(offered.begin(), offered.end()), offered.end());

    const bool same = offered.size() == m_scaleChips.size() &&
                      std::equal(offered.begin(), offered.end(), m_scaleChips.begin(),
                                 [](const Scale &scale, const auto &chip) { return scale == chip.first; });
    if (!same) {
        for (const auto &[scale, chip] : m_scaleChips) {
            m_scales->removeWidget(chip);
            chip->deleteLater();
        }
        m_scaleChips.clear();
        m_scales->removeWidget(m_newScale);
        for (const Scale &scale : offered) {
            auto *chip = new Chip(QStringLiteral("%1n%2g").arg(scale.nodes).arg(scale.devicesPerNode),
                                  m_newScale->parentWidget());
            connect(chip, &Chip::toggled, this, &PlanAxes::readControls);
            m_scales->addWidget(chip);
            chip->show();
            m_scaleChips.emplace_back(scale, chip);
        }
        m_scales->addWidget(m_newScale);
        orderTabs(this); // chips come and go
    }
    for (const auto &[scale, chip] : m_scaleChips) {
        const QSignalBlocker quiet(chip);
        chip->setChecked(std::find(m_plan.scales.begin(), m_plan.scales.end(), scale) != m_plan.scales.end());
    }
}

bool PlanAxes::offersPrecision(const std::string &workload, const std::string &precision) const
{
    for (const Framework &framework : m_frameworks)
        if (const Workload *known = framework.findWorkload(workload))
            for (const auto &[device, precisions] : known->precisions)
                if (std::find(precisions.begin(), precisions.end(), precision) != precisions.end())
                    return true;
    return false;
}

void PlanAxes::showPrecisions()
{
    const PlanWorkload *workload = shownWorkload();
    for (const auto &[precision, chip] : m_precisionChips) {
        const QSignalBlocker quiet(chip);
        const bool chosen = workload && std::find(workload->precisions.begin(), workload->precisions.end(),
                                                  precision) != workload->precisions.end();
        chip->setEnabled(workload != nullptr);
        chip->setVisible(chosen || !workload || offersPrecision(workload->name, precision));
        chip->setChecked(chosen);
    }
}

void PlanAxes::addScale()
{
    const std::optional<Scale> scale = scaleFromText(m_newScale->text());
    if (!scale)
        return;
    m_newScale->clear();
    if (std::find(m_plan.scales.begin(), m_plan.scales.end(), *scale) != m_plan.scales.end())
        return;
    m_plan.scales.push_back(*scale);
    std::sort(m_plan.scales.begin(), m_plan.scales.end(), scaleLess);
    showScales();
    readControls();
}

void PlanAxes::readControls()
{
    if (m_showing)
        return;
    // Frameworks that have no check box (a plan from elsewhere) stay; the check of the plan names them.
    for (std::size_t i = 0; i < m_frameworks.size(); ++i) {
        const std::string &name = m_frameworks[i].name;
        const auto at = std::find(m_plan.frameworks.begin(), m_plan.frameworks.end(), name);
        if (m_frameworkBoxes[i]->isChecked() && at == m_plan.frameworks.end())
            m_plan.frameworks.push_back(name);
        else if (!m_frameworkBoxes[i]->isChecked() && at != m_plan.frameworks.end())
            m_plan.frameworks.erase(at);
    }
    m_plan.scales.clear();
    for (const auto &[scale, chip] : m_scaleChips)
        if (chip->isChecked())
            m_plan.scales.push_back(scale);
    const std::string chosen = m_workload->currentData().toString().toStdString();
    if (!chosen.empty()) {
        PlanWorkload workload{chosen, {}, batchesFromText(m_batches->text())};
        const bool another = !shownWorkload() || shownWorkload()->name != chosen;
        for (const auto &[precision, chip] : m_precisionChips)
            if (chip->isChecked())
                workload.precisions.push_back(precision);
        if (another)
            for (const Workload *known : knownWorkloads())
                if (known->name == chosen) {
                    workload.batchSizesPerDevice = {known->defaultBatchSize};
                    if (workload.precisions.empty())
                        workload.precisions = {"fp32"};
                }
        m_plan.workloads = {workload};
    }
    m_plan.measurement = {m_skip->value(), m_measure->value(), m_repeats->value()};
    m_plan.threadsPerDevice = m_threads->value() > 0 ? std::optional(m_threads->value()) : std::nullopt;
    static const char *const kDevices[] = {"auto", "cpu", "cuda"};
    m_plan.device = kDevices[m_device->current()];
    m_launch->writeTo(m_plan);
    m_environments->writeTo(m_plan);
    m_preset->setCurrentIndex(static_cast<int>(Preset::Own));
    showPlan();
    Q_EMIT edited();
}

void PlanAxes::changeEvent(QEvent *event)
{
    Panel::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_texts.refresh();
        showPlan();
    }
}

} // namespace sb
