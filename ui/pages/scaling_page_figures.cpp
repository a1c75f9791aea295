// SPDX-License-Identifier: GPL-3.0-or-later
// What the scaling page draws and says of the chosen group.
#include "pages/scaling_page.h"

#include "charts/chart_text.h"
#include "charts/scaling_chart.h"
#include "core/report.h"
#include "core/scaling_fit.h"
#include "core/units.h"
#include "pages/scaling_table.h"
#include "sentences/sentence.h"
#include "session/install_paths.h"
#include "widgets/panel.h"
#include "widgets/segmented.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <map>

namespace sb {

namespace {

constexpr std::size_t kMostBands = 3;

// Missing baselines have a sentence of their own.
QString shapeText(const ShapeFlag &flag)
{
    const QString ratio = toQString(formatNumber(flag.ratio, 2));
    switch (flag.kind) {
    case ShapeKind::Superlinear:
        return ScalingPage::tr("superlinear at %1 (× %2), the base is likely slow.")
            .arg(flag.devices)
            .arg(ratio);
    case ShapeKind::FasterThanDevices:
        return ScalingPage::tr("grows faster than the devices from %1 to %2 (× %3).")
            .arg(flag.devicesBefore)
            .arg(flag.devices)
            .arg(ratio);
    case ShapeKind::Backward:
        return ScalingPage::tr("slower with %2 devices than with %1 (× %3).")
            .arg(flag.devicesBefore)
            .arg(flag.devices)
            .arg(ratio);
    case ShapeKind::NoBaseline:
        break;
    }
    return {};
}

} // namespace

FigureKind ScalingPage::secondKind() const
{
    return m_measure->current() == 1 ? FigureKind::Efficiency : FigureKind::Speedup;
}

FigureTexts ScalingPage::figureTexts(FigureKind kind) const
{
    const ScalingGroup *shown = group();
    const bool gpu = shown && shown->device == "cuda";
    FigureTexts texts;
    texts.valueAxis = kind == FigureKind::Throughput
                          ? tr("Throughput (%1)").arg(rateUnit(shown ? shown->unit : std::string()))
                      : kind == FigureKind::Speedup
                          ? (gpu ? tr("Speedup over 1 GPU") : tr("Speedup over 1 device"))
                          : tr("Efficiency (%)");
    texts.deviceAxis = gpu ? tr("GPUs") : tr("Devices");
    texts.ideal = tr("ideal");
    texts.simulated = tr("SIMULATED");
    texts.noBaseline =
        gpu ? tr("No speedup: the 1-GPU run is missing") : tr("No speedup: the 1-device run is missing");
    texts.nothing = tr("Every curve is hidden");
    return texts;
}

void ScalingPage::showFigures()
{
    const ScalingGroup *shown = group();
    const bool speedup = secondKind() == FigureKind::Speedup;
    m_speedupPanel->setTitle(speedup ? tr("Speedup") : tr("Efficiency"));
    const bool gpu = shown && shown->device == "cuda";
    m_speedupPanel->setHint(!speedup ? tr("speedup ÷ number of devices")
                            : gpu    ? tr("throughput ÷ same framework on 1 GPU")
                                     : tr("throughput ÷ same framework on 1 device"));
    if (!shown)
        return;
    const std::vector<std::pair<ScalingChart *, FigureKind>> charts{{m_throughput, FigureKind::Throughput},
                                                                    {m_speedup, secondKind()}};
    const std::vector<ScalingFit> fits = fitsOf(*shown);
    for (const auto &[chart, kind] : charts) {
        ScalingFigure figure;
        for (std::size_t i = 0; i < fits.size(); ++i)
            if (!m_emphasised || *m_emphasised == i)
                if (auto line = figureFit(kind, i, shown->curves[i], fits[i], m_until->value())) {
                    // Bands of many curves would be one grey mass.
                    line->banded = m_emphasised || shown->curves.size() - m_hidden.size() <= kMostBands;
                    figure.fits.push_back(std::move(*line));
                }
        figure.kind = kind;
        figure.logarithmic = m_scale->current() == 1;
        figure.curves = shown->curves;
        figure.hidden = m_hidden;
        figure.emphasised = m_emphasised;
        figure.texts = figureTexts(kind);
        chart->setFigure(figure);
    }
    m_model->setFits(fits, fits.empty() ? 0 : m_until->value());
    m_model->setHidden(m_hidden);
    fitColumns();
    m_header->setSubtitle(
        tr("%1 · %n curve(s)", nullptr, static_cast<int>(shown->curves.size()))
            .arg(toQString(m_session.hasWorkspace() || !m_reference ? m_session.workspaceName()
                                                                    : m_reference->title)));
    showNote();
}

std::vector<ScalingFit> ScalingPage::fitsOf(const ScalingGroup &group) const
{
    std::vector<ScalingFit> fits;
    if (m_fit->currentIndex() > 0)
        for (const ScalingCurve &curve : group.curves)
            fits.push_back(
                fitScaling(curve, m_fit->currentIndex() == 1 ? ScalingModel::Amdahl : ScalingModel::Usl));
    return fits;
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
                curve.unlike.push_back(tr("real input data, not synthetic").toStdString());
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

void ScalingPage::chooseFit(int fit)
{
    m_fit->setCurrentIndex(fit);
}

bool ScalingPage::chooseGroup(const QString &wanted)
{
    for (const ScalingGroup &one : m_groups)
        if (toQString(groupId(one)) == wanted) {
            m_workload->setCurrentIndex(m_workload->findData(toQString(one.workload)));
            m_precision->setCurrentIndex(m_precision->findData(toQString(one.precision)));
            m_batch->setCurrentIndex(m_batch->findData(wanted));
            return true;
        }
    return false;
}

void ScalingPage::showNote()
{
    const ScalingGroup *shown = group();
    QStringList notes;
    QStringList noBaseline;
    std::set<int> few;
    double coverage = 0;
    bool simulated = false;
    for (const ScalingCurve &curve : shown->curves) {
        simulated = simulated || curve.simulated;
        if (!curve.hasBaseline())
            noBaseline.append(toQString(curve.label));
        for (const CaseResult &point : curve.points)
            if (point.interval && point.interval->coverage < 0.95 && few.insert(point.repeats).second)
                coverage = point.interval->coverage;
    }
    if (simulated)
        notes.append(tr("SIMULATED: values are made up."));
    // One sentence a reason, with all it concerns.
    std::map<std::string, QStringList> unlike;
    bool published = false;
    for (const ScalingCurve &curve : shown->curves) {
        published = published || !curve.published.empty();
        for (const std::string &how : curve.unlike)
            unlike[how].append(toQString(curve.label));
    }
    if (published && m_reference)
        notes.append(tr("Published: %1.").arg(toQString(m_reference->citation())));
    for (const auto &[how, names] : unlike)
        notes.append(QStringLiteral("† %1: %2.").arg(toQString(how), names.join(QStringLiteral(", "))));
    if (m_fit->currentIndex() > 0 && !m_emphasised && shown->curves.size() > kMostBands)
        notes.append(tr("Choose a row to see its band alone."));
    for (const ScalingCurve &curve : shown->curves)
        for (const ShapeFlag &flag : shapeFlags(curve))
            if (const QString text = shapeText(flag); !text.isEmpty())
                notes.append(QStringLiteral("%1: %2").arg(curveLabel(curve), text));
    if (!noBaseline.isEmpty())
        notes.append(tr("No speedup for %1: the run on 1 device is missing.")
                         .arg(noBaseline.join(QStringLiteral(", "))));
    if (few.size() == 1)
        notes.append(tr("%n repeat(s) give a %1 interval; six or more give 95 %.", nullptr, *few.begin())
                         .arg(toQString(formatPercent(coverage))));
    else if (few.size() > 1)
        notes.append(tr("Fewer than six repeats give an interval of less than 95 %."));
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!notes.isEmpty());
}

std::vector<NamedFigure> ScalingPage::figures() const
{
    const ScalingGroup *shown = group();
    std::vector<NamedFigure> all;
    if (!shown)
        return all;
    for (const ScalingChart *chart : {m_throughput, m_speedup}) {
        NamedFigure named;
        named.figure = chart->figure();
        named.figure.emphasised.reset();
        std::string newest;
        std::size_t runs = 0;
        for (const ScalingCurve &curve : shown->curves)
            for (const CaseResult &point : curve.points) {
                runs += point.runIds.size();
                newest = std::max(newest, point.runIds.empty() ? newest : point.runIds.back());
            }
        named.figure.texts.title = tr("%1, %2, batch %3 per device")
                                       .arg(toQString(shown->workloadTitle), precisionText(shown->precision))
                                       .arg(shown->batchSizePerDevice);
        named.figure.texts.provenance =
            tr("Scaleboard · %1 · %n run(s), newest %2", nullptr, static_cast<int>(runs))
                .arg(toQString(m_session.workspaceName()), toQString(newest.substr(0, 8)));
        const bool published =
            std::any_of(shown->curves.begin(), shown->curves.end(),
                        [](const ScalingCurve &curve) { return !curve.published.empty(); });
        if (published && m_reference) {
            const QString source = tr("Published: %1.").arg(toQString(m_reference->citation()));
            named.figure.texts.provenance =
                runs > 0 ? named.figure.texts.provenance + QStringLiteral(". ") + source
                         : QStringLiteral("Scaleboard · ") + source;
        }
        const FigureKind kind = named.figure.kind;
        named.title = kind == FigureKind::Throughput ? tr("Throughput")
                      : kind == FigureKind::Speedup  ? tr("Speedup")
                                                     : tr("Efficiency");
        named.fileStem =
            toQString(groupId(*shown)) + (kind == FigureKind::Throughput ? QStringLiteral("-throughput")
                                          : kind == FigureKind::Speedup  ? QStringLiteral("-speedup")
                                                                         : QStringLiteral("-efficiency"));
        all.push_back(std::move(named));
    }
    return all;
}

void ScalingPage::exportFigures()
{
    if (!group())
        return;
    const QString folder =
        m_session.hasWorkspace() ? toQString(m_session.workspaceFolder()) : QDir::homePath();
    auto *dialog = new FigureDialog(figures(), folder + QStringLiteral("/figures"), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace sb
