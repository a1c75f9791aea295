// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_style.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace sb {

// Every run of two sides as a dot on one axis, with the median and its interval: how far apart they are and
// how much they scatter. The axis does not begin at 0; nothing filled stands on it.
class RunDots : public QWidget {
    Q_OBJECT
public:
    struct Side {
        QString name;
        SeriesStyle style;
        std::vector<double> runs; // empty: only the median is known
        double median = 0;
        std::optional<std::pair<double, double>> interval;
    };
    explicit RunDots(QWidget *parent = nullptr);

    // Two sides, or none.
    void setSides(const std::vector<Side> &sides, const QString &axis);

    QSize sizeHint() const override { return {520, 150}; }
    QSize minimumSizeHint() const override { return {280, 110}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::vector<Side> m_sides;
    QString m_axis;
};

} // namespace sb
