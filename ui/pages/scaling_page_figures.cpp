// SPDX-License-Identifier: GPL-3.0-or-later
// What the scaling page draws and says of the chosen group.
#include "pages/scaling_page.h"

#include "charts/chart_text.h"
#include "charts/scaling_chart.h"
#include "core/report.h"
#include "core/units.h"
#include "pages/scaling_table.h"
#include "widgets/panel.h"
#include "widgets/segmented.h"

#include <algorithm>

namespace sb {

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
    for (const auto &[chart, kind] : charts) {
        ScalingFigure figure;
        figure.kind = kind;
        figure.logarithmic = m_scale->current() == 1;
        figure.curves = shown->curves;
        figure.hidden = m_hidden;
        figure.emphasised = m_emphasised;
        figure.texts = figureTexts(kind);
        chart->setFigure(figure);
    }
    m_model->setHidden(m_hidden);
    m_header->setSubtitle(tr("%1 · %n curve(s)", nullptr, static_cast<int>(shown->curves.size()))
                              .arg(toQString(m_session.workspaceName())));
    showNote();
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
    auto *dialog = new FigureDialog(
        figures(), toQString(m_session.workspaceFolder()) + QStringLiteral("/figures"), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace sb
