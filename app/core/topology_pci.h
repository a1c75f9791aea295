// SPDX-License-Identifier: GPL-3.0-or-later
// The PCI tree of a node from sysfs, for when the driver's tool gives no matrix. It knows the way over PCIe
// and nothing about NVLink.
#pragma once

#include "core/topology.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sb {

// A POSIX shell text that prints the listing readPciTree takes. Needs no rights and no tools but cat, date
// and a shell; takes a few milliseconds a device.
std::string_view pciTreeScript();

// Nothing when the lines are no such listing. GPUs are numbered in bus order, as nvidia-smi does.
//   scaleboard-pci 1 1767225600
//   node 0 0-15
//   pci 0x030200 0x10de 0x2335 numa=0 cpus=0-15 ib= net= path=/sys/devices/pci0000:15/…/0000:19:00.0
std::optional<Topology> readPciTree(const std::vector<std::string_view> &lines);

} // namespace sb
