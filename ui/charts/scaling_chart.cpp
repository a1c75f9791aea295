// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scaling_chart.h"

#include "charts/chart_accessible.h"
#include "charts/chart_text.h"
#include "charts/chart_tip.h"
#include "charts/qcp_parts.h"
#include "core/units.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace sb {

namespace {

constexpr std::size_t kMostRunsNamed = 3, kMostPathsNamed = 2;

QString shortened(const std::string &runId)
{
    const QString id = QString::fromStdString(runId);
    return id.size() <= 46 ? id : id.left(28) + QChar(0x2026) + id.right(17);
}

// A list with commas in a few lines about as wide as the rest of the tip.
QString folded(const QString &list)
{
    constexpr int kWidest = 50, kMostLines = 4;
    QStringList lines;
    for (const QString &part : list.split(QStringLiteral(", "))) {
        const QString shown = part.size() <= kWidest ? part : part.left(kWidest - 1) + QChar(0x2026);
        if (!lines.isEmpty() && lines.last().size() + 2 + shown.size() <= kWidest)
            lines.last() += QStringLiteral(", ") + shown;
        else if (lines.size() == kMostLines)
            return lines.join(QLatin1Char('\n')) + QChar(0x2026);
        else
            lines.append(shown);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

ScalingChart::ScalingChart(QWidget *parent)
    : QWidget(parent)
    , m_canvas(new QCustomPlot(this))
    , m_plot(std::make_unique<ScalingPlot>(m_canvas))
    , m_tip(new ChartTip(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_canvas);
    m_canvas->setMinimumSize(1, 1); // QCustomPlot complains of having nothing to paint on
    m_canvas->setFocusPolicy(Qt::NoFocus);
    m_canvas->setMouseTracking(true);
    m_canvas->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    announceAsChart(this);
    connect(m_tip, &ChartTip::linkActivated, this, &ScalingChart::logRequested);
    rebuild();
}

ScalingChart::~ScalingChart()
{
    m_canvas->removeEventFilter(this);
}

void ScalingChart::setFigure(const ScalingFigure &figure)
{
    if (figure == m_figure)
        return;
    if (figure.curves != m_figure.curves)
        hidePoint();
    m_figure = figure;
    rebuild();
    describe();
}

QSize ScalingChart::sizeHint() const
{
    return {573, 292};
}

QSize ScalingChart::minimumSizeHint() const
{
    return {400, 180};
}

void ScalingChart::rebuild()
{
    FigureLook look;
    look.palette = &Tokens::of(palette()) == &Tokens::dark() ? ChartPalette::Dark : ChartPalette::Light;
    look.font = resized(font(), -1.5);
    look.fineFont = look.font;
    look.titleFont = resized(font(), 3, QFont::DemiBold);
    m_plot->build(m_figure, look, size());
    m_plot->setRing(m_point);
    m_canvas->replot(QCustomPlot::rpQueuedReplot);
}

void ScalingChart::describe()
{
    setAccessibleName(m_figure.texts.valueAxis);
    const CaseResult *best = nullptr;
    QString leader;
    double value = 0;
    for (const ScalingCurve &curve : m_figure.curves)
        if (!curve.points.empty()) {
            const CaseResult &last = curve.points.back();
            const auto shown = figureValue(m_figure.kind, last);
            if (!shown || (best && (best->key.devices() > last.key.devices() ||
                                    (best->key.devices() == last.key.devices() && value >= *shown))))
                continue;
            best = &last;
            leader = curveLabel(curve);
            value = *shown;
        }
    if (!best) {
        setAccessibleDescription(m_figure.curves.empty() ? m_figure.texts.nothing
                                                         : m_figure.texts.noBaseline);
        return;
    }
    const QString figure =
        m_figure.kind == FigureKind::Throughput
            ? figureValueText(m_figure.kind, value) + QLatin1Char(' ') + rateUnit(best->unit)
            : figureValueText(m_figure.kind, value);
    setAccessibleDescription(tr("%1 leads at %n device(s) with %2; %3 curves.", nullptr, best->key.devices())
                                 .arg(leader, figure)
                                 .arg(m_figure.curves.size()));
}

void ScalingChart::showPoint(const CurvePoint &point)
{
    const auto place = m_plot->place(point);
    if (!place)
        return hidePoint();
    m_point = point;
    m_plot->setRing(point);
    m_canvas->replot(QCustomPlot::rpQueuedReplot);
    const ScalingCurve &curve = m_figure.curves.at(point.curve);
    const CaseResult &result = curve.points.at(point.point);
    const QString rate = QString::fromStdString(formatThroughput(result.throughput)) + QLatin1Char(' ') +
                         rateUnit(result.unit);
    const QString scale = QString::fromStdString(result.key.scaleName()) + QStringLiteral(" · ") +
                          (result.key.device == "cuda" ? tr("%n GPU(s)", nullptr, result.key.devices())
                                                       : tr("%n device(s)", nullptr, result.key.devices()));
    std::vector<TipRow> rows{
        {TipRow::Kind::Title, curveLabel(curve), scale},
        {TipRow::Kind::Value, rate,
         result.speedup ? QString::fromStdString(formatRatio(*result.speedup)) : QString()}};
    for (std::size_t i = 0; i < std::min(kMostPathsNamed, result.paths.size()); ++i)
        rows.push_back({TipRow::Kind::Fine, folded(QString::fromStdString(result.paths[i])), QString()});
    if (!result.source.empty())
        rows.push_back({TipRow::Kind::Fine, QString::fromStdString(result.source), QString()});
    for (const std::string &unlike : curve.unlike)
        rows.push_back(
            {TipRow::Kind::Fine, QStringLiteral("† ") + QString::fromStdString(unlike), QString()});
    QString repeats = result.repeats > 0 ? tr("median of %n run(s)", nullptr, result.repeats)
                                         : tr("median; single runs were not published");
    if (result.interval)
        repeats += QStringLiteral(" · ") +
                   tr("%1 – %2 (%3)")
                       .arg(QString::fromStdString(formatThroughput(result.interval->low)),
                            QString::fromStdString(formatThroughput(result.interval->high)),
                            QString::fromStdString(formatPercent(result.interval->coverage)));
    rows.push_back({TipRow::Kind::Fine, repeats, QString()});
    for (std::size_t i = 0; i < std::min(kMostRunsNamed, result.runIds.size()); ++i)
        rows.push_back({TipRow::Kind::Fine, shortened(result.runIds[i]), QString()});
    if (result.runIds.size() > kMostRunsNamed)
        rows.push_back(
            {TipRow::Kind::Fine,
             tr("and %n more run(s)", nullptr, static_cast<int>(result.runIds.size() - kMostRunsNamed)),
             QString()});
    if (result.simulated)
        rows.push_back({TipRow::Kind::Fine, m_figure.texts.simulated, QString()});
    const bool linked = isSignalConnected(QMetaMethod::fromSignal(&ScalingChart::logRequested));
    m_tip->showAt(place->toPoint(), rows,
                  linked && !result.runIds.empty() ? QString::fromStdString(result.runIds.back())
                                                   : QString());
}

void ScalingChart::hidePoint()
{
    m_tip->dismiss();
    if (!m_point)
        return;
    m_point.reset();
    m_plot->setRing(std::nullopt);
    m_canvas->replot(QCustomPlot::rpQueuedReplot);
}

void ScalingChart::hover(QPointF position)
{
    if (m_tip->isPinned())
        return;
    if (const auto point = m_plot->pointAt(position)) {
        if (point != m_point || !m_tip->isVisible())
            showPoint(*point);
        return;
    }
    m_tip->leave();
    if (!m_tip->isVisible())
        hidePoint();
}

void ScalingChart::click(QPointF position)
{
    if (const auto point = m_plot->pointAt(position)) {
        const bool again = m_tip->isPinned() && point == m_point;
        m_tip->setPinned(false);
        showPoint(*point);
        m_tip->setPinned(!again);
        Q_EMIT curveClicked(static_cast<int>(point->curve));
    } else if (const auto curve = m_plot->labelAt(position)) {
        Q_EMIT curveClicked(static_cast<int>(*curve));
    } else {
        hidePoint();
    }
}

void ScalingChart::stepAlong(int by)
{
    if (!m_point)
        return stepAcross(0);
    auto index = static_cast<int>(m_point->point);
    const auto last = static_cast<int>(m_figure.curves.at(m_point->curve).points.size()) - 1;
    do {
        index = std::clamp(index + by, 0, last);
        const CurvePoint next{m_point->curve, static_cast<std::size_t>(index)};
        if (m_plot->place(next))
            return showPoint(next);
    } while (index > 0 && index < last);
}

void ScalingChart::stepAcross(int by)
{
    const auto count = static_cast<int>(m_figure.curves.size());
    int curve = m_point ? static_cast<int>(m_point->curve) + by : 0;
    for (int tried = 0; tried < count; ++tried, curve += by < 0 ? -1 : 1) {
        curve = (curve + count) % count;
        const std::size_t points = m_figure.curves.at(static_cast<std::size_t>(curve)).points.size();
        const std::size_t wanted = m_point ? m_point->point : points - 1;
        for (std::size_t at = std::min(wanted + 1, points); at-- > 0;) {
            const CurvePoint next{static_cast<std::size_t>(curve), at};
            if (m_plot->place(next))
                return showPoint(next);
        }
    }
}

void ScalingChart::keyPressEvent(QKeyEvent *event)
{
    const int stride = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
    m_tip->setPinned(m_tip->isPinned() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter));
    switch (event->key()) {
    case Qt::Key_Left:
        return stepAlong(-stride);
    case Qt::Key_Right:
        return stepAlong(stride);
    case Qt::Key_Home:
        return stepAlong(-1000000);
    case Qt::Key_End:
        return stepAlong(1000000);
    case Qt::Key_Up:
        return stepAcross(-1);
    case Qt::Key_Down:
        return stepAcross(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_tip->setPinned(m_tip->isVisible() && !m_tip->isPinned());
    case Qt::Key_Escape:
        if (m_tip->isVisible())
            return hidePoint();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ScalingChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rebuild();
}

void ScalingChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    hidePoint();
    rebuild();
}

void ScalingChart::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    if (!m_tip->isPinned())
        hidePoint();
}

bool ScalingChart::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseMove)
        hover(static_cast<QMouseEvent *>(event)->position());
    if (event->type() == QEvent::MouseButtonPress) {
        setFocus(Qt::MouseFocusReason);
        click(static_cast<QMouseEvent *>(event)->position());
    }
    if (event->type() == QEvent::Leave)
        m_tip->leave();
    return QWidget::eventFilter(watched, event);
}

} // namespace sb
