// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_texts.h"

#include "core/json.h"

namespace sb {

namespace {

constexpr const char *kStyle = R"(
body { font: 15px/1.5 sans-serif; color: #1b1f24; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #cdd2d9; }
nav ol { columns: 2; } nav a { color: #1f5fbf; }
table { border-collapse: collapse; margin: .3rem 0 .6rem; font-size: .87rem; border-top: 2px solid #1b1f24; border-bottom: 2px solid #1b1f24; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { padding: .22rem .7rem .22rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #1b1f24; } tr + tr td { border-top: 1px solid #e3e6ea; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .note, .meta { color: #525a66; font-size: .87rem; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; } figcaption { font-weight: 600; font-size: .87rem; }
pre { background: #f7f8fa; padding: .5rem .7rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; margin: .2rem 0 .8rem; }
.logo { height: 3.2rem; } footer { margin-top: 3rem; border-top: 1px solid #cdd2d9; padding-top: .5rem; }
.sim { color: #6438a8; background: #f0e9fb; padding: .1rem .5rem; font-weight: 600; }
@media print { body { max-width: none; margin: 0; } figure, table { break-inside: avoid; } }
)";

std::string escaped(const std::string &text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string simulatedTag(ReportLanguage language)
{
    return "<p><span class=\"sim\">" + escaped(reportText(language, "simulated")) + "</span></p>\n";
}

std::string joinedIds(const std::vector<std::string> &ids)
{
    std::string text;
    for (const std::string &id : ids)
        text += (text.empty() ? "" : "\n") + id;
    return text;
}

std::string htmlTable(const ReportTable &table, ReportLanguage language)
{
    std::string out = table.simulated ? simulatedTag(language) : std::string();
    out += "<div class=\"scroll\"><table id=\"" + escaped(table.id) + "\">\n<caption>" +
           escaped(reportText(language, "table", {std::to_string(table.number)}) + "  " + table.title) +
           "</caption>\n<thead><tr>";
    for (const ReportColumn &column : table.columns)
        out += std::string("<th scope=\"col\"") + (column.numeric ? " class=\"n\"" : "") + ">" +
               escaped(column.title) + "</th>";
    out += "</tr></thead>\n<tbody>\n";
    for (const auto &row : table.rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            out += std::string("<td") + (table.columns[i].numeric ? " class=\"n\"" : "");
            if (!row[i].runIds.empty() || !row[i].source.empty())
                out += " title=\"" + escaped(row[i].source + joinedIds(row[i].runIds)) + "\"";
            out += ">" + escaped(row[i].text) + "</td>";
        }
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    for (const std::string &note : table.notes)
        out += "<p class=\"note\">" + escaped(note) + "</p>\n";
    return out;
}

std::string htmlBlock(const Report &report, const ReportBlock &block, const FigureSvg &figureSvg)
{
    if (const auto *paragraph = std::get_if<ReportParagraph>(&block))
        return "<p>" + escaped(paragraph->text) + "</p>\n";
    if (const auto *table = std::get_if<ReportTable>(&block))
        return htmlTable(*table, report.language);
    if (const auto *figure = std::get_if<ReportFigure>(&block))
        return "<figure id=\"" + escaped(figure->id) + "\">\n" + figureSvg(*figure) + "\n<figcaption>" +
               escaped(reportText(report.language, "figure", {std::to_string(figure->number)}) + "  " +
                       figure->title) +
               "</figcaption>\n</figure>\n";
    std::string out;
    if (const auto *bullets = std::get_if<ReportBullets>(&block)) {
        out = "<ul>\n";
        for (const std::string &item : bullets->items)
            out += "<li>" + escaped(item) + "</li>\n";
        return out + "</ul>\n";
    }
    if (const auto *listing = std::get_if<ReportListing>(&block)) {
        out = "<p class=\"meta\">" + escaped(listing->title) + "</p>\n<pre>";
        for (const std::string &line : listing->lines)
            out += escaped(line) + "\n";
        return out + "</pre>\n";
    }
    return out;
}

JsonNode jsonTable(const ReportTable &table)
{
    JsonNode columns = JsonNode::array();
    for (const ReportColumn &column : table.columns)
        columns.push(JsonNode(column.title));
    JsonNode rows = JsonNode::array();
    for (const auto &row : table.rows) {
        JsonNode cells = JsonNode::array();
        for (const ReportCell &cell : row) {
            JsonNode node = JsonNode::object();
            node.set("text", cell.text);
            if (cell.value)
                node.set("value", *cell.value);
            if (!cell.parts.empty()) {
                JsonNode parts = JsonNode::array();
                for (const double part : cell.parts)
                    parts.push(part);
                node.set("parts", std::move(parts));
            }
            if (!cell.runIds.empty())
                node.set("runs", JsonNode(cell.runIds));
            if (!cell.source.empty())
                node.set("source", cell.source);
            cells.push(std::move(node));
        }
        rows.push(std::move(cells));
    }
    JsonNode node = JsonNode::object();
    node.set("kind", "table").set("id", table.id).set("title", table.title).set("simulated", table.simulated);
    node.set("columns", std::move(columns)).set("rows", std::move(rows)).set("notes", JsonNode(table.notes));
    return node;
}

JsonNode jsonBlock(const ReportBlock &block)
{
    JsonNode node = JsonNode::object();
    if (const auto *table = std::get_if<ReportTable>(&block))
        return jsonTable(*table);
    if (const auto *paragraph = std::get_if<ReportParagraph>(&block))
        node.set("kind", "paragraph").set("text", paragraph->text);
    if (const auto *bullets = std::get_if<ReportBullets>(&block))
        node.set("kind", "bullets").set("items", JsonNode(bullets->items));
    if (const auto *figure = std::get_if<ReportFigure>(&block))
        node.set("kind", "figure").set("id", figure->id).set("title", figure->title);
    if (const auto *listing = std::get_if<ReportListing>(&block))
        node.set("kind", "listing").set("title", listing->title).set("lines", JsonNode(listing->lines));
    return node;
}

} // namespace

namespace {

// What the house style says otherwise.
std::string houseRules(const HtmlStyle &style)
{
    std::string out;
    if (!style.accent.empty())
        out += "h1, h2, nav a { color: " + style.accent + "; } h2 { border-color: " + style.accent + "; }\n";
    if (!style.ink.empty())
        out += "body { color: " + style.ink + "; }\n";
    std::string family = style.font;
    std::erase_if(family, [](char c) { return c == '"' || c == '\\' || c == '<' || c == ';' || c == '}'; });
    if (!family.empty())
        out += "body { font-family: \"" + family + "\", sans-serif; }\n";
    return out;
}

} // namespace

std::string reportHtml(const Report &report, const FigureSvg &figureSvg, const HtmlStyle &style)
{
    const ReportLanguage language = report.language;
    std::string out =
        std::string("<!DOCTYPE html>\n<html lang=\"") +
        (language == ReportLanguage::Chinese ? "zh-CN" : "en") +
        "\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
        escaped(report.title) + "</title>\n<style>" + kStyle + houseRules(style) +
        "</style>\n</head>\n<body>\n" +
        (style.logoBase64.empty() ? std::string()
                                  : "<p><img class=\"logo\" alt=\"\" src=\"data:image/png;base64," +
                                        style.logoBase64 + "\"></p>\n") +
        "<h1>" + escaped(report.title) + "</h1>\n";
    if (report.simulated)
        out += simulatedTag(language);
    if (!report.date.empty())
        out += "<p class=\"meta\">" + escaped(reportText(language, "date", {report.date})) + "</p>\n";
    out += "<nav aria-label=\"" + escaped(reportText(language, "contents")) + "\"><ol>\n";
    for (std::size_t i = 0; i < report.sections.size(); ++i)
        out += "<li><a href=\"#s" + std::to_string(i + 1) + "\">" + escaped(report.sections[i].title) +
               "</a></li>\n";
    out += "</ol></nav>\n";
    for (std::size_t i = 0; i < report.sections.size(); ++i) {
        const ReportSection &section = report.sections[i];
        out += "<section id=\"s" + std::to_string(i + 1) + "\">\n<h2>" + std::to_string(i + 1) + "  " +
               escaped(section.title) + "</h2>\n";
        for (const ReportBlock &block : section.blocks)
            out += htmlBlock(report, block, figureSvg);
        out += "</section>\n";
    }
    if (!report.footer.empty())
        out += "<footer class=\"meta\">" + escaped(report.footer) + "</footer>\n";
    return out + "</body>\n</html>\n";
}

std::string reportJson(const Report &report)
{
    JsonNode root = JsonNode::object();
    root.set("schema", 1).set("title", report.title).set("language", reportLanguageName(report.language));
    root.set("date", report.date).set("provenance", report.provenance).set("simulated", report.simulated);
    JsonNode sections = JsonNode::array();
    for (const ReportSection &section : report.sections) {
        JsonNode blocks = JsonNode::array();
        for (const ReportBlock &block : section.blocks)
            blocks.push(jsonBlock(block));
        JsonNode node = JsonNode::object();
        node.set("id", section.id).set("title", section.title).set("blocks", std::move(blocks));
        sections.push(std::move(node));
    }
    root.set("sections", std::move(sections));
    return writeJson(root) + "\n";
}

} // namespace sb
