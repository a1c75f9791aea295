// SPDX-License-Identifier: GPL-3.0-or-later
// What the scaling page draws and says of the chosen group.
#include "pages/scaling_page.h"

#include "charts/chart_text.h"
#include "charts/painted_figure.h"
#include "charts/scaling_chart.h"
#include "core/report.h"
#include "core/scaling_fit.h"
#include "core/units.h"
#include "pages/comm_menu.h"
#include "pages/scaling_table.h"
#include "pages/unlike_text.h"
#include "widgets/panel.h"
#include "widgets/segmented.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QSpinBox>
#include <QStackedWidget>

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
        return QCoreApplication::translate("sb::ScalingPage",
                                           "superlinear at %1 (× %2), the base is likely slow.")
            .arg(flag.devices)
            .arg(ratio);
    case ShapeKind::FasterThanDevices:
        return QCoreApplication::translate("sb::ScalingPage",
                                           "grows faster than the devices from %1 to %2 (× %3).")
            .arg(flag.devicesBefore)
            .arg(flag.devices)
            .arg(ratio);
    case ShapeKind::Backward:
        return QCoreApplication::translate("sb::ScalingPage", "slower with %2 devices than with %1 (× %3).")
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
    return right() == Right::Efficiency ? FigureKind::Efficiency : FigureKind::Speedup;
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
    texts.noBaseline = m_strong ? tr("No speedup: the whole batch was not run on 1 device")
                       : gpu    ? tr("No speedup: the 1-GPU run is missing")
                                : tr("No speedup: the 1-device run is missing");
    texts.nothing = tr("Every curve is hidden");
    return texts;
}

InsightSource ScalingPage::insights() const
{
    InsightSource source;
    source.partsOf = [this](const CaseResult &point) { return m_session.stepParts(point); };
    source.runOf = [this](const CaseResult &point) -> const Run * {
        if (point.runIds.empty())
            return nullptr;
        for (const Run &run : m_session.runs())
            if (run.id == point.runIds.back())
                return &run;
        return nullptr;
    };
    source.publishedDevice = m_reference ? m_reference->deviceName : std::string();
    return source;
}

std::vector<std::optional<double>> ScalingPage::gradientBytes(const ScalingGroup &group) const
{
    const InsightSource source = insights();
    std::vector<std::optional<double>> bytes;
    for (const ScalingCurve &curve : group.curves)
        bytes.push_back(gradientBytesOf(group.workload, source.runOf(curve.points.back())));
    return bytes;
}

std::vector<ScalingPage::Line> ScalingPage::fitGroup(const ScalingGroup &group, TableFits *table) const
{
    std::vector<Line> lines;
    const int until = m_until->value();
    if (fit() == Fit::AlphaBeta) {
        if (!m_comm->fit() || !m_comm->fit()->identifiable())
            return lines;
        const CommFit comm = *m_comm->fit();
        const auto bytes = gradientBytes(group);
        std::vector<ExposedFit> fits;
        for (std::size_t i = 0; i < group.curves.size(); ++i) {
            fits.push_back(bytes[i] ? fitExposed(group.curves[i], comm, *bytes[i]) : ExposedFit());
            lines.push_back([comm, one = fits.back(), gradients = bytes[i].value_or(0)](double devices) {
                return exposedAt(one, comm, gradients, devices);
            });
        }
        *table = tableFits(fits, comm, bytes, until);
    } else if (fit() != Fit::None) {
        const ScalingModel model = fit() == Fit::Amdahl ? ScalingModel::Amdahl : ScalingModel::Usl;
        std::vector<ScalingFit> fits;
        for (const ScalingCurve &curve : group.curves) {
            fits.push_back(fitScaling(curve, model));
            lines.push_back([one = fits.back()](double devices) { return one.at(devices); });
        }
        *table = tableFits(fits, until);
    }
    return lines;
}

ScalingFigure ScalingPage::figureOf(FigureKind kind, const std::vector<Line> &lines) const
{
    const ScalingGroup *shown = group();
    ScalingFigure figure;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!m_emphasised || *m_emphasised == i)
            if (auto line = figureLine(kind, i, shown->curves[i], lines[i], m_until->value());
                line && !line->points.empty()) {
                // Bands of many curves would be one grey mass.
                line->banded = m_emphasised || shown->curves.size() - m_hidden.size() <= kMostBands;
                figure.fits.push_back(std::move(*line));
            }
    figure.kind = kind;
    figure.logarithmic = m_scale->current() == 1;
    figure.curves = shown->curves;
    for (ScalingCurve &curve : figure.curves) // its tip says them
        for (std::string &how : curve.unlike)
            how = unlikeText(how).toStdString();
    figure.hidden = m_hidden;
    figure.emphasised = m_emphasised;
    figure.texts = figureTexts(kind);
    return figure;
}

void ScalingPage::showFigures()
{
    const ScalingGroup *shown = group();
    if (!shown)
        return;
    m_throughputPanel->setHint(
        m_strong ? tr("%n sample(s) a step at every scale", nullptr, shown->globalBatchSize.value_or(0))
                 : tr("median; whiskers span the repeats"));
    TableFits table;
    const std::vector<Line> lines = fitGroup(*shown, &table);
    m_throughput->setFigure(figureOf(FigureKind::Throughput, lines));
    m_model->setFits(table);
    m_model->setUtilisation(utilisationsOf(*shown, insights()));
    m_model->setHidden(m_hidden);
    showRight(lines);
    fitColumns();
    header()->setSubtitle(
        tr("%1 · %n curve(s)", nullptr, static_cast<int>(shown->curves.size()))
            .arg(toQString(m_session.hasWorkspace() || !m_reference ? m_session.workspaceName()
                                                                    : m_reference->title)));
    showNote();
}

void ScalingPage::showRight(const std::vector<Line> &lines)
{
    const ScalingGroup *shown = group();
    const bool gpu = shown->device == "cuda";
    const bool painted = right() == Right::Loss || right() == Right::Roofline;
    m_rightStack->setCurrentIndex(painted ? 1 : 0);
    m_speedup->setFigure(figureOf(secondKind(), lines)); // exported even while another is shown
    const QString titles[] = {m_strong ? tr("Speedup, strong scaling") : tr("Speedup"),
                              m_strong ? tr("Efficiency, strong scaling") : tr("Efficiency"),
                              tr("Where the loss goes"), tr("Roofline")};
    m_speedupPanel->setTitle(titles[static_cast<int>(right())]);
    PaintedFigure figure;
    if (right() == Right::Loss) {
        // The chosen curve, else the best one that is shown.
        std::size_t index = m_emphasised.value_or(0);
        while (!m_emphasised && m_hidden.contains(index) && index + 1 < shown->curves.size())
            ++index;
        const ScalingCurve &curve = shown->curves[index];
        m_speedupPanel->setHint(tr("%1; choose another in the table").arg(curveLabel(curve)));
        m_loss = lossFigure(curve, m_strong, insights());
        figure = paintedLoss(m_loss);
        figure.simulated = curve.simulated ? tr("SIMULATED") : QString();
    } else if (right() == Right::Roofline) {
        m_speedupPanel->setHint(tr("at each curve's largest scale"));
        const auto uses = utilisationsOf(*shown, insights());
        const RooflineFigure roofs = rooflineFigure(*shown, uses, m_hidden);
        figure = paintedRoofline(roofs);
        figure.description = roofs.message; // said in the figure, and nowhere twice
        m_evidence->setText(roofs.message.isEmpty() ? rooflineSources(uses) : QString());
    } else {
        const bool speedup = right() == Right::Speedup;
        m_speedupPanel->setHint(!speedup   ? tr("speedup ÷ number of devices")
                                : m_strong ? tr("throughput ÷ the whole batch on 1 device")
                                : gpu      ? tr("throughput ÷ same framework on 1 GPU")
                                           : tr("throughput ÷ same framework on 1 device"));
    }
    if (!painted)
        return;
    figure.title = titles[static_cast<int>(right())];
    if (figure.description.isEmpty())
        figure.description = m_evidence->text();
    m_painted->setFigure(figure);
    if (right() == Right::Loss)
        showEvidence(m_loss.bars.empty() ? -1 : static_cast<int>(m_loss.bars.size()) - 1);
}

// Of one bar of the loss.
void ScalingPage::showEvidence(int part)
{
    if (right() != Right::Loss)
        return;
    if (part < 0 || part >= static_cast<int>(m_loss.bars.size())) {
        m_evidence->setText(tr("Nothing was measured on more than 1 device."));
        return;
    }
    m_loss.chosen = static_cast<std::size_t>(part);
    PaintedFigure figure = paintedLoss(m_loss);
    figure.title = m_painted->figure().title;
    figure.simulated = m_painted->figure().simulated;
    figure.description = m_loss.evidence[*m_loss.chosen];
    m_painted->setFigure(figure);
    m_evidence->setText(m_loss.evidence[*m_loss.chosen]);
}

// One sentence a reason, with all it concerns.
QStringList ScalingPage::unlikeNotes(const ScalingGroup &group) const
{
    QStringList notes;
    std::map<QString, QStringList> unlike;
    bool published = false;
    for (const ScalingCurve &curve : group.curves) {
        published = published || !curve.published.empty();
        for (const std::string &how : curve.unlike)
            unlike[unlikeText(how)].append(toQString(curve.label));
    }
    if (published && m_reference)
        notes.append(tr("Published: %1.").arg(toQString(m_reference->citation())));
    else if (m_published->isChecked())
        notes.append(tr("Nothing was published of this workload, precision and batch; choose others above."));
    for (const auto &[how, names] : unlike)
        notes.append(tr("† %1: %2.").arg(how, names.join(QStringLiteral(", "))));
    return notes;
}

QStringList ScalingPage::fitNotes(const ScalingGroup &group) const
{
    QStringList notes;
    if (fit() == Fit::AlphaBeta && !m_comm->fit())
        notes.append(
            tr("α–β needs measured all-reduce times: open the output of sbtrain bench allreduce or of "
               "all_reduce_perf."));
    else if (fit() == Fit::AlphaBeta && !m_comm->fit()->identifiable())
        notes.append(
            tr("α–β from %1: %2.")
                .arg(m_comm->chosenName(), fitFaultText(m_comm->fit()->fault, m_comm->fit()->sizes)));
    else if (fit() != Fit::None && !m_emphasised && group.curves.size() > kMostBands)
        notes.append(tr("Choose a row to see its band alone."));
    return notes;
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
    notes += unlikeNotes(*shown) + fitNotes(*shown);
    for (const ScalingCurve &curve : shown->curves)
        for (const ShapeFlag &flag : shapeFlags(curve))
            if (const QString text = shapeText(flag); !text.isEmpty())
                notes.append(tr("%1: %2").arg(curveLabel(curve), text));
    if (!noBaseline.isEmpty())
        notes.append((m_strong ? tr("No speedup for %1: the whole batch was not run on 1 device.")
                               : tr("No speedup for %1: the run on 1 device is missing."))
                         .arg(noBaseline.join(QStringLiteral(", "))));
    if (few.size() == 1)
        notes.append(tr("%n repeat(s) give a %1 interval; six or more give 95 %.", nullptr, *few.begin())
                         .arg(toQString(formatPercent(coverage))));
    else if (few.size() > 1)
        notes.append(tr("Fewer than six repeats give an interval of less than 95 %."));
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!notes.isEmpty());
}

// With what an export needs inside.
NamedFigure ScalingPage::named(const ScalingGroup &shown, NamedFigure made) const
{
    std::string newest;
    std::size_t runs = 0;
    bool published = false;
    for (const ScalingCurve &curve : shown.curves) {
        published = published || !curve.published.empty();
        for (const CaseResult &point : curve.points) {
            runs += point.runIds.size();
            newest = std::max(newest, point.runIds.empty() ? newest : point.runIds.back());
        }
    }
    const QString work =
        QStringLiteral("%1, %2").arg(toQString(shown.workloadTitle), precisionText(shown.precision));
    const QString title =
        m_strong ? tr("%1, global batch %2, strong scaling").arg(work).arg(shown.globalBatchSize.value_or(0))
                 : tr("%1, batch %2 per device").arg(work).arg(shown.batchSizePerDevice);
    QString provenance = tr("Scaleboard · %1 · %n run(s), newest %2", nullptr, static_cast<int>(runs))
                             .arg(toQString(m_session.workspaceName()), toQString(newest.substr(0, 8)));
    if (published && m_reference) {
        const QString source = tr("Published: %1.").arg(toQString(m_reference->citation()));
        provenance =
            runs > 0 ? provenance + QStringLiteral(". ") + source : QStringLiteral("Scaleboard · ") + source;
    }
    if (made.painted) {
        made.painted->title = QStringLiteral("%1 · %2").arg(made.painted->title, title);
        made.painted->provenance = provenance;
    } else {
        made.figure.emphasised.reset();
        made.figure.texts.title = title;
        made.figure.texts.provenance = provenance;
    }
    made.fileStem = toQString(groupId(shown)) + QLatin1Char('-') + made.fileStem;
    return made;
}

std::vector<NamedFigure> ScalingPage::figures() const
{
    const ScalingGroup *shown = group();
    std::vector<NamedFigure> all;
    if (!shown)
        return all;
    const bool speedup = secondKind() == FigureKind::Speedup;
    all.push_back(
        named(*shown, {tr("Throughput"), QStringLiteral("throughput"), m_throughput->figure(), {}}));
    all.push_back(named(*shown, {speedup ? tr("Speedup") : tr("Efficiency"),
                                 speedup ? QStringLiteral("speedup") : QStringLiteral("efficiency"),
                                 m_speedup->figure(),
                                 {}}));
    if (right() == Right::Loss || right() == Right::Roofline) {
        const bool loss = right() == Right::Loss;
        NamedFigure painted{m_painted->figure().title,
                            loss ? QStringLiteral("loss") : QStringLiteral("roofline"),
                            {},
                            m_painted->figure()};
        if (!loss || !m_loss.bars.empty())
            all.push_back(named(*shown, std::move(painted)));
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
