// SPDX-License-Identifier: GPL-3.0-or-later
// A report set in A4 pages. The PDF and the preview draw the same pages. Lengths in 1/720 inch. UI thread.
#pragma once

#include "charts/figure_exporter.h"
#include "core/report.h"

#include <QByteArray>
#include <QColor>
#include <QFont>
#include <QImage>
#include <QPointF>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sb {

struct PageStyle {
    ChartPalette palette = ChartPalette::Print; // of the figures
    double figureWidthMm = 85;
    QString fontFamily; // empty: the application's
};

class ReportPages {
public:
    ReportPages(const Report &report, const PageStyle &style);

    int count() const { return static_cast<int>(m_pages.size()); }
    // First page of a section, from 0.
    std::optional<int> pageOf(const std::string &sectionId) const;
    static QSizeF pageSize(); // in units
    void draw(DocumentPainter &painter, int page) const;

    // The page as a picture, `widthPx` device pixels wide.
    QImage image(int page, int widthPx) const;
    // The whole document; the same bytes for the same report, style and fonts.
    QByteArray pdf() const;

private:
    struct Line {
        QPointF baseline;
        QString text;
        QFont font;
        QColor colour;
    };
    struct Rule {
        QPointF from, to;
        double width;
        QColor colour;
    };
    struct Picture {
        ScalingFigure figure;
        FigureStyle style;
        QPointF corner;
    };
    struct Page {
        std::vector<Line> lines;
        std::vector<Rule> rules;
        std::vector<Picture> pictures;
    };
    friend class PageSetter;

    Report m_report;
    PageStyle m_style;
    std::vector<Page> m_pages;
    std::map<std::string, int> m_firstPages;
};

// Characters of the report that no font here can show, without repetition; empty = all can be drawn.
QString missingGlyphs(const Report &report, const QString &fontFamily);

} // namespace sb
