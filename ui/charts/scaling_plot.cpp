// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scaling_plot.h"

#include "charts/chart_text.h"
#include "charts/scaling_parts.h"
#include "core/units.h"

#include <algorithm>
#include <cmath>

namespace sb {

namespace {

constexpr std::size_t kMostLabels = 12;
constexpr int kLabelColumn = 196;
constexpr int kLeftMargin = 64;
constexpr double kHitDistance = 14;

int units(double design, const FigureLook &look)
{
    return static_cast<int>(std::lround(design * look.scale));
}

} // namespace

ScalingPlot::ScalingPlot(QCustomPlot *plot)
    : m_plot(plot)
{
}

void ScalingPlot::build(const ScalingFigure &figure, const FigureLook &look, QSize size)
{
    m_look = look;
    m_plot->setViewport(QRect(QPoint(0, 0), size));
    m_plot->clearItems();
    m_plot->plotLayout()->clear();
    m_plot->plotLayout()->simplify();
    m_plot->plotLayout()->setRowSpacing(units(3, look));
    m_plot->plotLayout()->setColumnSpacing(0);
    const FigureColours colours = FigureColours::of(look.palette);
    m_plot->setBackground(QBrush(colours.ground));
    m_rect = new QCPAxisRect(m_plot, false);
    m_plot->xAxis = m_rect->addAxis(QCPAxis::atBottom);
    m_plot->yAxis = m_rect->addAxis(QCPAxis::atLeft);
    m_rect->setMinimumMargins(QMargins());
    m_rect->setMinimumSize(units(60, look), units(40, look));
    const AxisLook axisLook{colours.axis, colours.grid, colours.text, colours.text2, look.font, look.scale};
    dressAxis(m_plot->xAxis, axisLook);
    dressAxis(m_plot->yAxis, axisLook);
    m_plot->xAxis->setLabel(figure.texts.deviceAxis);
    m_plot->yAxis->setLabel(figure.texts.valueAxis);
    m_plot->plotLayout()->addElement(0, 0, m_rect);

    if (figure.simulated()) {
        auto *watermark = new QCPItemText(m_plot);
        watermark->setLayer(QStringLiteral("background"));
        watermark->position->setType(QCPItemPosition::ptAxisRectRatio);
        watermark->position->setAxisRect(m_rect);
        watermark->position->setCoords(0.5, 0.5);
        watermark->setText(figure.texts.simulated);
        QFont font = look.titleFont;
        if (font.pixelSize() > 0)
            font.setPixelSize(font.pixelSize() * 2);
        else
            font.setPointSizeF(font.pointSizeF() * 2);
        watermark->setFont(font);
        watermark->setColor(mixed(colours.sim, colours.ground, 0.22));
        watermark->setSelectable(false);
    }
    m_curves = new CurvesItem(m_plot, m_plot->xAxis, m_plot->yAxis);
    m_curves->look = look;
    m_curves->colours = colours;
    addCurves(figure);
    layOut(figure, size);
    scaleAxes(figure, size);
    addIdeal(figure);
}

void ScalingPlot::addCurves(const ScalingFigure &figure)
{
    const std::vector<SeriesStyle> styles = curveStyles(figure.curves);
    for (std::size_t i = 0; i < figure.curves.size(); ++i) {
        if (figure.hidden.contains(i))
            continue;
        const ScalingCurve &source = figure.curves[i];
        DrawnCurve curve;
        curve.index = i;
        curve.label = curveLabel(source);
        curve.style = styles[i];
        curve.colour = styles[i].colour(m_look.palette);
        curve.width = m_look.lineWidth;
        if (figure.emphasised && *figure.emphasised != i)
            curve.colour = mixed(curve.colour, m_curves->colours.ground, 0.3);
        if (figure.emphasised && *figure.emphasised == i)
            curve.width *= 1.6;
        for (std::size_t k = 0; k < source.points.size(); ++k) {
            const CaseResult &point = source.points[k];
            const auto value = figureValue(figure.kind, point);
            if (!value)
                continue;
            const bool whisker = figure.kind == FigureKind::Throughput && point.repeats > 1;
            curve.points.push_back({static_cast<double>(point.key.devices()), *value,
                                    whisker ? point.minThroughput : *value,
                                    whisker ? point.maxThroughput : *value, k});
        }
        if (!curve.points.empty())
            m_curves->curves.push_back(std::move(curve));
    }
    addFits(figure);
    // The emphasised curve goes on top; otherwise the first of the list does, as in the table.
    std::reverse(m_curves->curves.begin(), m_curves->curves.end());
    if (figure.emphasised)
        std::stable_partition(m_curves->curves.begin(), m_curves->curves.end(),
                              [&](const DrawnCurve &curve) { return curve.index != *figure.emphasised; });
    if (m_curves->curves.empty())
        m_curves->message =
            figure.curves.size() > figure.hidden.size() && figure.kind != FigureKind::Throughput
                ? figure.texts.noBaseline
                : figure.texts.nothing;
}

void ScalingPlot::addFits(const ScalingFigure &figure)
{
    for (const DrawnCurve &curve : m_curves->curves)
        for (const FigureFit &fit : figure.fits)
            if (fit.curve == curve.index && !fit.points.empty())
                m_curves->fits.push_back({fit, curve.colour, curve.points.back().devices});
}

void ScalingPlot::layOut(const ScalingFigure &figure, QSize size)
{
    m_labels = nullptr;
    m_extraHeight = 0;
    QCPLayoutGrid *grid = m_plot->plotLayout();
    const int right = units(m_look.legendRow ? 14 : 10, m_look);
    if (m_look.exported) {
        m_rect->setAutoMargins(QCP::msLeft | QCP::msBottom);
        m_rect->setMargins(QMargins(0, units(8, m_look), right, 0));
    } else {
        m_rect->setAutoMargins(QCP::msBottom);
        const double growth = std::max(1.0, QFontMetricsF(m_look.font).height() / 14.0);
        m_rect->setMargins(QMargins(units(kLeftMargin * growth, m_look), units(16, m_look), right, 0));
    }
    int row = 0;
    const int edge = m_look.exported ? units(4, m_look) : 0;
    const int width = size.width() - 2 * edge;
    grid->setMargins(QMargins(edge, edge, edge, edge));
    const auto addText = [&](const QString &text, const QFont &font, const QColor &colour, int at) {
        auto *lines = new TextLines(m_plot, text, font, width);
        lines->colour = colour;
        grid->addElement(at, 0, lines);
        grid->setRowStretchFactor(at, 0.0001);
        if (m_look.legendRow)
            m_extraHeight += lines->minimumOuterSizeHint().height();
    };
    if (m_look.exported && !figure.texts.title.isEmpty()) {
        grid->insertRow(0);
        addText(figure.texts.title, m_look.titleFont, m_curves->colours.text, 0);
        row = 1;
    }
    if (m_look.legendRow) {
        // A low plot has no room for its label along the axis.
        grid->insertRow(row);
        addText(figure.texts.valueAxis, m_look.font, m_curves->colours.text, row++);
        m_plot->yAxis->setLabel(QString());
    }
    if (!m_look.legendRow && !m_curves->curves.empty() && m_curves->curves.size() <= kMostLabels) {
        m_labels = new LabelColumn(m_plot, m_curves, figure.kind);
        int column = m_look.exported ? m_labels->neededWidth() : units(kLabelColumn, m_look);
        column = std::min(column, size.width() / 2);
        m_labels->setMinimumSize(column, 10);
        m_labels->setMaximumSize(column, QWIDGETSIZE_MAX);
        auto *pair =
            new QCPLayoutGrid; // title and provenance go over the whole width, so plot and labels pair up
        pair->setColumnSpacing(0);
        grid->take(m_rect);
        pair->addElement(0, 0, m_rect);
        pair->addElement(0, 1, m_labels);
        grid->addElement(row, 0, pair);
    }
    if (m_look.legendRow && !m_curves->curves.empty()) {
        auto *legend = new LegendRow(m_plot, m_curves, width);
        grid->addElement(++row, 0, legend);
        grid->setRowStretchFactor(row, 0.0001);
        m_extraHeight += legend->minimumOuterSizeHint().height();
    }
    if (m_look.exported && !figure.texts.provenance.isEmpty())
        addText(figure.texts.provenance, m_look.fineFont, m_curves->colours.text2, ++row);
}

void ScalingPlot::scaleAxes(const ScalingFigure &figure, QSize size)
{
    double least = 0;
    double greatest = 0;
    for (const DrawnCurve &curve : m_curves->curves)
        for (const DrawnPoint &point : curve.points) {
            least = least > 0 ? std::min(least, point.low) : point.low;
            greatest = std::max(greatest, point.high);
        }
    std::vector<int> devices = measuredDevices(figure.curves);
    for (const DrawnFit &drawn : m_curves->fits) {
        const FigureFit::Point &last = drawn.fit.points.back();
        greatest = std::max(greatest, last.value);
        if (const int reached = static_cast<int>(std::lround(last.devices)); reached > devices.back())
            devices.push_back(reached);
    }
    const int most = devices.empty() ? 1 : devices.back();
    if (figure.kind == FigureKind::Speedup && !m_curves->curves.empty())
        greatest = std::max(greatest, static_cast<double>(most));
    if (figure.kind == FigureKind::Efficiency)
        greatest = std::max(greatest, 100.0);
    const double perTick = std::max(27 * m_look.scale, 1.9 * QFontMetricsF(m_look.font).height());
    const int steps = std::clamp(static_cast<int>((size.height() - m_extraHeight) * 0.75 / perTick), 2, 9);
    const bool logarithmicY = figure.logarithmic && figure.kind != FigureKind::Efficiency;
    const ValueAxis axis =
        logarithmicY ? doublingAxis(least, greatest, steps) : linearAxis(figure.kind, greatest, steps);
    auto *ticker = new ListTicker;
    const auto whole = [&axis](double factor) {
        return std::all_of(axis.ticks.begin(), axis.ticks.end(), [factor](double tick) {
            return std::abs(tick * factor - std::round(tick * factor)) < 1e-6;
        });
    };
    const int decimals = whole(1) ? 0 : whole(10) ? 1 : whole(100) ? 2 : 3;
    QVector<QString> labels;
    for (const double tick : axis.ticks)
        labels.append(m_curves->curves.empty() ? QString() : painted(formatNumber(tick, decimals)));
    ticker->setTicks(QVector<double>(axis.ticks.begin(), axis.ticks.end()), labels);
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(ticker));
    m_plot->yAxis->setScaleType(logarithmicY ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_plot->yAxis->setRange(axis.low, axis.high);

    m_plot->xAxis->setScaleType(figure.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (figure.logarithmic)
        m_plot->xAxis->setRange((devices.empty() ? 1 : devices.front()) / std::exp2(0.2),
                                most * std::exp2(0.2));
    else
        m_plot->xAxis->setRange(0, most > 1 ? most * 1.035 : 2);
    setDeviceTicks(devices);
}

void ScalingPlot::setDeviceTicks(const std::vector<int> &devices)
{
    // Positions are needed to see which labels fit; margins do not depend on them.
    m_plot->plotLayout()->update(QCPLayoutElement::upPreparation);
    m_plot->plotLayout()->update(QCPLayoutElement::upMargins);
    m_plot->plotLayout()->update(QCPLayoutElement::upLayout);
    std::vector<double> centres;
    std::vector<double> widths;
    const QFontMetricsF metrics(m_look.font);
    QVector<double> ticks;
    QVector<QString> labels;
    for (const int count : devices) {
        ticks.append(count);
        labels.append(painted(formatNumber(count, 0)));
        centres.push_back(m_plot->xAxis->coordToPixel(count));
        widths.push_back(metrics.horizontalAdvance(labels.last()));
    }
    const std::vector<bool> shown = roomyLabels(centres, widths, 5 * m_look.scale);
    for (int i = 0; i < labels.size(); ++i)
        if (!shown[static_cast<std::size_t>(i)])
            labels[i].clear();
    auto *ticker = new ListTicker;
    ticker->setTicks(ticks, labels);
    m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(ticker));
}

void ScalingPlot::addIdeal(const ScalingFigure &figure)
{
    if (m_curves->curves.empty())
        return;
    const std::vector<int> devices = measuredDevices(figure.curves);
    double most = devices.back();
    for (const DrawnFit &drawn : m_curves->fits)
        most = std::max(most, drawn.fit.points.back().devices);
    m_curves->idealWord = figure.texts.ideal;
    switch (figure.kind) {
    case FigureKind::Speedup:
        m_curves->ideal = {QPointF(1, 1), QPointF(most, most)};
        break;
    case FigureKind::Efficiency:
        m_curves->ideal = {QPointF(figure.logarithmic ? devices.front() : 0, 100), QPointF(most, 100)};
        break;
    case FigureKind::Throughput: {
        // Each curve has its own ideal; only one is drawn, and only when it is clear whose it is.
        std::optional<std::size_t> whose = figure.emphasised;
        if (!whose && m_curves->curves.size() == 1)
            whose = m_curves->curves.front().index;
        if (!whose || !figure.curves.at(*whose).hasBaseline() || most <= 1)
            break;
        const double one = figure.curves.at(*whose).points.front().throughput;
        const double top = m_plot->yAxis->range().upper;
        const double end = std::min(most, top / one);
        m_curves->ideal = {QPointF(1, one), QPointF(end, one * end)};
        break;
    }
    }
    if (m_curves->ideal && m_curves->ideal->first == m_curves->ideal->second)
        m_curves->ideal.reset();
}

std::optional<CurvePoint> ScalingPlot::pointAt(QPointF position) const
{
    std::optional<CurvePoint> nearest;
    double best = kHitDistance * m_look.scale;
    if (!m_curves)
        return nearest;
    for (const DrawnCurve &curve : m_curves->curves)
        for (const DrawnPoint &point : curve.points) {
            const double distance = QLineF(m_curves->pixel(point.devices, point.value), position).length();
            if (distance <= best) {
                best = distance;
                nearest = CurvePoint{curve.index, point.index};
            }
        }
    return nearest;
}

std::optional<std::size_t> ScalingPlot::labelAt(QPointF position) const
{
    return m_labels ? m_labels->curveAt(position) : std::nullopt;
}

std::optional<QPointF> ScalingPlot::place(const CurvePoint &wanted) const
{
    if (m_curves)
        for (const DrawnCurve &curve : m_curves->curves)
            for (const DrawnPoint &point : curve.points)
                if (curve.index == wanted.curve && point.index == wanted.point)
                    return m_curves->pixel(point.devices, point.value);
    return std::nullopt;
}

void ScalingPlot::setRing(const std::optional<CurvePoint> &wanted)
{
    if (!m_curves)
        return;
    m_curves->ring.reset();
    if (wanted)
        for (const DrawnCurve &curve : m_curves->curves)
            for (const DrawnPoint &point : curve.points)
                if (curve.index == wanted->curve && point.index == wanted->point) {
                    m_curves->ring = QPointF(point.devices, point.value);
                    m_curves->ringColour = curve.colour;
                }
}

} // namespace sb
