// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/result_source.h"
#include "core/comparison.h"
#include "core/json.h"
#include "core/text.h"
#include "core/units.h"

#include <algorithm>
#include <map>
#include <set>

namespace sb::cli {

namespace {

struct Asked {
    ComparisonOptions options;
    std::optional<double> failBelow;
    bool json = false;
    bool history = false;
};

std::string roleName(KeyRole role)
{
    switch (role) {
    case KeyRole::Same:
        return "same";
    case KeyRole::Compared:
        return "compared";
    case KeyRole::Differs:
        return "differs";
    case KeyRole::Blocks:
        break;
    }
    return "unlike";
}

std::string gateName(Gate gate)
{
    return gate == Gate::Passes ? "passes" : (gate == Gate::Fails ? "fails" : "not proven");
}

std::string caseText(const CaseKey &key)
{
    return key.workload + " " + key.precision + " b" + std::to_string(key.batchSizePerDevice) + " " +
           key.scaleName();
}

// Differences that the cases have in common, each once with the values that occur.
std::string keysText(const ComparedSets &sets)
{
    std::vector<std::string> fields;
    std::map<std::string, std::set<std::string>> lines;
    for (const Comparison &one : sets.cases)
        for (const KeyDifference &key : one.keys) {
            if (key.role == KeyRole::Same)
                continue;
            if (!lines.contains(key.field))
                fields.push_back(key.field);
            lines[key.field].insert((key.a.empty() ? "—" : key.a) + " against " +
                                    (key.b.empty() ? "—" : key.b) + " (" + roleName(key.role) + ")");
        }
    if (fields.empty())
        return "Keys: all the same.\n";
    std::string text = "Keys that differ, A against B:\n";
    for (const std::string &field : fields)
        text += "  " + field + ": " +
                join(std::vector<std::string>(lines[field].begin(), lines[field].end()), "; ") + "\n";
    return text;
}

std::string intervalText(const Comparison &one)
{
    return one.interval ? formatNumber(one.interval->low, 3) + " – " + formatNumber(one.interval->high, 3)
                        : "—";
}

std::string setsText(const ComparedSets &sets, const Asked &asked)
{
    std::string text = keysText(sets) + "\n";
    std::vector<std::vector<std::string>> rows{
        {"case", "A", "B", "A ÷ B", "95 % interval", "runs", "verdict"}};
    if (asked.failBelow)
        rows[0].push_back("gate " + plainNumber(*asked.failBelow));
    for (const Comparison &one : sets.cases) {
        rows.push_back({caseText(one.a.key) + (one.unlike ? " †" : ""), formatThroughput(one.a.throughput),
                        formatThroughput(one.b.throughput), formatNumber(one.ratio, 3), intervalText(one),
                        std::to_string(one.a.repeats) + ", " + std::to_string(one.b.repeats),
                        verdictName(one.verdict)});
        if (asked.failBelow)
            rows.back().push_back(gateName(gateOf(one, *asked.failBelow)));
    }
    text += table(rows);
    const auto more = [&](const std::vector<CaseResult> &results, const std::string &where) {
        for (const CaseResult &result : results)
            text += where + ": " + result.key.framework + " " + caseText(result.key) + "\n";
    };
    if (std::any_of(sets.cases.begin(), sets.cases.end(), [](const auto &one) { return one.unlike; }))
        text += "† Unlike keys: compared because you asked; the ratio is not about one thing.\n";
    for (const Comparison &one : sets.cases)
        if (one.runsNeeded)
            text += caseText(one.a.key) + ": about " + std::to_string(*one.runsNeeded) +
                    " runs a side would tell a difference of " + formatPercent(asked.options.leastEffect, 0) +
                    ".\n";
    more(sets.onlyA, "only in A");
    more(sets.onlyB, "only in B");
    more(sets.ambiguous, "several of B would fit");
    return text;
}

JsonNode sideNode(const CaseResult &side)
{
    JsonNode node = JsonNode::object();
    return node.set("framework", side.key.framework)
        .set("throughput", side.throughput)
        .set("repeats", side.repeats)
        .set("run_ids", side.runIds)
        .set("source", side.source.empty() ? JsonNode() : JsonNode(side.source));
}

JsonNode comparisonNode(const Comparison &one, const Asked &asked)
{
    JsonNode keys = JsonNode::array();
    for (const KeyDifference &key : one.keys)
        if (key.role != KeyRole::Same)
            keys.push(JsonNode::object()
                          .set("key", key.field)
                          .set("a", key.a)
                          .set("b", key.b)
                          .set("role", roleName(key.role)));
    JsonNode interval;
    if (one.interval)
        interval =
            JsonNode::object()
                .set("low", one.interval->low)
                .set("high", one.interval->high)
                .set("coverage", one.interval->coverage)
                .set("method", one.interval->method == RatioInterval::Method::RankSum ? "rank sum" : "welch");
    JsonNode node = JsonNode::object();
    node.set("case", caseText(one.a.key))
        .set("keys", keys)
        .set("unlike", one.unlike)
        .set("a", sideNode(one.a))
        .set("b", sideNode(one.b))
        .set("ratio", one.ratio)
        .set("interval", interval)
        .set("verdict", verdictName(one.verdict));
    if (asked.failBelow)
        node.set("gate", gateName(gateOf(one, *asked.failBelow)));
    return node;
}

JsonNode namesNode(const std::vector<CaseResult> &results)
{
    JsonNode names = JsonNode::array();
    for (const CaseResult &result : results)
        names.push(result.key.framework + " " + caseText(result.key));
    return names;
}

int gateStatus(const ComparedSets &sets, const Asked &asked)
{
    if (!asked.failBelow)
        return kOk;
    int fallen = 0;
    for (const Comparison &one : sets.cases)
        fallen += gateOf(one, *asked.failBelow) == Gate::Fails ? 1 : 0;
    if (fallen == 0)
        return kOk;
    printNote("scaleboard-cli: " + std::to_string(fallen) + " of " + std::to_string(sets.cases.size()) +
              " cases of A are below " + plainNumber(*asked.failBelow) + " × B.\n");
    return kFailed;
}

// Why nothing could be compared: the first pair of the same scale says it, with the difference.
Error nothingInCommon(const ResultSource &a, const ResultSource &b, const Asked &asked)
{
    for (const CaseResult &one : a.results)
        for (const CaseResult &other : b.results)
            if (one.key.scaleName() == other.key.scaleName())
                if (const auto refused = compareCases(one, other, asked.options); !refused)
                    return {ErrorCode::BadInput,
                            refused.error().message + " --anyway compares them nevertheless, and marks it."};
    return {ErrorCode::BadInput, a.name + " and " + b.name + " have no case in common."};
}

int compareTwo(const ResultSource &a, const ResultSource &b, const Asked &asked)
{
    const ComparedSets sets = compareSets(a.results, b.results, asked.options);
    if (sets.cases.empty())
        return fail(nothingInCommon(a, b, asked));
    if (asked.json) {
        JsonNode cases = JsonNode::array();
        for (const Comparison &one : sets.cases)
            cases.push(comparisonNode(one, asked));
        print(writeJson(JsonNode::object()
                            .set("schema", 1)
                            .set("a", a.name)
                            .set("b", b.name)
                            .set("least_effect", asked.options.leastEffect)
                            .set("fail_below", asked.failBelow)
                            .set("cases", cases)
                            .set("only_a", namesNode(sets.onlyA))
                            .set("only_b", namesNode(sets.onlyB))
                            .set("ambiguous", namesNode(sets.ambiguous))) +
              "\n");
    } else {
        print("A: " + a.name + "\nB: " + b.name + "\n" + setsText(sets, asked));
    }
    return gateStatus(sets, asked);
}

// The runs of all sources together; with several, each run's plan says whose it is.
Result<std::vector<Run>> runsOfAll(const QStringList &names)
{
    std::vector<Run> all;
    for (const QString &name : names) {
        auto source = openResultSource(name.toStdString());
        if (!source)
            return source.error();
        if (source->runs.empty())
            return Error{ErrorCode::BadInput,
                         "--history needs workspaces or bundles: " + source->name + " has no runs."};
        // "#native" has left only that framework's results.
        for (Run &run : source->runs) {
            if (std::none_of(source->results.begin(), source->results.end(),
                             [&run](const CaseResult &result) { return result.key == run.key; }))
                continue;
            if (names.size() > 1)
                run.planName = source->name + ": " + run.planName;
            all.push_back(std::move(run));
        }
    }
    return all;
}

int printHistory(const QStringList &names, const Asked &asked)
{
    const auto runs = runsOfAll(names);
    if (!runs)
        return fail(runs.error());
    JsonNode cases = JsonNode::array();
    for (const CaseResult &result : aggregate(*runs)) {
        JsonNode points = JsonNode::array();
        std::vector<std::vector<std::string>> rows{
            {caseText(result.key) + ", " + result.key.framework, "plan", "median", "runs", "÷ before", ""}};
        for (const HistoryPoint &point : caseHistory(*runs, result.key, asked.options)) {
            const std::string change = point.change ? verdictName(*point.change) : std::string();
            rows.push_back({point.dayUtc, point.planName, formatThroughput(point.result.throughput),
                            std::to_string(point.result.repeats),
                            point.ratio ? formatNumber(*point.ratio, 3) : "—", change});
            points.push(JsonNode::object()
                            .set("day", point.dayUtc)
                            .set("plan", point.planName)
                            .set("throughput", point.result.throughput)
                            .set("repeats", point.result.repeats)
                            .set("ratio", point.ratio)
                            .set("change", point.change ? JsonNode(change) : JsonNode())
                            .set("run_ids", point.result.runIds));
        }
        cases.push(JsonNode::object()
                       .set("case", caseText(result.key))
                       .set("framework", result.key.framework)
                       .set("points", points));
        if (!asked.json)
            print(table(rows) + "\n");
    }
    if (asked.json)
        print(writeJson(JsonNode::object().set("schema", 1).set("history", cases)) + "\n");
    return kOk;
}

} // namespace

int compareCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral(
            "Compares results A with results B case by case: what differs, the ratio of the medians with its "
            "95 % interval, and a verdict.\n") +
        QString::fromUtf8(kSourceHelp));
    parser.addPositionalArgument(QStringLiteral("A"), QStringLiteral("Results that are judged."));
    parser.addPositionalArgument(QStringLiteral("B"), QStringLiteral("Results they are judged by."));
    const QCommandLineOption failBelow(
        QStringLiteral("fail-below"),
        QStringLiteral("Fail (status 1) when the interval of A over B lies below this ratio, e.g. 0.97."),
        QStringLiteral("ratio"));
    const QCommandLineOption effect(
        QStringLiteral("least-effect"),
        QStringLiteral("Differences below this many percent do not matter. Default: 1."),
        QStringLiteral("percent"), QStringLiteral("1"));
    const QCommandLineOption anyway(
        QStringLiteral("anyway"),
        QStringLiteral("Compare cases of unlike workload, precision or batch, too."));
    const QCommandLineOption history(
        QStringLiteral("history"),
        QStringLiteral("Print the cases of one or more workspaces or bundles over time; no B."));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Print JSON (schema 1)."));
    parser.addOptions({failBelow, effect, anyway, history, json});
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    Asked asked;
    asked.json = parser.isSet(json);
    asked.history = parser.isSet(history);
    asked.options.unlikeToo = parser.isSet(anyway);
    const QStringList sides = parser.positionalArguments();
    if (asked.history ? sides.isEmpty() : sides.size() != 2)
        return badUsage(
            "compare needs A and B, for example: scaleboard-cli compare new old --fail-below 0.97; "
            "with --history one or more workspaces.");
    const auto percent = toDouble(parser.value(effect).toStdString());
    if (!percent || *percent < 0 || *percent >= 100)
        return badUsage("--least-effect must be a number of percent from 0 to 100.");
    asked.options.leastEffect = *percent / 100;
    if (parser.isSet(failBelow)) {
        asked.failBelow = toDouble(parser.value(failBelow).toStdString());
        if (!asked.failBelow || *asked.failBelow <= 0)
            return badUsage("--fail-below must be a ratio above 0, such as 0.97.");
    }
    if (asked.history)
        return printHistory(sides, asked);
    auto a = openResultSource(sides[0].toStdString());
    if (!a)
        return fail(a.error());
    a->partsOf = nullptr; // closes the workspace: B may be another framework of the same one
    const auto b = openResultSource(sides[1].toStdString());
    if (!b)
        return fail(b.error());
    return compareTwo(*a, *b, asked);
}

} // namespace sb::cli
