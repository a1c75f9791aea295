// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_environment.h"

#include "core/text.h"
#include "remote/shell_quote.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sb {

namespace {

using Kind = RunEnvironment::Kind;
using Words = std::vector<std::string>;

constexpr std::array<std::pair<const char *, Kind>, 7> kKinds{{{"venv", Kind::Venv},
                                                               {"conda", Kind::Conda},
                                                               {"module", Kind::Modules},
                                                               {"docker", Kind::Docker},
                                                               {"podman", Kind::Podman},
                                                               {"apptainer", Kind::Apptainer},
                                                               {"enroot", Kind::Enroot}}};
constexpr const char *kSharedMemory = "16g"; // data loaders and NCCL; the engines' own 64 MB is too small

std::string engineName(Kind kind)
{
    for (const auto &[name, known] : kKinds)
        if (known == kind)
            return name;
    return {};
}

bool hasImageStore(const RunEnvironment &environment)
{
    return environment.kind == Kind::Docker || environment.kind == Kind::Podman;
}

void add(Words &words, std::initializer_list<std::string> more)
{
    words.insert(words.end(), more.begin(), more.end());
}

// docker and podman take the same options, but for GPUs.
Words dockerLike(const RankCommand &command, const RunEnvironment &environment, const ContainerPlace &place)
{
    Words words{engineName(environment.kind),
                "run",
                "--rm",
                "--name",
                place.name,
                "--network",
                "host",
                "--shm-size",
                kSharedMemory,
                "--workdir",
                place.runFolder};
    if (environment.kind == Kind::Podman)
        add(words, {"--pull", "never"}); // imageCommand has got it, with words for people
    if (place.gpus) // memory that is pinned for transfers; root without privileges may not raise it elsewhere
        add(words, {"--ulimit", "memlock=-1"});
    if (place.infiniband) // memory of the adapter's queues is locked, too
        add(words, {"--device", "/dev/infiniband", "--cap-add", "IPC_LOCK"});
    if (place.gpus && environment.kind == Kind::Docker)
        add(words, {"--gpus", "all"});
    if (place.gpus && environment.kind == Kind::Podman)
        add(words, {"--device", "nvidia.com/gpu=all"});
    add(words, {"--volume", place.runFolder + ":" + place.runFolder});
    for (const std::string &folder : place.folders)
        add(words, {"--volume", folder + ":" + folder + ":ro"});
    for (const auto &[name, value] : command.environment)
        add(words, {"--env", name + "=" + value});
    words.push_back(environment.name);
    return words;
}

Words apptainer(const RankCommand &command, const RunEnvironment &environment, const ContainerPlace &place)
{
    Words words{"apptainer", "exec", "--pwd", place.runFolder, "--bind", place.runFolder};
    if (place.gpus)
        words.push_back("--nv");
    for (const std::string &folder : place.folders)
        add(words, {"--bind", folder + ":" + folder + ":ro"});
    for (const auto &[name, value] : command.environment)
        add(words, {"--env", name + "=" + value});
    words.push_back(environment.name);
    return words;
}

Words enroot(const RankCommand &command, const RunEnvironment &environment, const ContainerPlace &place)
{
    Words words{"enroot", "start", "--mount", place.runFolder + ":" + place.runFolder};
    for (const std::string &folder : place.folders)
        add(words, {"--mount", folder + ":" + folder});
    if (place.infiniband)
        add(words, {"--mount", "/dev/infiniband:/dev/infiniband"});
    if (place.gpus)
        add(words, {"--env", "NVIDIA_VISIBLE_DEVICES=all"});
    for (const auto &[name, value] : command.environment)
        add(words, {"--env", name + "=" + value});
    words.push_back(environment.name);
    return words;
}

} // namespace

Result<RunEnvironment> readEnvironment(const std::string &text)
{
    if (text.empty())
        return RunEnvironment();
    const std::size_t colon = text.find(':');
    std::vector<std::string> names;
    for (const auto &[name, kind] : kKinds) {
        names.emplace_back(name);
        if (colon == std::string::npos || text.substr(0, colon) != name)
            continue;
        const RunEnvironment environment{kind, text.substr(colon + 1)};
        if (environment.name.empty() || environment.name.front() == '-')
            return Error{ErrorCode::BadInput,
                         "The environment \"" + text + "\" has no name after the colon."};
        if (kind == Kind::Venv && environment.name.front() != '/')
            return Error{ErrorCode::BadInput, "The environment \"" + text + "\" needs an absolute folder."};
        return environment;
    }
    return Error{ErrorCode::BadInput,
                 "The environment \"" + text + "\" begins with none of " + join(names, ":, ") + ":."};
}

RankCommand inEnvironment(RankCommand command, const RunEnvironment &environment, const ContainerPlace &place)
{
    Words before;
    switch (environment.kind) {
    case Kind::None:
        return command;
    case Kind::Venv: // its interpreter knows its packages; other programs are found first in its folder
        if (command.argv.front() == "python3" || command.argv.front() == "python")
            command.argv.front() = environment.name + "/bin/python";
        else
            before = {"env", "PATH=" + environment.name + "/bin:/usr/local/bin:/usr/bin:/bin"};
        break;
    case Kind::Conda:
        before = {"conda", "run", "--no-capture-output",
                  environment.name.front() == '/' ? "--prefix" : "--name", environment.name};
        break;
    case Kind::Modules: // "module" is a function of login shells; names are arguments, never shell text
        before = {"bash", "-lc", "n=$1; shift; module load $n && exec \"$@\"", "scaleboard",
                  environment.name};
        break;
    case Kind::Docker:
    case Kind::Podman:
        before = dockerLike(command, environment, place);
        command.environment.clear();
        break;
    case Kind::Apptainer:
        before = apptainer(command, environment, place);
        command.environment.clear();
        break;
    case Kind::Enroot:
        before = enroot(command, environment, place);
        command.environment.clear();
        break;
    }
    command.argv.insert(command.argv.begin(), before.begin(), before.end());
    return command;
}

std::string imageCommand(const RunEnvironment &environment)
{
    if (!hasImageStore(environment))
        return {};
    const std::string engine = engineName(environment.kind);
    return shellCommand({engine, "image", "inspect", environment.name}) + " >/dev/null 2>&1 || " +
           shellCommand({engine, "pull", environment.name}) + " 2>&1";
}

std::string digestCommand(const RunEnvironment &environment)
{
    if (!hasImageStore(environment))
        return {};
    const std::string engine = engineName(environment.kind);
    std::string image;
    for (const char c : environment.name) // goes into JSON and into a Go template
        if (c != '"' && c != '\\' && c != '{' && c != '}')
            image += c;
    const std::string digest = environment.kind == Kind::Podman ? "{{.Digest}}" : "{{.Id}}";
    return shellCommand({engine, "image", "inspect", "--format",
                         "{\"event\":\"container\",\"engine\":\"" + engine + "\",\"image\":\"" + image +
                             "\",\"digest\":\"" + digest + "\"}",
                         environment.name});
}

std::string removeContainerCommand(const RunEnvironment &environment, const std::string &name)
{
    if (!hasImageStore(environment))
        return {};
    const std::string engine = engineName(environment.kind);
    // An engine that cannot answer must not pass for one that has no such container.
    // Killed first: a program that is process 1 and has no handler yet is deaf to TERM, and podman's rm waits
    // for it.
    return shellCommand({engine, "kill", name}) + " >/dev/null 2>&1; " +
           shellCommand({engine, "rm", "--force", name}) + " >/dev/null 2>&1; [ -z \"$(" +
           shellCommand({engine, "ps", "--all", "--quiet", "--filter", "name=^" + name + "$"}) +
           " 2>/dev/null || echo unknown)\" ]";
}

} // namespace sb
