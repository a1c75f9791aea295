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

// The box beside a point of a chart. It stays while the pointer is on it and while it is pinned.
class ChartTip : public QFrame {
    Q_OBJECT
public:
    explicit ChartTip(QWidget *chart);

    // Shows the rows near `anchor` (in the chart's coordinates), inside the chart where that is possible.
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
    void changeEvent(QEvent *event) override;

private:
    void applyColours();

    QGridLayout *m_grid;
    bool m_pinned = false;
};

} // namespace sb
