// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"

#include "core/json.h"
#include "core/statistics.h"
#include "core/text.h"
#include "core/units.h"
#include "session/import.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>

namespace sb::cli {

namespace {

JsonNode itemNode(const ImportItem &item)
{
    return JsonNode::object()
        .set("path", item.path)
        .set("framework", item.format)
        .set("case", caseId(item.key))
        .set("repeat", item.repeat)
        .set("unit", item.unit)
        .set("values", static_cast<std::int64_t>(item.values))
        .set("throughput", item.measurement ? JsonNode(item.measurement->throughput) : JsonNode())
        .set("disagreement", item.measurement ? JsonNode(item.measurement->disagreement()) : JsonNode())
        .set("failure", item.failure ? JsonNode(item.failure->name) : JsonNode())
        .set("links", item.links.empty() ? JsonNode() : JsonNode(item.links))
        .set("problem", item.good() ? JsonNode() : JsonNode(item.problem));
}

std::map<CaseKey, std::vector<double>> byCase(const ImportPreview &preview)
{
    std::map<CaseKey, std::vector<double>> cases;
    for (const ImportItem &item : preview.items)
        if (item.isRun())
            cases[item.key].push_back(item.measurement->throughput);
    return cases;
}

std::string unitOf(const ImportPreview &preview, const CaseKey &key)
{
    for (const ImportItem &item : preview.items)
        if (item.isRun() && item.key == key)
            return item.unit;
    return {};
}

void printProse(const ImportPreview &preview)
{
    for (const auto &[key, throughputs] : byCase(preview))
        print(caseId(key) + "  " + std::to_string(throughputs.size()) +
              (throughputs.size() == 1 ? " run" : " runs") + ", median " +
              formatNumber(*quantile(throughputs, 0.5), 2) + " " + unitOf(preview, key) + "/s\n");
    for (const ImportItem &item : preview.items) {
        if (!item.good())
            print("left out: " + item.path + ": " + item.problem + "\n");
        else if (!item.isRun())
            print("links: " + item.path + ": " + item.links + "\n");
        else if (const auto disagreement = item.measurement->disagreement())
            print("note: " + item.path + ": " + *disagreement + "\n");
        if (item.failure)
            print("note: " + item.path + ": " + item.failure->name + ": " + item.failure->line + "\n");
    }
}

std::string jsonText(const ImportPreview &preview, double readS, const std::optional<ImportReport> &report)
{
    JsonNode items = JsonNode::array(), cases = JsonNode::array();
    for (const ImportItem &item : preview.items)
        items.push(itemNode(item));
    for (const auto &[key, throughputs] : byCase(preview))
        cases.push(JsonNode::object()
                       .set("case", caseId(key))
                       .set("framework", key.framework)
                       .set("workload", key.workload)
                       .set("scale", key.scaleName())
                       .set("devices", key.devices())
                       .set("runs", static_cast<std::int64_t>(throughputs.size()))
                       .set("median", *quantile(throughputs, 0.5)));
    JsonNode root = JsonNode::object();
    root.set("schema", 1)
        .set("bytes", preview.bytes)
        .set("lines", preview.lines)
        .set("read_s", readS)
        .set("cases", cases)
        .set("items", items)
        .set("imported", report ? JsonNode(report->imported) : JsonNode())
        .set("links", report ? JsonNode(report->links) : JsonNode())
        .set("known", report ? JsonNode(report->known) : JsonNode());
    return writeJson(root) + "\n";
}

std::string roleNames()
{
    std::string all;
    for (const char *role : kTableRoles)
        all += (all.empty() ? "" : ", ") + std::string(role);
    return all;
}

bool anyGood(const ImportPreview &preview)
{
    return std::any_of(preview.items.begin(), preview.items.end(),
                       [](const ImportItem &item) { return item.good(); });
}

Result<ImportOptions> optionsFrom(const QCommandLineParser &parser)
{
    ImportOptions options;
    options.framework = parser.value(QStringLiteral("framework")).toStdString();
    options.workload = parser.value(QStringLiteral("workload")).toStdString();
    options.pattern = parser.value(QStringLiteral("pattern")).toStdString();
    for (const QString &column : parser.values(QStringLiteral("column"))) {
        const qsizetype equals = column.indexOf(QLatin1Char('='));
        const std::string role = column.left(equals).toStdString();
        if (equals < 1 ||
            std::find(std::begin(kTableRoles), std::end(kTableRoles), role) == std::end(kTableRoles))
            return Error{ErrorCode::BadInput,
                         "--column must be ROLE=NAME, where ROLE is one of " + roleNames() + "."};
        options.columns[role] = column.mid(equals + 1).toStdString();
    }
    const bool skips = parser.isSet(QStringLiteral("skip")), counts = parser.isSet(QStringLiteral("measure"));
    if (skips != counts)
        return Error{ErrorCode::BadInput, "--skip and --measure go together."};
    if (skips) {
        const auto skip = toInteger(parser.value(QStringLiteral("skip")).toStdString());
        const auto count = toInteger(parser.value(QStringLiteral("measure")).toStdString());
        if (!skip || !count || *skip < 0 || *count < 1 || *skip > 10'000'000 || *count > 10'000'000)
            return Error{ErrorCode::BadInput,
                         "--skip and --measure must be numbers of steps up to 10000000."};
        options.rule = MeasurementRule{static_cast<int>(*skip), static_cast<int>(*count), 1};
    }
    return options;
}

int importInto(const QCommandLineParser &parser, const ImportOptions &options)
{
    const Catalog catalog = readCatalog(paths().pluginFolder, paths().userPluginFolder);
    const auto begin = std::chrono::steady_clock::now();
    const auto preview =
        previewImport(parser.positionalArguments().constFirst().toStdString(), catalog, options);
    if (!preview)
        return fail(preview.error());
    const double readS = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::optional<ImportReport> report;
    if (!parser.isSet(QStringLiteral("dry-run"))) {
        auto workspace = Workspace::create(parser.value(QStringLiteral("workspace")).toStdString());
        if (!workspace)
            return fail(workspace.error());
        auto applied = applyImport(**workspace, *preview, catalog);
        if (!applied)
            return fail(applied.error());
        report = std::move(*applied);
    }
    if (parser.isSet(QStringLiteral("json")))
        print(jsonText(*preview, readS, report));
    else
        printProse(*preview);
    if (!anyGood(*preview))
        return fail({ErrorCode::BadInput,
                     "Nothing there could be taken as a result of a training run or a benchmark of links."});
    if (report && !parser.isSet(QStringLiteral("json")))
        print(std::to_string(report->imported) + " imported, " +
              (report->links > 0 ? std::to_string(report->links) + " measurements of links, " : "") +
              std::to_string(report->known) + " were there already\n");
    return kOk;
}

} // namespace

int importCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Brings logs of a file or a tree of folders, tables (CSV), files of results (JSON) and what "
        "nccl-tests and nvbandwidth print into a workspace."));
    const QCommandLineOption workspace(QStringLiteral("workspace"),
                                       QStringLiteral("Folder of the workspace."), QStringLiteral("folder"));
    const QCommandLineOption framework(
        QStringLiteral("framework"), QStringLiteral("Whose logs these are (default: told from their lines)."),
        QStringLiteral("name"));
    const QCommandLineOption workload(QStringLiteral("workload"),
                                      QStringLiteral("What they train (default: told from their paths)."),
                                      QStringLiteral("name"));
    const QCommandLineOption pattern(
        QStringLiteral("pattern"),
        QStringLiteral("For logs of no known form: a regular expression (RE2) with the group (?P<rate>…)."),
        QStringLiteral("pattern"));
    const QCommandLineOption column(
        QStringLiteral("column"),
        QStringLiteral(
            "For a table: which column holds what, for example throughput=Speed; also by number. May be "
            "given several times (default: told from the names)."),
        QStringLiteral("role=name"));
    const QCommandLineOption skip(QStringLiteral("skip"), QStringLiteral("Warm-up steps left out."),
                                  QStringLiteral("steps"));
    const QCommandLineOption count(QStringLiteral("measure"), QStringLiteral("Steps averaged."),
                                   QStringLiteral("steps"));
    const QCommandLineOption dry(QStringLiteral("dry-run"), QStringLiteral("Show what would be imported."));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Print JSON (schema 1)."));
    parser.addOptions({workspace, framework, workload, pattern, column, skip, count, dry, json});
    parser.addPositionalArgument(QStringLiteral("path"), QStringLiteral("File or folder."));
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (parser.positionalArguments().size() != 1)
        return badUsage("import needs one file or folder.");
    if (!parser.isSet(workspace) && !parser.isSet(dry))
        return badUsage("import needs --workspace, or --dry-run to only look.");
    const auto options = optionsFrom(parser);
    if (!options)
        return badUsage(options.error().message);
    return importInto(parser, *options);
}

} // namespace sb::cli
