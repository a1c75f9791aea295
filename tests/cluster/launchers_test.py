#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frameworks on two nodes, started by mpirun, by horovodrun and as batch jobs of a real Slurm, on the processor.
Needs the virtual environments of `tests/run --frameworks`, in build/frameworks or SCALEBOARD_FRAMEWORKS; those that
are missing are skipped. Usage, inside a test cluster of three nodes: launchers_test.py SCALEBOARD_CLI"""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import slurm_service
from cluster_case import FOLDER, SOURCE, ClusterCase, on_node, wait_for
from slurm_service import LOGIN, WithSlurm

VENVS = os.environ.get("SCALEBOARD_FRAMEWORKS", f"{SOURCE}/build/frameworks")
PORTS = {1: 2700, 2: 2701}  # one for each node, which horovodrun by itself could not know


def needs(*names, program=None):
    missing = [name for name in names if not os.path.exists(f"{VENVS}/{name}/ready")]
    lacks = program if program and not shutil.which(program) else None
    return unittest.skipIf(missing or lacks, f"the program {lacks} is missing" if lacks else
                           f"tests/run --frameworks {' '.join(missing)} makes the virtual environments")


class Launchers(ClusterCase):
    def setUp(self):
        super().setUp()
        target = f"{self.prefix}/share/scaleboard/plugins"
        shutil.rmtree(target)
        shutil.copytree(f"{SOURCE}/plugins", target)
        for node, port in PORTS.items():
            if not os.path.exists(f"{FOLDER}/n{node}/sshd_{port}"):
                self.another_sshd(node, port, f"AuthorizedKeysFile .ssh/authorized_keys {FOLDER}/authorized")

    def hosts(self):
        return " ".join(f"node{node}:{port}" for node, port in PORTS.items())

    def node_ssh(self, action):
        done = subprocess.run([self.cli, "node-ssh", action, *self.hosts().split(), "--ssh-config",
                               f"{FOLDER}/ssh_config"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def launched(self, launcher, framework, steps=8, devices=1, **more):
        path = self.plan("bert-tiny", (2,), steps, devices, framework)
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        plan.update({"launcher": launcher, "environments": {framework: f"venv:{VENVS}/{framework}"}, **more})
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return path

    def record(self, workspace="ws"):
        with open(glob.glob(self.path(f"{workspace}/logs/*/run.json"))[0], encoding="utf-8") as file:
            return json.load(file)

    def assert_trained(self, launcher, framework, ranks, workspace="ws"):
        record = self.record(workspace)
        self.assertEqual(record["state"], "done", record.get("reason"))
        self.assertEqual(record["case"]["options"]["launcher"], launcher)
        self.assertEqual(record["facts"]["world_size"], ranks)
        self.assertGreater(record["measurement"]["throughput"], 0)
        print(f"{framework} by {launcher}: {record['measurement']['throughput']:.2f} a second on two nodes", flush=True)
        losses = []
        for rank in range(ranks):
            with open(self.path(f"{workspace}/logs/{record['id']}/rank{rank}.log"), encoding="utf-8") as log:
                events = [json.loads(line) for line in log if line.startswith("{")]
            losses.append([event["loss"] for event in events if event["event"] == "step"])
            self.assertEqual(events[0]["hostname"], f"node{1 + rank * 2 // ranks}")
            self.assertEqual(len(losses[-1]), record["case"]["warmup_steps"] + record["case"]["measured_steps"])

    def by_mpirun(self, framework, devices=1):
        self.node_ssh("prepare")
        self.finish(self.start(self.launched("mpirun", framework, devices=devices), self.hosts()), 180)
        self.assertIn("mpirun", self.record()["launch_command"])
        self.assert_trained("mpirun", framework, 2 * devices)
        self.assert_gone()

    def assert_gone(self):
        for node in PORTS:
            wait_for(lambda node=node: not on_node(node, "pgrep -af 'train.py|launch.sh|horovodrun' | grep -v pgrep",
                                                   check=False), 20, f"an empty node {node}")

    @needs("pytorch", program="mpirun")
    def test_pytorch_by_mpirun(self):
        self.by_mpirun("pytorch", devices=2)

    @needs("jax", program="mpirun")
    def test_jax_by_mpirun(self):
        self.by_mpirun("jax")

    @needs("horovod", program="mpirun")
    def test_horovod_by_mpirun(self):
        self.by_mpirun("horovod")

    @needs("horovod")
    def test_horovod_by_horovodrun(self):
        plan = self.launched("horovodrun", "horovod", devices=2)
        self.finish(self.start(plan, self.hosts(), workspace="before"), 60, status=1)
        self.assertIn("node1:2700 cannot sign in to node2:2701", self.said())  # and says how that is prepared
        self.node_ssh("prepare")
        self.finish(self.start(plan, self.hosts()), 180)
        self.assertIn("horovodrun --gloo -np 4 -H 10.77.0.1:2,10.77.0.2:2", self.record()["launch_command"])
        self.assert_trained("horovodrun", "horovod", 4)
        self.assert_gone()
        self.node_ssh("remove")

    @needs("horovod")
    def test_horovodrun_is_stopped_on_all_nodes(self):
        self.node_ssh("prepare")
        run = self.start(self.launched("horovodrun", "horovod", steps=5000), self.hosts())
        wait_for(lambda: '"step":3,' in on_node(2, "cat /root/.local/state/scaleboard/runs/*/rank1.log", check=False), 60,
                 "steps on node 2")
        run.send_signal(signal.SIGINT)
        self.finish(run, 60, status=130)
        self.assertEqual(self.record()["state"], "cancelled")
        self.assert_gone()
        self.assertEqual(on_node(2, "ls /root/.local/state/scaleboard/runs"), "")


@unittest.skipIf(slurm_service.missing(), f"the program {slurm_service.missing()} is missing")
class InSlurm(WithSlurm, Launchers):
    by_mpirun = None

    def in_slurm(self, framework, devices=1):
        plan = self.launched("slurm", framework, devices=devices,
                             slurm={"folder": f"{FOLDER}/shared", "time_limit_min": 10})
        self.finish(self.start(plan, LOGIN), 180)
        self.assertEqual(self.record()["job"]["state"], "COMPLETED")
        self.assert_trained("slurm", framework, 2 * devices)

    @needs("pytorch")
    def test_pytorch_in_slurm(self):
        self.in_slurm("pytorch", devices=2)

    @needs("jax")
    def test_jax_in_slurm(self):
        self.in_slurm("jax")

    @needs("horovod")
    def test_horovod_in_slurm(self):
        self.in_slurm("horovod")


# What InSlurm has from the class before is not run a second time.
for name in [name for name in vars(Launchers) if name.startswith("test_")]:
    setattr(InSlurm, name, None)

if __name__ == "__main__":
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
