// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_check.h"

#include "core/text.h"
#include "remote/shell_quote.h"

#include <algorithm>
#include <map>
#include <optional>

namespace sb {

namespace {

// "tensorflow|tensorflow-cpu": the first of these that is there.
constexpr const char *kPackageVersions = R"py(
import sys
try:
    from importlib.metadata import version
except ImportError:
    from pkg_resources import get_distribution
    def version(name):
        return get_distribution(name).version
for names in sys.argv[1:]:
    found = ""
    for name in names.split("|"):
        try:
            found = name + " " + version(name)
            break
        except Exception:
            pass
    print("@sb package " + (found or names))
)py";

// A node file a GPU; "/dev/dxg" stands for all of them under Windows' subsystem for Linux.
constexpr const char *kCountGpus =
    R"sh(n=0; for f in /dev/nvidia[0-9]*; do [ -e "$f" ] && n=$((n + 1)); done
[ -e /dev/dxg ] && n=1024
echo "@sb gpus $n")sh";

constexpr std::size_t kLongestWords = 300;

std::string inside(const RunEnvironment &environment, const ContainerPlace &container,
                   const std::vector<std::string> &argv)
{
    const RankCommand command = inEnvironment({0, {}, argv}, environment, container);
    return shellCommand(command.environment, command.argv);
}

// Values by key, in the order they were printed.
std::multimap<std::string, std::string> factsOf(const std::string &output)
{
    std::multimap<std::string, std::string> facts;
    for (std::string_view line : split(output, '\n')) {
        line = trimmed(line);
        constexpr std::string_view kMark = "@sb ";
        if (!line.starts_with(kMark))
            continue;
        line.remove_prefix(kMark.size());
        const std::size_t space = std::min(line.find(' '), line.size());
        facts.emplace(std::string(line.substr(0, space)),
                      validUtf8(trimmed(line.substr(std::min(space + 1, line.size())))));
    }
    return facts;
}

// The last line that says something: a program's reason for giving up.
std::string lastWords(const RunCheckAnswer &answer)
{
    for (const std::string &text : {answer.errorOutput, answer.output}) {
        const auto lines = split(text, '\n');
        for (auto line = lines.rbegin(); line != lines.rend(); ++line)
            if (const std::string_view words = trimmed(*line); !words.empty() && !words.starts_with("@sb "))
                return validUtf8(words.substr(0, kLongestWords));
    }
    return {};
}

std::string withStop(std::string sentence)
{
    return sentence.ends_with('.') ? sentence : sentence + ".";
}

using Facts = std::multimap<std::string, std::string>;

std::string packageFault(const RunWants &wants, const RunCheckAnswer &answer, const Facts &facts)
{
    const std::string where = wants.environment.empty() ? "the python3 of " + answer.host
                                                        : wants.environment + " on " + answer.host;
    const auto [first, last] = facts.equal_range("package");
    if (first == last) {
        const std::string words = lastWords(answer);
        return wants.framework + " cannot be looked for in " + where + ": " +
               withStop(words.empty() ? "its Python did not answer" : words);
    }
    for (auto package = first; package != last; ++package)
        if (package->second.find(' ') == std::string::npos)
            return wants.framework + " is not in " + where + ": the package " +
                   package->second.substr(0, package->second.find('|')) + " is missing. Install it there.";
    return {};
}

std::string sourceFault(const RunWants &wants, const RunCheckAnswer &answer, const Facts &facts)
{
    const auto commit = facts.find("commit");
    if (commit == facts.end())
        return "There is no folder " + wants.sourceFolder + " on " + answer.host + ": clone " +
               wants.framework + "'s scripts there.";
    if (commit->second != "unknown" && !wants.commit.empty() &&
        !commit->second.starts_with(wants.commit)) // which may be a short one
        return wants.sourceFolder + " on " + answer.host + " is at " + commit->second.substr(0, 12) +
               ", the recipe is of " + wants.commit.substr(0, 12) + ". Run there: git -C " +
               shellQuote(wants.sourceFolder) + " checkout " + wants.commit;
    return {};
}

std::string gpuFault(const RunWants &wants, const RunCheckAnswer &answer, const Facts &facts)
{
    const auto seen = facts.find("gpus");
    const auto count = seen == facts.end() ? std::nullopt : toInteger(seen->second);
    if (!count) {
        const std::string words = lastWords(answer);
        return "Whether a container of " + wants.image + " sees the GPUs of " + answer.host +
               " could not be found out: " + withStop(words.empty() ? "it did not answer" : words) +
               " Install the NVIDIA Container Toolkit there; podman needs the file that nvidia-ctk cdi "
               "generate "
               "makes.";
    }
    if (*count < wants.gpusInContainer)
        return "A container of " + wants.image + " sees " + std::to_string(*count) + " GPUs on " +
               answer.host + ", " + std::to_string(wants.gpusInContainer) +
               " are needed: its engine ignored the flag. Install the NVIDIA Container Toolkit there; podman "
               "needs the file that nvidia-ctk cdi generate makes.";
    return {};
}

std::string faultOf(const RunWants &wants, const RunCheckAnswer &answer, const Facts &facts)
{
    if (!answer.exitCode)
        return "The check before the run broke off on " + answer.host + ": " + withStop(answer.error);
    if (!wants.image.empty() && !facts.contains("image"))
        return "The image " + wants.image + " could not be got on " + answer.host + ": " +
               withStop(lastWords(answer)) +
               " Check the image's name and tag, and whether the node may pull from that registry.";
    if (!wants.sourceFolder.empty())
        if (std::string fault = sourceFault(wants, answer, facts); !fault.empty())
            return fault;
    if (!wants.dataFolder.empty() && !facts.contains("data"))
        return "There is no data folder " + wants.dataFolder + " on " + answer.host +
               ": put the same data at the same place on every node.";
    if (wants.gpusInContainer > 0)
        if (std::string fault = gpuFault(wants, answer, facts); !fault.empty())
            return fault;
    return wants.packages.empty() ? std::string() : packageFault(wants, answer, facts);
}

// What is alike on all nodes, or no comparison is fair.
std::string difference(const Facts &first, const Facts &other, const std::string &key)
{
    const auto [a, aEnd] = first.equal_range(key);
    const auto [b, bEnd] = other.equal_range(key);
    for (auto left = a, right = b; left != aEnd && right != bEnd; ++left, ++right)
        if (left->second != right->second)
            return left->second + " on the first and " + right->second;
    return {};
}

} // namespace

RunWants wantsOf(const Framework &framework, const CaseKey &key, const RunEnvironment &environment)
{
    RunWants wants;
    wants.framework = framework.title;
    wants.packages = framework.packages;
    if (const auto found = key.options.find("environment"); found != key.options.end())
        wants.environment = found->second;
    if (const auto found = key.options.find("source_folder"); found != key.options.end()) {
        wants.sourceFolder = found->second;
        wants.commit = framework.commit.value_or("");
    }
    if (key.data != "synthetic")
        wants.dataFolder = key.data;
    if (environment.isContainer()) {
        wants.image = environment.name;
        wants.gpusInContainer = key.device == "cuda" ? key.devicesPerNode : 0;
    }
    return wants;
}

std::string checkScript(const RunWants &wants, const RunEnvironment &environment,
                        const ContainerPlace &container)
{
    std::string script;
    if (!wants.image.empty()) {
        const std::string get = imageCommand(environment);
        if (!get.empty())
            script += "{ " + get + "; } || exit 1\n";
        script += "echo '@sb image there'\n";
        if (const std::string digest = digestCommand(environment); !digest.empty())
            script +=
                "d=$(" + digest + "); d=${d##*:\\\"}; echo \"@sb digest ${d%%\\\"*}\"\n"; // of its event
    }
    if (!wants.sourceFolder.empty()) {
        const std::string folder = shellQuote(wants.sourceFolder);
        script += "[ -d " + folder + " ] && echo \"@sb commit $(git -C " + folder +
                  " rev-parse HEAD 2>/dev/null || echo unknown)\"\n";
    }
    if (!wants.dataFolder.empty())
        script += "[ -d " + shellQuote(wants.dataFolder) + " ] && echo '@sb data there'\n";
    if (wants.gpusInContainer > 0)
        script += inside(environment, container, {"sh", "-c", kCountGpus}) + "\n";
    if (!wants.packages.empty()) {
        std::vector<std::string> argv{"python3", "-c", kPackageVersions};
        argv.insert(argv.end(), wants.packages.begin(), wants.packages.end());
        script += inside(environment, container, argv) + "\n";
    }
    return script.empty() ? script : script + "exit 0\n";
}

std::optional<std::string> runCheckProblem(const RunWants &wants, std::span<const RunCheckAnswer> answers)
{
    std::vector<Facts> facts;
    for (const RunCheckAnswer &answer : answers) {
        facts.push_back(factsOf(answer.output));
        if (std::string fault = faultOf(wants, answer, facts.back()); !fault.empty())
            return fault;
    }
    for (std::size_t i = 1; i < facts.size(); ++i)
        for (const auto &[key, what] : {std::pair("package", "the versions of " + wants.framework),
                                        std::pair("commit", "the scripts in " + wants.sourceFolder),
                                        std::pair("digest", "the image " + wants.image)})
            if (const std::string unlike = difference(facts.front(), facts[i], key); !unlike.empty())
                return answers.front().host + " and " + answers[i].host + " differ in " + what + ": " +
                       unlike + " on the second. Install the same on both, or the curve compares two things.";
    return std::nullopt;
}

std::string pullProgress(const std::string &line)
{
    const std::string words = validUtf8(trimmed(line));
    if (words.empty() || words.starts_with("@sb ") || words.starts_with("{"))
        return {};
    return words.size() <= 80 ? words : words.substr(0, 77) + "…";
}

} // namespace sb
