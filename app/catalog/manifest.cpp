// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/manifest.h"

#include "catalog/command_template.h"
#include "core/json.h"
#include "core/text.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace sb {

namespace {

constexpr int kManifestSchema = 1;

// Expanding with every placeholder set shows unknown ones when the plugin is read, not when it is run.
void checkTemplate(ObjectReader &reader, const JsonNode &at, const std::string &text)
{
    PlaceholderValues values;
    for (const std::string &name : placeholderNames())
        values[name] = "1";
    if (const auto expanded = expandTemplate(text, values); !expanded)
        reader.fail(at, reader.what() + ": " + expanded.error().message);
}

// {"fp16": ["--amp"]}: lists of arguments by a name that must be one of `known`.
std::map<std::string, std::vector<std::string>> readArgumentLists(ObjectReader &reader, const JsonNode &node,
                                                                  const std::string &place,
                                                                  const std::vector<std::string> &known)
{
    std::map<std::string, std::vector<std::string>> lists;
    for (const auto &[name, list] : node.members) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            reader.fail(list, place + " has \"" + name + "\"; known: " + join(known, ", "));
        else if (list.kind != JsonNode::Kind::Array)
            reader.fail(list, place + "." + name + " must be a list […]");
        for (const JsonNode &item : list.items) {
            if (item.kind != JsonNode::Kind::String) {
                reader.fail(item, place + "." + name + " must be a list of texts");
                continue;
            }
            checkTemplate(reader, item, item.text);
            lists[name].push_back(item.text);
        }
        lists[name]; // an empty list says that there is nothing to add
    }
    return lists;
}

Workload readWorkload(const JsonNode &node, ObjectReader &parent, std::size_t index)
{
    ObjectReader reader(node, parent.source(), "workloads[" + std::to_string(index) + "]");
    Workload workload;
    workload.name = reader.string("name");
    workload.title = reader.string("title");
    workload.unit = reader.string("unit");
    workload.datasetSize = reader.optionalInteger("dataset_size");
    workload.defaultBatchSize = reader.integer("default_batch_size");
    workload.arguments = reader.strings("arguments", {});
    workload.memoryBytesFixed = reader.optionalNumber("memory_bytes_fixed");
    workload.memoryBytesPerSample = reader.optionalNumber("memory_bytes_per_sample");
    workload.flopsPerSample = reader.optionalNumber("flops_per_sample");
    if (const JsonNode *precisions = reader.object("precisions"))
        for (const auto &[device, list] : precisions->members) {
            if (list.kind != JsonNode::Kind::Array)
                reader.fail(list, "precisions." + device + " must be a list […]");
            for (const JsonNode &item : list.items) {
                if (item.kind != JsonNode::Kind::String)
                    reader.fail(item, "precisions." + device + " must be a list of texts");
                workload.precisions[device].push_back(item.text);
            }
        }
    for (const std::string &argument : workload.arguments)
        checkTemplate(reader, node, argument);
    std::vector<std::string> precisions;
    for (const auto &[device, names] : workload.precisions)
        precisions.insert(precisions.end(), names.begin(), names.end());
    if (const JsonNode *lists = reader.optionalObject("data_arguments"))
        workload.dataArguments = readArgumentLists(reader, *lists, "data_arguments", {"synthetic", "folder"});
    if (const JsonNode *lists = reader.optionalObject("precision_arguments"))
        workload.precisionArguments = readArgumentLists(reader, *lists, "precision_arguments", precisions);
    if (const JsonNode *lists = reader.optionalObject("scale_arguments"))
        workload.scaleArguments =
            readArgumentLists(reader, *lists, "scale_arguments", {"one_node", "several_nodes"});
    if (reader.has("most_nodes") && (workload.mostNodes = reader.integer("most_nodes")) < 1)
        reader.fail(node, "most_nodes must be 1 or more");
    parent.adopt(reader.finish());
    return workload;
}

void readLaunch(ObjectReader &reader, const JsonNode &node, Framework &framework)
{
    const auto kindOf = [&](const char *key, const std::string &name) {
        const auto kind = launchKindFromName(name);
        if (!kind)
            reader.fail(node,
                        std::string(key) + " has \"" + name + "\"; known: " + join(launchKindNames(), ", "));
        return kind.value_or(LaunchKind::PerRank);
    };
    framework.launch = kindOf("launch", reader.string("launch"));
    for (const std::string &name : reader.strings("launchers", {}))
        framework.launchers.push_back(kindOf("launchers", name));
    const std::string processes = reader.string("processes", "per_device");
    framework.processPerNode = processes == "per_node";
    if (processes != "per_device" && processes != "per_node")
        reader.fail(node, "processes is \"" + processes + "\"; known: per_device, per_node");
    if (framework.processPerNode && (framework.launch != LaunchKind::PerRank || !framework.launchers.empty()))
        reader.fail(node, "processes is \"per_node\"; then launch must be \"per_rank\", without launchers");
}

void readSwitches(ObjectReader &reader, const JsonNode &node, Framework &framework)
{
    const JsonNode *switches = reader.optionalObject("switches");
    for (std::size_t i = 0; switches && i < switches->members.size(); ++i) {
        const auto &[name, list] = switches->members[i];
        std::vector<std::string> &values = framework.switches[name];
        for (const JsonNode &item : list.items) {
            if (item.kind != JsonNode::Kind::String)
                reader.fail(item, "switches." + name + " must be a list of texts");
            values.push_back(item.text);
        }
        if (list.kind != JsonNode::Kind::Array || values.empty())
            reader.fail(list, "switches." + name + " must be a list […] whose first value is the default");
    }
    framework.folderSwitches = reader.strings("folder_switches", {});
    for (const std::string &name : framework.folderSwitches)
        if (!framework.switches.contains(name))
            reader.fail(*node.find("folder_switches"),
                        "folder_switches names \"" + name + "\", which is not among the switches");
    const JsonNode *arguments = reader.optionalObject("switch_arguments");
    for (std::size_t i = 0; arguments && i < arguments->members.size(); ++i) {
        const auto &[name, lists] = arguments->members[i];
        if (const auto known = framework.switches.find(name); known != framework.switches.end())
            framework.switchArguments[name] =
                readArgumentLists(reader, lists, "switch_arguments." + name, known->second);
        else
            reader.fail(lists, "switch_arguments has \"" + name + "\", which is not among the switches");
    }
}

} // namespace

Result<Framework> readManifest(std::string_view text, const std::string &source, const LogWordsFile *logs)
{
    const Result<JsonNode> root = parseJson(text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "plugin");
    if (const int schema = reader.integer("schema", 0); schema > kManifestSchema)
        return Error{ErrorCode::Newer, source + " was written for a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to 1)."};
    Framework framework;
    framework.manifestPath = source;
    framework.name = reader.string("name");
    framework.title = reader.string("title");
    framework.license = reader.string("license");
    framework.program = reader.string("program");
    if (const std::string where = reader.string("program_is", "copied"); where == "on_node")
        framework.programOnNode = true;
    else if (where != "copied")
        reader.fail(*root, "program_is is \"" + where + "\"; known: copied, on_node");
    framework.files = reader.strings("files", {});
    readSwitches(reader, *root, framework);
    framework.packages = reader.strings("packages", {});
    readLaunch(reader, *root, framework);
    framework.devices = reader.strings("devices");
    framework.command = reader.strings("command");
    framework.environment = reader.stringMap("environment");
    framework.image = reader.optionalString("image");
    framework.source = reader.optionalString("source");
    framework.commit = reader.optionalString("commit");
    framework.features = reader.strings("features", {});
    if (const JsonNode *log = reader.object("log"))
        framework.log = readLogFormat(*log, reader, logs ? logs->definitions : LogDefinitions());
    if (const JsonNode *workloads = reader.array("workloads"))
        for (std::size_t i = 0; i < workloads->items.size(); ++i)
            framework.workloads.push_back(readWorkload(workloads->items[i], reader, i));
    if (framework.command.empty())
        reader.fail(*root, "command is empty");
    for (const std::string &argument : framework.command)
        if (argument != "{workload_arguments}" && argument != "{switches}")
            checkTemplate(reader, *root, argument);
    for (const auto &[name, value] : framework.environment)
        checkTemplate(reader, *root, value);
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    return framework;
}

namespace {

// Adds the plugins of a folder.
void addPlugins(Catalog &catalog, const QDir &dir, const LogWordsFile *logs)
{
    for (const QString &name : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        QFile file(dir.filePath(name + QStringLiteral("/plugin.json")));
        if (!file.exists())
            continue;
        const std::string path = file.fileName().toStdString();
        if (!file.open(QIODevice::ReadOnly)) {
            catalog.problems.push_back(path + " cannot be read: " + file.errorString().toStdString() + ".");
            continue;
        }
        Result<Framework> framework = readManifest(file.readAll().toStdString(), path, logs);
        if (!framework) {
            catalog.problems.push_back(framework.error().message);
        } else if (framework->name != name.toStdString()) {
            catalog.problems.push_back(path + ": name is \"" + framework->name +
                                       "\", but the folder is called \"" + name.toStdString() + "\".");
        } else if (const Framework *known = findFramework(catalog.frameworks, framework->name)) {
            catalog.problems.push_back(path + " is not used: " + known->manifestPath +
                                       " has the same name. Rename its folder and \"name\".");
        } else {
            framework->log.words = catalog.words;
            catalog.frameworks.push_back(std::move(*framework));
        }
    }
}

} // namespace

Catalog readCatalog(const std::string &folder, const std::string &userFolder)
{
    Catalog catalog;
    const QDir dir(QString::fromStdString(folder));
    if (!dir.exists()) {
        catalog.problems.push_back("There is no plugin folder " + folder + ".");
        return catalog;
    }
    std::optional<LogWordsFile> logs;
    if (const QString path = dir.filePath(QStringLiteral("logs.json")); QFile::exists(path)) {
        if (auto read = readLogWordsFile(path.toStdString())) {
            logs = std::move(*read);
            catalog.definitions = logs->definitions;
            catalog.words = std::make_shared<const LogWords>(logs->words);
        } else {
            catalog.problems.push_back(read.error().message);
        }
    }
    addPlugins(catalog, dir, logs ? &*logs : nullptr);
    if (!userFolder.empty())
        addPlugins(catalog, QDir(QString::fromStdString(userFolder)), logs ? &*logs : nullptr);
    return catalog;
}

} // namespace sb
