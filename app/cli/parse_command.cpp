// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "catalog/manifest.h"
#include "core/json.h"
#include "core/measurement.h"
#include "core/text.h"
#include "core/units.h"
#include "session/log_files.h"

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

std::string jsonText(const LogContents &log, const Result<Measurement> &measured)
{
    JsonNode samples = JsonNode::array();
    for (const Sample &sample : log.samples)
        samples.push(sampleNode(sample));
    JsonNode measurement;
    if (measured)
        measurement = JsonNode::object()
                          .set("throughput", measured->throughput)
                          .set("step_time_ms", measured->stepTimeMs)
                          .set("step_time_p95_ms", measured->stepTimeP95Ms)
                          .set("first_step", measured->firstStep)
                          .set("last_step", measured->lastStep);
    JsonNode root = JsonNode::object();
    root.set("schema", 1)
        .set("unit", log.facts.unit)
        .set("global_batch_size", log.facts.globalBatchSize)
        .set("ended_well", log.end ? JsonNode(log.end->ok) : JsonNode())
        .set("measurement", measurement)
        .set("problem", measured ? JsonNode() : JsonNode(measured.error().message))
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

} // namespace

int parseCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Reads one rank's training log and measures its throughput."));
    const QCommandLineOption framework(QStringLiteral("framework"),
                                       QStringLiteral("Plugin whose log this is."), QStringLiteral("name"),
                                       QStringLiteral("native"));
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

    const Catalog catalog = readCatalog(paths().pluginFolder);
    const Framework *found = nullptr;
    std::vector<std::string> names;
    for (const Framework &candidate : catalog.frameworks) {
        names.push_back(candidate.name);
        if (candidate.name == parser.value(framework).toStdString())
            found = &candidate;
    }
    if (!found)
        return badUsage("There is no plugin \"" + parser.value(framework).toStdString() +
                        "\". Known: " + join(names, ", ") + ".");
    const std::string path = parser.positionalArguments().constFirst().toStdString();
    const auto log = readRankLog(path, found->log, 0);
    if (!log)
        return fail(log.error());
    if (log->samples.empty())
        return fail(
            {ErrorCode::BadInput, path + " has no training step that " + found->title + " would write."});
    const auto measured = measure(log->samples, *rule, log->facts.globalBatchSize);
    if (parser.isSet(json)) {
        print(jsonText(*log, measured));
        return measured ? kOk : kBadInput;
    }
    print(std::to_string(log->samples.size()) + " steps\n");
    if (!measured)
        return fail({ErrorCode::BadInput, path + ": " + measured.error().message});
    print("throughput " + formatThroughput(measured->throughput) + " " + log->facts.unit.value_or("samples") +
          "/s, steps " + std::to_string(measured->firstStep) + "–" + std::to_string(measured->lastStep) +
          ", " + formatNumber(measured->stepTimeMs, 1) + " ms a step\n");
    return kOk;
}

} // namespace sb::cli
