// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text.h"

#include <QWidget>

#include <vector>

namespace sb {

// One live figure. Empty value: shown as a dash.
struct Figure {
    QString value;      // "10 021"
    QString unit;       // "images/s"; always shown
    QString remark;     // "95 %: 10 002 – 10 042"
    bool stale = false; // value at 55 %, remark in warn
    bool operator==(const Figure &) const = default;
};

// The row of large figures on top of the Live page, in one panel. Figures do not announce themselves; the
// accessible description reads them all.
class FigureStrip : public QWidget {
    Q_OBJECT
public:
    explicit FigureStrip(QWidget *parent = nullptr);

    void setFigures(const std::vector<Figure> &figures);
    QString spokenText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    // Width a figure wants, without the space around it.
    int figureWidth(const Figure &figure) const;

    std::vector<Figure> m_figures;
};

} // namespace sb
