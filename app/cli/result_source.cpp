// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/result_source.h"

#include "cli/command.h"
#include "core/reference.h"
#include "core/result_file.h"
#include "core/text.h"
#include "session/other_runs.h"
#include "session/step_parts.h"
#include "store/workspace.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

namespace sb::cli {

namespace {

Result<ResultSource> fromWorkspace(const std::string &folder)
{
    auto opened = Workspace::open(folder);
    if (!opened)
        return opened.error();
    const std::shared_ptr<Workspace> workspace = std::move(*opened);
    for (const std::string &problem : workspace->problems())
        printNote("warning: " + problem + "\n");
    ResultSource source;
    source.name = workspace->name();
    source.runs = workspace->runs();
    source.results = aggregate(source.runs);
    source.collectives = collectiveFiles(folder);
    source.partsOf = [workspace](const CaseResult &result) { return stepPartsOf(*workspace, result); };
    return source;
}

Result<ResultSource> fromFile(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof())
        return Error{ErrorCode::Io, path + " could not be read; look at its permissions."};
    const auto results = readResults(text, path);
    if (!results)
        return results.error();
    ResultSource source;
    source.name = std::filesystem::path(path).stem().string();
    source.results = *results;
    return source;
}

Result<ResultSource> fromBundle(const std::string &path)
{
    const auto other = readOtherRuns(path);
    if (!other)
        return other.error();
    ResultSource source;
    source.name = other->name;
    source.runs = other->runs;
    source.results = aggregate(source.runs);
    return source;
}

Error noSuchPart(const ReferenceSet &set, const std::string &part)
{
    std::vector<std::string> names;
    for (const ReferenceTable &table : set.tables)
        names.push_back(table.id);
    const std::string tables = join(names, ", ");
    for (const ReferenceSeries &series : set.series)
        names.push_back(series.id);
    const auto closest = closestWord(part, names);
    return {ErrorCode::NotFound, set.id + " has no table or series \"" + part + "\"; " +
                                     (closest ? "did you mean \"" + *closest + "\"? Its" : "its") +
                                     " tables are " + tables + "."};
}

Result<ResultSource> fromReference(const std::string &id, const std::string &part)
{
    const auto set = loadReference(paths().referenceFolder, id);
    if (!set)
        return set.error();
    ResultSource source;
    source.name = id + (part.empty() ? "" : "/" + part);
    if (const ReferenceTable *table = set->table(part)) {
        source.curves = referenceGroup(*set, *table).curves;
    } else if (const ReferenceSeries *series = set->find(part)) {
        source.curves.push_back(referenceCurve(*set, *series, true));
    } else if (part.empty()) {
        for (const ReferenceSeries &one : set->series)
            if (one.kind == ReferenceKind::Report)
                source.curves.push_back(referenceCurve(*set, one, true));
    } else {
        return noSuchPart(*set, part);
    }
    for (const ScalingCurve &curve : source.curves)
        source.results.insert(source.results.end(), curve.points.begin(), curve.points.end());
    return source;
}

Result<ResultSource> openWhole(const std::string &text)
{
    std::error_code error;
    if (std::filesystem::is_directory(text, error))
        return fromWorkspace(text);
    if (looksLikeBundle(text))
        return fromBundle(text);
    if (std::filesystem::exists(text, error))
        return fromFile(text);
    const std::size_t slash = text.find('/');
    const std::string id = text.substr(0, slash);
    const auto ids = referenceIds(paths().referenceFolder);
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
        return Error{ErrorCode::NotFound,
                     "\"" + text + "\" is no folder, no file and no published results (" +
                         (ids.empty() ? "none came with this program" : join(ids, ", ")) + ")."};
    return fromReference(id, slash == std::string::npos ? std::string() : text.substr(slash + 1));
}

} // namespace

Result<ResultSource> openResultSource(const std::string &text)
{
    const std::size_t mark = text.rfind('#');
    auto source = openWhole(text.substr(0, mark));
    if (!source)
        return source;
    if (mark != std::string::npos) {
        const std::string framework = text.substr(mark + 1);
        std::erase_if(source->results,
                      [&](const CaseResult &result) { return result.key.framework != framework; });
        std::erase_if(source->curves,
                      [&](const ScalingCurve &curve) { return curve.framework != framework; });
        source->name += " " + framework;
    }
    if (source->results.empty())
        return Error{ErrorCode::NotFound,
                     text + " has no results" + (mark == std::string::npos ? "." : " of that framework.")};
    if (source->curves.empty())
        source->curves = scalingCurves(source->results);
    return source;
}

} // namespace sb::cli
