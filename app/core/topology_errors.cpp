// SPDX-License-Identifier: GPL-3.0-or-later
// What tools say when there is no matrix, by name.
#include "core/topology_reader.h"

#include "core/text.h"

#include <array>

namespace sb {

namespace {

struct Known {
    std::string_view name;
    std::string_view needle; // lower case
    std::string_view alsoNeeds;
    std::string_view sentence;
};

// In order: what explains most comes first.
constexpr std::array kKnown{
    Known{"nvml-version-mismatch", "driver/library version mismatch", "",
          "The NVIDIA driver in the kernel and its libraries differ in version, usually after an update: "
          "restart the node or reload the driver."},
    Known{"driver-not-running", "communicate with the nvidia driver", "",
          "nvidia-smi cannot reach the NVIDIA driver: install it or load its kernel module on the node."},
    Known{"driver-not-running", "driver not loaded", "",
          "The NVIDIA driver is not loaded on the node: load its kernel module."},
    Known{
        "topology-matrix-failed", "failed to run topology matrix", "",
        "The driver could not make the matrix; a software RDMA device is a known cause. The PCI tree can be "
        "read instead."},
    Known{"no-devices", "no devices were found", "",
          "The driver runs but finds no GPU: see dmesg on the node for Xid messages."},
    Known{"no-devices", "no devices found", "", "The driver runs but finds no GPU."},
    Known{"no-permission", "insufficient permissions", "",
          "The account may not use the GPU driver on the node."},
    Known{"gpu-lost", "gpu is lost", "", "A GPU fell off the bus: restart the node."},
    Known{"gpu-lost", "unable to determine the device handle", "",
          "A GPU does not answer: see dmesg on the node for Xid messages, then restart the node."},
    Known{"nvml-failed", "failed to initialize nvml", "",
          "The driver's library could not start on the node."},
    Known{"command-not-found", "command not found", "",
          "The tool is not installed on the node, or not in PATH."},
    Known{"command-not-found", "-smi: not found", "",
          "The tool is not installed on the node, or not in PATH."},
    Known{"command-not-found", "no such file or directory", "-smi",
          "The tool is not installed on the node, or not in PATH."},
    Known{"ssh-host-key-changed", "remote host identification has changed", "",
          "The node shows another host key than before; nothing was sent."},
    Known{"ssh-host-key-unknown", "host key verification failed", "",
          "The node's host key could not be verified."},
    Known{"ssh-permission-denied", "permission denied (", "", "The node accepted neither key nor password."},
    Known{"ssh-refused", "connection refused", "", "The node answers, but no SSH server listens there."},
    Known{"ssh-timed-out", "connection timed out", "", "The node does not answer."},
    Known{"ssh-timed-out", "operation timed out", "", "The node does not answer."},
    Known{"ssh-no-address", "could not resolve hostname", "", "The node's name has no address."},
    Known{"ssh-no-route", "no route to host", "", "There is no route to the node."},
    Known{"ssh-closed", "connection closed by", "",
          "The node closed the connection before anything was read."},
};

} // namespace

std::optional<TopologyError> readTopologyError(const Lines &lines)
{
    std::size_t best = kKnown.size();
    bool empty = true;
    for (const std::string_view line : lines) {
        empty &= trimmed(line).empty();
        const std::string lower = lowered(line);
        for (std::size_t i = 0; i < best; ++i)
            if (lower.find(kKnown[i].needle) != std::string::npos &&
                (kKnown[i].alsoNeeds.empty() || lower.find(kKnown[i].alsoNeeds) != std::string::npos)) {
                best = i;
                break;
            }
    }
    if (best < kKnown.size())
        return TopologyError{std::string(kKnown[best].name), std::string(kKnown[best].sentence)};
    if (empty)
        return TopologyError{"empty", "The text is empty: the command printed nothing."};
    return std::nullopt;
}

} // namespace sb
