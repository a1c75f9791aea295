// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/launcher.h"

#include "catalog/command_template.h"
#include "remote/shell_quote.h"
#include "session/node_scripts.h"
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
        {"global_batch", text(key.batchSizePerDevice * key.devices())},
        {"steps", text(key.warmupSteps + key.measuredSteps)},
        {"warmup_steps", text(key.warmupSteps)},
        {"measured_steps", text(key.measuredSteps)},
        {"threads", text(std::max(1, key.threadsPerDevice))}, // 0 on GPUs, where the host has little to do
        {"nodes", text(key.nodes)},
        {"devices_per_node", text(key.devicesPerNode)},
        {"world_size", text(key.devices())},
        {"rank", text(rank)},
        {"local_rank", text(rank % key.devicesPerNode)},
        {"node_rank", text(rank / key.devicesPerNode)},
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
    return words;
}

// One address a rank: for frameworks in which every process listens.
std::string rankHosts(const CaseKey &key, const std::vector<LaunchPlace> &places)
{
    std::string hosts;
    for (int rank = 0; rank < key.devices(); ++rank) {
        const LaunchPlace &place = places[static_cast<std::size_t>(rank / key.devicesPerNode)];
        hosts += (rank > 0 ? "," : "") + (key.nodes == 1 ? "127.0.0.1" : place.address);
    }
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

} // namespace

Result<Launch> prepareLaunch(const Framework &framework, const CaseKey &key, const std::string &runId,
                             const std::vector<LaunchPlace> &places)
{
    const Workload *workload = framework.findWorkload(key.workload);
    if (!workload)
        return Error{ErrorCode::BadInput, framework.title + " has no workload \"" + key.workload + "\"."};
    if (places.size() < static_cast<std::size_t>(key.nodes))
        return Error{ErrorCode::Unavailable,
                     key.scaleName() + " needs " + std::to_string(key.nodes) + " nodes."};
    const auto option = key.options.find("environment");
    const auto environment = readEnvironment(option != key.options.end() ? option->second : "");
    if (!environment)
        return environment.error();
    Launch launch;
    launch.wants = wantsOf(framework, key, *environment);
    for (int node = 0; node < key.nodes; ++node) {
        const LaunchPlace &place = places[static_cast<std::size_t>(node)];
        NodeLaunch ofNode{place.host, place.workFolder + "/" + runId, {}, {}};
        std::vector<RankCommand> ranks;
        for (int local = 0; local < key.devicesPerNode; ++local) {
            const int rank = node * key.devicesPerNode + local;
            PlaceholderValues values = valuesFor(key, rank, place, ofNode.folder);
            // One node needs no network, and its name for itself may be wrong.
            values["master_addr"] = key.nodes == 1 ? "127.0.0.1" : places.front().address;
            values["master_port"] = std::to_string(rendezvousPort(runId));
            values["files"] = place.filesFolder;
            values["rank_hosts"] = rankHosts(key, places);
            values["plugin_folder"] = framework.manifestPath.substr(0, framework.manifestPath.rfind('/'));
            RankCommand command{rank, {}, {}};
            auto argv = expandCommand(framework.command, workloadArguments(*workload, key), values,
                                      switchesFor(framework, key));
            if (!argv)
                return Error{ErrorCode::BadInput, framework.manifestPath + ": " + argv.error().message + "."};
            command.argv = std::move(*argv);
            for (const auto &[name, text] : framework.environment) {
                auto value = expandTemplate(text, values);
                if (!value)
                    return Error{ErrorCode::BadInput,
                                 framework.manifestPath + ": " + value.error().message + "."};
                command.environment[name] = std::move(*value);
            }
            if (key.nodes > 1 && !place.interface.empty()) {
                command.environment.try_emplace("GLOO_SOCKET_IFNAME", place.interface);
                command.environment.try_emplace("NCCL_SOCKET_IFNAME", "=" + place.interface); // "=": exactly
            }
            // nvidia-smi counts by bus, CUDA by speed unless it is told.
            if (const auto set = place.gpuSets.find(key.devicesPerNode);
                key.device == "cuda" && set != place.gpuSets.end() &&
                command.environment.try_emplace("CUDA_VISIBLE_DEVICES", set->second).second)
                command.environment.try_emplace("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
            const ContainerPlace container = containerPlace(framework, key, place, ofNode.folder, rank);
            command = inEnvironment(std::move(command), *environment, container);
            command.first = rank == 0 ? digestCommand(*environment) : "";
            command.cleanup = removeContainerCommand(*environment, container.name);
            launch.commands.push_back(shellCommand(command.environment, command.argv));
            ofNode.ranks.push_back(rank);
            ranks.push_back(std::move(command));
        }
        ofNode.check = checkScript(launch.wants, *environment,
                                   {"sb-" + runId + "-check", "/tmp", {}, key.device == "cuda"});
        ofNode.script = launchScript(ranks, imageCommand(*environment));
        launch.nodes.push_back(std::move(ofNode));
    }
    return launch;
}

} // namespace sb
