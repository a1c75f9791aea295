// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/xlsx_sheet.h"

#include <QString>

#include <algorithm>
#include <cctype>
#include <vector>

#include <xlsxwriter.h>

namespace sb {

namespace {

constexpr int kMostText = 32000; // of a cell; Excel's limit is 32 767
constexpr double kWidest = 60;

lxw_row_t row(int at)
{
    return static_cast<lxw_row_t>(at);
}

lxw_col_t column(int at)
{
    return static_cast<lxw_col_t>(at);
}

// Control characters cannot stand in a workbook's XML.
std::string clean(const std::string &text)
{
    std::string out;
    for (const char c : text.substr(0, kMostText))
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    // Not in the middle of a character.
    while (text.size() > kMostText && !out.empty() && (static_cast<unsigned char>(out.back()) & 0x80))
        out.pop_back();
    return out;
}

// The format that prints a number as the report's text does.
std::string patternOf(const ReportTable &table, const std::string &text)
{
    if (table.id.ends_with("-epoch"))
        return "[h]:mm:ss";
    const bool percent = text.ends_with("%");
    const std::size_t point = text.find('.');
    int decimals = 0;
    for (std::size_t i = point; i != std::string::npos && ++i < text.size();) {
        if (!std::isdigit(static_cast<unsigned char>(text[i])))
            break;
        ++decimals;
    }
    const std::string fraction =
        decimals > 0 ? "." + std::string(static_cast<std::size_t>(decimals), '0') : "";
    return percent ? "0" + fraction + "%" : "#,##0" + fraction;
}

// "8 GPUs" as the number 8 that is shown with the words after it.
std::string scalePattern(const std::string &title)
{
    std::size_t digits = 0;
    while (digits < title.size() && std::isdigit(static_cast<unsigned char>(title[digits])))
        ++digits;
    std::string words = title.substr(digits);
    std::erase(words, '"');
    return words.empty() ? "0" : "0\"" + words + "\"";
}

double widthOf(const std::string &text)
{
    double sum = 0;
    for (const QChar c : QString::fromStdString(text))
        sum += c.unicode() >= 0x2E80 ? 2 : 1;
    return sum;
}

} // namespace

XlsxFormats::XlsxFormats(lxw_workbook *workbook)
    : book(workbook)
{
    const auto make = [this] { return workbook_add_format(book); };
    title = make();
    format_set_bold(title);
    format_set_font_size(title, 14);
    bold = make();
    format_set_bold(bold);
    head = make();
    format_set_bold(head);
    format_set_bottom(head, LXW_BORDER_THIN);
    headRight = make();
    format_set_bold(headRight);
    format_set_bottom(headRight, LXW_BORDER_THIN);
    format_set_align(headRight, LXW_ALIGN_RIGHT);
    right = make();
    format_set_align(right, LXW_ALIGN_RIGHT);
    fixed = make();
    format_set_font_name(fixed, "Courier New");
    simulated = make();
    format_set_bold(simulated);
    format_set_font_color(simulated, 0x6438A8);
    wrapped = make();
    format_set_text_wrap(wrapped);
    format_set_align(wrapped, LXW_ALIGN_VERTICAL_TOP);
    note = make();
    format_set_font_color(note, 0x525A66);
}

lxw_format *XlsxFormats::number(const std::string &pattern)
{
    lxw_format *&format = numbers[pattern];
    if (!format) {
        format = workbook_add_format(book);
        format_set_num_format(format, pattern.c_str());
    }
    return format;
}

lxw_format *XlsxFormats::heading(const std::string &pattern)
{
    lxw_format *&format = headings[pattern];
    if (!format) {
        format = workbook_add_format(book);
        format_set_num_format(format, pattern.c_str());
        format_set_bold(format);
        format_set_bottom(format, LXW_BORDER_THIN);
    }
    return format;
}

XlsxSheet::XlsxSheet(lxw_workbook *book, XlsxFormats &formats, const std::string &name)
    : m_sheet(workbook_add_worksheet(book, name.c_str()))
    , m_formats(formats)
    , m_name(name)
{
    worksheet_set_paper(m_sheet, 9); // A4
    worksheet_set_landscape(m_sheet);
    worksheet_fit_to_pages(m_sheet, 1, 0);
}

void XlsxSheet::line(const std::string &text, lxw_format *format)
{
    worksheet_write_string(m_sheet, row(m_row++), 0, clean(text).c_str(), format);
}

void XlsxSheet::widen(const ReportSection &section)
{
    std::vector<double> widths;
    for (const ReportBlock &block : section.blocks) {
        const auto *table = std::get_if<ReportTable>(&block);
        if (!table)
            continue;
        std::size_t at = 0;
        for (std::size_t i = 0; i < table->columns.size(); ++i) {
            const std::size_t parts = std::max<std::size_t>(1, table->columns[i].parts.size());
            widths.resize(std::max(widths.size(), at + parts), 0);
            for (std::size_t k = 0; k < parts; ++k) {
                double &width = widths[at + k];
                const std::string part =
                    table->columns[i].parts.empty() ? "" : " " + table->columns[i].parts[k];
                width = std::max(width, widthOf(table->columns[i].title + part));
                if (table->columns[i].parts.empty())
                    for (const auto &cells : table->rows)
                        width = std::max(width, widthOf(cells[i].text));
            }
            at += parts;
        }
    }
    for (std::size_t i = 0; i < widths.size(); ++i)
        worksheet_set_column(m_sheet, column(static_cast<int>(i)), column(static_cast<int>(i)),
                             std::clamp(widths[i] + 2, 10.0, kWidest), nullptr);
}

int XlsxSheet::head(const ReportTable &table, XlsxPlace &place)
{
    int at = 0;
    for (const ReportColumn &one : table.columns) {
        const std::string title = clean(one.title);
        if (one.devices) {
            place.firstScale = place.firstScale == 0 ? at : place.firstScale;
            place.lastScale = at;
            worksheet_write_number(m_sheet, row(m_row), column(at++), *one.devices,
                                   m_formats.heading(scalePattern(title)));
            continue;
        }
        for (const std::string &part : one.parts)
            worksheet_write_string(m_sheet, row(m_row), column(at++), (title + " " + part).c_str(),
                                   m_formats.headRight);
        if (one.parts.empty())
            worksheet_write_string(m_sheet, row(m_row), column(at++), title.c_str(),
                                   one.numeric ? m_formats.headRight : m_formats.head);
    }
    ++m_row;
    return at;
}

int XlsxSheet::cell(const ReportTable &table, const ReportCell &cell, std::size_t index, int at)
{
    const ReportColumn &one = table.columns[index];
    for (std::size_t k = 0; k < one.parts.size(); ++k, ++at)
        if (k < cell.parts.size())
            worksheet_write_number(m_sheet, row(m_row), column(at), cell.parts[k],
                                   m_formats.number(cell.parts[k] <= 1 ? "0.0%" : "#,##0.00"));
    if (!one.parts.empty())
        return at;
    if (cell.value) {
        const double value = table.id.ends_with("-epoch") ? *cell.value / 86400 : *cell.value;
        worksheet_write_number(m_sheet, row(m_row), column(at), value,
                               m_formats.number(patternOf(table, cell.text)));
    } else if (cell.text != "—") {
        worksheet_write_string(m_sheet, row(m_row), column(at), clean(cell.text).c_str(),
                               one.numeric                    ? m_formats.right
                               : widthOf(cell.text) > kWidest ? m_formats.wrapped
                                                              : nullptr);
    }
    return at + 1;
}

XlsxPlace XlsxSheet::table(const ReportTable &table, const std::string &name, const std::string &mark)
{
    if (!name.empty())
        line(name, m_formats.bold);
    if (!mark.empty())
        line(mark, m_formats.simulated);
    XlsxPlace place;
    place.sheet = m_name;
    place.headRow = m_row;
    head(table, place);
    place.firstRow = m_row;
    for (const auto &cells : table.rows) {
        int at = 0;
        for (std::size_t i = 0; i < cells.size(); ++i)
            at = cell(table, cells[i], i, at);
        ++m_row;
    }
    for (const std::string &note : table.notes)
        line(note, m_formats.note);
    skip();
    return place;
}

void XlsxSheet::chart(lxw_chart *chart, int width, int height, int rows)
{
    lxw_chart_options options{};
    options.x_scale = width / 480.0; // libxlsxwriter's own size is 480 × 288
    options.y_scale = height / 288.0;
    worksheet_insert_chart_opt(m_sheet, row(m_row), 0, chart, &options);
    m_row += rows;
}

} // namespace sb
