// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace sb {

// One bar a rank: how far it is from the median of all, zero in the middle. The one that stands out is amber
// and named. Dips below zero are slower for rates and above zero slower for times; the caller says which.
class RankStrip : public QWidget {
    Q_OBJECT
public:
    explicit RankStrip(QWidget *parent = nullptr);

    // `deviations` as shares (0.05 = 5 %); `hosts` one name a rank. `odd` is the rank that stands out.
    void setRanks(const std::vector<double> &deviations, const std::vector<QString> &hosts,
                  std::optional<int> odd);

    // Geometry of a bar for this size, so that painting and hit test agree.
    static QRectF barRect(const QRectF &area, int rank, int ranks, double deviation, double range);
    QSize sizeHint() const override { return {300, 74}; }
    QSize minimumSizeHint() const override { return {200, 40}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRectF area() const;
    double range() const;

    std::vector<double> m_deviations;
    std::vector<QString> m_hosts;
    std::optional<int> m_odd;
};

// The rank that stands out: further from the median than 2 % and than twice every other; nothing otherwise.
std::optional<int> oddRank(const std::vector<double> &deviations);

} // namespace sb
