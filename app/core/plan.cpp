// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan.h"

#include "core/plan_queue.h"
#include "core/text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sb {

namespace {

Error badPlan(const std::string &message)
{
    return {ErrorCode::BadInput, message};
}

std::string didYouMean(const std::string &word, const std::vector<std::string> &known)
{
    if (const auto closest = closestWord(word, known))
        return " Did you mean \"" + *closest + "\"?";
    return known.empty() ? "" : " Known: " + join(known, ", ") + ".";
}

std::vector<std::string> workloadNames(std::span<const Framework> frameworks, const Plan &plan)
{
    std::set<std::string> names;
    for (const std::string &name : plan.frameworks)
        if (const Framework *framework = findFramework(frameworks, name))
            for (const Workload &workload : framework->workloads)
                names.insert(workload.name);
    return {names.begin(), names.end()};
}

template <typename T>
bool hasTwins(std::vector<T> values)
{
    std::sort(values.begin(), values.end());
    return std::adjacent_find(values.begin(), values.end()) != values.end();
}

constexpr int kMostRepeats = 10'000;
constexpr int kLargestBatch = 1'000'000;

Result<void> checkMeasurement(const MeasurementRule &rule)
{
    if (rule.warmupSteps < 0 || rule.warmupSteps > MeasurementRule::kMostSteps)
        return badPlan("measurement.warmup_steps is " + std::to_string(rule.warmupSteps) +
                       "; it must be between 0 and 10000000.");
    if (rule.measuredSteps < 1 || rule.measuredSteps > MeasurementRule::kMostSteps)
        return badPlan("measurement.measured_steps is " + std::to_string(rule.measuredSteps) +
                       "; it must be between 1 and 10000000.");
    if (rule.repeats < 1 || rule.repeats > kMostRepeats)
        return badPlan("measurement.repeats is " + std::to_string(rule.repeats) +
                       "; it must be between 1 and 10000.");
    return {};
}

Result<void> checkWorkload(const PlanWorkload &workload, std::size_t index,
                           const std::vector<std::string> &known)
{
    const std::string place = "workloads[" + std::to_string(index) + "]";
    if (std::find(known.begin(), known.end(), workload.name) == known.end())
        return badPlan(place + " names the workload \"" + workload.name +
                       "\", which no chosen framework has." + didYouMean(workload.name, known));
    if (workload.precisions.empty())
        return badPlan(place + ".precisions is empty; name at least one, such as \"fp32\".");
    if (workload.batchSizesPerDevice.empty())
        return badPlan(place + ".batch_sizes_per_device is empty; give at least one batch size.");
    for (const int batch : workload.batchSizesPerDevice)
        if (batch < 1 || batch > kLargestBatch)
            return badPlan(place + ".batch_sizes_per_device has " + std::to_string(batch) +
                           "; a batch size must be between 1 and 1000000.");
    static const std::vector<std::string> kPrecisions{"fp32", "tf32", "fp16", "bf16"};
    for (const std::string &precision : workload.precisions)
        if (std::find(kPrecisions.begin(), kPrecisions.end(), precision) == kPrecisions.end())
            return badPlan(place + ".precisions has \"" + precision + "\"." +
                           didYouMean(precision, kPrecisions));
    if (hasTwins(workload.precisions) || hasTwins(workload.batchSizesPerDevice))
        return badPlan(place + " lists a precision or batch size twice; remove one of them.");
    return {};
}

// "0,2,3": numbers of GPUs as nvidia-smi counts, each once.
Result<void> checkGpuSets(const std::map<int, std::string> &sets)
{
    for (const auto &[size, text] : sets) {
        std::set<std::int64_t> gpus;
        const auto parts = split(text, ',');
        for (const std::string_view part : parts)
            if (const auto gpu = toInteger(part); gpu && *gpu >= 0 && *gpu < 1024)
                gpus.insert(*gpu);
        if (gpus.size() != parts.size() || gpus.size() != static_cast<std::size_t>(size))
            return badPlan("gpu_sets gives \"" + text + "\" for " + std::to_string(size) +
                           " GPUs; list the number of each once, such as \"0,1\" for 2.");
    }
    return {};
}

Result<void> checkScales(const std::vector<Scale> &scales)
{
    if (scales.empty())
        return badPlan("scales is empty; give at least {\"nodes\": 1, \"devices_per_node\": 1}.");
    std::set<std::pair<int, int>> seen;
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const std::string place = "scales[" + std::to_string(i) + "]";
        if (!isScale(scales[i].nodes, scales[i].devicesPerNode))
            return badPlan(place + " must have nodes and devices_per_node above 0, and at most 1000000 "
                                   "devices in all.");
        if (!seen.insert({scales[i].nodes, scales[i].devicesPerNode}).second)
            return badPlan(place + " is listed twice; remove one of them.");
    }
    return {};
}

bool isOfFolders(const Framework &framework, const std::string &name)
{
    const auto &list = framework.folderSwitches;
    return std::find(list.begin(), list.end(), name) != list.end();
}

// Official scripts are run from a checkout that the user names; nothing is downloaded.
Result<void> checkSourceFolders(const Plan &plan, std::span<const Framework> frameworks)
{
    for (const auto &[name, folder] : plan.sourceFolders) {
        if (std::find(plan.frameworks.begin(), plan.frameworks.end(), name) == plan.frameworks.end())
            return badPlan("source_folders names \"" + name +
                           "\", which is not among the plan's frameworks.");
        if (folder.empty() || folder.front() != '/')
            return badPlan("source_folders." + name + " is \"" + folder +
                           "\"; it must be an absolute folder.");
    }
    for (const std::string &name : plan.frameworks) {
        const Framework *framework = findFramework(frameworks, name);
        if (framework && framework->needsSourceFolder() && !plan.sourceFolders.contains(name))
            return badPlan(
                "source_folders has no \"" + name + "\": clone " + framework->source.value_or("its scripts") +
                (framework->commit ? " at " + *framework->commit : "") +
                " on every node and give the folder, such as {\"" + name + "\": \"/opt/scripts\"}.");
    }
    return {};
}

// A switch means something to at least one chosen framework; the others go without it.
Result<void> checkOptions(const Plan &plan, std::span<const Framework> frameworks)
{
    for (const auto &[name, value] : plan.options) {
        std::vector<std::string> values;
        for (const std::string &chosen : plan.frameworks)
            if (const Framework *framework = findFramework(frameworks, chosen))
                if (const auto found = framework->switches.find(name); found != framework->switches.end())
                    values.insert(values.end(), found->second.begin(), found->second.end());
        const bool onlyFolders = !values.empty() && plan.data == "synthetic" &&
                                 std::all_of(plan.frameworks.begin(), plan.frameworks.end(),
                                             [&, &option = name](const std::string &chosen) {
                                                 const Framework *framework =
                                                     findFramework(frameworks, chosen);
                                                 return !framework || !framework->switches.contains(option) ||
                                                        isOfFolders(*framework, option);
                                             });
        if (onlyFolders)
            return badPlan("options has \"" + name +
                           "\", which needs data from a folder; data is \"synthetic\".");
        if (values.empty())
            return badPlan("options has \"" + name + "\", which no chosen framework knows.");
        if (std::find(values.begin(), values.end(), value) == values.end())
            return badPlan("options." + name + " is \"" + value + "\"." + didYouMean(value, values));
    }
    for (const auto &[name, environment] : plan.environments)
        if (std::find(plan.frameworks.begin(), plan.frameworks.end(), name) == plan.frameworks.end())
            return badPlan("environments names \"" + name + "\", which is not among the plan's frameworks.");
    return checkSourceFolders(plan, frameworks);
}

Result<void> checkLauncher(const Plan &plan, std::span<const Framework> frameworks)
{
    if (plan.launcher.empty())
        return {};
    const auto kind = launchKindFromName(plan.launcher);
    if (!kind)
        return badPlan("launcher is \"" + plan.launcher + "\"." +
                       didYouMean(plan.launcher, launchKindNames()));
    for (const std::string &name : plan.frameworks)
        if (const Framework *framework = findFramework(frameworks, name);
            framework && !framework->allows(*kind))
            return badPlan("launcher is \"" + plan.launcher + "\", which the plugin of " + framework->title +
                           " does not allow; take it out of the plan, or choose another launcher.");
    return isQueue(*kind) ? checkQueue(plan) : Result<void>();
}

// Every switch of the framework with its value, and where its program runs: all of it is in the key.
std::map<std::string, std::string> optionsFor(const Framework &framework, const Plan &plan)
{
    std::map<std::string, std::string> options;
    for (const auto &[name, values] : framework.switches) {
        if (plan.data == "synthetic" && isOfFolders(framework, name))
            continue;
        const auto chosen = plan.options.find(name);
        options[name] = chosen != plan.options.end() ? chosen->second : values.front();
    }
    if (const auto found = plan.environments.find(framework.name); found != plan.environments.end())
        options["environment"] = found->second;
    if (const auto found = plan.sourceFolders.find(framework.name); found != plan.sourceFolders.end())
        options["source_folder"] = found->second;
    if (!plan.launcher.empty() && plan.launcher != launchKindName(framework.launch))
        options["launcher"] = plan.launcher;
    return options;
}

} // namespace

Result<void> checkPlan(const Plan &plan, std::span<const Framework> frameworks)
{
    std::vector<std::string> knownFrameworks;
    for (const Framework &framework : frameworks)
        knownFrameworks.push_back(framework.name);
    if (plan.frameworks.empty())
        return badPlan("frameworks is empty; name at least one." + didYouMean("", knownFrameworks));
    for (const std::string &name : plan.frameworks)
        if (!findFramework(frameworks, name))
            return badPlan("frameworks names \"" + name + "\", for which there is no plugin." +
                           didYouMean(name, knownFrameworks));
    if (hasTwins(plan.frameworks))
        return badPlan("frameworks lists one twice; remove one of them.");
    if (plan.workloads.empty())
        return badPlan("workloads is empty; give at least one.");
    const std::vector<std::string> knownWorkloads = workloadNames(frameworks, plan);
    for (std::size_t i = 0; i < plan.workloads.size(); ++i)
        if (auto checked = checkWorkload(plan.workloads[i], i, knownWorkloads); !checked)
            return checked;
    if (auto checked = checkScales(plan.scales); !checked)
        return checked;
    if (auto checked = checkGpuSets(plan.gpuSets); !checked)
        return checked;
    static const std::vector<std::string> kDevices{"auto", "cpu", "cuda"};
    if (std::find(kDevices.begin(), kDevices.end(), plan.device) == kDevices.end())
        return badPlan("device is \"" + plan.device + "\"." + didYouMean(plan.device, kDevices));
    if (auto checked = checkOptions(plan, frameworks); !checked)
        return checked;
    if (auto checked = checkLauncher(plan, frameworks); !checked)
        return checked;
    if (plan.data != "synthetic" && !plan.data.starts_with('/'))
        return badPlan("data is \"" + plan.data +
                       "\"; it must be \"synthetic\" or an absolute folder that every node has.");
    if (plan.threadsPerDevice && (*plan.threadsPerDevice < 1 || *plan.threadsPerDevice > 4096))
        return badPlan("threads_per_device is " + std::to_string(*plan.threadsPerDevice) +
                       "; it must be between 1 and 4096.");
    return checkMeasurement(plan.measurement);
}

namespace {

std::string resolveDevice(const Plan &plan, std::span<const NodeFacts> nodes)
{
    if (plan.device != "auto")
        return plan.device;
    const bool gpus = !nodes.empty() && std::all_of(nodes.begin(), nodes.end(),
                                                    [](const NodeFacts &n) { return !n.gpus.empty(); });
    return gpus ? "cuda" : "cpu";
}

int resolveThreads(const Plan &plan, std::span<const NodeFacts> nodes)
{
    if (plan.threadsPerDevice)
        return *plan.threadsPerDevice;
    // The same share of a node for every scale, or the one-device case would own the whole machine and no
    // speedup would be left to see.
    int most = 1;
    for (const Scale &scale : plan.scales)
        most = std::max(most, scale.devicesPerNode);
    int cores = 0;
    for (const NodeFacts &node : nodes)
        if (node.cores)
            cores = cores == 0 ? *node.cores : std::min(cores, *node.cores);
    return std::max(1, cores / most);
}

void refuse(PlannedCase &planned, const std::string &words, const std::string &reason)
{
    if (planned.refused())
        return;
    planned.refusal = words;
    planned.refusalReason = reason;
}

void applyRules(PlannedCase &planned, const Framework &framework, std::span<const NodeFacts> nodes)
{
    const CaseKey &key = planned.key;
    const Workload *workload = framework.findWorkload(key.workload);
    if (!workload)
        return refuse(planned, "no workload", framework.title + " has no workload \"" + key.workload + "\".");
    const auto precisions = workload->precisions.find(key.device);
    if (precisions == workload->precisions.end())
        return refuse(planned, "no " + key.device,
                      framework.title + " does not run " + workload->title + " on the device " + key.device +
                          ".");
    if (std::find(precisions->second.begin(), precisions->second.end(), key.precision) ==
        precisions->second.end())
        return refuse(planned, "no " + key.precision,
                      framework.title + " runs " + workload->title + " on " + key.device + " in " +
                          join(precisions->second, ", ") + ", not in " + key.precision + ".");
    if (!workload->readsData(key.data) && key.data == "synthetic")
        return refuse(planned, "no such data",
                      framework.title + " trains " + workload->title +
                          " on data from a folder only, not on synthetic data.");
    if (!workload->readsData(key.data))
        return refuse(planned, "no such data",
                      framework.title + " trains " + workload->title +
                          " on synthetic data only, not from the folder " + key.data + ".");
    if (workload->mostNodes && key.nodes > *workload->mostNodes)
        return refuse(planned, "too many nodes",
                      key.scaleName() + " has more nodes than " + framework.title + " can train " +
                          workload->title + " on: " + std::to_string(*workload->mostNodes) + ".");
    if (isQueue(key.launcher()))
        return; // the queue chooses the nodes, and refuses what it has not got
    if (key.nodes > static_cast<int>(nodes.size()))
        return refuse(planned, "too few nodes",
                      key.scaleName() + " needs " + std::to_string(key.nodes) + " nodes; " +
                          std::to_string(nodes.size()) + " ready.");
    for (const NodeFacts &node : nodes.first(static_cast<std::size_t>(key.nodes))) {
        if (key.device == "cuda" && static_cast<int>(node.gpus.size()) < key.devicesPerNode)
            return refuse(planned, "too few GPUs",
                          key.scaleName() + " needs " + std::to_string(key.devicesPerNode) + " GPUs on " +
                              node.name + ", which has " + std::to_string(node.gpus.size()) + ".");
        if (key.device == "cpu" && node.cores && *node.cores < key.devicesPerNode * key.threadsPerDevice)
            return refuse(planned, "too few cores",
                          key.scaleName() + " needs " +
                              std::to_string(key.devicesPerNode * key.threadsPerDevice) + " cores on " +
                              node.name + ", which has " + std::to_string(*node.cores) + ".");
        if (workload->memoryBytesFixed && workload->memoryBytesPerSample && key.device == "cpu" &&
            node.memoryBytes) {
            const double needed =
                key.devicesPerNode *
                (*workload->memoryBytesFixed + *workload->memoryBytesPerSample * key.batchSizePerDevice);
            if (needed > *node.memoryBytes)
                return refuse(planned, "memory",
                              key.scaleName() + " at batch size " + std::to_string(key.batchSizePerDevice) +
                                  " needs about " + std::to_string(std::llround(needed / 1e9)) + " GB on " +
                                  node.name + ", which has " +
                                  std::to_string(std::llround(*node.memoryBytes / 1e9)) + " GB.");
        }
    }
}

// A first guess: the arithmetic of the workload at a rate that the device is known to reach at least.
std::optional<double> guessRunTimeS(const CaseKey &key, const Workload *workload)
{
    if (!workload || !workload->flopsPerSample)
        return std::nullopt;
    constexpr double kCpuFlopsPerThread = 60e9; // measured: ResNet-50 on one 2020s server core with oneDNN
    constexpr double kGpuFlops = 30e12;         // fp32 on an A100 with TF32; older cards take longer
    constexpr double kStartS = 3.0;
    const double rate =
        key.device == "cpu" ? kCpuFlopsPerThread * std::max(1, key.threadsPerDevice) : kGpuFlops;
    const double stepS = *workload->flopsPerSample * key.batchSizePerDevice / rate;
    return kStartS + stepS * (key.warmupSteps + key.measuredSteps);
}

} // namespace

std::vector<PlannedCase> expandPlan(const Plan &plan, std::span<const Framework> frameworks,
                                    std::span<const NodeFacts> nodes)
{
    const std::string device = resolveDevice(plan, nodes);
    const int threads = device == "cpu" ? resolveThreads(plan, nodes) : 0;
    std::vector<PlannedCase> cases;
    for (const std::string &name : plan.frameworks) {
        const Framework *framework = findFramework(frameworks, name);
        if (!framework)
            continue;
        for (const PlanWorkload &workload : plan.workloads)
            for (const std::string &precision : workload.precisions)
                for (const int batch : workload.batchSizesPerDevice)
                    for (const Scale &scale : plan.scales) {
                        PlannedCase planned;
                        planned.key = {.framework = name,
                                       .workload = workload.name,
                                       .precision = precision,
                                       .device = device,
                                       .data = plan.data,
                                       .batchSizePerDevice = batch,
                                       .nodes = scale.nodes,
                                       .devicesPerNode = scale.devicesPerNode,
                                       .threadsPerDevice = threads,
                                       .warmupSteps = plan.measurement.warmupSteps,
                                       .measuredSteps = plan.measurement.measuredSteps,
                                       .options = optionsFor(*framework, plan)};
                        applyRules(planned, *framework, nodes);
                        if (!planned.refused())
                            planned.estimatedRunTimeS =
                                guessRunTimeS(planned.key, framework->findWorkload(workload.name));
                        cases.push_back(std::move(planned));
                    }
    }
    return cases;
}

std::vector<PlannedRun> runOrder(std::span<const PlannedCase> cases, const MeasurementRule &rule)
{
    std::vector<PlannedRun> runs;
    for (int repeat = 1; repeat <= rule.repeats; ++repeat)
        for (std::size_t i = 0; i < cases.size(); ++i)
            if (!cases[i].refused())
                runs.push_back({i, repeat});
    return runs;
}

Plan dlperfPlan()
{
    Plan plan;
    plan.name = "2020-10 report";
    plan.frameworks = {"native"};
    plan.workloads = {{"resnet50", {"fp32"}, {128}}};
    plan.scales = {{1, 1}, {1, 8}, {2, 8}, {4, 8}};
    plan.measurement = {20, 100, 7};
    return plan;
}

} // namespace sb
