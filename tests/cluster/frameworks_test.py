#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A study over two nodes with three frameworks on the processor gives three curves with speedups.
Needs the virtual environments of `tests/run --frameworks`, in build/frameworks or SCALEBOARD_FRAMEWORKS.
Usage, inside a test cluster of two nodes: frameworks_test.py SCALEBOARD_CLI"""

import json
import os
import shutil
import subprocess
import sys
import unittest

from cluster_case import SOURCE, ClusterCase

VENVS = os.environ.get("SCALEBOARD_FRAMEWORKS", f"{SOURCE}/build/frameworks")
CHOSEN = ("pytorch", "jax")  # beside the native backend


class Frameworks(ClusterCase):
    def setUp(self):
        super().setUp()
        target = f"{self.prefix}/share/scaleboard/plugins"
        shutil.rmtree(target)
        shutil.copytree(f"{SOURCE}/plugins", target)

    def test_three_frameworks_over_two_nodes(self):
        plan = {"schema": 1, "name": "Three frameworks", "frameworks": ["native", *CHOSEN],
                "workloads": [{"name": "bert-tiny", "precisions": ["fp32"], "batch_sizes_per_device": [4]}],
                "scales": [{"nodes": n, "devices_per_node": 1} for n in (1, 2)], "device": "cpu",
                "threads_per_device": 1,
                "environments": {name: f"venv:{VENVS}/{name}" for name in CHOSEN},
                "measurement": {"warmup_steps": 3, "measured_steps": 10, "repeats": 1}}
        with open(self.path("plan.json"), "w", encoding="utf-8") as file:
            json.dump(plan, file)
        self.finish(self.start(self.path("plan.json"), "node1 node2"), 600)
        said = subprocess.run([self.cli, "results", "--workspace", self.path("ws"), "--json"], capture_output=True,
                              text=True, check=True).stdout
        print(said if os.environ.get("CLUSTER_KEEP") else f"{len(said)} bytes of results")
        text = json.loads(said)
        for name in ("native", *CHOSEN):
            self.assertIn(name, said)
        self.assertTrue(text)


if __name__ == "__main__":
    for name in CHOSEN:
        if not os.path.exists(f"{VENVS}/{name}/ready"):
            print(f"skipped: there is no {VENVS}/{name}; tests/run --frameworks {' '.join(CHOSEN)} makes it")
            sys.exit(77)
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
