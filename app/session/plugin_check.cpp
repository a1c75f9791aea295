// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/plugin_check.h"

#include "core/json.h"
#include "core/measurement.h"
#include "session/log_files.h"

#include <QDir>
#include <QFile>

#include <cmath>

namespace sb {

namespace {

constexpr double kNear = 1e-4; // relative

std::string textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

// What a log gave, in the words of an expected file.
struct Found {
    std::vector<std::optional<double>> values;
    std::vector<Sample> samples;
    RunFacts facts;
    std::optional<RunEnd> end;
    std::string unit, scope, failure;
};

Found found(ParsedLog log)
{
    Found result;
    result.failure = log.failure ? log.failure->name : "";
    if (log.events) {
        result.samples = std::move(log.events->samples);
        result.facts = log.events->facts;
        result.end = log.events->end;
        result.unit = result.facts.unit.value_or("");
        return result;
    }
    for (const LogPoint &point : log.series.points)
        result.values.push_back(point.value);
    result.samples = samplesOf(log.series, log.devices);
    result.facts.globalBatchSize = log.globalBatch;
    result.unit = log.series.unit;
    result.scope = log.series.scope;
    return result;
}

class Comparison {
public:
    Comparison(const std::string &log, std::vector<std::string> &problems)
        : m_log(log)
        , m_problems(problems)
    {
    }

    void text(const std::string &key, const std::optional<std::string> &expected, const std::string &got)
    {
        if (expected && *expected != got)
            problem(key + " is \"" + got + "\", expected \"" + *expected + "\"");
    }
    void number(const std::string &key, std::optional<double> expected, std::optional<double> got)
    {
        if (expected && (!got || std::abs(*expected - *got) > kNear * std::max(1e-9, std::abs(*expected))))
            problem(key + " is " + (got ? std::to_string(*got) : "absent") + ", expected " +
                    std::to_string(*expected));
    }
    void values(const JsonNode *expected, const std::vector<std::optional<double>> &got)
    {
        if (!expected)
            return;
        number("the count of values", static_cast<double>(expected->items.size()),
               static_cast<double>(got.size()));
        for (std::size_t i = 0; i < std::min(got.size(), expected->items.size()); ++i)
            if (const JsonNode &item = expected->items[i]; !item.isNull())
                number("value " + std::to_string(i + 1), item.number, got[i]);
    }
    void problem(const std::string &what) { m_problems.push_back(m_log + ": " + what + "."); }

private:
    std::string m_log;
    std::vector<std::string> &m_problems;
};

void compare(ObjectReader &expected, const Found &got, ThroughputFrom from, Comparison &comparison)
{
    expected.optionalString("note"); // for readers: where the log comes from
    comparison.text("unit", expected.optionalString("unit"), got.unit);
    comparison.text("scope", expected.optionalString("scope"), got.scope);
    comparison.text("failure", expected.optionalString("failure"), got.failure);
    comparison.values(expected.optionalArray("values"), got.values);
    const auto asNumber = [](const auto &value) {
        return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
    };
    comparison.number("steps", expected.optionalNumber("steps"), static_cast<double>(got.samples.size()));
    comparison.number("global_batch_size", expected.optionalNumber("global_batch_size"),
                      asNumber(got.facts.globalBatchSize));
    comparison.number("world_size", expected.optionalNumber("world_size"), asNumber(got.facts.worldSize));
    const bool any = !got.samples.empty();
    comparison.number("first_loss", expected.optionalNumber("first_loss"),
                      any ? got.samples.front().loss : std::nullopt);
    comparison.number("last_loss", expected.optionalNumber("last_loss"),
                      any ? got.samples.back().loss : std::nullopt);
    if (expected.has("ended_well") && expected.boolean("ended_well", false) != (got.end && got.end->ok))
        comparison.problem("ended_well is otherwise");
    if (!expected.has("throughput"))
        return;
    const MeasurementRule rule{expected.integer("warmup_steps"), expected.integer("measured_steps"), 1};
    const auto measured = measure(got.samples, rule, got.facts.globalBatchSize, from);
    if (!measured)
        comparison.problem(measured.error().message);
    comparison.number("throughput", expected.optionalNumber("throughput"),
                      measured ? std::optional<double>(measured->throughput) : std::nullopt);
}

void checkSample(const QString &base, const Framework &framework, const LogWords &words, PluginCheck &check)
{
    const std::string path = (base + QStringLiteral(".expected.json")).toStdString();
    const std::string log = (base + QStringLiteral(".log")).toStdString();
    if (!QFile::exists(QString::fromStdString(path)))
        return check.problems.push_back("There is no " + path + "; write what the log beside it must give.");
    const auto expected = parseJson(textOf(QString::fromStdString(path)), path);
    if (!expected)
        return check.problems.push_back(expected.error().message);
    const LineRules rules(lineFormats({&framework, 1}, words, framework.name), words);
    auto parsed = parseLog(log, rules);
    if (!parsed)
        return check.problems.push_back(parsed.error().message);
    ObjectReader reader(*expected, path, "expected");
    reader.integer("schema");
    Comparison comparison(log, check.problems);
    compare(reader, found(std::move(*parsed)), framework.log.from, comparison);
    if (const auto finished = reader.finish(); !finished)
        check.problems.push_back(finished.error().message);
    check.samples += 1;
}

} // namespace

PluginCheck checkPlugin(const std::string &folder, const Catalog &catalog)
{
    PluginCheck check;
    const QDir dir(QString::fromStdString(folder));
    const QString path = dir.filePath(QStringLiteral("plugin.json"));
    if (!QFile::exists(path)) {
        check.problems.push_back("There is no " + path.toStdString() + ".");
        return check;
    }
    LogWordsFile logs;
    if (catalog.words)
        logs.words = *catalog.words;
    logs.definitions = catalog.definitions;
    auto framework = readManifest(textOf(path), path.toStdString(), &logs);
    if (!framework) {
        check.problems.push_back(framework.error().message);
        return check;
    }
    check.name = framework->name;
    framework->log.words = catalog.words;
    if (framework->name != dir.dirName().toStdString())
        check.problems.push_back(path.toStdString() + ": name is \"" + framework->name +
                                 "\", but the folder is called \"" + dir.dirName().toStdString() + "\".");
    for (const std::string &file : framework->files)
        if (!QFile::exists(dir.filePath(QString::fromStdString(file))))
            check.problems.push_back(path.toStdString() + " names the file " + file +
                                     ", which is not there.");
    const QDir samples(dir.filePath(QStringLiteral("samples")));
    const QStringList names = samples.entryList({QStringLiteral("*.log")}, QDir::Files, QDir::Name);
    if (names.isEmpty())
        check.problems.push_back(samples.path().toStdString() +
                                 " has no recorded log; a rule without one is a guess.");
    for (const QString &name : names)
        checkSample(samples.filePath(name.chopped(4)), *framework, logs.words, check);
    return check;
}

} // namespace sb
