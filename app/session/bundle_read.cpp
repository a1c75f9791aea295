// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/bundle.h"

#include "catalog/plan_file.h"
#include "core/json.h"
#include "core/text.h"
#include "session/kept_comparisons.h"
#include "session/telemetry_file.h"

#include <QDir>

#include <algorithm>
#include <array>

namespace sb {

namespace {

constexpr int kBundleSchema = 1;
constexpr const char *kHead = "bundle.json";

// What may stand in a bundle. In particular nothing that a workspace opens and trusts, such as an index.
bool belongs(const std::string &path)
{
    if (path == "workspace.json" || path == "environment.json" || path == kComparisonsFile)
        return true;
    constexpr std::array<std::string_view, 6> kFolders{"logs/",  "links/",     "extract/",
                                                       "plans/", "manifests/", "report/"};
    if (std::none_of(kFolders.begin(), kFolders.end(),
                     [&path](std::string_view folder) { return path.starts_with(folder); }))
        return false;
    const auto parts = split(path, '/');
    if (parts[0] == "logs")
        return parts.size() == 3 && (parts[2] == "run.json" || parts[2] == kTelemetryFile ||
                                     parts[2].ends_with(".log") || parts[2].ends_with(".err"));
    return parts[0] == "report" || parts.size() == 2;
}

} // namespace

Result<BundleInfo> readBundleInfo(const std::string &path)
{
    const auto text = readArchiveHead(path, kHead);
    if (!text)
        return text.error();
    const std::string source = path + ": " + kHead;
    const auto root = parseJson(*text, source);
    if (!root)
        return root.error();
    ObjectReader reader(*root, source, "bundle");
    if (const int schema = reader.integer("schema", 0); schema > kBundleSchema)
        return Error{ErrorCode::Newer, path + " was made by a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to " +
                                           std::to_string(kBundleSchema) + "); open it with that version."};
    if (const std::string kind = reader.string("kind"); kind != "scaleboard bundle")
        reader.fail(*root, "kind is \"" + kind + "\", not \"scaleboard bundle\"");
    BundleInfo info;
    info.name = reader.string("name");
    info.date = reader.string("date");
    info.program = reader.string("program");
    info.runs = reader.integer("runs");
    info.neutralNames = reader.boolean("neutral_names", false);
    info.simulated = reader.boolean("simulated", false);
    if (const JsonNode *files = reader.array("files"))
        for (const JsonNode &item : files->items) {
            ObjectReader file(item, source, "files[" + std::to_string(info.files.size()) + "]");
            info.files.push_back(
                {file.string("path"), file.optionalInteger("bytes").value_or(-1), file.string("sha256")});
            reader.adopt(file.finish());
        }
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    return info;
}

Result<void> unpackBundle(const std::string &path, const std::string &folder, const ArchiveLimits &limits,
                          const std::function<bool(std::int64_t)> &step)
{
    const auto info = readBundleInfo(path);
    if (!info)
        return info.error();
    bool workspace = false;
    for (const ArchiveFile &file : info->files) {
        if (!belongs(file.path))
            return Error{ErrorCode::BadInput, path + " was not unpacked: \"" + validUtf8(file.path) +
                                                  "\" is nothing that a bundle has."};
        workspace = workspace || file.path == "workspace.json";
    }
    if (!workspace)
        return Error{ErrorCode::BadInput, path + " was not unpacked: it has no workspace.json."};
    return unpackArchive(path, folder, info->files, limits, step);
}

Result<std::vector<Plan>> bundlePlans(const std::string &folder)
{
    std::vector<Plan> plans;
    const QDir dir(QString::fromStdString(folder + "/plans"));
    for (int number = 1; dir.exists(QString::number(number) + QStringLiteral(".json")); ++number) {
        auto plan =
            readPlanFile(dir.filePath(QString::number(number) + QStringLiteral(".json")).toStdString());
        if (!plan)
            return plan.error();
        plans.push_back(std::move(*plan));
    }
    return plans;
}

} // namespace sb
