// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/run_record.h"

#include "core/json.h"

namespace sb {

namespace {

constexpr int kRunSchema = 1;

JsonNode keyNode(const CaseKey &key)
{
    JsonNode options = JsonNode::object();
    for (const auto &[name, value] : key.options)
        options.set(name, value);
    return JsonNode::object()
        .set("framework", key.framework)
        .set("workload", key.workload)
        .set("precision", key.precision)
        .set("device", key.device)
        .set("data", key.data)
        .set("batch_size_per_device", key.batchSizePerDevice)
        .set("nodes", key.nodes)
        .set("devices_per_node", key.devicesPerNode)
        .set("threads_per_device", key.threadsPerDevice)
        .set("warmup_steps", key.warmupSteps)
        .set("measured_steps", key.measuredSteps)
        .set("options", options);
}

CaseKey readKey(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "case");
    CaseKey key;
    key.framework = reader.string("framework");
    key.workload = reader.string("workload");
    key.precision = reader.string("precision");
    key.device = reader.string("device");
    key.data = reader.string("data");
    key.batchSizePerDevice = reader.integer("batch_size_per_device");
    key.nodes = reader.integer("nodes");
    key.devicesPerNode = reader.integer("devices_per_node");
    key.threadsPerDevice = reader.integer("threads_per_device");
    key.warmupSteps = reader.integer("warmup_steps");
    key.measuredSteps = reader.integer("measured_steps");
    key.options = reader.stringMap("options");
    if (!isScale(key.nodes, key.devicesPerNode))
        reader.fail(node, "case must have nodes and devices_per_node above 0, and at most 1000000 devices in "
                          "all");
    for (const int steps : {key.warmupSteps, key.measuredSteps})
        if (steps < 0 || steps > MeasurementRule::kMostSteps)
            reader.fail(node, "case must have warmup_steps and measured_steps between 0 and 10000000");
    parent.adopt(reader.finish());
    return key;
}

std::optional<int> smallInteger(std::optional<std::int64_t> value)
{
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

NodeFacts readNodeFacts(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "node");
    NodeFacts facts;
    facts.name = reader.string("name");
    facts.hostname = reader.optionalString("hostname");
    facts.os = reader.optionalString("os");
    facts.kernel = reader.optionalString("kernel");
    facts.architecture = reader.optionalString("architecture");
    facts.cpuModel = reader.optionalString("cpu_model");
    facts.cores = smallInteger(reader.optionalInteger("cores"));
    facts.simd = reader.optionalString("simd");
    facts.memoryBytes = reader.optionalNumber("memory_bytes");
    facts.memoryFreeBytes = reader.optionalNumber("memory_free_bytes");
    facts.driverVersion = reader.optionalString("driver_version");
    facts.cudaVersion = reader.optionalString("cuda_version");
    facts.containerEngines = reader.strings("container_engines", {});
    facts.slurmVersion = reader.optionalString("slurm_version");
    facts.clockOffsetS = reader.optionalNumber("clock_offset_s");
    facts.topologyText = reader.optionalString("topology");
    if (const JsonNode *gpus = reader.optionalArray("gpus"))
        for (const JsonNode &item : gpus->items) {
            ObjectReader gpu(item, parent.source(), "gpu");
            facts.gpus.push_back({gpu.integer("index"), gpu.string("name"), gpu.optionalString("uuid"),
                                  gpu.optionalString("pci_bus_id"), gpu.optionalNumber("memory_bytes")});
            parent.adopt(gpu.finish());
        }
    if (const JsonNode *interfaces = reader.optionalArray("interfaces"))
        for (const JsonNode &item : interfaces->items) {
            ObjectReader interface(item, parent.source(), "interface");
            facts.interfaces.push_back({interface.string("name"), interface.strings("addresses"),
                                        interface.optionalNumber("speed_gbps"),
                                        interface.strings("networks", {})});
            parent.adopt(interface.finish());
        }
    parent.adopt(reader.finish());
    return facts;
}

JsonNode runFactsNode(const RunFacts &facts)
{
    return JsonNode::object()
        .set("device_name", facts.deviceName)
        .set("program_version", facts.programVersion)
        .set("path", facts.path)
        .set("parameters", facts.parameters)
        .set("gradient_bytes", facts.gradientBytes)
        .set("flops_per_sample", facts.flopsPerSample)
        .set("global_batch_size", facts.globalBatchSize)
        .set("world_size", facts.worldSize)
        .set("unit", facts.unit);
}

RunFacts readRunFacts(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "facts");
    RunFacts facts;
    facts.deviceName = reader.optionalString("device_name");
    facts.programVersion = reader.optionalString("program_version");
    facts.path = reader.optionalString("path");
    facts.parameters = reader.optionalInteger("parameters");
    facts.gradientBytes = reader.optionalInteger("gradient_bytes");
    facts.flopsPerSample = reader.optionalNumber("flops_per_sample");
    facts.globalBatchSize = reader.optionalInteger("global_batch_size");
    facts.worldSize = smallInteger(reader.optionalInteger("world_size"));
    facts.unit = reader.optionalString("unit");
    parent.adopt(reader.finish());
    return facts;
}

JsonNode originNode(const RunOrigin &origin)
{
    return JsonNode::object()
        .set("image", origin.image)
        .set("source", origin.source)
        .set("commit", origin.commit)
        .set("features", origin.features);
}

RunOrigin readOrigin(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "origin");
    RunOrigin origin{reader.optionalString("image"), reader.optionalString("source"),
                     reader.optionalString("commit"), reader.strings("features", {})};
    parent.adopt(reader.finish());
    return origin;
}

JsonNode jobNode(const RunJob &job)
{
    return JsonNode::object()
        .set("id", job.id)
        .set("state", job.state)
        .set("reason", job.reason)
        .set("nodes", job.nodes)
        .set("time_limit", job.timeLimit)
        .set("exit_code", job.exitCode)
        .set("queue", job.queue)
        .set("image", job.image);
}

RunJob readJob(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "job");
    RunJob job{reader.string("id"),
               reader.string("state"),
               reader.string("reason", ""),
               reader.string("nodes", ""),
               reader.string("time_limit", ""),
               reader.string("exit_code", ""),
               reader.string("queue", "Slurm"),
               reader.string("image", "")};
    parent.adopt(reader.finish());
    return job;
}

JsonNode measurementNode(const Measurement &m)
{
    return JsonNode::object()
        .set("throughput", m.throughput)
        .set("step_time_ms", m.stepTimeMs)
        .set("step_time_p50_ms", m.stepTimeP50Ms)
        .set("step_time_p95_ms", m.stepTimeP95Ms)
        .set("data_time_ms", m.dataTimeMs)
        .set("comm_time_ms", m.commTimeMs)
        .set("first_step", m.firstStep)
        .set("last_step", m.lastStep);
}

Measurement readMeasurement(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "measurement");
    Measurement m;
    m.throughput = reader.optionalNumber("throughput").value_or(0);
    m.stepTimeMs = reader.optionalNumber("step_time_ms").value_or(0);
    m.stepTimeP50Ms = reader.optionalNumber("step_time_p50_ms");
    m.stepTimeP95Ms = reader.optionalNumber("step_time_p95_ms");
    m.dataTimeMs = reader.optionalNumber("data_time_ms");
    m.commTimeMs = reader.optionalNumber("comm_time_ms");
    m.firstStep = reader.optionalInteger("first_step").value_or(0);
    m.lastStep = reader.optionalInteger("last_step").value_or(0);
    parent.adopt(reader.finish());
    return m;
}

} // namespace

JsonNode nodeFactsNode(const NodeFacts &facts)
{
    JsonNode gpus = JsonNode::array();
    for (const GpuFacts &gpu : facts.gpus)
        gpus.push(JsonNode::object()
                      .set("index", gpu.index)
                      .set("name", gpu.name)
                      .set("uuid", gpu.uuid)
                      .set("pci_bus_id", gpu.pciBusId)
                      .set("memory_bytes", gpu.memoryBytes));
    JsonNode interfaces = JsonNode::array();
    for (const NetworkInterface &interface : facts.interfaces)
        interfaces.push(JsonNode::object()
                            .set("name", interface.name)
                            .set("addresses", interface.addresses)
                            .set("speed_gbps", interface.speedGbps)
                            .set("networks", interface.networks));
    return JsonNode::object()
        .set("name", facts.name)
        .set("hostname", facts.hostname)
        .set("os", facts.os)
        .set("kernel", facts.kernel)
        .set("architecture", facts.architecture)
        .set("cpu_model", facts.cpuModel)
        .set("cores", facts.cores)
        .set("simd", facts.simd)
        .set("memory_bytes", facts.memoryBytes)
        .set("memory_free_bytes", facts.memoryFreeBytes)
        .set("driver_version", facts.driverVersion)
        .set("cuda_version", facts.cudaVersion)
        .set("gpus", gpus)
        .set("interfaces", interfaces)
        .set("container_engines", facts.containerEngines)
        .set("slurm_version", facts.slurmVersion)
        .set("clock_offset_s", facts.clockOffsetS)
        .set("topology", facts.topologyText);
}

std::string writeRunRecord(const Run &run, int indent)
{
    JsonNode nodes = JsonNode::array();
    for (const NodeFacts &facts : run.nodeFacts)
        nodes.push(nodeFactsNode(facts));
    JsonNode root = JsonNode::object();
    root.set("schema", kRunSchema)
        .set("id", run.id)
        .set("case", keyNode(run.key))
        .set("case_name", run.caseName)
        .set("plan", run.planName)
        .set("framework_title", run.frameworkTitle)
        .set("workload_title", run.workloadTitle)
        .set("unit", run.unit)
        .set("dataset_size", run.datasetSize)
        .set("repeat", run.repeat)
        .set("state", runStateName(run.state))
        .set("reason", run.reason)
        .set("exit_code", run.exitCode)
        .set("created_utc", run.createdUtc)
        .set("started_utc", run.startedUtc)
        .set("finished_utc", run.finishedUtc)
        .set("hosts", run.hosts)
        .set("remote_folders", run.remoteFolders)
        .set("commands", run.commands)
        .set("nodes", nodes)
        .set("facts", runFactsNode(run.facts))
        .set("origin", originNode(run.origin))
        .set("simulated", run.simulated);
    if (!run.launchCommand.empty())
        root.set("launch_command", run.launchCommand);
    if (run.job)
        root.set("job", jobNode(*run.job));
    if (run.measurement)
        root.set("measurement", measurementNode(*run.measurement));
    return writeJson(root, indent);
}

Result<Run> readRunRecord(std::string_view text, const std::string &source)
{
    const Result<JsonNode> root = parseJson(text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "run record");
    if (const int schema = reader.integer("schema"); schema > kRunSchema)
        return Error{ErrorCode::Newer, source + " was written by a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to 1)."};
    Run run;
    run.id = reader.string("id");
    if (const JsonNode *key = reader.object("case"))
        run.key = readKey(*key, reader);
    run.caseName = reader.string("case_name");
    run.planName = reader.string("plan");
    run.frameworkTitle = reader.string("framework_title");
    run.workloadTitle = reader.string("workload_title");
    run.unit = reader.string("unit");
    run.datasetSize = reader.optionalInteger("dataset_size");
    run.repeat = reader.integer("repeat");
    const std::string state = reader.string("state");
    if (const auto known = runStateFromName(state))
        run.state = *known;
    else
        reader.fail(*root, "state is \"" + state + "\", which is not a run's state");
    run.reason = reader.string("reason", "");
    run.exitCode = smallInteger(reader.optionalInteger("exit_code"));
    run.createdUtc = reader.string("created_utc");
    run.startedUtc = reader.string("started_utc", "");
    run.finishedUtc = reader.string("finished_utc", "");
    run.hosts = reader.strings("hosts", {});
    run.remoteFolders = reader.strings("remote_folders", {});
    run.commands = reader.strings("commands", {});
    run.launchCommand = reader.string("launch_command", "");
    if (const JsonNode *job = reader.optionalObject("job"))
        run.job = readJob(*job, reader);
    if (const JsonNode *nodes = reader.optionalArray("nodes"))
        for (const JsonNode &item : nodes->items)
            run.nodeFacts.push_back(readNodeFacts(item, reader));
    if (const JsonNode *facts = reader.optionalObject("facts"))
        run.facts = readRunFacts(*facts, reader);
    if (const JsonNode *origin = reader.optionalObject("origin"))
        run.origin = readOrigin(*origin, reader);
    run.simulated = reader.boolean("simulated", false);
    if (const JsonNode *measurement = reader.optionalObject("measurement"))
        run.measurement = readMeasurement(*measurement, reader);
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    return run;
}

} // namespace sb
