// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan_queue.h"

#include "core/text.h"

#include <algorithm>

namespace sb {

namespace {

constexpr int kMostMinutes = 525'600;
constexpr int kMostSharedGb = 4096;

Error badPlan(const std::string &message)
{
    return {ErrorCode::BadInput, message};
}

Result<void> checkSlurm(const SlurmSettings &slurm)
{
    if (slurm.timeLimitMin && (*slurm.timeLimitMin < 1 || *slurm.timeLimitMin > kMostMinutes))
        return badPlan("slurm.time_limit_min is " + std::to_string(*slurm.timeLimitMin) +
                       "; it must be between 1 and 525600 minutes.");
    if (!slurm.folder.empty() && slurm.folder.front() != '/')
        return badPlan("slurm.folder is \"" + slurm.folder + "\"; it must begin with \"/\".");
    std::vector<std::string> words = slurm.options;
    words.push_back(slurm.partition);
    words.push_back(slurm.account);
    for (const std::string &word : words)
        if (std::any_of(word.begin(), word.end(),
                        [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\'' || c == '\\'; }))
            return badPlan("slurm has \"" + word + "\", which cannot stand in a job script.");
    for (const std::string &option : slurm.options)
        if (!option.starts_with("--"))
            return badPlan("slurm.options has \"" + option +
                           "\"; write options of sbatch as \"--name=value\".");
    return {};
}

bool isLower(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool isAlnum(char c)
{
    return isLower(c) || (c >= 'A' && c <= 'Z');
}

// "training": lower-case letters, digits and "-", an alphanumeric at both ends.
bool isDnsLabel(std::string_view text)
{
    return !text.empty() && text.size() <= 63 && isLower(text.front()) && isLower(text.back()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return isLower(c) || c == '-'; });
}

// "a.b-c": labels with dots between.
bool isDnsName(std::string_view text)
{
    const auto parts = split(text, '.');
    return text.size() <= 253 && std::all_of(parts.begin(), parts.end(), isDnsLabel);
}

// The value of a label, or the name part of its key; empty is the caller's to judge.
bool isLabelWord(std::string_view text)
{
    return text.size() <= 63 && isAlnum(text.front()) && isAlnum(text.back()) &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return isAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

// "nvidia.com/gpu", "memory": a name, before it a domain and "/" or nothing.
bool isQualifiedName(std::string_view text)
{
    const std::size_t slash = text.find('/');
    const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
    return !name.empty() && isLabelWord(name) &&
           (slash == std::string_view::npos || isDnsName(text.substr(0, slash)));
}

// "64Gi", "0.5", "500m".
bool isQuantity(const std::string &text)
{
    static const std::vector<std::string> kUnits{"",  "m",  "k",  "M",  "G",  "T",  "P",
                                                 "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    const std::size_t end = text.find_first_not_of("0123456789.");
    const std::string number = text.substr(0, end);
    const std::string unit = end == std::string::npos ? "" : text.substr(end);
    const auto value = toDouble(number);
    return value && *value > 0 && text.size() <= 32 && number.front() != '.' && number.back() != '.' &&
           std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

Result<void> checkNames(const KubernetesSettings &kubernetes)
{
    if (!kubernetes.nameSpace.empty() && !isDnsLabel(kubernetes.nameSpace))
        return badPlan("kubernetes.namespace is \"" + kubernetes.nameSpace +
                       "\"; it must be small letters, digits and \"-\".");
    if (!kubernetes.serviceAccount.empty() && !isDnsName(kubernetes.serviceAccount))
        return badPlan("kubernetes.service_account is \"" + kubernetes.serviceAccount +
                       "\"; it must be small letters, digits, \"-\" and \".\".");
    if (!kubernetes.dataClaim.empty() && !isDnsName(kubernetes.dataClaim))
        return badPlan("kubernetes.data_claim is \"" + kubernetes.dataClaim +
                       "\"; it must be small letters, digits, \"-\" and \".\".");
    const std::string &context = kubernetes.context;
    if (!context.empty() &&
        (context.front() == '-' ||
         std::any_of(context.begin(), context.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; })))
        return badPlan("kubernetes.context is \"" + context +
                       "\"; take a name that kubectl config get-contexts lists.");
    return {};
}

Result<void> checkKubernetes(const KubernetesSettings &kubernetes)
{
    if (auto checked = checkNames(kubernetes); !checked)
        return checked;
    if (kubernetes.timeLimitMin && (*kubernetes.timeLimitMin < 1 || *kubernetes.timeLimitMin > kMostMinutes))
        return badPlan("kubernetes.time_limit_min is " + std::to_string(*kubernetes.timeLimitMin) +
                       "; it must be between 1 and 525600 minutes.");
    if (kubernetes.sharedMemoryGb < 1 || kubernetes.sharedMemoryGb > kMostSharedGb)
        return badPlan("kubernetes.shared_memory_gb is " + std::to_string(kubernetes.sharedMemoryGb) +
                       "; it must be between 1 and 4096.");
    for (const auto &[name, value] : kubernetes.nodeSelector)
        if (!isQualifiedName(name) || (!value.empty() && !isLabelWord(value)))
            return badPlan("kubernetes.node_selector has \"" + name + "\": \"" + value +
                           "\", which is no label of a node.");
    for (const auto &[name, value] : kubernetes.resources) {
        if (name == "nvidia.com/gpu")
            return badPlan("kubernetes.resources has nvidia.com/gpu; the number of GPUs comes from scales.");
        if (!isQualifiedName(name) || !isQuantity(value))
            return badPlan("kubernetes.resources has \"" + name + "\": \"" + value +
                           "\"; write a resource and how much of it, such as {\"memory\": \"64Gi\"}.");
    }
    return {};
}

// Everything in a pod comes from an image, so each framework needs one.
Result<void> checkImages(const Plan &plan)
{
    for (const std::string &framework : plan.frameworks) {
        const auto environment = plan.environments.find(framework);
        const std::string image = environment == plan.environments.end() ? "" : imageOf(environment->second);
        if (image.empty())
            return badPlan("environments has no image for \"" + framework +
                           "\", and the launcher kubernetes runs in containers; name one, such as {\"" +
                           framework + "\": \"docker:registry.example/image:tag\"}.");
        if (!std::all_of(image.begin(), image.end(),
                         [](char c) {
                             return isAlnum(c) ||
                                    std::string_view("._-/:@").find(c) != std::string_view::npos;
                         }) ||
            !isAlnum(image.front()))
            return badPlan("environments." + framework + " names the image \"" + image +
                           "\", which is no name of an image.");
    }
    return {};
}

} // namespace

std::string imageOf(const std::string &environment)
{
    for (const std::string engine : {"docker:", "podman:"})
        if (environment.starts_with(engine))
            return environment.substr(engine.size());
    return {};
}

Result<void> checkQueue(const Plan &plan)
{
    if (plan.device == "auto")
        return badPlan("device is \"auto\", but the launcher " + plan.launcher +
                       " runs on nodes that are not known here; say \"cpu\" or \"cuda\".");
    if (plan.device == "cpu" && !plan.threadsPerDevice)
        return badPlan("threads_per_device is missing; the launcher " + plan.launcher +
                       " runs on nodes whose cores are not known here.");
    if (plan.launcher == launchKindName(LaunchKind::Slurm))
        return checkSlurm(plan.slurm);
    if (auto checked = checkImages(plan); !checked)
        return checked;
    return checkKubernetes(plan.kubernetes);
}

} // namespace sb
