// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command.h"
#include "cli/result_source.h"
#include "core/comm_model.h"
#include "core/json.h"
#include "core/scaling_fit.h"
#include "core/text.h"
#include "core/units.h"
#include "core/utilisation.h"

#include <fstream>
#include <iterator>

namespace sb::cli {

namespace {

struct Asked {
    std::vector<ScalingModel> models;
    std::optional<int> devices;
    std::optional<CommFit> comm;
    std::optional<double> gradientBytes;
    bool json = false;
};

std::string faultText(FitFault fault, int scales)
{
    const std::string points = std::to_string(scales) + (scales == 1 ? " scale" : " scales");
    switch (fault) {
    case FitFault::None:
        return {};
    case FitFault::TooFewScales:
        return "not identifiable from " + points;
    case FitFault::Confounded:
        return "not identifiable: these scales do not tell the parameters apart";
    case FitFault::Loose:
        return "not identifiable from " + points + ": the curve would be uncertain by more than a tenth";
    case FitFault::Superlinear:
        return "not identifiable: it grows faster than the devices";
    case FitFault::NotConverged:
        break;
    }
    return "not identifiable: the fit found no end";
}

std::string shapeText(const ShapeFlag &flag)
{
    const std::string at = std::to_string(flag.devices) + " devices";
    const std::string since = "from " + std::to_string(flag.devicesBefore) + " to " + at;
    switch (flag.kind) {
    case ShapeKind::Superlinear:
        return "superlinear: speedup " + formatNumber(flag.ratio, 2) + " on " + at +
               "; the one-device result is likely slow";
    case ShapeKind::FasterThanDevices:
        return "grows faster than the devices " + since + " (× " + formatNumber(flag.ratio, 3) + ")";
    case ShapeKind::Backward:
        return "slower with more devices " + since + " (× " + formatNumber(flag.ratio, 3) + ")";
    case ShapeKind::NoBaseline:
        break;
    }
    return "no speedup: the one-device result is missing";
}

std::string causeName(LossCause cause)
{
    switch (cause) {
    case LossCause::Communication:
        return "communication";
    case LossCause::Data:
        return "input data";
    case LossCause::Straggler:
        return "straggler";
    case LossCause::Clock:
        return "clock";
    case LossCause::Work:
        return "own work is slower";
    case LossCause::Unexplained:
        break;
    }
    return "unexplained";
}

JsonNode parameterNode(const FittedParameter &parameter)
{
    return JsonNode::object()
        .set("value", parameter.value)
        .set("low", parameter.low)
        .set("high", parameter.high);
}

std::string parameterText(const FittedParameter &parameter, int decimals)
{
    return formatNumber(parameter.value, decimals) + " (" + formatNumber(parameter.low, decimals) + " – " +
           formatNumber(parameter.high, decimals) + ")";
}

JsonNode fitNode(const ScalingFit &fit, const Asked &asked)
{
    JsonNode node = JsonNode::object();
    node.set("model", scalingModelName(fit.model))
        .set("identifiable", fit.identifiable())
        .set("reason", fit.identifiable() ? JsonNode() : JsonNode(faultText(fit.fault, fit.scales)))
        .set("scales", fit.scales);
    if (fit.fault == FitFault::TooFewScales || fit.fault == FitFault::NotConverged)
        return node;
    node.set("rate", parameterNode(fit.rate)).set("serial", parameterNode(fit.serial));
    if (fit.model == ScalingModel::Usl)
        node.set("crosstalk", parameterNode(fit.crosstalk));
    JsonNode residuals = JsonNode::array();
    for (const ScalingFit::Residual &residual : fit.residuals)
        residuals.push(
            JsonNode::object().set("devices", residual.devices).set("relative", residual.relative));
    node.set("residuals", residuals).set("spread", fit.spread);
    if (const auto band = asked.devices ? fit.at(*asked.devices) : std::nullopt)
        node.set("at", JsonNode::object()
                           .set("devices", *asked.devices)
                           .set("throughput", band->value)
                           .set("low", band->low)
                           .set("high", band->high));
    return node;
}

std::string fitText(const ScalingFit &fit, const Asked &asked)
{
    std::string text = "  " + scalingModelName(fit.model) + ": ";
    if (!fit.identifiable())
        return text + faultText(fit.fault, fit.scales) + "\n";
    text += "σ " + parameterText(fit.serial, 5);
    if (fit.model == ScalingModel::Usl)
        text += ", κ " + parameterText(fit.crosstalk, 7);
    text += ", one device " + parameterText(fit.rate, 2) + "; residuals";
    for (const ScalingFit::Residual &residual : fit.residuals)
        text += " " + std::to_string(residual.devices) + ": " + formatPercent(residual.relative, 2);
    text += "\n";
    if (const auto peak = fit.peakDevices())
        text += "    greatest throughput at " + formatNumber(*peak, 0) + " devices\n";
    if (const auto band = asked.devices ? fit.at(*asked.devices) : std::nullopt)
        text += "    at " + std::to_string(*asked.devices) + " devices: " + formatThroughput(band->value) +
                " (" + formatThroughput(band->low) + " – " + formatThroughput(band->high) + ")\n";
    return text;
}

// A curve of weak scaling, or one of strong scaling with its batch.
struct FittedCurve {
    ScalingCurve curve;
    std::optional<int> globalBatchSize;
};

std::vector<FittedCurve> fittedCurves(const ResultSource &source)
{
    std::vector<FittedCurve> all;
    for (const ScalingCurve &curve : source.curves)
        all.push_back({curve, std::nullopt});
    // Published series are one curve each, of the batch that was printed with it.
    if (source.curves.empty() || source.curves.front().published.empty())
        for (const ScalingGroup &group : strongScalingGroups(source.results))
            for (const ScalingCurve &curve : group.curves)
                all.push_back({curve, group.globalBatchSize});
    return all;
}

const Run *runOf(const ResultSource &source, const CaseResult &point)
{
    for (const Run &run : source.runs)
        if (!point.runIds.empty() && run.id == point.runIds.back())
            return &run;
    return nullptr;
}

Utilisation useOf(const ResultSource &source, const CaseResult &point)
{
    return utilisationOf(point, runOf(source, point));
}

std::optional<double> gradientBytes(const ResultSource &source, const ScalingCurve &curve, const Asked &asked)
{
    if (asked.gradientBytes)
        return asked.gradientBytes;
    return gradientBytesOf(curve.points.back().key.workload, runOf(source, curve.points.back()));
}

std::string exposedText(const ResultSource &source, const ScalingCurve &curve, const Asked &asked)
{
    const auto bytes = gradientBytes(source, curve, asked);
    if (!bytes)
        return "  α–β: how many bytes of gradients this model has is not known; give --gradient-bytes\n";
    const ExposedFit fit = fitExposed(curve, *asked.comm, *bytes);
    if (!fit.identifiable())
        return "  α–β: " + faultText(fit.fault, fit.scales) + "\n";
    std::string text = "  α–β: of the gradients' communication " + formatPercent(fit.exposed.value) + " (" +
                       formatPercent(fit.exposed.low) + " – " + formatPercent(fit.exposed.high) +
                       ") is not hidden\n";
    if (const auto band = asked.devices ? exposedAt(fit, *asked.comm, *bytes, *asked.devices) : std::nullopt)
        text += "    at " + std::to_string(*asked.devices) + " devices: " + formatThroughput(band->value) +
                " (" + formatThroughput(band->low) + " – " + formatThroughput(band->high) + ")\n";
    return text;
}

// Of what the devices could do at the largest scale; nothing where that is not known.
std::string useText(const ResultSource &source, const ScalingCurve &curve)
{
    const Utilisation use = useOf(source, curve.points.back());
    if (!use.known())
        return {};
    return "  utilisation on " + std::to_string(curve.points.back().key.devices()) +
           " devices: " + formatPercent(use.share) + " of " + formatNumber(use.peak.flops / 1e12, 1) +
           " TFLOP/s (" + use.deviceName + "; " + use.peak.source + ")\n";
}

// Where the efficiency at the largest scale went, from the samples of a workspace.
std::string lossText(const ResultSource &source, const FittedCurve &fitted)
{
    const ScalingCurve &curve = fitted.curve;
    if (!source.partsOf || !curve.hasBaseline() || curve.points.size() < 2)
        return {};
    const auto alone = source.partsOf(curve.points.front());
    const auto scaled = source.partsOf(curve.points.back());
    const int devices = curve.points.back().key.devices();
    const auto account =
        alone && scaled
            ? accountForLoss(fitted.globalBatchSize ? sharedOut(*alone, devices) : *alone, *scaled)
            : std::nullopt;
    if (!account)
        return "  where the loss goes: no samples in the index; scaleboard-cli rebuild makes them\n";
    std::string text = "  a step takes " + formatNumber(account->aloneMs, 2) +
                       (fitted.globalBatchSize ? " ms if the work is shared evenly, " : " ms alone, ") +
                       formatNumber(account->scaledMs, 2) + " ms on " +
                       std::to_string(curve.points.back().key.devices()) + " devices" +
                       (account->withinNoise ? "; the difference is within the noise" : "") + "\n";
    for (const LossPart &part : account->parts)
        text += "    " + causeName(part.cause) +
                (part.rank ? " (rank " + std::to_string(*part.rank) + ")" : "") + ": " +
                formatNumber(part.ms, 2) + " ms, " + formatPercent(part.share, 0) + " of the loss (" +
                formatNumber(part.before, 2) + " → " + formatNumber(part.after, 2) + ")\n";
    return text;
}

std::string curveTitle(const FittedCurve &fitted)
{
    const ScalingCurve &curve = fitted.curve;
    const CaseKey &key = curve.points.front().key;
    return curve.label + (curve.published.empty() ? "" : " " + curve.published) + ", " + key.workload + " " +
           key.precision +
           (fitted.globalBatchSize
                ? ", global batch " + std::to_string(*fitted.globalBatchSize) + " (strong scaling)"
                : " b" + std::to_string(key.batchSizePerDevice));
}

JsonNode curveNode(const ResultSource &source, const FittedCurve &fitted, const Asked &asked)
{
    const ScalingCurve &curve = fitted.curve;
    JsonNode fits = JsonNode::array();
    for (const ScalingModel model : asked.models)
        fits.push(fitNode(fitScaling(curve, model), asked));
    if (const auto bytes = asked.comm ? gradientBytes(source, curve, asked) : std::nullopt) {
        const ExposedFit fit = fitExposed(curve, *asked.comm, *bytes);
        fits.push(
            JsonNode::object()
                .set("model", "alpha-beta")
                .set("identifiable", fit.identifiable())
                .set("reason", fit.identifiable() ? JsonNode() : JsonNode(faultText(fit.fault, fit.scales)))
                .set("exposed", fit.identifiable() ? parameterNode(fit.exposed) : JsonNode()));
    }
    JsonNode shapes = JsonNode::array();
    for (const ShapeFlag &flag : shapeFlags(curve))
        shapes.push(shapeText(flag));
    const Utilisation use = useOf(source, curve.points.back());
    return JsonNode::object()
        .set("curve", curveTitle(fitted))
        .set("scaling", fitted.globalBatchSize ? "strong" : "weak")
        .set("fits", fits)
        .set("shapes", shapes)
        .set("utilisation", use.known() ? JsonNode(use.share) : JsonNode());
}

void printText(const ResultSource &source, const Asked &asked)
{
    if (asked.comm)
        print("β " + parameterText(asked.comm->busGBps, 3) + " GB/s bus bandwidth, α " +
              (asked.comm->latencyKnown ? parameterText(asked.comm->latencyUs, 2) + " µs a step of the ring"
                                        : "not identifiable (no small messages)") +
              ", from " + std::to_string(asked.comm->sizes) + " sizes over " +
              std::to_string(asked.comm->ranks) + " ranks\n\n");
    for (const FittedCurve &fitted : fittedCurves(source)) {
        const ScalingCurve &curve = fitted.curve;
        std::string text = curveTitle(fitted) + "\n";
        for (const ShapeFlag &flag : shapeFlags(curve))
            text += "  ⚠ " + shapeText(flag) + "\n";
        for (const ScalingModel model : asked.models)
            text += fitText(fitScaling(curve, model), asked);
        if (asked.comm)
            text += exposedText(source, curve, asked);
        print(text + lossText(source, fitted) + useText(source, curve) + "\n");
    }
}

Result<CommFit> believable(const CollectiveBench &bench, const std::string &name)
{
    const CommFit fit = fitCommunication(bench);
    if (!fit.identifiable())
        return Error{ErrorCode::BadInput, name + ": the bandwidth is " + faultText(fit.fault, fit.sizes) +
                                              "; measure more sizes, from 1 KiB to 1 GiB."};
    return fit;
}

Result<CommFit> readComm(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{ErrorCode::NotFound, "The communication file " + path + " could not be opened."};
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto bench = readCollectiveBench(text, path);
    return bench ? believable(*bench, path) : Result<CommFit>(bench.error());
}

// What the workspace has is used where it can be; --gradient-bytes insists on it.
Result<void> takeOwnComm(const ResultSource &source, Asked &asked)
{
    if (asked.comm)
        return {};
    if (source.collectives.empty())
        return asked.gradientBytes
                   ? Result<void>(
                         Error{ErrorCode::BadInput,
                               "--gradient-bytes needs --comm, or a workspace into which the output of "
                               "all_reduce_perf or sbtrain bench allreduce was imported; " +
                                   source.name + " has none."})
                   : Result<void>();
    const CollectiveFile &most = source.collectives.front();
    const auto fit = believable(most.bench, most.name);
    if (fit)
        asked.comm = *fit;
    return fit || !asked.gradientBytes ? Result<void>() : Result<void>(fit.error());
}

} // namespace

int fitCommand(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral(
            "Fits how throughput grows with devices, with error bars, and says when the scales do not "
            "determine a model.\n") +
        QString::fromUtf8(kSourceHelp));
    parser.addPositionalArgument(QStringLiteral("results"), QStringLiteral("What to fit."));
    const QCommandLineOption model(QStringLiteral("model"),
                                   QStringLiteral("amdahl, usl or both. Default: both."),
                                   QStringLiteral("name"), QStringLiteral("both"));
    const QCommandLineOption devices(QStringLiteral("devices"),
                                     QStringLiteral("Also say what to expect on this many devices."),
                                     QStringLiteral("number"));
    const QCommandLineOption comm(
        QStringLiteral("comm"),
        QStringLiteral("Output of sbtrain bench allreduce or all_reduce_perf, for the communication model. "
                       "Default: what was imported into the workspace."),
        QStringLiteral("file"));
    const QCommandLineOption gradients(
        QStringLiteral("gradient-bytes"),
        QStringLiteral("Bytes of gradients a step. Default: what the runs logged, else the model's."),
        QStringLiteral("bytes"));
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Print JSON (schema 1)."));
    parser.addOptions({model, devices, comm, gradients, json});
    int status = kOk;
    if (!parseOptions(parser, arguments, status))
        return status;
    if (parser.positionalArguments().size() != 1)
        return badUsage(
            "fit needs one set of results, for example: scaleboard-cli fit dlperf-2020-10/resnet50-fp32.");
    Asked asked;
    asked.json = parser.isSet(json);
    const QString name = parser.value(model);
    if (name == QLatin1String("both") || name == QLatin1String("amdahl"))
        asked.models.push_back(ScalingModel::Amdahl);
    if (name == QLatin1String("both") || name == QLatin1String("usl"))
        asked.models.push_back(ScalingModel::Usl);
    if (asked.models.empty())
        return badUsage("--model must be amdahl, usl or both.");
    if (parser.isSet(devices)) {
        const auto count = toInteger(parser.value(devices).toStdString());
        if (!count || *count < 1 || *count > 1000000)
            return badUsage("--devices must be a number from 1 to 1000000.");
        asked.devices = static_cast<int>(*count);
    }
    if (parser.isSet(gradients)) {
        asked.gradientBytes = toDouble(parser.value(gradients).toStdString());
        if (!asked.gradientBytes || *asked.gradientBytes <= 0)
            return badUsage("--gradient-bytes must be a number above 0.");
    }
    if (parser.isSet(comm)) {
        const auto fit = readComm(parser.value(comm).toStdString());
        if (!fit)
            return fail(fit.error());
        asked.comm = *fit;
    }
    const auto source = openResultSource(parser.positionalArguments().front().toStdString());
    if (!source)
        return fail(source.error());
    if (const auto taken = takeOwnComm(*source, asked); !taken)
        return fail(taken.error());
    if (!asked.json) {
        printText(*source, asked);
        return kOk;
    }
    JsonNode curves = JsonNode::array();
    for (const FittedCurve &fitted : fittedCurves(*source))
        curves.push(curveNode(*source, fitted, asked));
    print(writeJson(JsonNode::object().set("schema", 1).set("curves", curves)) + "\n");
    return kOk;
}

} // namespace sb::cli
