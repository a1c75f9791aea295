// SPDX-License-Identifier: GPL-3.0-or-later
// The line and marker by which a framework is known in charts, for tables and lists beside them.
#pragma once

#include "charts/tokens.h"

#include <QRectF>
#include <QString>
#include <QWidget>

class QPainter;

namespace sb {

void paintSeriesKey(QPainter *painter, const QRectF &rect, const QString &framework, const Tokens &tokens);

// The colours of charts in a row, one a framework.
class PaletteSwatches : public QWidget {
    Q_OBJECT
public:
    explicit PaletteSwatches(QWidget *parent = nullptr);
    QSize sizeHint() const override { return {200, 16}; }
    QSize minimumSizeHint() const override { return {100, 16}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRectF swatchRect(int index) const;
};

} // namespace sb
