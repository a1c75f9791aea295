// SPDX-License-Identifier: GPL-3.0-or-later
// Where on a node a framework's program runs: as it is, in a Python or conda environment, with environment
// modules, or in a container. Pure: argument lists in, argument lists out.
#pragma once

#include "core/result.h"
#include "session/node_scripts.h"

#include <string>
#include <vector>

namespace sb {

struct RunEnvironment {
    enum class Kind { None, Venv, Conda, Modules, Docker, Podman, Apptainer, Enroot };
    Kind kind = Kind::None;
    std::string name; // folder, name of the environment, modules with blanks between, image

    bool isContainer() const { return kind >= Kind::Docker; }
    bool operator==(const RunEnvironment &) const = default;
};

// "venv:/opt/torch", "conda:torch", "module:cuda/12.4 pytorch/2.4", "podman:docker.io/library/x:1"; "" is
// none.
Result<RunEnvironment> readEnvironment(const std::string &text);

// What a container must see of its node.
struct ContainerPlace {
    std::string name;                 // of the container: unique on the node
    std::string runFolder;            // read and write
    std::vector<std::string> folders; // read only: scripts, data
    bool gpus = false;
    bool infiniband = false; // the node has adapters below /dev/infiniband
};

// The same command in the environment. Containers share the host's network, so rendezvous works as without.
RankCommand inEnvironment(RankCommand command, const RunEnvironment &environment,
                          const ContainerPlace &place);

// For docker and podman: shell commands that get the image if it is not there (the engine's words on standard
// output), print one event with its digest ({"event":"container",…}), and remove the container `name` and
// fail if it is still there. Else empty.
std::string imageCommand(const RunEnvironment &environment);
std::string digestCommand(const RunEnvironment &environment);
std::string removeContainerCommand(const RunEnvironment &environment, const std::string &name);

} // namespace sb
