// SPDX-License-Identifier: GPL-3.0-or-later
// The half of PageSetter that sets tables.
#include "report/page_setter.h"

#include "report/page_measures.h"

#include <QFontMetricsF>

#include <algorithm>

namespace sb {

using namespace page;

namespace {

// Cuts only the widest of the columns that may wrap, so that together they take `room`.
void capWidths(const ReportTable &table, std::vector<double> &widths, double room)
{
    std::vector<double> ascending;
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (!table.columns[i].numeric)
            ascending.push_back(widths[i]);
    std::sort(ascending.begin(), ascending.end());
    double cap = 0;
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        cap = room / static_cast<double>(ascending.size() - i);
        if (ascending[i] > cap)
            break;
        room -= ascending[i];
    }
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (!table.columns[i].numeric)
            widths[i] = std::min(widths[i], cap);
}

} // namespace

PageSetter::TableShape PageSetter::shapeOf(const ReportTable &table) const
{
    TableShape shape;
    shape.body = m_body;
    shape.head = m_body;
    const double padding = 90;
    // Smaller letters rather than torn numbers; words wrap where even those are too wide.
    for (const int units : {85, 78, 70}) {
        shape.body.font.setPixelSize(units);
        shape.head.font.setPixelSize(units);
        shape.head.font.setWeight(QFont::DemiBold);
        const QFontMetricsF body(shape.body.font);
        const QFontMetricsF head(shape.head.font);
        shape.width.assign(table.columns.size(), 0);
        double sum = 0;
        double words = 0; // width of the columns that may wrap
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            double &width = shape.width[i];
            width = head.horizontalAdvance(QString::fromStdString(table.columns[i].title));
            for (const auto &row : table.rows)
                width = std::max(width, body.horizontalAdvance(QString::fromStdString(row[i].text)));
            width += padding;
            sum += width;
            words += table.columns[i].numeric ? 0 : width;
        }
        const double over = sum - padding - kTextWidth;
        if (over > 0 && units > 70 && words < sum)
            continue;
        if (over > 0 && words > over)
            capWidths(table, shape.width, words - over);
        else if (over > 0)
            for (double &width : shape.width)
                width *= kTextWidth / (sum - padding);
        break;
    }
    double left = kSide;
    for (double &width : shape.width) {
        shape.left.push_back(left);
        left += width;
        width -= padding;
    }
    // Numbers stand at the right of the page when there is room to spare.
    const double spare = kSide + kTextWidth - (left - padding);
    if (spare > 0 && shape.left.size() > 1)
        for (std::size_t i = 1; i < shape.left.size(); ++i)
            shape.left[i] +=
                std::min(spare / static_cast<double>(shape.left.size() - 1), 300.0) * static_cast<double>(i);
    return shape;
}

std::vector<std::vector<QString>> PageSetter::rowLines(const std::vector<QString> &texts,
                                                       const TableShape &shape, const Face &face) const
{
    std::vector<std::vector<QString>> cells;
    for (std::size_t i = 0; i < texts.size(); ++i)
        cells.push_back(wrapped(texts[i], face, shape.width[i] + 1));
    return cells;
}

double PageSetter::rowHeight(const std::vector<std::vector<QString>> &cells, const Face &face) const
{
    std::size_t lines = 1;
    for (const auto &cell : cells)
        lines = std::max(lines, cell.size());
    return static_cast<double>(lines) * lineHeight(face) * 0.9 + 30;
}

void PageSetter::drawRow(const ReportTable &table, const TableShape &shape, const Face &face,
                         const std::vector<std::vector<QString>> &cells)
{
    const double step = lineHeight(face) * 0.9;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        double y = m_y + 15 + step * 0.75;
        for (const QString &line : cells[i]) {
            writeAt(shape.left[i], shape.width[i], y, line, face, table.columns[i].numeric);
            y += step;
        }
    }
    m_y += rowHeight(cells, face);
}

void PageSetter::drawHead(const ReportTable &table, const TableShape &shape)
{
    std::vector<QString> titles;
    for (const ReportColumn &column : table.columns)
        titles.push_back(QString::fromStdString(column.title));
    rule(m_y, 8, m_accent);
    drawRow(table, shape, shape.head, rowLines(titles, shape, shape.head));
    rule(m_y, 6, m_ink);
}

void PageSetter::setTable(const ReportTable &table)
{
    const TableShape shape = shapeOf(table);
    room(lineHeight(m_caption) + 4 * lineHeight(shape.body) + 100);
    write(text("table", {std::to_string(table.number)}) + QStringLiteral("  ") +
              QString::fromStdString(table.title),
          m_caption);
    if (table.simulated) {
        Face mark = m_caption;
        mark.colour = kSimulated;
        write(text("simulated"), mark);
    }
    m_y += 20;
    drawHead(table, shape);
    for (const auto &row : table.rows) {
        std::vector<QString> texts;
        for (const ReportCell &cell : row)
            texts.push_back(QString::fromStdString(cell.text));
        const auto cells = rowLines(texts, shape, shape.body);
        if (m_y + rowHeight(cells, shape.body) > kHeight - kBottom) {
            newPage();
            drawHead(table, shape);
        }
        if (&row != &table.rows.front())
            rule(m_y, 3, kHair);
        drawRow(table, shape, shape.body, cells);
    }
    rule(m_y, 8, m_accent);
    m_y += 15;
    for (const std::string &note : table.notes)
        write(QString::fromStdString(note), m_small);
    m_y += kGap / 2;
}

} // namespace sb
