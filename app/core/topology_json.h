// SPDX-License-Identifier: GPL-3.0-or-later
// Topology as JSON for programs ("schema": 1).
#pragma once

#include "core/json.h"
#include "core/topology.h"

namespace sb {

// Keys: kind, gpus (count), nics (names), nic_names, links ("GPU0-GPU1": word, or null where it cannot be
// read; every unordered pair of GPUs), nic_links, link_counts, cpu_affinity, numa_affinity, gpu_numa_id,
// legend_present, damaged (null, or rows and what), error (null or a name), findings, and where the text has
// them products, nvlink_links, nvlink_gbs and extra tables.
JsonNode topologyJson(const Topology &topology);

} // namespace sb
