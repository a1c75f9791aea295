// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report_template.h"

#include "core/json.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sb {

namespace {

constexpr int kTemplateSchema = 1;
constexpr std::size_t kMostBytes = 1 << 20;

// One text for both languages, or one for each.
LocalText localText(const JsonNode &node, ObjectReader &parent, const std::string &what)
{
    if (node.kind == JsonNode::Kind::String)
        return {node.text, node.text};
    if (node.kind != JsonNode::Kind::Object) {
        parent.fail(node, what + R"( must be a text or {"en": …, "zh": …})");
        return {};
    }
    ObjectReader reader(node, parent.source(), what);
    LocalText text{reader.string("en"), reader.string("zh")};
    parent.adopt(reader.finish());
    return text;
}

const JsonNode *member(const JsonNode &root, ObjectReader &reader, const std::string &key)
{
    const JsonNode *node = root.find(key);
    if (!node)
        return nullptr;
    // Either kind may stand there; asking for the one that does marks the key as known.
    if (node->kind == JsonNode::Kind::Object)
        reader.optionalObject(key);
    else
        reader.optionalString(key);
    return node;
}

std::string colour(ObjectReader &reader, const JsonNode &at, const std::string &key)
{
    const std::string text = reader.string(key, "");
    const bool good =
        text.size() == 7 && text[0] == '#' &&
        std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (!text.empty() && !good)
        reader.fail(at, "colours." + key + " is \"" + text + "\"; write it like \"#1f5fbf\"");
    return text;
}

} // namespace

Result<ReportTemplate> parseReportTemplate(std::string_view text, const std::string &source)
{
    const auto root = parseJson(text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "template");
    if (const int schema = reader.integer("schema", 1); schema > kTemplateSchema)
        return Error{ErrorCode::Newer, source + " was written for a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to 1)."};
    ReportTemplate house;
    if (const JsonNode *title = member(*root, reader, "title"))
        house.title = localText(*title, reader, "title");
    if (reader.has("sections"))
        house.sections = reader.strings("sections");
    if (const JsonNode *titles = reader.optionalObject("titles"))
        for (const auto &[id, node] : titles->members)
            house.titles[id] = localText(node, reader, "titles." + id);
    house.logo = reader.string("logo", "");
    if (const JsonNode *colours = reader.optionalObject("colours")) {
        ObjectReader part(*colours, source, "colours");
        house.accent = colour(part, *colours, "accent");
        house.ink = colour(part, *colours, "ink");
        reader.adopt(part.finish());
    }
    house.font = reader.string("font", "");
    house.palette = reader.string("palette", "");
    const std::vector<std::string> palettes{"", "print", "light", "dark", "grey"};
    if (std::find(palettes.begin(), palettes.end(), house.palette) == palettes.end())
        reader.fail(*root, "palette is \"" + house.palette + "\"; it must be print, light, dark or grey");
    house.figureWidthMm = reader.optionalNumber("figure_width_mm");
    if (house.figureWidthMm && !(*house.figureWidthMm >= 40 && *house.figureWidthMm <= 400))
        reader.fail(*root, "figure_width_mm must be 40 to 400");
    if (const JsonNode *footer = member(*root, reader, "footer"))
        house.footer = localText(*footer, reader, "footer");
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    if (!house.logo.empty())
        house.logo = (std::filesystem::path(source).parent_path() / house.logo).string();
    return house;
}

Result<ReportTemplate> readReportTemplate(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{ErrorCode::NotFound,
                     "The report template " + path + " cannot be read; check that the file is there."};
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (text.size() > kMostBytes)
        return Error{ErrorCode::BadInput, path + " is larger than 1 MB; this is not a report template."};
    return parseReportTemplate(text, path);
}

std::vector<std::string> templateSections(const ReportTemplate &house, const std::vector<std::string> &ids)
{
    if (!house.sections)
        return ids;
    std::vector<std::string> chosen;
    for (const std::string &wanted : *house.sections)
        for (const std::string &id : ids)
            if (id == wanted || (wanted == "groups" && id.starts_with("group:")))
                chosen.push_back(id);
    return chosen;
}

void applyTemplate(const ReportTemplate &house, Report &report)
{
    if (house.title)
        report.title = house.title->in(report.language);
    if (house.footer)
        report.footer = house.footer->in(report.language);
    for (ReportSection &section : report.sections)
        if (const auto title = house.titles.find(section.id); title != house.titles.end())
            section.title = title->second.in(report.language);
}

} // namespace sb
