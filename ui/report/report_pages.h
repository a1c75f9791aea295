// SPDX-License-Identifier: GPL-3.0-or-later
// A report set in A4 pages. The PDF and the preview draw the same pages. Lengths in 1/720 inch. UI thread.
#pragma once

#include "charts/figure_exporter.h"
#include "core/report.h"
#include "core/report_template.h"

#include <QByteArray>
#include <QColor>
#include <QFont>
#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sb {

struct PageStyle {
    ChartPalette palette = ChartPalette::Print; // of the figures
    double figureWidthMm = 85;
    QString fontFamily; // empty: the application's
    QColor accent;      // of title, headings and rules; invalid: the ink
    QColor ink;         // of text; invalid: nearly black
    QString logo;       // path of an SVG or PNG on the first page; empty: none
};

// Reads what of it is page style into `style`. Error: the logo cannot be read.
Result<void> applyTemplate(const ReportTemplate &house, PageStyle &style);

// The logo as a PNG of that height; empty without one.
QByteArray logoPng(const PageStyle &style, int heightPx);

class PageSetter;

class ReportPages {
public:
    ReportPages(const Report &report, const PageStyle &style);
    // To be laid out by calls of layOutMore() until that says false.
    struct InSlices {};
    ReportPages(const Report &report, const PageStyle &style, InSlices);
    bool layOutMore();
    ~ReportPages();
    ReportPages(const ReportPages &) = delete;
    ReportPages &operator=(const ReportPages &) = delete;

    int count() const { return static_cast<int>(m_pages.size()); }
    // First page of a section, from 0.
    std::optional<int> pageOf(const std::string &sectionId) const;
    static QSizeF pageSize(); // in units
    void draw(DocumentPainter &painter, int page) const;

    // The page as a picture, `widthPx` device pixels wide.
    QImage image(int page, int widthPx) const;
    // The whole document; the same bytes for the same report, style and fonts.
    QByteArray pdf() const;

    const std::string &title() const { return m_report.title; }

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
        const ReportFigure *figure; // of m_report
        FigureStyle style;
        QPointF corner;
    };
    struct Page {
        std::vector<Line> lines;
        std::vector<Rule> rules;
        std::vector<Picture> pictures;
        QRectF logo; // where it stands; empty: not on this page
    };
    friend class PageSetter;

    Report m_report;
    PageStyle m_style;
    std::unique_ptr<PageSetter> m_setter; // while there is something to lay out
    std::vector<Page> m_pages;
    std::map<std::string, int> m_firstPages;
};

// The PDF of pages, drawn one after the other.
class ReportPdf {
public:
    explicit ReportPdf(const ReportPages &pages);
    ~ReportPdf();
    ReportPdf(const ReportPdf &) = delete;
    ReportPdf &operator=(const ReportPdf &) = delete;

    void drawPage(int page); // in ascending order
    // As QPdfWriter made it: canonicalPdf() makes it the same each time.
    QByteArray end();

private:
    class Private;
    std::unique_ptr<Private> d;
};

// Characters of the report that no font here can show, without repetition; empty = all can be drawn.
QString missingGlyphs(const Report &report, const QString &fontFamily);

} // namespace sb
