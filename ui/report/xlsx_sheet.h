// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of one sheet of a workbook, written from the top. Private to ui/report.
#pragma once

#include "core/report.h"

#include <map>
#include <string>

struct lxw_chart;
struct lxw_format;
struct lxw_workbook;
struct lxw_worksheet;

namespace sb {

struct XlsxFormats {
    explicit XlsxFormats(lxw_workbook *book);
    lxw_format *number(const std::string &pattern); // "#,##0.00"
    lxw_format *heading(const std::string &pattern);

    lxw_workbook *book;
    lxw_format *title, *bold, *head, *headRight, *right, *fixed, *simulated, *note, *wrapped;
    std::map<std::string, lxw_format *> numbers, headings;
};

// Where a table stands; rows and columns from 0.
struct XlsxPlace {
    std::string sheet;
    int headRow = 0;
    int firstRow = 0;
    int firstScale = 0; // columns that stand for numbers of devices
    int lastScale = 0;
};

class XlsxSheet {
public:
    XlsxSheet(lxw_workbook *book, XlsxFormats &formats, const std::string &name);

    void line(const std::string &text, lxw_format *format = nullptr);
    void skip() { ++m_row; }
    // Columns as wide as what the section's tables have in them.
    void widen(const ReportSection &section);
    // The head repeats the columns; absent values are empty cells.
    XlsxPlace table(const ReportTable &table, const std::string &name, const std::string &mark);
    void chart(lxw_chart *chart, int width, int height, int rows);

private:
    int head(const ReportTable &table, XlsxPlace &place);
    int cell(const ReportTable &table, const ReportCell &cell, std::size_t column, int at);

    lxw_worksheet *m_sheet;
    XlsxFormats &m_formats;
    std::string m_name;
    int m_row = 0;
};

} // namespace sb
