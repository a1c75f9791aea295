// SPDX-License-Identifier: GPL-3.0-or-later
// What the scaling page can show, and what of it is chosen.
#include "pages/scaling_page.h"

#include "charts/chart_text.h"
#include "core/report.h"
#include "pages/run_details.h"
#include "pages/scaling_table.h"
#include "sentences/sentence.h"
#include "session/install_paths.h"
#include "widgets/panel.h"
#include "widgets/segmented.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QPushButton>

#include <algorithm>

namespace sb {

void ScalingPage::takeResults()
{
    m_groups = scalingGroups(m_session.results());
    m_strongGroups = strongScalingGroups(m_session.results());
    for (std::vector<ScalingGroup> *groups : {&m_groups, &m_strongGroups})
        for (ScalingGroup &one : *groups) {
            one.curves = rankedCurves(std::move(one.curves));
            labelIn(one.curves, windowLanguage());
        }
    m_mode->setSegmentEnabled(1, hasStrong());
    m_mode->setToolTip(hasStrong()
                           ? tr("Weak: the same batch on each device. Strong: the same batch on all "
                                "together.")
                           : tr("No configuration was measured at two scales with the same batch on all "
                                "devices together, as strong scaling needs."));
    m_strong = m_strong && hasStrong();
    m_mode->setCurrent(m_strong ? 1 : 0);
    if (m_published->isChecked())
        addPublished();
    fillFilters();
    showGroup();
}

void ScalingPage::fillFilters()
{
    m_filling = true;
    // Each list offers what the choices before it leave.
    const auto fill = [](QComboBox *combo, const std::vector<std::pair<QString, QString>> &entries) {
        const QString before = combo->currentData().toString();
        combo->clear();
        for (const auto &[text, id] : entries)
            if (combo->findData(id) < 0)
                combo->addItem(text, id);
        combo->setCurrentIndex(std::max(0, combo->findData(before)));
    };
    std::vector<std::pair<QString, QString>> workloads;
    std::vector<std::pair<QString, QString>> precisions;
    std::vector<std::pair<QString, QString>> batches;
    for (const ScalingGroup &one : groups())
        workloads.push_back({toQString(one.workloadTitle), toQString(one.workload)});
    fill(m_workload, workloads);
    for (const ScalingGroup &one : groups())
        if (toQString(one.workload) == m_workload->currentData())
            precisions.push_back({precisionText(one.precision), toQString(one.precision)});
    fill(m_precision, precisions);
    for (const ScalingGroup &one : groups())
        if (toQString(one.workload) == m_workload->currentData() &&
            toQString(one.precision) == m_precision->currentData())
            // The batch names the rest of the group too: device and data may differ.
            batches.push_back({QString::number(one.globalBatchSize.value_or(one.batchSizePerDevice)),
                               toQString(groupId(one))});
    fill(m_batch, batches);
    m_filling = false;
}

const ScalingGroup *ScalingPage::group() const
{
    for (const ScalingGroup &one : groups())
        if (toQString(groupId(one)) == m_batch->currentData())
            return &one;
    return nullptr;
}

void ScalingPage::showGroup()
{
    const ScalingGroup *shown = group();
    showContent(shown != nullptr);
    for (QPushButton *button : header()->findChildren<QPushButton *>())
        button->setEnabled(shown || button == m_published);
    if (!shown) {
        header()->setSubtitle(QString());
        m_model->setGroup({});
        return;
    }
    if (*shown != m_model->group()) {
        m_hidden.clear();
        m_emphasised.reset();
        m_model->setGroup(*shown);
        fitColumns();
    }
    showFigures();
}

void ScalingPage::addPublished()
{
    if (!m_reference) {
        const InstallPaths paths = installPaths(QCoreApplication::applicationDirPath().toStdString());
        auto read = loadReference(paths.referenceFolder, "dlperf-2020-10");
        if (!read) {
            m_note->setText(translateSentence(read.error().message));
            return;
        }
        m_reference = std::move(*read);
    }
    for (ScalingGroup &own : m_groups)
        for (ScalingCurve &curve :
             referenceOverlay(*m_reference, own.workload, own.precision, own.batchSizePerDevice)) {
            if (curve.points.front().key.device != own.device)
                continue;
            // They read real images; one's own runs make theirs up, unless a data set is named.
            if (!own.curves.empty() && own.curves.front().points.front().key.data == "synthetic")
                curve.unlike.push_back("real input data, not synthetic");
            own.curves.push_back(std::move(curve));
        }
    for (const ReferenceTable &table : m_reference->tables) {
        ScalingGroup published = referenceGroup(*m_reference, table);
        const bool taken = std::any_of(m_groups.begin(), m_groups.end(), [&](const ScalingGroup &own) {
            return own.workload == published.workload && own.precision == published.precision &&
                   own.batchSizePerDevice == published.batchSizePerDevice && own.device == published.device;
        });
        if (taken)
            continue;
        published.curves = rankedCurves(std::move(published.curves));
        m_groups.push_back(std::move(published));
    }
}

void ScalingPage::setPublishedShown(bool shown)
{
    if (m_published->isChecked() != shown)
        m_published->setChecked(shown);
    else
        takeResults();
}

void ScalingPage::chooseFit(Fit fit)
{
    m_fit->setCurrentIndex(static_cast<int>(fit));
}

ScalingPage::Fit ScalingPage::fit() const
{
    return static_cast<Fit>(std::max(0, m_fit->currentIndex()));
}

void ScalingPage::chooseRight(Right right)
{
    m_measure->setCurrent(static_cast<int>(right));
    showFigures();
}

ScalingPage::Right ScalingPage::right() const
{
    return static_cast<Right>(m_measure->current());
}

void ScalingPage::setStrong(bool strong)
{
    m_strong = strong && hasStrong();
    m_mode->setCurrent(m_strong ? 1 : 0);
    texts().refresh(); // "global batch" in place of "batch per device"; takes the results again
}

void ScalingPage::showPointRuns(const QModelIndex &index)
{
    const CaseResult *point = m_model->pointAt(index);
    if (point && !point->runIds.empty())
        showRuns(*point, point->runIds.back());
}

void ScalingPage::showRunsOf(const QString &runId)
{
    const std::string id = runId.toStdString();
    if (const ScalingGroup *shown = group())
        for (const ScalingCurve &curve : shown->curves)
            for (const CaseResult &point : curve.points)
                if (std::find(point.runIds.begin(), point.runIds.end(), id) != point.runIds.end())
                    return showRuns(point, id);
}

void ScalingPage::showRuns(const CaseResult &point, const std::string &chosen)
{
    auto *details = new RunDetails(m_session, point.runIds, chosen, this);
    details->setAttribute(Qt::WA_DeleteOnClose);
    details->show();
}

bool ScalingPage::chooseGroup(const QString &wanted)
{
    for (const ScalingGroup &one : groups())
        if (toQString(groupId(one)) == wanted) {
            m_workload->setCurrentIndex(m_workload->findData(toQString(one.workload)));
            m_precision->setCurrentIndex(m_precision->findData(toQString(one.precision)));
            m_batch->setCurrentIndex(m_batch->findData(wanted));
            return true;
        }
    return false;
}

QString ScalingPage::note() const
{
    return m_note->text();
}

QString ScalingPage::evidence() const
{
    return m_evidence->text();
}

} // namespace sb
