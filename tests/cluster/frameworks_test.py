#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A study over two nodes with three frameworks on the processor gives three curves with speedups; a framework in an
environment module. Needs the virtual environments of `tests/run --frameworks`, in build/frameworks or SCALEBOARD_FRAMEWORKS.
Usage, inside a test cluster of two nodes: frameworks_test.py SCALEBOARD_CLI"""

import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

from cluster_case import SOURCE, ClusterCase, on_node

VENVS = os.environ.get("SCALEBOARD_FRAMEWORKS", f"{SOURCE}/build/frameworks")
MODULES = "/etc/profile.d/modules.sh"
CHOSEN = ("pytorch", "jax")  # beside the native backend


class Frameworks(ClusterCase):
    def setUp(self):
        super().setUp()
        target = f"{self.prefix}/share/scaleboard/plugins"
        shutil.rmtree(target)
        shutil.copytree(f"{SOURCE}/plugins", target)

    @unittest.skipUnless(all(os.path.exists(f"{VENVS}/{name}/ready") for name in CHOSEN),
                         f"tests/run --frameworks {' '.join(CHOSEN)} makes the virtual environments")
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
        results = json.loads(said)["results"]
        for name in ("native", *CHOSEN):
            curve = {of["devices"]: of for of in results if of["framework"] == name}
            self.assertEqual(sorted(curve), [1, 2], name)
            self.assertEqual(curve[2]["nodes"], 2, name)
            self.assertAlmostEqual(curve[2]["speedup"], curve[2]["throughput"] / curve[1]["throughput"], 6, name)
        # Three curves in one figure, where the window's program was built.
        program = os.path.join(os.path.dirname(os.path.abspath(ClusterCase.program)), "scaleboard")
        if os.path.exists(program):
            done = subprocess.run([program, "report", "--workspace", self.path("ws"), "--out", self.path("report"),
                                   "--formats", "csv,svg"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path("report/tables/bert-tiny-fp32-b4-cpu-speedup.csv"), encoding="utf-8") as file:
                table = file.read()
            for title in ("Native (sbtrain)", "PyTorch", "JAX"):
                self.assertIn(title, table)

    def with_module(self, *nodes, name="pytorch/of-the-test", folder=f"{VENVS}/pytorch/bin"):
        """A module file that puts a folder into PATH, where users of these nodes look for modules; gives its name."""
        files = self.path("modulefiles")
        os.makedirs(os.path.dirname(f"{files}/{name}"), exist_ok=True)
        with open(f"{files}/{name}", "w", encoding="utf-8") as file:
            file.write(f"#%Module\nprepend-path PATH {folder}\nsetenv OF_THE_MODULE {name}\n")
        for node in nodes:
            on_node(node, f"echo 'module use {files}' >/root/.bash_profile")
            self.addCleanup(on_node, node, "rm -f /root/.bash_profile")
        return f"module:{name}"

    def plan_in(self, environment, nodes, steps=5):
        path = self.plan("bert-tiny", nodes, steps, framework="pytorch")
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        plan["environments"] = {"pytorch": environment}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return path

    @unittest.skipUnless(os.path.exists(MODULES), "environment modules are missing (package environment-modules)")
    @unittest.skipUnless(os.path.exists(f"{VENVS}/pytorch/ready"),
                         "tests/run --frameworks pytorch makes the virtual environment")
    def test_a_module_is_found_chosen_and_loaded(self):
        environment = self.with_module(1, 2)
        for node in self.probe("node1", "node2"):
            self.assertIn(environment, node["environments"])
        self.finish(self.start(self.plan_in(environment, (1, 2)), "node1 node2"), 200)
        for path in glob.glob(self.path("ws/logs/*/run.json")):
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            self.assertEqual((record["state"], record["case"]["options"]["environment"]), ("done", environment))
            self.assertIn("module load", record["commands"][0])
        with open(glob.glob(self.path("ws/logs/*/rank1.log"))[0], encoding="utf-8") as log:
            self.assertEqual(json.loads(log.readline())["program"], "pytorch")

    @unittest.skipUnless(os.path.exists(MODULES), "environment modules are missing (package environment-modules)")
    def test_a_module_that_is_missing_is_named(self):
        """What is asked on the node that has it is the version of a package; the program never starts."""
        program = self.path("module/python3")
        os.makedirs(os.path.dirname(program))
        with open(program, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "@sb package torch 2.0.0"\n')
        os.chmod(program, 0o755)
        environment = self.with_module(1, folder=os.path.dirname(program))  # not on node 2
        self.finish(self.start(self.plan_in(environment, (2,)), "node1 node2"), 60, status=1)
        self.assertIn("pytorch/of-the-test", self.said())
        self.assertRegex(self.said(), r"PyTorch cannot be looked for in module:pytorch/of-the-test on node2: .*"
                                      r"Unable to locate a modulefile")

    def test_versions_that_differ_are_refused(self):
        """Each node has a folder of its own below /run; what is asked there is the version of a package."""
        for node in (1, 2):
            on_node(node, f"""mkdir -p /run/venv/bin
printf '#!/bin/sh\\necho "@sb package torch 2.{node}.0"\\n' >/run/venv/bin/python
chmod +x /run/venv/bin/python""")
        self.finish(self.start(self.plan_in("venv:/run/venv", (2,)), "node1 node2"), 60, status=1)
        self.assertIn("node1 and node2 differ in the versions of PyTorch: torch 2.1.0 on the first and torch 2.2.0 on "
                      "the second.", self.said())


if __name__ == "__main__":
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
