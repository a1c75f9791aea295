// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

#include <vector>

class QGridLayout;

namespace sb {

struct TipRow {
    enum class Kind { Title, Value, Fine };
    Kind kind = Kind::Value;
    QString left;
    QString right;
};

// The box beside a point of a chart, above all else in the chart's window, since a low chart has less room
// than it needs. It stays while the pointer is on it and while it is pinned; it goes with the chart, and with
// a change of theme or language, whose colours and words it does not have.
class ChartTip : public QFrame {
    Q_OBJECT
public:
    explicit ChartTip(QWidget *chart);

    // Shows the rows near `anchor` (in the chart's coordinates), inside the window where that is possible.
    // With `linkId`, a button "Show the run" stands below and linkActivated carries the id.
    void showAt(QPoint anchor, const std::vector<TipRow> &rows, const QString &linkId = QString());
    void setPinned(bool pinned);
    bool isPinned() const { return m_pinned; }
    // Hides unless pinned or under the pointer.
    void leave();
    void dismiss();

Q_SIGNALS:
    void linkActivated(const QString &id);

protected:
    void leaveEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void applyColours();
    void place(QPoint anchor);

    QWidget *m_chart;
    QGridLayout *m_grid;
    bool m_pinned = false;
};

} // namespace sb
