// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/result_file.h"

namespace sb {

namespace {

constexpr int kResultSchema = 1;

JsonNode numbersNode(std::span<const double> values)
{
    JsonNode list = JsonNode::array();
    for (const double value : values)
        list.push(value);
    return list;
}

JsonNode resultNode(const CaseResult &result)
{
    JsonNode options = JsonNode::object();
    for (const auto &[name, value] : result.key.options)
        options.set(name, value);
    JsonNode node = JsonNode::object();
    node.set("framework", result.key.framework)
        .set("framework_title", result.frameworkTitle)
        .set("workload", result.key.workload)
        .set("workload_title", result.workloadTitle)
        .set("precision", result.key.precision)
        .set("batch_size_per_device", result.key.batchSizePerDevice)
        .set("nodes", result.key.nodes)
        .set("gpus_per_node", result.key.devicesPerNode)
        .set("devices", result.key.devices())
        .set("device", result.key.device)
        .set("data", result.key.data)
        .set("threads_per_device", result.key.threadsPerDevice)
        .set("warmup_steps", result.key.warmupSteps)
        .set("measured_steps", result.key.measuredSteps)
        .set("options", options)
        .set("repeats", result.repeats)
        .set("throughput", result.throughput)
        .set("mean", result.meanThroughput)
        .set("min", result.minThroughput)
        .set("max", result.maxThroughput)
        .set("runs", numbersNode(result.runThroughputs))
        .set("unit", result.unit + "/s")
        .set("step_time_ms", result.stepTimeMs)
        .set("seconds_per_epoch", result.secondsPerEpoch)
        .set("speedup", result.speedup)
        .set("efficiency", result.efficiency);
    JsonNode interval;
    if (result.interval)
        interval = JsonNode::object()
                       .set("low", result.interval->low)
                       .set("high", result.interval->high)
                       .set("coverage", result.interval->coverage);
    return node.set("interval", interval)
        .set("noise_grade",
             result.noise ? JsonNode(std::string(1, noiseGradeLetter(*result.noise))) : JsonNode())
        .set("simulated", result.simulated)
        .set("run_ids", result.runIds);
}

CaseKey readKey(ObjectReader &reader)
{
    CaseKey key;
    key.framework = reader.string("framework");
    key.workload = reader.string("workload");
    key.precision = reader.string("precision");
    key.device = reader.string("device");
    key.data = reader.string("data", "synthetic"); // older files do not say; there was nothing else
    key.batchSizePerDevice = reader.integer("batch_size_per_device");
    key.nodes = reader.integer("nodes");
    key.devicesPerNode = reader.integer("gpus_per_node");
    key.threadsPerDevice = reader.integer("threads_per_device", 0);
    key.warmupSteps = reader.integer("warmup_steps", 0);
    key.measuredSteps = reader.integer("measured_steps", 0);
    key.options = reader.stringMap("options");
    return key;
}

CaseResult readResult(ObjectReader &reader, const JsonNode &node)
{
    CaseResult result;
    result.key = readKey(reader);
    result.frameworkTitle = reader.string("framework_title", result.key.framework);
    result.workloadTitle = reader.string("workload_title", result.key.workload);
    result.repeats = reader.integer("repeats", 0);
    result.throughput = reader.optionalNumber("throughput").value_or(0);
    result.meanThroughput = reader.optionalNumber("mean").value_or(result.throughput);
    result.minThroughput = reader.optionalNumber("min").value_or(result.throughput);
    result.maxThroughput = reader.optionalNumber("max").value_or(result.throughput);
    if (const JsonNode *runs = reader.optionalArray("runs"))
        for (const JsonNode &run : runs->items)
            result.runThroughputs.push_back(run.number);
    result.unit = reader.string("unit", "samples/s");
    if (result.unit.ends_with("/s"))
        result.unit.resize(result.unit.size() - 2);
    result.stepTimeMs = reader.optionalNumber("step_time_ms").value_or(0);
    result.secondsPerEpoch = reader.optionalNumber("seconds_per_epoch");
    result.speedup = reader.optionalNumber("speedup");
    result.efficiency = reader.optionalNumber("efficiency");
    result.simulated = reader.boolean("simulated", false);
    result.runIds = reader.strings("run_ids", {});
    // Computed from the runs again, so that a file cannot claim less noise than it has.
    reader.optionalObject("interval");
    reader.optionalString("noise_grade");
    reader.optionalInteger("devices");
    result.interval = medianInterval(result.runThroughputs);
    result.noise = noiseGrade(result.runThroughputs);
    bool positive = result.throughput > 0 && isScale(result.key.nodes, result.key.devicesPerNode);
    for (const double run : result.runThroughputs)
        positive = positive && run > 0;
    if (!positive)
        reader.fail(node, reader.what() +
                              " needs nodes, gpus_per_node, a throughput and runs above 0, and at most "
                              "1000000 devices in all");
    return result;
}

} // namespace

std::string writeResults(const std::string &name, std::span<const CaseResult> results)
{
    JsonNode cases = JsonNode::array();
    for (const CaseResult &result : results)
        cases.push(resultNode(result));
    return writeJson(
               JsonNode::object().set("schema", kResultSchema).set("workspace", name).set("results", cases)) +
           "\n";
}

Result<std::vector<CaseResult>> readResults(std::string_view text, const std::string &source)
{
    const Result<JsonNode> root = parseJson(text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "results file");
    if (const int schema = reader.integer("schema"); schema > kResultSchema)
        return Error{ErrorCode::Newer, source + " was written by a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to 1)."};
    reader.string("workspace", "");
    std::vector<CaseResult> results;
    if (const JsonNode *list = reader.array("results"))
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            ObjectReader one(list->items[i], source, "results[" + std::to_string(i) + "]");
            results.push_back(readResult(one, list->items[i]));
            reader.adopt(one.finish());
        }
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    return results;
}

} // namespace sb
