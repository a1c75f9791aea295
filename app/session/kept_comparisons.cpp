// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/kept_comparisons.h"

#include "core/compare_sides.h"
#include "core/json.h"

#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <map>

namespace sb {

namespace {

constexpr int kSchema = 1;
constexpr std::string_view kPublished = "published:";

std::string pathOf(const std::string &folder)
{
    return folder + "/" + kComparisonsFile;
}

// The set that an id of a published side names; empty for one's own.
std::string setOf(const std::string &id)
{
    return id.starts_with(kPublished) ? id.substr(kPublished.size(), id.find('/') - kPublished.size())
                                      : std::string();
}

} // namespace

Result<std::vector<KeptComparison>> readKeptComparisons(const std::string &workspaceFolder)
{
    const std::string path = pathOf(workspaceFolder);
    QFile file(QString::fromStdString(path));
    std::vector<KeptComparison> kept;
    if (!file.exists())
        return kept;
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, path + " cannot be read: " + file.errorString().toStdString() + "."};
    const auto root = parseJson(file.readAll().toStdString(), path);
    if (!root)
        return root.error();
    ObjectReader reader(*root, path, "the comparisons");
    const int schema = reader.integer("schema");
    const JsonNode *list = reader.array("comparisons");
    if (const auto finished = reader.finish(); !finished)
        return finished.error();
    if (schema > kSchema)
        return Error{ErrorCode::Newer, path + " was written by a newer version (schema " +
                                           std::to_string(schema) + "; this one reads up to " +
                                           std::to_string(kSchema) + ")."};
    for (const JsonNode &item : list->items) {
        ObjectReader one(item, path, "a comparison");
        KeptComparison comparison{one.string("a"), one.string("b"), one.boolean("unlike", false)};
        if (const auto finished = one.finish(); !finished)
            return finished.error();
        kept.push_back(std::move(comparison));
    }
    return kept;
}

Result<void> writeKeptComparisons(const std::string &workspaceFolder, std::span<const KeptComparison> kept)
{
    const QString path = QString::fromStdString(pathOf(workspaceFolder));
    if (kept.empty()) {
        QFile::remove(path);
        return {};
    }
    JsonNode list = JsonNode::array();
    for (const KeptComparison &one : kept)
        list.push(JsonNode::object().set("a", one.a).set("b", one.b).set("unlike", one.unlikeToo));
    const std::string text =
        writeJson(JsonNode::object().set("schema", kSchema).set("comparisons", list)) + "\n";
    QSaveFile file(path);
    const auto size = static_cast<qint64>(text.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.commit())
        return Error{ErrorCode::Io,
                     path.toStdString() + " cannot be written: " + file.errorString().toStdString() + "."};
    return {};
}

std::vector<ReportComparison> reportComparisons(std::span<const KeptComparison> kept,
                                                std::span<const CaseResult> results,
                                                const std::string &referenceFolder)
{
    std::vector<ReportComparison> all;
    if (kept.empty())
        return all;
    std::vector<CompareSide> sides = ownSides(results);
    std::map<std::string, std::string> citations; // by set
    for (const KeptComparison &one : kept)
        for (const std::string &set : {setOf(one.a), setOf(one.b)}) {
            if (set.empty() || citations.contains(set))
                continue;
            const auto reference = loadReference(referenceFolder, set);
            citations[set] = reference ? reference->citation() : std::string();
            if (reference)
                for (CompareSide &side : publishedSides(*reference))
                    sides.push_back(std::move(side));
        }
    for (const KeptComparison &one : kept) {
        const CompareSide *a = findSide(sides, one.a);
        const CompareSide *b = findSide(sides, one.b);
        if (!a || !b)
            continue;
        ComparisonOptions options;
        options.unlikeToo = one.unlikeToo;
        ComparedSides compared = compareSides(*a, *b, options);
        if (compared.cases.empty())
            continue;
        const std::string set = a->published ? setOf(one.a) : setOf(one.b);
        all.push_back({a->title, b->title, std::move(compared.cases), set.empty() ? "" : citations[set]});
    }
    return all;
}

} // namespace sb
