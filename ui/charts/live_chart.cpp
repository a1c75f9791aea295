// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/live_chart.h"

#include "charts/chart_accessible.h"
#include "charts/chart_text.h"
#include "charts/chart_tip.h"
#include "charts/live_plot.h"
#include "charts/qcp_parts.h"
#include "core/units.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimer>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace sb {

namespace {
constexpr int kRefreshMs = 40;
}

LiveChart::LiveChart(QWidget *parent)
    : QWidget(parent)
    , m_plot(std::make_unique<LivePlot>(this))
    , m_tip(new ChartTip(this))
    , m_timer(new QTimer(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot->widget());
    m_plot->widget()->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    announceAsChart(this);
    m_timer->setSingleShot(true);
    m_timer->setInterval(kRefreshMs);
    connect(m_timer, &QTimer::timeout, this, &LiveChart::refresh);
    m_plot->applyTheme(*this);
    clear();
}

LiveChart::~LiveChart()
{
    m_plot->widget()->removeEventFilter(this);
}

void LiveChart::setRun(const LiveChartRun &run, const LiveChartData &source)
{
    const bool followed = m_plot->following;
    m_plot->run = run;
    m_plot->data = source;
    m_plot->restart();
    hideCursor();
    setAccessibleName(run.title);
    m_plot->layOut(height());
    m_plot->applyTheme(*this);
    refresh();
    describe();
    if (!followed)
        Q_EMIT followingChanged(true);
}

void LiveChart::setData(const LiveChartData &source)
{
    m_plot->data = source;
    m_plot->dataMoved();
    scheduleRefresh();
}

void LiveChart::clear()
{
    setRun({}, {});
}

void LiveChart::dataAppended()
{
    scheduleRefresh();
}

void LiveChart::scheduleRefresh()
{
    if (!m_timer->isActive())
        m_timer->start();
}

void LiveChart::refreshNow()
{
    m_timer->stop();
    m_plot->widget()->replot(QCustomPlot::rpImmediateRefresh); // lays out, so that widths are known
    refresh();
    m_plot->widget()->replot(QCustomPlot::rpImmediateRefresh);
}

void LiveChart::refresh()
{
    m_plot->layOut(height());
    m_plot->update();
    describe();
}

LiveChart::XAxis LiveChart::xAxis() const
{
    return m_plot->axis;
}

void LiveChart::setXAxis(XAxis axis)
{
    if (m_plot->axis == axis)
        return;
    m_plot->axis = axis;
    m_plot->dataMoved();
    hideCursor();
    setFollowing(true);
    refresh();
}

bool LiveChart::following() const
{
    return m_plot->following;
}

void LiveChart::setFollowing(bool follow)
{
    if (m_plot->following == follow)
        return;
    m_plot->following = follow;
    refresh();
    Q_EMIT followingChanged(follow);
}

void LiveChart::resetZoom()
{
    hideCursor();
    setFollowing(true);
}

void LiveChart::zoom(double factor)
{
    if (!(factor > 0))
        return;
    setFollowing(false);
    const double centre = (m_plot->low() + m_plot->high()) / 2;
    const double half = std::max(1.0, (m_plot->high() - m_plot->low()) / factor / 2);
    const double low = std::max(0.0, centre - half);
    m_plot->setRange(low, low + 2 * half);
    refresh();
}

void LiveChart::setMedian(std::optional<double> median, std::optional<MedianInterval> interval)
{
    m_plot->median = median;
    m_plot->interval = interval;
    scheduleRefresh();
}

void LiveChart::setStale(std::optional<double> seconds)
{
    if (m_plot->staleS == seconds)
        return;
    m_plot->staleS = seconds;
    scheduleRefresh();
}

QSize LiveChart::sizeHint() const
{
    return {846, 284};
}

QSize LiveChart::minimumSizeHint() const
{
    return {360, 150};
}

void LiveChart::describe()
{
    const LiveChartRun &run = m_plot->run;
    const auto *ranks = m_plot->data.ranks;
    QString sentence = tr("No step yet.");
    if (ranks && !ranks->empty() && !ranks->front().empty()) {
        const Series &series = ranks->front();
        sentence =
            tr("Step %1 of %2, %3 %4; %n rank(s).", nullptr, static_cast<int>(ranks->size()))
                .arg(series.step.back())
                .arg(run.totalSteps())
                .arg(QString::fromStdString(formatThroughput(series.throughput.back())), rateUnit(run.unit));
    }
    if (run.simulated)
        sentence += QLatin1Char(' ') + tr("Simulated.");
    if (sentence != accessibleDescription())
        setAccessibleDescription(sentence);
}

void LiveChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_plot->applyTheme(*this);
    if (event->type() == QEvent::LanguageChange)
        refresh();
}

void LiveChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    scheduleRefresh();
}

void LiveChart::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    hideCursor();
}

void LiveChart::keyPressEvent(QKeyEvent *event)
{
    const int stride = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
    constexpr int kAll = 1 << 30;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(-stride);
    case Qt::Key_Right:
        return moveCursor(stride);
    case Qt::Key_Home:
        return moveCursor(-kAll);
    case Qt::Key_End:
        return moveCursor(kAll);
    case Qt::Key_Up:
        return moveToRank(m_cursorRank - 1);
    case Qt::Key_Down:
        return moveToRank(m_cursorRank + 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(1.5);
    case Qt::Key_Minus:
        return zoom(1 / 1.5);
    case Qt::Key_0:
        return resetZoom();
    case Qt::Key_Space:
        return setFollowing(!following());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_tip->setPinned(m_tip->isVisible() && !m_tip->isPinned());
    case Qt::Key_Escape:
        if (m_tip->isVisible())
            return hideCursor();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void LiveChart::moveCursor(int steps)
{
    const std::size_t count = m_plot->shownPoints(m_cursorRank);
    if (count == 0)
        return;
    const auto last = static_cast<std::ptrdiff_t>(count) - 1;
    const std::ptrdiff_t from =
        m_cursor ? static_cast<std::ptrdiff_t>(*m_cursor) : last + (steps < 0 ? 1 : 0);
    m_cursor = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from + steps, 0, last));
    showCursor();
}

void LiveChart::moveToRank(int rank)
{
    const std::size_t count = m_plot->shownPoints(rank);
    if (rank < 0 || count == 0)
        return;
    m_cursorRank = rank;
    m_cursor = std::min(m_cursor.value_or(count - 1), count - 1);
    showCursor();
}

void LiveChart::showCursor()
{
    const LivePoint point{m_cursorRank, *m_cursor};
    const Series &series = (*m_plot->data.ranks)[static_cast<std::size_t>(point.rank)];
    const QString rate = QString::fromStdString(formatThroughput(series.throughput[point.index]));
    const QString ms = QString::fromStdString(formatNumber(series.stepTimeMs[point.index], 1));
    const std::vector<TipRow> rows{
        {TipRow::Kind::Title, tr("Rank %1").arg(point.rank), tr("step %1").arg(series.step[point.index])},
        {TipRow::Kind::Value, rate + QLatin1Char(' ') + rateUnit(m_plot->run.unit), tr("%1 ms").arg(ms)},
        {TipRow::Kind::Fine, tr("all ranks' samples over this rank's step time"), QString()},
    };
    m_tip->showAt(m_plot->mark(point), rows);
}

void LiveChart::hideCursor()
{
    m_cursor.reset();
    m_cursorRank = 0;
    m_tip->dismiss();
    m_plot->unmark();
}

void LiveChart::hover(QPoint position)
{
    if (m_tip->isPinned())
        return;
    const auto point = m_plot->pointAt(position);
    if (!point) {
        m_tip->leave();
        if (!m_tip->isVisible())
            m_plot->unmark();
        return;
    }
    m_cursorRank = point->rank;
    m_cursor = point->index;
    showCursor();
}

bool LiveChart::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Wheel: {
        const auto *wheel = static_cast<QWheelEvent *>(event);
        if (!wheel->modifiers().testFlag(Qt::ControlModifier))
            break; // a plain wheel scrolls the page
        zoom(wheel->angleDelta().y() > 0 ? 1.25 : 0.8);
        return true;
    }
    case QEvent::MouseButtonPress:
        setFocus(Qt::MouseFocusReason);
        m_dragFrom = static_cast<QMouseEvent *>(event)->pos();
        break;
    case QEvent::MouseButtonRelease:
        if (m_dragFrom && (static_cast<QMouseEvent *>(event)->pos() - *m_dragFrom).manhattanLength() < 4)
            m_tip->setPinned(m_tip->isVisible() && !m_tip->isPinned());
        m_dragFrom.reset();
        break;
    case QEvent::MouseMove: {
        const QPoint position = static_cast<QMouseEvent *>(event)->pos();
        if (m_dragFrom && !following()) {
            const double by = m_plot->xAtPixel(m_dragFrom->x()) - m_plot->xAtPixel(position.x());
            const double low = std::max(0.0, m_plot->low() + by);
            m_plot->setRange(low, low + m_plot->high() - m_plot->low());
            m_dragFrom = position;
            refresh();
        } else {
            hover(position);
        }
        break;
    }
    case QEvent::Leave:
        m_tip->leave();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sb
