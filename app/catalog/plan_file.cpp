// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/plan_file.h"

#include "core/json.h"
#include "core/text.h"

#include <QFile>
#include <QSaveFile>

namespace sb {

namespace {

constexpr int kPlanSchema = 1;
constexpr qint64 kLargestPlanBytes = 16 * 1024 * 1024;

std::vector<PlanWorkload> readWorkloads(const JsonNode &list, ObjectReader &parent)
{
    std::vector<PlanWorkload> workloads;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        ObjectReader reader(list.items[i], parent.source(), "workloads[" + std::to_string(i) + "]");
        PlanWorkload workload;
        workload.name = reader.string("name");
        workload.precisions = reader.strings("precisions", {"fp32"});
        workload.batchSizesPerDevice = reader.integers("batch_sizes_per_device");
        parent.adopt(reader.finish());
        workloads.push_back(std::move(workload));
    }
    return workloads;
}

std::vector<Scale> readScales(const JsonNode &list, ObjectReader &parent)
{
    std::vector<Scale> scales;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        ObjectReader reader(list.items[i], parent.source(), "scales[" + std::to_string(i) + "]");
        scales.push_back({reader.integer("nodes"), reader.integer("devices_per_node")});
        parent.adopt(reader.finish());
    }
    return scales;
}

MeasurementRule readMeasurement(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "measurement");
    MeasurementRule rule;
    if (const auto preset = reader.optionalString("preset"); preset && *preset != "dlperf")
        reader.fail(*node.find("preset"), "measurement.preset is \"" + *preset + "\"; known: dlperf");
    rule.warmupSteps = reader.integer("warmup_steps", rule.warmupSteps);
    rule.measuredSteps = reader.integer("measured_steps", rule.measuredSteps);
    rule.repeats = reader.integer("repeats", rule.repeats);
    parent.adopt(reader.finish());
    return rule;
}

SlurmSettings readSlurm(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "slurm");
    SlurmSettings slurm;
    slurm.partition = reader.string("partition", "");
    slurm.account = reader.string("account", "");
    if (reader.has("time_limit_min"))
        slurm.timeLimitMin = reader.integer("time_limit_min");
    slurm.folder = reader.string("folder", "");
    slurm.options = reader.strings("options", {});
    parent.adopt(reader.finish());
    return slurm;
}

JsonNode slurmNode(const SlurmSettings &slurm)
{
    JsonNode node = JsonNode::object();
    if (!slurm.partition.empty())
        node.set("partition", slurm.partition);
    if (!slurm.account.empty())
        node.set("account", slurm.account);
    if (slurm.timeLimitMin)
        node.set("time_limit_min", *slurm.timeLimitMin);
    if (!slurm.folder.empty())
        node.set("folder", slurm.folder);
    if (!slurm.options.empty())
        node.set("options", slurm.options);
    return node;
}

KubernetesSettings readKubernetes(const JsonNode &node, ObjectReader &parent)
{
    ObjectReader reader(node, parent.source(), "kubernetes");
    KubernetesSettings kubernetes;
    kubernetes.context = reader.string("context", "");
    kubernetes.nameSpace = reader.string("namespace", "");
    kubernetes.serviceAccount = reader.string("service_account", "");
    if (reader.has("time_limit_min"))
        kubernetes.timeLimitMin = reader.integer("time_limit_min");
    kubernetes.dataClaim = reader.string("data_claim", "");
    kubernetes.nodeSelector = reader.stringMap("node_selector");
    kubernetes.resources = reader.stringMap("resources");
    kubernetes.sharedMemoryGb = reader.integer("shared_memory_gb", kubernetes.sharedMemoryGb);
    kubernetes.hostNetwork = reader.boolean("host_network", false);
    parent.adopt(reader.finish());
    return kubernetes;
}

JsonNode kubernetesNode(const KubernetesSettings &kubernetes)
{
    JsonNode node = JsonNode::object();
    const auto setText = [&node](const char *key, const std::string &value) {
        if (!value.empty())
            node.set(key, value);
    };
    const auto setMap = [&node](const char *key, const std::map<std::string, std::string> &values) {
        JsonNode object = JsonNode::object();
        for (const auto &[name, value] : values)
            object.set(name, value);
        if (!values.empty())
            node.set(key, object);
    };
    setText("context", kubernetes.context);
    setText("namespace", kubernetes.nameSpace);
    setText("service_account", kubernetes.serviceAccount);
    if (kubernetes.timeLimitMin)
        node.set("time_limit_min", *kubernetes.timeLimitMin);
    setText("data_claim", kubernetes.dataClaim);
    setMap("node_selector", kubernetes.nodeSelector);
    setMap("resources", kubernetes.resources);
    if (kubernetes.sharedMemoryGb != KubernetesSettings().sharedMemoryGb)
        node.set("shared_memory_gb", kubernetes.sharedMemoryGb);
    if (kubernetes.hostNetwork)
        node.set("host_network", true);
    return node;
}

} // namespace

Result<Plan> readPlan(std::string_view text, const std::string &source)
{
    const Result<JsonNode> root = parseJson(text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "plan");
    if (const int schema = reader.integer("schema"); schema > kPlanSchema)
        return Error{ErrorCode::Newer, source + " was written by a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to 1)."};
    Plan plan;
    plan.name = reader.string("name");
    plan.frameworks = reader.strings("frameworks");
    if (const JsonNode *workloads = reader.array("workloads"))
        plan.workloads = readWorkloads(*workloads, reader);
    if (const JsonNode *scales = reader.array("scales"))
        plan.scales = readScales(*scales, reader);
    plan.device = reader.string("device", plan.device);
    plan.data = reader.string("data", plan.data);
    if (reader.has("threads_per_device"))
        plan.threadsPerDevice = reader.integer("threads_per_device");
    plan.options = reader.stringMap("options");
    plan.environments = reader.stringMap("environments");
    plan.sourceFolders = reader.stringMap("source_folders");
    plan.launcher = reader.string("launcher", "");
    if (const JsonNode *slurm = reader.optionalObject("slurm"))
        plan.slurm = readSlurm(*slurm, reader);
    if (const JsonNode *kubernetes = reader.optionalObject("kubernetes"))
        plan.kubernetes = readKubernetes(*kubernetes, reader);
    for (const auto &[size, gpus] : reader.stringMap("gpu_sets")) {
        const auto number = toInteger(size);
        if (!number || *number < 1 || *number > 1024)
            reader.fail(*root->find("gpu_sets"),
                        "gpu_sets has the key \"" + size + "\"; it must be a number of GPUs");
        else
            plan.gpuSets[static_cast<int>(*number)] = gpus;
    }
    if (const JsonNode *measurement = reader.optionalObject("measurement"))
        plan.measurement = readMeasurement(*measurement, reader);
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    return plan;
}

Result<Plan> readPlanFile(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    if (!file.exists())
        return Error{ErrorCode::NotFound, "There is no plan " + path + "."};
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io,
                     "The plan " + path + " cannot be read: " + file.errorString().toStdString() + "."};
    if (file.size() > kLargestPlanBytes)
        return Error{ErrorCode::BadInput, path + " is larger than 16 MB; this is not a plan."};
    return readPlan(file.readAll().toStdString(), path);
}

std::string writePlan(const Plan &plan)
{
    JsonNode root = JsonNode::object();
    root.set("schema", kPlanSchema).set("name", plan.name).set("frameworks", plan.frameworks);
    JsonNode workloads = JsonNode::array();
    for (const PlanWorkload &workload : plan.workloads) {
        JsonNode batches = JsonNode::array();
        for (const int batch : workload.batchSizesPerDevice)
            batches.push(batch);
        workloads.push(JsonNode::object()
                           .set("name", workload.name)
                           .set("precisions", workload.precisions)
                           .set("batch_sizes_per_device", batches));
    }
    JsonNode scales = JsonNode::array();
    for (const Scale &scale : plan.scales)
        scales.push(
            JsonNode::object().set("nodes", scale.nodes).set("devices_per_node", scale.devicesPerNode));
    root.set("workloads", workloads).set("scales", scales).set("device", plan.device).set("data", plan.data);
    if (plan.threadsPerDevice)
        root.set("threads_per_device", *plan.threadsPerDevice);
    if (!plan.gpuSets.empty()) {
        JsonNode sets = JsonNode::object();
        for (const auto &[size, gpus] : plan.gpuSets)
            sets.set(std::to_string(size), gpus);
        root.set("gpu_sets", sets);
    }
    if (!plan.options.empty()) {
        JsonNode options = JsonNode::object();
        for (const auto &[name, value] : plan.options)
            options.set(name, value);
        root.set("options", options);
    }
    const auto setByFramework = [&root](const char *key, const std::map<std::string, std::string> &values) {
        JsonNode object = JsonNode::object();
        for (const auto &[framework, value] : values)
            object.set(framework, value);
        if (!values.empty())
            root.set(key, object);
    };
    setByFramework("environments", plan.environments);
    setByFramework("source_folders", plan.sourceFolders);
    if (!plan.launcher.empty())
        root.set("launcher", plan.launcher);
    if (plan.slurm != SlurmSettings())
        root.set("slurm", slurmNode(plan.slurm));
    if (plan.kubernetes != KubernetesSettings())
        root.set("kubernetes", kubernetesNode(plan.kubernetes));
    root.set("measurement", JsonNode::object()
                                .set("warmup_steps", plan.measurement.warmupSteps)
                                .set("measured_steps", plan.measurement.measuredSteps)
                                .set("repeats", plan.measurement.repeats));
    return writeJson(root) + "\n";
}

Result<void> writePlanFile(const Plan &plan, const std::string &path)
{
    QSaveFile file(QString::fromStdString(path));
    const QByteArray text = QByteArray::fromStdString(writePlan(plan));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return Error{ErrorCode::Io,
                     "The plan cannot be saved to " + path + ": " + file.errorString().toStdString() + "."};
    return {};
}

} // namespace sb
