// SPDX-License-Identifier: GPL-3.0-or-later
// The logo of a house style. Private to ui/report.
#pragma once

#include <QRectF>
#include <QSizeF>
#include <QString>

class QPainter;

namespace sb {

// Its own proportions, as width and height; empty when the file is no picture.
QSizeF logoSize(const QString &path);
// An SVG stays vectors.
void paintLogo(QPainter &painter, const QString &path, const QRectF &place);

} // namespace sb
