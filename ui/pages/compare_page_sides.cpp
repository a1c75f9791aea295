// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare page compares, and what it says of it.
#include "pages/compare_page.h"

#include "charts/chart_style.h"
#include "charts/chart_text.h"
#include "core/units.h"
#include "pages/compare_models.h"
#include "sentences/sentence.h"
#include "session/install_paths.h"
#include "widgets/panel.h"
#include "widgets/run_dots.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>

namespace sb {

namespace {

int runsOf(const std::vector<CaseResult> &results)
{
    int runs = 0;
    for (const CaseResult &result : results)
        runs += result.repeats;
    return runs;
}

// "OneFlow 0.1.9 · FP32 · 128": what tells a published series from its neighbours.
QString publishedTitle(const ReferenceSet &set, const ReferenceSeries &series)
{
    const ReferenceWorkload *workload = set.workload(series.workload);
    QString title =
        toQString(set.frameworkTitle(series.framework)) + QLatin1Char(' ') + toQString(series.version) +
        QStringLiteral(" · ") + toQString(workload ? workload->title : series.workload) + QLatin1Char(' ') +
        precisionText(series.precision) + QStringLiteral(" · ") + QString::number(series.batchSizePerDevice);
    if (!series.variant.empty())
        title += QStringLiteral(" · ") + toQString(series.variant);
    return title;
}

QString blockedText(const std::vector<KeyDifference> &keys)
{
    QStringList differences;
    for (const KeyDifference &key : keys)
        if (key.role == KeyRole::Blocks)
            differences.append(ComparePage::tr("%1 (%2 against %3)")
                                   .arg(keyFieldText(key.field), toQString(key.a), toQString(key.b)));
    return ComparePage::tr("Not compared, because a ratio would mean nothing. What differs: %1.")
        .arg(differences.join(QStringLiteral(", ")));
}

} // namespace

void ComparePage::takeResults()
{
    m_sides.clear();
    const std::vector<CaseResult> results = m_session.results();
    for (const ScalingGroup &group : scalingGroups(results))
        for (const ScalingCurve &curve : group.curves)
            m_sides.push_back({toQString(curve.label) + QStringLiteral(" · ") +
                                   toQString(group.workloadTitle) + QLatin1Char(' ') +
                                   precisionText(group.precision) + QStringLiteral(" · ") +
                                   QString::number(group.batchSizePerDevice),
                               curve.points, curve.framework, false});
    if (m_published->isChecked()) {
        if (!m_reference) {
            const InstallPaths paths = installPaths(QCoreApplication::applicationDirPath().toStdString());
            if (auto read = loadReference(paths.referenceFolder, "dlperf-2020-10"))
                m_reference = std::move(*read);
            else
                m_note->setText(translateSentence(read.error().message));
        }
        // The tables beside the scripts: the report's columns are copies of theirs.
        if (m_reference)
            for (const ReferenceSeries &series : m_reference->series)
                if (series.kind == ReferenceKind::Median && series.points.size() >= 2)
                    m_sides.push_back({publishedTitle(*m_reference, series) + QStringLiteral(" · ") +
                                           toQString(m_reference->label),
                                       referenceResults(*m_reference, series), series.framework, true});
    }
    fillSides();
}

void ComparePage::fillSides()
{
    for (QComboBox *combo : {m_a, m_b}) {
        const QSignalBlocker quiet(combo);
        const QString before = combo->currentText();
        combo->clear();
        for (const Side &side : m_sides) {
            const int runs = runsOf(side.results);
            combo->addItem(side.title +
                           (runs > 0 ? QStringLiteral(" · ") + tr("%n run(s)", nullptr, runs) : QString()));
        }
        const int again = combo->findText(before);
        combo->setCurrentIndex(again >= 0 ? again : std::min(combo == m_a ? 0 : 1, combo->count() - 1));
    }
    m_stack->setCurrentIndex(m_sides.size() >= 2 ? 1 : 0);
    compare();
}

void ComparePage::compare()
{
    const Side *a = sideOf(m_a);
    const Side *b = sideOf(m_b);
    if (!a || !b || m_sides.size() < 2) {
        m_cases->setCases({});
        m_keys->setKeys({}, false);
        Q_EMIT verdictChanged();
        return;
    }
    ComparisonOptions options;
    options.unlikeToo = m_anyway->isChecked();
    std::vector<Comparison> cases;
    QStringList onlyA;
    QString refused;
    for (const CaseResult &one : a->results) {
        const auto other = std::find_if(b->results.begin(), b->results.end(), [&](const CaseResult &result) {
            return result.key.scaleName() == one.key.scaleName();
        });
        if (other == b->results.end()) {
            onlyA.append(toQString(one.key.scaleName()));
            continue;
        }
        auto compared = compareCases(one, *other, options);
        if (compared)
            cases.push_back(std::move(*compared));
        else
            refused = blockedText(keyDifferences(one.key, other->key));
    }
    const CaseResult &largestA = a->results.back();
    const std::vector<KeyDifference> keys =
        cases.empty() ? keyDifferences(largestA.key, b->results.back().key, true) : cases.back().keys;
    m_keys->setKeys(keys, m_onlyDifferences->isChecked());
    m_keysPanel->setHint(tr("%1 of %2 differ").arg(m_keys->differing()).arg(m_keys->total()));
    m_keyTable->resizeColumnsToContents();
    m_keyTable->horizontalHeader()->setStretchLastSection(true);
    m_cases->setCases(cases);
    m_caseTable->resizeColumnsToContents();
    m_caseTable->horizontalHeader()->setStretchLastSection(true);
    QStringList notes;
    if (!cases.empty() && cases.front().unlike)
        notes.append(tr("† Unlike keys: compared because you asked; the ratio is not about one thing."));
    if (!onlyA.isEmpty())
        notes.append(tr("Only in A: %1.").arg(onlyA.join(QStringLiteral(", "))));
    if ((a->published || b->published) && m_reference)
        notes.append(tr("Published: %1.").arg(toQString(m_reference->citation())));
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!notes.isEmpty());
    m_header->setSubtitle(tr("%n case(s) in common", nullptr, static_cast<int>(cases.size())));
    if (cases.empty()) {
        showBlocked(refused.isEmpty() ? tr("A and B have no scale in common.") : refused);
    } else {
        m_caseTable->selectRow(static_cast<int>(cases.size()) - 1);
        showCase();
    }
    Q_EMIT verdictChanged();
}

void ComparePage::showBlocked(const QString &why)
{
    m_verdictPanel->setTitle(tr("No verdict"));
    m_verdictPanel->setHint(QString());
    m_ratio->setText(QStringLiteral("—"));
    m_interval->setText(QString());
    m_sentence->setText(why);
    m_dots->setSides({}, QString());
}

void ComparePage::showCase()
{
    const int row = m_caseTable->currentIndex().row();
    const std::vector<Comparison> &cases = m_cases->cases();
    if (row >= 0 && row < static_cast<int>(cases.size()))
        showVerdict(cases[static_cast<std::size_t>(row)]);
}

void ComparePage::showVerdict(const Comparison &one)
{
    const Side *a = sideOf(m_a);
    const Side *b = sideOf(m_b);
    m_verdictPanel->setTitle(tr("Verdict at %1").arg(toQString(one.a.key.scaleName())));
    m_verdictPanel->setHint(verdictText(one) +
                            (one.unlike ? QStringLiteral(" · ") + tr("unlike keys") : QString()));
    m_ratio->setText(toQString(formatRatio(one.ratio)));
    m_interval->setText(one.interval ? tr("95 % interval %1 – %2")
                                           .arg(toQString(formatNumber(one.interval->low, 3)),
                                                toQString(formatNumber(one.interval->high, 3)))
                                     : tr("no interval: single runs are not known"));
    const QString nameA = toQString(one.a.frameworkTitle);
    const QString nameB = toQString(one.b.frameworkTitle);
    const bool alike = nameA == nameB;
    const QString first = alike ? QStringLiteral("A") : nameA;
    const QString second = alike ? QStringLiteral("B") : nameB;
    const QString percent = toQString(formatPercent(std::abs(one.ratio - 1)));
    QString sentence;
    switch (one.verdict) {
    case Verdict::Faster:
        sentence =
            tr("%1 is faster than %2 by %3. The interval does not contain 1.").arg(first, second, percent);
        break;
    case Verdict::Slower:
        sentence =
            tr("%1 is slower than %2 by %3. The interval does not contain 1.").arg(first, second, percent);
        break;
    case Verdict::Same:
        sentence = tr("%1 and %2 are the same within 1 %.").arg(first, second);
        break;
    case Verdict::CannotTell:
        sentence = one.interval ? tr("Cannot tell: the interval leaves both open.")
                                : tr("Cannot tell: without single runs nobody knows how much they scatter.");
        if (one.runsNeeded)
            sentence += QLatin1Char(' ') + tr("About %n run(s) a side would settle a difference of 1 %.",
                                              nullptr, *one.runsNeeded);
        break;
    }
    m_sentence->setText(sentence);
    const auto side = [](const QString &name, const CaseResult &result, const std::string &framework) {
        RunDots::Side made;
        made.name = name;
        made.style = frameworkStyle(framework);
        made.runs = result.runThroughputs;
        made.median = result.throughput;
        if (result.interval)
            made.interval = std::pair(result.interval->low, result.interval->high);
        return made;
    };
    const QString axis = tr("%1; band: interval of the median").arg(rateUnit(one.a.unit));
    m_dots->setSides({side(alike ? QStringLiteral("A · ") + nameA : nameA, one.a, a->framework),
                      side(alike ? QStringLiteral("B · ") + nameB : nameB, one.b, b->framework)},
                     axis);
}

} // namespace sb
