// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_texts.h"

#include "core/units.h"

#include <type_traits>

namespace sb {

namespace {

// Characters that would begin a new cell or mark-up.
std::string escaped(const std::string &text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            out += ' ';
            continue;
        }
        if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<' || c == '#')
            out += '\\';
        out += c;
    }
    return out;
}

std::string caption(const Report &report, std::string_view key, int number, const std::string &title)
{
    return reportText(report.language, key, {std::to_string(number)}) + "  " + title;
}

std::string csvField(const std::string &text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + "\"";
}

} // namespace

std::string tableMarkdown(const ReportTable &table, ReportLanguage language)
{
    std::string out;
    if (table.simulated)
        out += "**" + reportText(language, "simulated") + "**\n\n";
    out += "|";
    for (const ReportColumn &column : table.columns)
        out += " " + escaped(column.title) + " |";
    out += "\n|";
    for (const ReportColumn &column : table.columns)
        out += column.numeric ? " ---: |" : " :--- |";
    out += "\n";
    for (const auto &row : table.rows) {
        out += "|";
        for (const ReportCell &cell : row)
            out += " " + escaped(cell.text) + " |";
        out += "\n";
    }
    return out;
}

std::string tableCsv(const ReportTable &table, ReportLanguage language)
{
    std::string out;
    if (table.simulated)
        out += "# " + reportText(language, "simulated") + "\n";
    std::string line;
    const auto add = [&line](const std::string &text) { line += (line.empty() ? "" : ",") + csvField(text); };
    const auto end = [&] {
        out += line + "\n";
        line.clear();
    };
    for (const ReportColumn &column : table.columns) {
        if (column.parts.empty())
            add(column.title);
        for (const std::string &part : column.parts)
            add(column.title + " " + part);
    }
    end();
    for (const auto &row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const ReportColumn &column = table.columns[i];
            for (std::size_t k = 0; k < column.parts.size(); ++k)
                add(k < row[i].parts.size() ? plainNumber(row[i].parts[k]) : "");
            if (column.parts.empty())
                add(row[i].value ? plainNumber(*row[i].value) : row[i].text == "—" ? "" : row[i].text);
        }
        end();
    }
    return out;
}

std::string reportMarkdown(const Report &report, const FigurePath &figurePath)
{
    std::string out = "# " + escaped(report.title) + "\n\n";
    if (report.simulated)
        out += "**" + reportText(report.language, "simulated") + "**\n\n";
    if (!report.date.empty())
        out += reportText(report.language, "date", {report.date}) + "\n";
    int number = 0;
    for (const ReportSection &section : report.sections) {
        out += "\n## " + std::to_string(++number) + " " + escaped(section.title) + "\n";
        for (const ReportBlock &block : section.blocks) {
            out += "\n";
            if (const auto *paragraph = std::get_if<ReportParagraph>(&block))
                out += escaped(paragraph->text) + "\n";
            if (const auto *bullets = std::get_if<ReportBullets>(&block))
                for (const std::string &item : bullets->items)
                    out += "- " + escaped(item) + "\n";
            if (const auto *figure = std::get_if<ReportFigure>(&block)) {
                const std::string name = caption(report, "figure", figure->number, figure->title);
                out += "![" + escaped(name) + "](" + figurePath(*figure) + ")\n\n*" + escaped(name) + "*\n";
            }
            if (const auto *listing = std::get_if<ReportListing>(&block)) {
                out += escaped(listing->title) + "\n\n";
                for (const std::string &line : listing->lines)
                    out += "    " + line + "\n"; // indented: a fence could occur in a command
            }
            if (const auto *table = std::get_if<ReportTable>(&block)) {
                out += "**" + escaped(caption(report, "table", table->number, table->title)) + "**\n\n" +
                       tableMarkdown(*table, report.language);
                for (const std::string &note : table->notes)
                    out += "\n" + escaped(note) + "\n";
            }
        }
    }
    return out;
}

} // namespace sb
