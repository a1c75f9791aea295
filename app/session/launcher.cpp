// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/launcher.h"

#include "catalog/command_template.h"
#include "remote/shell_quote.h"
#include "session/launch_scripts.h"
#include "session/node_scripts.h"
#include "session/pod_scripts.h"
#include "session/run_environment.h"

#include <algorithm>
#include <functional>

namespace sb {

namespace {

// Below the range that Linux gives to outgoing connections (32768 on), different for runs that may meet.
int rendezvousPort(const std::string &runId)
{
    std::size_t hash = 0;
    for (const char c : runId)
        hash = hash * 131 + static_cast<unsigned char>(c);
    return 20000 + static_cast<int>(hash % 12000);
}

PlaceholderValues valuesFor(const CaseKey &key, int rank, const LaunchPlace &place, const std::string &folder)
{
    const auto text = [](int value) { return std::to_string(value); };
    return {
        {"program", place.program},
        {"device", key.device},
        {"workload", key.workload},
        {"precision", key.precision},
        {"data", key.data},
        {"batch_size", text(key.batchSizePerDevice)},
        {"global_batch", std::to_string(key.globalBatchSize())},
        {"steps", text(key.warmupSteps + key.measuredSteps)},
        {"warmup_steps", text(key.warmupSteps)},
        {"measured_steps", text(key.measuredSteps)},
        {"threads", text(std::max(1, key.threadsPerDevice))}, // 0 on GPUs, where the host has little to do
        {"nodes", text(key.nodes)},
        {"devices_per_node", text(key.devicesPerNode)},
        {"world_size", text(key.devices())},
        {"rank", text(rank)},
        {"run_folder", folder},
        {"source_folder", key.options.contains("source_folder") ? key.options.at("source_folder") : ""}};
}

} // namespace

namespace {

std::vector<std::string> switchesFor(const Framework &framework, const CaseKey &key)
{
    std::vector<std::string> words;
    for (const auto &[name, value] : key.options)
        if (const auto own = framework.switchArguments.find(name); own != framework.switchArguments.end()) {
            if (const auto arguments = own->second.find(value); arguments != own->second.end())
                words.insert(words.end(), arguments->second.begin(), arguments->second.end());
        } else if (framework.switches.contains(name)) {
            words.push_back("--" + name);
            words.push_back(value);
        }
    return words;
}

std::vector<std::string> workloadArguments(const Workload &workload, const CaseKey &key)
{
    std::vector<std::string> words = workload.arguments;
    if (const auto more = workload.dataArguments.find(dataKind(key.data));
        more != workload.dataArguments.end())
        words.insert(words.end(), more->second.begin(), more->second.end());
    if (const auto more = workload.precisionArguments.find(key.precision);
        more != workload.precisionArguments.end())
        words.insert(words.end(), more->second.begin(), more->second.end());
    if (const auto more = workload.scaleArguments.find(key.nodes > 1 ? "several_nodes" : "one_node");
        more != workload.scaleArguments.end())
        words.insert(words.end(), more->second.begin(), more->second.end());
    return words;
}

std::string addressOf(const CaseKey &key, const LaunchPlace &place)
{
    return key.nodes == 1 ? "127.0.0.1" : place.address;
}

// Every node's address `times` times, with `ending` (a port) behind it: "10.0.0.1:29500,10.0.0.2:29500".
std::string hostList(const CaseKey &key, const std::vector<LaunchPlace> &places, int times,
                     const std::string &ending = "")
{
    std::string hosts;
    for (int node = 0; node < key.nodes; ++node)
        for (int i = 0; i < times; ++i)
            hosts +=
                (hosts.empty() ? "" : ",") + addressOf(key, places[static_cast<std::size_t>(node)]) + ending;
    return hosts;
}

// The folder of all plugins: a script here may stand on what they share.
std::string pluginsFolder(const Framework &framework)
{
    const std::string folder = framework.manifestPath.substr(0, framework.manifestPath.rfind('/'));
    return folder.substr(0, folder.rfind('/'));
}

ContainerPlace containerPlace(const Framework &framework, const CaseKey &key, const LaunchPlace &place,
                              const std::string &runFolder, int rank)
{
    const std::string id = runFolder.substr(runFolder.rfind('/') + 1);
    ContainerPlace container{
        "sb-" + id + "-" + std::to_string(rank), runFolder, {}, key.device == "cuda", place.infiniband};
    if (!place.filesFolder.empty())
        container.folders.push_back(place.programFolder.empty() ? pluginsFolder(framework)
                                                                : place.filesFolder);
    else if (!framework.programOnNode)
        container.folders.push_back(place.program.substr(0, place.program.rfind('/')));
    if (const auto source = key.options.find("source_folder"); source != key.options.end())
        container.folders.push_back(source->second);
    if (key.data != "synthetic")
        container.folders.push_back(key.data);
    return container;
}

// What is alike for all ranks of a launch.
struct Common {
    const Framework &framework;
    const Workload &workload;
    const CaseKey &key;
    RunEnvironment environment;
    std::string masterAddress;
    std::string masterPort;
    std::string rankHosts = {};                     // one address a process
    std::string nodeHosts = {}, nodeEndpoints = {}; // one a node
};

Error inManifest(const Framework &framework, const Error &error)
{
    return {ErrorCode::BadInput, framework.manifestPath + ": " + error.message + "."};
}

// "0,1,2,3": GPUs of a process that would take all it sees.
std::string firstGpus(int count)
{
    std::string gpus;
    for (int i = 0; i < count; ++i)
        gpus += (i > 0 ? "," : "") + std::to_string(i);
    return gpus;
}

void addPlaceVariables(RankCommand &command, const Common &common, const LaunchPlace &place)
{
    const CaseKey &key = common.key;
    if (key.nodes > 1 && (place.slurm || place.kubernetes))
        command.environment.try_emplace("GLOO_SOCKET_IFNAME", kJobInterface);
    if (key.nodes > 1 && !place.interface.empty()) {
        command.environment.try_emplace("GLOO_SOCKET_IFNAME", place.interface);
        command.environment.try_emplace("NCCL_SOCKET_IFNAME", "=" + place.interface); // "=": exactly
    }
    // nvidia-smi counts by bus, CUDA by speed unless it is told.
    if (const auto set = place.gpuSets.find(key.devicesPerNode);
        key.device == "cuda" && set != place.gpuSets.end() &&
        command.environment.try_emplace("CUDA_VISIBLE_DEVICES", set->second).second)
        command.environment.try_emplace("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    if (key.device == "cuda" && common.framework.processPerNode)
        command.environment.try_emplace("CUDA_VISIBLE_DEVICES", firstGpus(key.devicesPerNode));
}

Result<RankCommand> rankCommand(const Common &common, int rank, const LaunchPlace &place,
                                const std::string &folder)
{
    const Framework &framework = common.framework;
    PlaceholderValues values = valuesFor(common.key, rank, place, folder);
    const int onNode = framework.processesPerNode(common.key.devicesPerNode);
    values["local_rank"] = std::to_string(rank % onNode);
    values["node_rank"] = std::to_string(rank / onNode);
    values["master_addr"] = common.masterAddress;
    values["master_port"] = common.masterPort;
    values["files"] = place.filesFolder;
    values["rank_hosts"] = common.rankHosts;
    values["node_addr"] = addressOf(common.key, place);
    values["node_hosts"] = common.nodeHosts;
    values["node_endpoints"] = common.nodeEndpoints;
    values["plugin_folder"] = framework.manifestPath.substr(0, framework.manifestPath.rfind('/'));
    RankCommand command{rank, {}, {}};
    auto argv = expandCommand(framework.command, workloadArguments(common.workload, common.key), values,
                              switchesFor(framework, common.key));
    if (!argv)
        return inManifest(framework, argv.error());
    command.argv = std::move(*argv);
    for (const auto &[name, text] : framework.environment) {
        auto value = expandTemplate(text, values);
        if (!value)
            return inManifest(framework, value.error());
        command.environment[name] = std::move(*value);
    }
    addPlaceVariables(command, common, place);
    if (place.kubernetes) // it runs in the image already
        return command;
    const ContainerPlace container = containerPlace(framework, common.key, place, folder, rank);
    command = inEnvironment(std::move(command), common.environment, container);
    command.first = rank == 0 ? digestCommand(common.environment) : "";
    command.cleanup = removeContainerCommand(common.environment, container.name);
    return command;
}

// The commands of ranks `first` to `first + count - 1`, and their text for people.
Result<std::vector<RankCommand>> commandsOf(const Common &common, const LaunchPlace &place, NodeLaunch &node,
                                            Launch &launch)
{
    std::vector<RankCommand> commands;
    for (const int rank : node.ranks) {
        auto command = rankCommand(common, rank, place, place.kubernetes ? kPodRunFolder : node.folder);
        if (!command)
            return command.error();
        launch.commands.push_back(commandText(*command));
        commands.push_back(std::move(*command));
    }
    return commands;
}

MpirunJob mpirunJob(const CaseKey &key, const std::string &folder, const std::vector<LaunchPlace> &places)
{
    MpirunJob job;
    job.ranksPerNode = key.devicesPerNode;
    job.folder = folder;
    job.network = places.front().network;
    job.sshFolder = nodeSshFolder(places.front().workFolder);
    for (int i = 0; i < key.nodes; ++i) {
        const LaunchPlace &place = places[static_cast<std::size_t>(i)];
        job.hosts.push_back({place.host, place.address, place.sshPort, place.user});
    }
    return job;
}

// Folders on the nodes may be one and the same (a home folder that all share), so each node has its own name
// for the run's.
NodeLaunch nodeLaunch(const Common &common, int node, const LaunchPlace &place, const std::string &runId)
{
    NodeLaunch launch{place.host, place.workFolder + "/" + runId, {}, {}};
    if (node > 0)
        launch.folder += "-n" + std::to_string(node);
    const int count = common.framework.processesPerNode(common.key.devicesPerNode);
    for (int local = 0; local < count; ++local)
        launch.ranks.push_back(node * count + local);
    return launch;
}

// horovodrun's own: where it is, and one network interface that all nodes have.
Result<void> addHorovodrun(MpirunJob &job, const Common &common, const std::vector<LaunchPlace> &places)
{
    job.kind = LaunchKind::Horovodrun;
    if (common.environment.kind == RunEnvironment::Kind::Venv)
        job.programFolder = common.environment.name + "/bin";
    else if (common.environment.kind != RunEnvironment::Kind::None)
        return Error{ErrorCode::BadInput,
                     "horovodrun is started in a virtual environment or from the node's own PATH, not in " +
                         common.key.options.at("environment") + ". Choose the launcher mpirun or per_rank."};
    job.interface = places.front().interface;
    for (int node = 1; node < common.key.nodes; ++node)
        if (const LaunchPlace &place = places[static_cast<std::size_t>(node)];
            place.interface != job.interface)
            return Error{ErrorCode::Unavailable,
                         "horovodrun needs a network interface of the same name on all nodes; " +
                             places.front().host + " has " + job.interface + " and " + place.host + " has " +
                             place.interface + ". Choose the launcher mpirun or per_rank."};
    return {};
}

Result<Launch> onNodes(const Common &common, const std::string &runId, const std::vector<LaunchPlace> &places,
                       LaunchKind kind)
{
    const bool byMpirun = kind == LaunchKind::Mpirun || kind == LaunchKind::Horovodrun;
    const CaseKey &key = common.key;
    if (places.size() < static_cast<std::size_t>(key.nodes))
        return Error{ErrorCode::Unavailable,
                     key.scaleName() + " needs " + std::to_string(key.nodes) + " nodes."};
    Launch launch;
    launch.wants = wantsOf(common.framework, key, common.environment);
    MpirunJob job = mpirunJob(key, places.front().workFolder + "/" + runId, places);
    if (kind == LaunchKind::Horovodrun)
        if (const auto added = addHorovodrun(job, common, places); !added)
            return added.error();
    const std::string prepare = imageCommand(common.environment);
    for (int node = 0; node < key.nodes; ++node) {
        const LaunchPlace &place = places[static_cast<std::size_t>(node)];
        if (byMpirun && place.workFolder != places.front().workFolder)
            return Error{ErrorCode::Unavailable,
                         launchKindName(kind) + " needs the same folder for runs on all nodes; " +
                             places.front().host + " has " + places.front().workFolder + " and " +
                             place.host + " has " + place.workFolder + ". Choose the launcher per_rank."};
        NodeLaunch ofNode = nodeLaunch(common, node, place, runId);
        const auto commands = commandsOf(common, place, ofNode, launch);
        if (!commands)
            return commands.error();
        if (!byMpirun) {
            ofNode.script = launchScript(*commands, prepare);
        } else {
            ofNode.role = node == 0 ? NodeRole::Leads : NodeRole::Led;
            ofNode.script =
                node == 0 ? mpirunScript(job, *commands, prepare) : ledScript(kind, *commands, prepare);
        }
        ofNode.check = checkScript(launch.wants, common.environment,
                                   {"sb-" + runId + "-check", "/tmp", {}, key.device == "cuda"});
        launch.nodes.push_back(std::move(ofNode));
    }
    if (byMpirun)
        launch.command = shellCommand(mpirunCommand(job));
    return launch;
}

Result<Launch> inSlurm(const Common &common, const std::string &runId, const LaunchPlace &place)
{
    const CaseKey &key = common.key;
    Launch launch;
    NodeLaunch all{place.host, place.workFolder + "/" + runId, {}, {}, NodeRole::Job};
    if (shellQuote(all.folder) != all.folder)
        return Error{ErrorCode::BadInput, "Slurm cannot use the folder " + all.folder +
                                              ": its name has blanks or quotation marks. Name another as "
                                              "slurm.folder in the plan."};
    for (int rank = 0; rank < key.devices(); ++rank)
        all.ranks.push_back(rank);
    const auto commands = commandsOf(common, place, all, launch);
    if (!commands)
        return commands.error();
    const SlurmJob job{slurmJobName(runId),  key.nodes,  key.devicesPerNode, key.threadsPerDevice,
                       key.device == "cuda", all.folder, *place.slurm};
    all.script = slurmScript(job, *commands, imageCommand(common.environment));
    launch.command = shellCommand(sbatchCommand(job));
    launch.nodes.push_back(std::move(all));
    return launch;
}

// The image that pods run; those of docker and podman are the same to Kubernetes.
Result<KubeJob> kubeJob(const Common &common, const std::string &runId, const LaunchPlace &place)
{
    const CaseKey &key = common.key;
    if (common.environment.kind != RunEnvironment::Kind::Docker &&
        common.environment.kind != RunEnvironment::Kind::Podman)
        return Error{ErrorCode::BadInput, "The launcher kubernetes needs an image for " +
                                              common.framework.title +
                                              "; name one as its environment in the plan."};
    KubeJob job;
    job.name = kubeName(runId);
    job.runId = runId;
    job.image = common.environment.name;
    job.pods = key.nodes;
    job.ranksPerPod = key.devicesPerNode;
    job.threadsPerRank = key.threadsPerDevice;
    job.gpus = key.device == "cuda";
    job.files = place.podFiles;
    job.settings = *place.kubernetes;
    if (key.data != "synthetic") {
        job.dataFolder = key.data;
        job.folders.push_back(key.data);
    }
    if (const auto source = key.options.find("source_folder"); source != key.options.end())
        job.folders.push_back(source->second);
    return job;
}

Result<Launch> inKubernetes(const Common &common, const std::string &runId, const LaunchPlace &place)
{
    auto job = kubeJob(common, runId, place);
    if (!job)
        return job.error();
    Launch launch;
    NodeLaunch all{place.host, place.workFolder + "/" + runId, {}, {}, NodeRole::Pods};
    for (int rank = 0; rank < common.key.devices(); ++rank)
        all.ranks.push_back(rank);
    const auto commands = commandsOf(common, place, all, launch);
    if (!commands)
        return commands.error();
    job->script = podScript(job->name, job->pods, *commands);
    const auto manifest = kubeManifest(*job);
    if (!manifest)
        return manifest.error();
    all.script = controlScript(*job, *manifest);
    launch.command = shellCommand(kubectlApplyCommand(job->settings));
    launch.manifest = *manifest;
    launch.nodes.push_back(std::move(all));
    return launch;
}

// Places as the kind needs them: only a queue's have settings of one.
std::vector<LaunchPlace> placesOf(LaunchKind kind, std::vector<LaunchPlace> places)
{
    for (LaunchPlace &place : places) {
        if (kind != LaunchKind::Slurm)
            place.slurm.reset();
        else if (!place.slurm)
            place.slurm = SlurmSettings();
        if (kind != LaunchKind::Kubernetes)
            place.kubernetes.reset();
        else if (!place.kubernetes)
            place.kubernetes = KubernetesSettings();
    }
    return places;
}

// One node needs no network, and its name for itself may be wrong.
std::string masterOf(LaunchKind kind, const CaseKey &key, const std::string &runId, const LaunchPlace &first)
{
    if (key.nodes == 1)
        return "127.0.0.1";
    if (kind == LaunchKind::Kubernetes)
        return podHost(kubeName(runId), 0);
    return kind == LaunchKind::Slurm ? kJobMasterAddress : first.address;
}

} // namespace

LaunchKind launchKindOf(const Framework &framework, const CaseKey &key)
{
    return launchKindFromName(key.launcher()).value_or(framework.launch);
}

std::string slurmJobName(const std::string &runId)
{
    return "sb-" + runId;
}

std::string nodeSshFolder(const std::string &workFolder)
{
    return workFolder.substr(0, workFolder.rfind('/')) + "/ssh";
}

Result<Launch> prepareLaunch(const Framework &framework, const CaseKey &key, const std::string &runId,
                             const std::vector<LaunchPlace> &places)
{
    const Workload *workload = framework.findWorkload(key.workload);
    if (!workload)
        return Error{ErrorCode::BadInput, framework.title + " has no workload \"" + key.workload + "\"."};
    if (places.empty())
        return Error{ErrorCode::Unavailable, "No node is connected."};
    const auto option = key.options.find("environment");
    const auto environment = readEnvironment(option != key.options.end() ? option->second : "");
    if (!environment)
        return environment.error();
    const LaunchKind kind = launchKindOf(framework, key);
    const std::vector<LaunchPlace> used = placesOf(kind, places);
    Common common{framework,
                  *workload,
                  key,
                  *environment,
                  masterOf(kind, key, runId, used.front()),
                  std::to_string(rendezvousPort(runId))};
    if (isQueue(kind)) {
        common.rankHosts = kJobRankHosts;
    } else if (used.size() >= static_cast<std::size_t>(key.nodes)) {
        common.rankHosts = hostList(key, used, framework.processesPerNode(key.devicesPerNode));
        common.nodeHosts = hostList(key, used, 1);
        common.nodeEndpoints = hostList(key, used, 1, ":" + common.masterPort);
    }
    if (kind == LaunchKind::Slurm)
        return inSlurm(common, runId, used.front());
    if (kind == LaunchKind::Kubernetes)
        return inKubernetes(common, runId, used.front());
    return onNodes(common, runId, used, kind);
}

} // namespace sb
