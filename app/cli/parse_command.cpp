// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "catalog/manifest.h"
#include "core/json.h"
#include "core/measurement.h"
#include "core/text.h"
#include "core/units.h"
#include "session/log_files.h"

#include <algorithm>

namespace sb::cli {

namespace {

JsonNode sampleNode(const Sample &sample)
{
    return JsonNode::object()
        .set("step", sample.step)
        .set("time_s", sample.timeS)
        .set("step_time_ms", sample.stepTimeMs)
        .set("samples", sample.samples)
        .set("samples_per_s", sample.samplesPerS)
        .set("loss", sample.loss)
        .set("log_offset", sample.logOffset);
}

JsonNode measurementNode(const Result<Measurement> &measured)
{
    if (!measured)
        return {};
    return JsonNode::object()
        .set("throughput", measured->throughput)
        .set("printed_throughput", measured->printedThroughput)
        .set("clock_throughput", measured->clockThroughput)
        .set("step_time_ms", measured->stepTimeMs)
        .set("step_time_p95_ms", measured->stepTimeP95Ms)
        .set("first_step", measured->firstStep)
        .set("last_step", measured->lastStep);
}

// What is printed, whatever kind of log it was.
struct Reading {
    std::string framework, unit, scope;
    JsonNode values = JsonNode::array(), steps = JsonNode::array();
    std::vector<Sample> samples;
    std::optional<std::int64_t> globalBatch;
    std::optional<bool> endedWell;
    std::optional<LogFailure> failure;
};

JsonNode stepNode(const LogPoint &point)
{
    if (point.step && point.last)
        return {std::to_string(*point.step) + "-" + std::to_string(*point.last)};
    return point.step;
}

// The events of a program name its plugin ("program"), or only the plugin that runs that program does.
std::string frameworkOfEvents(const RunFacts &facts, const Catalog &catalog)
{
    for (const Framework &framework : catalog.frameworks)
        if (facts.programName &&
            (framework.name == *facts.programName || framework.program == *facts.programName))
            return framework.name;
    return facts.programName.value_or("native");
}

Reading readingOf(ParsedLog &log, const Catalog &catalog)
{
    Reading reading;
    reading.failure = log.failure;
    if (log.events) {
        LogContents &events = *log.events;
        reading.framework = frameworkOfEvents(events.facts, catalog);
        reading.unit = events.facts.unit.value_or("samples") + "/s";
        reading.scope = "total";
        reading.globalBatch = events.facts.globalBatchSize;
        if (events.end)
            reading.endedWell = events.end->ok;
        if (events.end && !events.end->ok && !reading.failure)
            reading.failure = LogFailure{"program-error", events.end->message, ""};
        for (const Sample &sample : events.samples) {
            const auto batch = sample.samples ? sample.samples : reading.globalBatch;
            const bool known = batch && sample.stepTimeMs && *sample.stepTimeMs > 0;
            reading.values.push(known ? JsonNode(static_cast<double>(*batch) * 1000 / *sample.stepTimeMs)
                                      : JsonNode());
            reading.steps.push(sample.step);
        }
        reading.samples = std::move(events.samples);
        return reading;
    }
    reading.framework = log.series.format;
    reading.unit = log.series.unit;
    reading.scope = log.series.scope;
    reading.globalBatch = log.globalBatch;
    for (const LogPoint &point : log.series.points) {
        reading.values.push(point.value);
        reading.steps.push(stepNode(point));
    }
    reading.samples = samplesOf(log.series, log.devices);
    return reading;
}

std::string jsonText(const Reading &reading, const Result<Measurement> &measured)
{
    JsonNode samples = JsonNode::array();
    for (const Sample &sample : reading.samples)
        samples.push(sampleNode(sample));
    const auto &failure = reading.failure;
    JsonNode root = JsonNode::object();
    root.set("schema", 1)
        .set("framework", reading.framework)
        .set("unit", reading.unit)
        .set("scope", reading.scope)
        .set("values", reading.values)
        .set("steps", reading.steps)
        .set("failure", failure ? JsonNode(failure->name) : JsonNode())
        .set("failure_line", failure ? JsonNode(failure->line) : JsonNode())
        .set("advice", failure && !failure->advice.empty() ? JsonNode(failure->advice) : JsonNode())
        .set("global_batch_size", reading.globalBatch)
        .set("ended_well", reading.endedWell ? JsonNode(*reading.endedWell) : JsonNode())
        .set("measurement", measurementNode(measured))
        .set("problem", measured ? JsonNode() : JsonNode(measured.error().message))
        .set("disagreement", measured ? JsonNode(measured->disagreement()) : JsonNode())
        .set("samples", samples);
    return writeJson(root) + "\n";
}

Result<MeasurementRule> ruleFrom(const QCommandLineParser &parser)
{
    MeasurementRule rule;
    const auto skip = toInteger(parser.value(QStringLiteral("skip")).toStdString());
    const auto count = toInteger(parser.value(QStringLiteral("measure")).toStdString());
    if (!skip || *skip < 0 || *skip > 10'000'000)
        return Error{ErrorCode::BadInput, "--skip must be a number of steps from 0 to 10000000."};
    if (!count || *count < 1 || *count > 10'000'000)
        return Error{ErrorCode::BadInput, "--measure must be a number of steps from 1 to 10000000."};
    rule.warmupSteps = static_cast<int>(*skip);
    rule.measuredSteps = static_cast<int>(*count);
    return rule;
}

void printProse(const Reading &reading, const Result<Measurement> &measured)
{
    const std::size_t count = reading.values.items.size();
    print(reading.framework + ": " + std::to_string(count) + (count == 1 ? " value" : " values") + " in " +
          reading.unit + (reading.scope == "total" ? "" : " (" + reading.scope + ")") + "\n");
    if (measured) {
        print("throughput " + formatThroughput(measured->throughput) + " " + reading.unit + ", steps " +
              std::to_string(measured->firstStep) + "–" + std::to_string(measured->lastStep) + ", " +
              formatNumber(measured->stepTimeMs, 1) + " ms a step\n");
        if (const auto disagreement = measured->disagreement())
            print("note: " + *disagreement + "\n");
    } else if (count > 0) {
        print("not measured: " + measured.error().message + "\n");
    }
    if (reading.failure)
        print("failure: " + reading.failure->name + ": " + reading.failure->line + "\n" +
              (reading.failure->advice.empty() ? "" : reading.failure->advice + "\n"));
}

int report(const QCommandLineParser &parser, const MeasurementRule &rule, const Catalog &catalog)
{
    const std::string only = parser.value(QStringLiteral("framework")).toStdString();
    const std::string path = parser.positionalArguments().constFirst().toStdString();
    const Framework *framework = findFramework(catalog.frameworks, only);
    const LogWords words = catalog.words ? *catalog.words : LogWords();
    const LineRules rules(lineFormats(catalog.frameworks, words, only), words);
    if (!only.empty() && !framework && rules.formats().empty()) {
        std::vector<std::string> names;
        for (const Framework &known : catalog.frameworks)
            names.push_back(known.name);
        for (const LineFormat &known : words.formats)
            names.push_back(known.name);
        return badUsage("There is no plugin \"" + only + "\". Known: " + join(names, ", ") + ".");
    }
    auto log = parseLog(path, rules);
    if (!log)
        return fail(log.error());
    const Reading reading = readingOf(*log, catalog);
    if (reading.values.items.empty() && !reading.failure)
        return fail({ErrorCode::BadInput, path + " has no number that a training program would print" +
                                              (only.empty() ? "" : " in the form of " + only) + "."});
    const Framework *measuredAs = findFramework(catalog.frameworks, reading.framework);
    const auto from = measuredAs ? measuredAs->log.from : ThroughputFrom::Printed;
    const auto measured = measure(reading.samples, rule, reading.globalBatch, from);
    if (parser.isSet(QStringLiteral("json")))
        print(jsonText(reading, measured));
    else
        printProse(reading, measured);
    return kOk;
}

} // namespace

int parseCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Reads a training log of any known framework, or of none, and measures its throughput."));
    const QCommandLineOption framework(QStringLiteral("framework"),
                                       QStringLiteral("Whose log this is (default: told from its lines)."),
                                       QStringLiteral("name"));
    const QCommandLineOption skip(QStringLiteral("skip"),
                                  QStringLiteral("Warm-up steps left out (default 20)."),
                                  QStringLiteral("steps"), QStringLiteral("20"));
    const QCommandLineOption count(QStringLiteral("measure"), QStringLiteral("Steps averaged (default 100)."),
                                   QStringLiteral("steps"), QStringLiteral("100"));
    const QCommandLineOption json(QStringLiteral("json"),
                                  QStringLiteral("Print JSON (schema 1) with every step."));
    parser.addOptions({framework, skip, count, json});
    parser.addPositionalArgument(QStringLiteral("log"), QStringLiteral("Log file."));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (parser.positionalArguments().size() != 1)
        return badUsage("parse needs one log file.");
    const auto rule = ruleFrom(parser);
    if (!rule)
        return badUsage(rule.error().message);
    const Catalog catalog = readCatalog(paths().pluginFolder, paths().userPluginFolder);
    for (const std::string &problem : catalog.problems)
        printNote("scaleboard-cli: " + problem + "\n");
    return report(parser, *rule, catalog);
}

} // namespace sb::cli
