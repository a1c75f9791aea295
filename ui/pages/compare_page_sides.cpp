// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compare page compares, and what it says of it.
#include "pages/compare_page.h"

#include "charts/chart_text.h"
#include "charts/painted_figure.h"
#include "core/units.h"
#include "pages/compare_models.h"
#include "sentences/sentence.h"
#include "session/install_paths.h"
#include "widgets/panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>
#include <iterator>

namespace sb {

namespace {

int runsOf(const std::vector<CaseResult> &results)
{
    int runs = 0;
    for (const CaseResult &result : results)
        runs += result.repeats;
    return runs;
}

QString blockedText(const std::vector<KeyDifference> &keys)
{
    QStringList differences;
    for (const KeyDifference &key : keys)
        if (key.role == KeyRole::Blocks)
            differences.append(ComparePage::tr("%1 (%2 against %3)")
                                   .arg(keyFieldText(key.field), toQString(key.a), toQString(key.b)));
    return ComparePage::tr(
               "Not compared, because a ratio would mean nothing. What differs: %1. Choose another "
               "B, or “Compare anyway”.")
        .arg(differences.join(ComparePage::tr(", ")));
}

} // namespace

void ComparePage::readReference()
{
    if (m_reference)
        return;
    const InstallPaths paths = installPaths(QCoreApplication::applicationDirPath().toStdString());
    if (auto read = loadReference(paths.referenceFolder, "dlperf-2020-10"))
        m_reference = std::move(*read);
    else
        m_note->setText(translateSentence(read.error().message));
}

void ComparePage::takeResults()
{
    m_sides = ownSides(m_session.results(), {}, windowLanguage());
    const auto add = [this](std::vector<CompareSide> more) {
        m_sides.insert(m_sides.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
    };
    for (const OtherRuns &other : m_others)
        add(ownSides(aggregate(other.runs), other.name, windowLanguage()));
    if (m_published->isChecked()) {
        readReference();
        if (m_reference)
            add(publishedSides(*m_reference));
    }
    fillSides();
}

void ComparePage::fillSides()
{
    const auto [first, second] = firstComparable(m_sides);
    for (QComboBox *combo : {m_a, m_b}) {
        const QSignalBlocker quiet(combo);
        const QString before = combo->currentData().toString();
        combo->clear();
        for (const CompareSide &side : m_sides) {
            const int runs = runsOf(side.results);
            combo->addItem(
                toQString(side.title) +
                    (runs > 0 ? QStringLiteral(" · ") + tr("%n run(s)", nullptr, runs) : QString()),
                toQString(side.id));
        }
        const int again = before.isEmpty() ? -1 : combo->findData(before);
        combo->setCurrentIndex(
            again >= 0 ? again
                       : std::min(static_cast<int>(combo == m_a ? first : second), combo->count() - 1));
    }
    // One curve alone still has a history.
    showContent(!m_sides.empty());
    compare();
}

QStringList ComparePage::notesOf(const CompareSide &a, const CompareSide &b,
                                 const ComparedSides &compared) const
{
    QStringList notes;
    if (!compared.cases.empty() && compared.cases.front().unlike)
        notes.append(tr("† Unlike keys: compared because you asked; the ratio is not about one thing."));
    QStringList onlyA;
    for (const std::string &scale : compared.onlyA)
        onlyA.append(toQString(scale));
    if (!onlyA.isEmpty())
        notes.append(tr("Only in A: %1.").arg(onlyA.join(QStringLiteral(", "))));
    if ((a.published || b.published) && m_reference)
        notes.append(tr("Published: %1.").arg(toQString(m_reference->citation())));
    return notes;
}

void ComparePage::compare()
{
    const CompareSide *a = sideOf(m_a);
    const CompareSide *b = sideOf(m_b);
    if (!a || !b) {
        m_cases->setCases({});
        m_keys->setKeys({}, false);
        showReportButton();
        Q_EMIT verdictChanged();
        return;
    }
    ComparisonOptions options;
    options.unlikeToo = m_anyway->isChecked();
    const ComparedSides compared = a == b ? ComparedSides() : compareSides(*a, *b, options);
    const std::vector<Comparison> &cases = compared.cases;
    m_keys->setKeys(cases.empty() ? keyDifferences(a->results.back().key, b->results.back().key, true)
                                  : cases.back().keys,
                    m_onlyDifferences->isChecked());
    m_keysPanel->setHint(tr("%1 of %2 differ").arg(m_keys->differing()).arg(m_keys->total()));
    m_keyTable->resizeColumnsToContents();
    m_keyTable->horizontalHeader()->setStretchLastSection(true);
    m_cases->setCases(cases);
    m_caseTable->resizeColumnsToContents();
    m_caseTable->horizontalHeader()->setStretchLastSection(true);
    const QStringList notes = notesOf(*a, *b, compared);
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!notes.isEmpty());
    header()->setSubtitle(tr("%n case(s) in common", nullptr, static_cast<int>(cases.size())));
    if (!cases.empty()) {
        m_caseTable->selectRow(static_cast<int>(cases.size()) - 1);
        showCase();
    } else if (a == b) {
        showBlocked(
            tr("A and B are the same results. Choose another B, add results, or look at the history."));
    } else {
        showBlocked(compared.refusedFor.empty() ? tr("A and B have no scale in common.")
                                                : blockedText(compared.refusedFor));
    }
    showReportButton();
    showHistory();
    Q_EMIT verdictChanged();
}

void ComparePage::showBlocked(const QString &why)
{
    m_verdictPanel->setTitle(tr("No verdict"));
    m_verdictPanel->setHint(QString());
    m_ratio->setText(QStringLiteral("—"));
    m_interval->setText(QString());
    m_sentence->setText(why);
    m_dots->setFigure({});
}

const Comparison *ComparePage::chosenCase() const
{
    const int row = m_caseTable->currentIndex().row();
    const std::vector<Comparison> &cases = m_cases->cases();
    return row >= 0 && row < static_cast<int>(cases.size()) ? &cases[static_cast<std::size_t>(row)] : nullptr;
}

void ComparePage::showCase()
{
    if (const Comparison *chosen = chosenCase())
        showVerdict(*chosen);
    showHistory();
}

void ComparePage::showVerdict(const Comparison &one)
{
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
    m_dots->setFigure(*verdictFigure(one).painted);
}

} // namespace sb
