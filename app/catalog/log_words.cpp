// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/log_words.h"

#include "core/text.h"

#include <QFile>

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace sb {

namespace {

constexpr std::array<std::pair<const char *, LineKind>, 8> kKinds{{{"bandwidth", LineKind::Bandwidth},
                                                                   {"rate", LineKind::Rate},
                                                                   {"steps", LineKind::Steps},
                                                                   {"time", LineKind::Time},
                                                                   {"clock", LineKind::Clock},
                                                                   {"mean", LineKind::Mean},
                                                                   {"bar", LineKind::Bar},
                                                                   {"fact", LineKind::Fact}}};

bool isName(std::string_view text)
{
    return !text.empty() && std::isupper(static_cast<unsigned char>(text.front())) &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return std::isupper(static_cast<unsigned char>(c)) ||
                      std::isdigit(static_cast<unsigned char>(c)) || c == '_';
           });
}

// Reads patterns of one file: expands names and lets RE2 compile each once, so that a fault is told when
// the file is read.
class PatternReader {
public:
    PatternReader(ObjectReader &reader, const LogDefinitions &definitions)
        : m_reader(reader)
        , m_definitions(definitions)
    {
    }

    std::string take(const JsonNode &at, const std::string &place, const std::string &text)
    {
        const auto expanded = expandPattern(text, m_definitions);
        if (!expanded) {
            m_reader.fail(at, place + ": " + expanded.error().message);
            return {};
        }
        const re2::RE2 compiled(*expanded, re2::RE2::Quiet);
        if (!compiled.ok())
            m_reader.fail(at, place + " is no pattern that RE2 takes: " + compiled.error());
        return *expanded;
    }

    std::vector<std::string> list(const JsonNode &object, const std::string &key)
    {
        std::vector<std::string> patterns = m_reader.strings(key, {});
        for (std::string &pattern : patterns)
            pattern = take(object, key, pattern);
        return patterns;
    }

private:
    ObjectReader &m_reader;
    const LogDefinitions &m_definitions;
};

LineKind kindNamed(const std::string &name, ObjectReader &reader, const JsonNode &at)
{
    std::vector<std::string> names;
    for (const auto &[known, kind] : kKinds) {
        if (name == known)
            return kind;
        names.emplace_back(known);
    }
    reader.fail(at, reader.what() + ".kind is \"" + name + "\"; known: " + join(names, ", "));
    return LineKind::Rate;
}

std::vector<LineRule> readLines(const JsonNode *list, ObjectReader &parent, const LogDefinitions &definitions,
                                const std::string &what)
{
    std::vector<LineRule> lines;
    for (std::size_t i = 0; list && i < list->items.size(); ++i) {
        const JsonNode &node = list->items[i];
        ObjectReader reader(node, parent.source(), what + "[" + std::to_string(i) + "]");
        PatternReader patterns(reader, definitions);
        LineRule line;
        line.kind = kindNamed(reader.string("kind", "fact"), reader, node);
        line.pattern = patterns.take(node, reader.what() + ".pattern", reader.string("pattern"));
        if (const auto unless = reader.optionalString("unless"))
            line.unless = patterns.take(node, reader.what() + ".unless", *unless);
        line.unit = reader.string("unit", "");
        line.scope = reader.string("scope", "");
        line.countsFrom = reader.integer("counts_from", 1);
        if (line.countsFrom != 0 && line.countsFrom != 1)
            reader.fail(node, reader.what() + ".counts_from must be 0 or 1");
        static const std::vector<std::string> kScopes{"", "total", "per_gpu", "per_rank"};
        if (std::find(kScopes.begin(), kScopes.end(), line.scope) == kScopes.end())
            reader.fail(node,
                        reader.what() + ".scope is \"" + line.scope + "\"; known: total, per_gpu, per_rank");
        parent.adopt(reader.finish());
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<FailureRule> readFailures(const JsonNode *list, ObjectReader &parent,
                                      const LogDefinitions &definitions)
{
    std::vector<FailureRule> failures;
    for (std::size_t i = 0; list && i < list->items.size(); ++i) {
        const JsonNode &node = list->items[i];
        ObjectReader reader(node, parent.source(), "failures[" + std::to_string(i) + "]");
        PatternReader patterns(reader, definitions);
        FailureRule failure;
        failure.name = reader.string("name");
        failure.pattern = patterns.take(node, reader.what() + ".pattern", reader.string("pattern"));
        if (const auto unless = reader.optionalString("unless"))
            failure.unless = patterns.take(node, reader.what() + ".unless", *unless);
        failure.afterFinish = reader.string("after_finish", failure.name);
        failure.advice = reader.string("advice");
        parent.adopt(reader.finish());
        failures.push_back(std::move(failure));
    }
    return failures;
}

void takeDefinitions(ObjectReader &reader, LogDefinitions &definitions)
{
    for (auto &[name, pattern] : reader.stringMap("define"))
        definitions[name] = pattern;
}

} // namespace

Result<std::string> expandPattern(const std::string &pattern, const LogDefinitions &definitions)
{
    std::string expanded;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t end = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
        const std::string name = end == std::string::npos ? "" : pattern.substr(at + 1, end - at - 1);
        if (!isName(name)) { // "\d{3}", "\p{Lu}" and the like have no name of this kind
            expanded += pattern[at++];
            continue;
        }
        const auto found = definitions.find(name);
        if (found == definitions.end())
            return Error{ErrorCode::BadInput,
                         "the pattern uses {" + name + "}, which \"define\" does not have"};
        expanded += found->second;
        at = end + 1;
    }
    return expanded;
}

LogFormat readLogFormat(const JsonNode &node, ObjectReader &parent, LogDefinitions definitions)
{
    ObjectReader reader(node, parent.source(), "log");
    LogFormat format;
    const std::string rule = reader.string("rule");
    if (rule == "lines")
        format.rule = LogRule::Lines;
    else if (rule != "json_lines")
        reader.fail(node, "log.rule is \"" + rule + "\"; known: json_lines, lines");
    const std::string from = reader.string("throughput", "clock");
    if (from == "printed")
        format.from = ThroughputFrom::Printed;
    else if (from != "clock")
        reader.fail(node, "log.throughput is \"" + from + "\"; known: clock, printed");
    takeDefinitions(reader, definitions);
    format.lines = readLines(reader.optionalArray("lines"), reader, definitions, "log.lines");
    if (format.rule == LogRule::Lines && format.lines.empty())
        reader.fail(node, "log.lines is empty");
    if (format.rule == LogRule::JsonLines && !format.lines.empty())
        reader.fail(node, "log.lines needs the rule \"lines\"");
    parent.adopt(reader.finish());
    return format;
}

Result<LogWordsFile> readLogWords(std::string_view text, const std::string &source)
{
    const Result<JsonNode> root = parseJson(text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "logs");
    if (const int schema = reader.integer("schema", 0); schema > 1)
        return Error{ErrorCode::Newer, source + " was written for a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to 1)."};
    LogWordsFile file;
    takeDefinitions(reader, file.definitions);
    PatternReader patterns(reader, file.definitions);
    LogWords &words = file.words;
    words.prefixes = patterns.list(*root, "prefixes");
    words.stamps = patterns.list(*root, "stamps");
    words.steps = patterns.list(*root, "steps");
    words.finished = patterns.list(*root, "finished");
    words.notTraining = patterns.take(*root, "not_training", reader.string("not_training", ""));
    for (auto &[printed, name] : reader.stringMap("units"))
        words.units.emplace_back(printed, name);
    words.paths = patterns.list(*root, "paths");
    for (auto &[written, name] : reader.stringMap("models"))
        words.models.emplace_back(written, name);
    words.facts = readLines(reader.optionalArray("facts"), reader, file.definitions, "facts");
    words.failures = readFailures(reader.optionalArray("failures"), reader, file.definitions);
    const JsonNode *formats = reader.optionalArray("formats");
    for (std::size_t i = 0; formats && i < formats->items.size(); ++i) {
        ObjectReader of(formats->items[i], source, "formats[" + std::to_string(i) + "]");
        LineFormat format;
        format.name = of.string("name");
        format.lines = readLines(of.array("lines"), of, file.definitions, of.what() + ".lines");
        reader.adopt(of.finish());
        words.formats.push_back(std::move(format));
    }
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    return file;
}

Result<LogWordsFile> readLogWordsFile(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{file.exists() ? ErrorCode::Io : ErrorCode::NotFound,
                     path + " cannot be read: " + file.errorString().toStdString() + "."};
    return readLogWords(file.readAll().toStdString(), path);
}

} // namespace sb
