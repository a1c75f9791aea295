// SPDX-License-Identifier: GPL-3.0-or-later
// Breaks a report into lines and pages. Private to ui/report.
#pragma once

#include "report/report_pages.h"

#include <vector>

namespace sb {

class PageSetter {
public:
    explicit PageSetter(ReportPages &pages);
    // Sets some more; false when all is set. No call takes long.
    bool next();

private:
    struct Face {
        QFont font;
        QColor colour;
        double leading = 1.4;  // line height over font size
        bool anywhere = false; // break between any two characters
    };
    struct TableShape {
        std::vector<double> left; // of each column
        std::vector<double> width;
        Face head;
        Face body;
    };

    double lineHeight(const Face &face) const;
    std::vector<QString> wrapped(const QString &text, const Face &face, double width) const;
    // Writes wrapped lines from the cursor on, over as many pages as they need.
    void write(const QString &text, const Face &face, double indent = 0);
    void writeAt(double left, double width, double baseline, const QString &line, const Face &face,
                 bool right);
    void room(double height); // a new page unless that much is left
    void newPage();
    void rule(double y, double width, const QColor &colour);

    void setFront();
    void setContents();
    void fillContents();
    void beginSection(std::size_t index);
    void setBlock(const ReportBlock &block);
    void setTable(const ReportTable &table);
    TableShape shapeOf(const ReportTable &table) const;
    double rowHeight(const std::vector<std::vector<QString>> &cells, const Face &face) const;
    std::vector<std::vector<QString>> rowLines(const std::vector<QString> &texts, const TableShape &shape,
                                               const Face &face) const;
    void drawRow(const ReportTable &table, const TableShape &shape, const Face &face,
                 const std::vector<std::vector<QString>> &cells);
    void drawHead(const ReportTable &table, const TableShape &shape);
    void setFigures(); // those that wait
    void setRunningHeads();
    QString text(std::string_view key, std::initializer_list<std::string> arguments = {}) const;

    ReportPages &m_out;
    const Report &m_report;
    double m_y = 0;
    bool m_begun = false;
    std::size_t m_section = 0; // next to set
    std::size_t m_block = 0;
    std::vector<const ReportFigure *> m_waiting; // for others to stand beside
    QColor m_ink, m_accent;
    Face m_title, m_heading, m_body, m_caption, m_small, m_mono;
    struct ContentsLine {
        std::size_t page, line; // line of the page number in Page::lines
        std::string section;
    };
    std::vector<ContentsLine> m_contents;
};

} // namespace sb
