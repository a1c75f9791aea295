#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs whose ranks OpenMPI's mpirun starts: log-ins from node to node checked, prepared and removed; every line
of every rank; stopping, and a dashboard that dies. Usage, inside a test cluster of three nodes:
mpirun_test.py SCALEBOARD_CLI"""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from cluster_case import FOLDER, ClusterCase, on_node

PORT = 2500


class Mpirun(ClusterCase):
    def setUp(self):
        super().setUp()
        if not os.path.exists(f"{FOLDER}/n1/sshd_{PORT}"):
            for node in (1, 2, 3):  # an sshd of its own port that reads the user's authorized_keys, as usual
                self.another_sshd(node, PORT, f"AuthorizedKeysFile .ssh/authorized_keys {FOLDER}/authorized")

    def mpi_plan(self, **settings):
        path = self.plan(**settings)
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        plan["launcher"] = "mpirun"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return path

    def hosts(self, *nodes):
        return " ".join(f"node{node}:{PORT}" for node in nodes)

    def node_ssh(self, action, *nodes, status=0):
        done = subprocess.run([self.cli, "node-ssh", action, *self.hosts(*nodes).split(), "--ssh-config",
                               f"{FOLDER}/ssh_config"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def record(self, workspace="ws"):
        records = sorted(glob.glob(self.path(f"{workspace}/logs/*/run.json")))
        with open(records[-1], encoding="utf-8") as file:
            return json.load(file)

    def test_1_log_ins_are_checked_prepared_and_removed(self):
        said = self.node_ssh("check", 1, 2, status=1)
        self.assertRegex(said, r"node1:2500 cannot sign in to node2:2500 \(10\.77\.0\.2, port 2500\): .*node-ssh prepare")
        # A run says the same before it starts anything.
        self.finish(self.start(self.mpi_plan(workload="quick", steps=5), self.hosts(1, 2)), 60, status=1)
        self.assertIn("node-ssh prepare node1:2500 node2:2500", self.said())
        on_node(2, "mkdir -p /root/.ssh && printf 'ssh-ed25519 AAAAother other' >/root/.ssh/authorized_keys")
        said = self.node_ssh("prepare", 1, 2, 3)
        self.assertIn("node1:2500 signs in to node2:2500", said)
        self.assertIn("node1:2500 signs in to node3:2500", said)
        lines = on_node(2, "cat /root/.ssh/authorized_keys").splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertRegex(lines[1], r'^from="10\.77\.0\.1",\S+ ssh-ed25519 ')
        self.node_ssh("prepare", 1, 2, 3)  # again: nothing is doubled
        self.assertEqual(len(on_node(2, "cat /root/.ssh/authorized_keys").splitlines()), 2)
        self.node_ssh("check", 1, 2)
        self.node_ssh("remove", 1, 2, 3)
        self.assertEqual(on_node(2, "cat /root/.ssh/authorized_keys"), "ssh-ed25519 AAAAother other\n")
        self.assertEqual(on_node(1, "ls -A /root/.local/state/scaleboard"), "programs\nruns\n")
        self.node_ssh("check", 1, 2, status=1)

    def test_2_every_line_of_every_rank(self):
        self.node_ssh("prepare", 1, 2, 3)
        run = self.start(self.mpi_plan(nodes=(3,), steps=25, devices=2), self.hosts(1, 2, 3))
        for node in (1, 2, 3):
            self.keep_logs(node)
        time.sleep(1)
        for node in (1, 2, 3):
            self.keep_logs(node)
        self.finish(run)
        self.assert_logs_alike([1, 2, 3])
        record = self.record()
        self.assertEqual(record["case"]["options"]["launcher"], "mpirun")
        self.assertIn("mpirun --hostfile hosts -np 6", record["launch_command"])
        for rank in range(6):
            with open(glob.glob(self.path(f"ws/logs/*/rank{rank}.log"))[0], encoding="utf-8") as log:
                self.assertEqual(json.loads(log.readline())["world_size"], 6)
        self.assert_tidy(1, 2, 3)

    def test_3_the_backend_trains(self):
        run = self.start(self.mpi_plan(workload="bert-tiny", nodes=(2,), steps=4, framework="native"),
                         self.hosts(1, 2))
        self.finish(run)
        self.assertEqual(self.record()["facts"]["world_size"], 2)
        self.assertGreater(self.record()["measurement"]["throughput"], 0)

    def test_4_stop_ends_every_rank(self):
        run = self.start(self.mpi_plan(nodes=(3,), steps=3000), self.hosts(1, 2, 3))
        for node in (1, 2, 3):
            self.keep_logs(node)
        run.send_signal(signal.SIGINT)
        self.finish(run, 40, status=130)
        self.assertEqual(self.record()["state"], "cancelled")
        self.assert_tidy(1, 2, 3)
        on_node(1, "! pgrep -x mpirun")
        on_node(2, "! pgrep -x orted && ! pgrep -x prted")

    def test_5_deaf_ranks_are_killed(self):
        run = self.start(self.mpi_plan(workload="deaf", nodes=(2,), steps=3000), self.hosts(1, 2))
        self.keep_logs(1), self.keep_logs(2)
        run.send_signal(signal.SIGINT)
        self.finish(run, 60, status=130)
        self.assert_tidy(1, 2)

    def test_6_a_failing_rank_is_named(self):
        self.finish(self.start(self.mpi_plan(workload="broken", nodes=(2,), steps=300), self.hosts(1, 2)), 60, status=1)
        self.assertIn("Rank 0 on node1:2500 ended with status 6: not enough memory", self.said())
        self.assert_tidy(1, 2)

    def test_7_a_killed_rank_is_named(self):
        run = self.start(self.mpi_plan(nodes=(2,), steps=3000), self.hosts(1, 2))
        self.keep_logs(1), self.keep_logs(2)
        on_node(2, "kill -KILL $(pgrep -f '[b]ash .*sb-test-steps')")
        self.finish(run, 60, status=1)
        self.assertIn("Rank 1 on node2:2500 ended with status 137", self.said())
        self.assert_tidy(1, 2)

    def test_8_dashboard_killed_and_started_again(self):
        plan = self.mpi_plan(nodes=(2,), steps=50)
        first = self.start(plan, self.hosts(1, 2))
        self.keep_logs(1), self.keep_logs(2)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(2)
        self.assertEqual(on_node(2, "pgrep -cf '[b]ash .*sb-test-steps'").strip(), "1")
        self.finish(self.start(plan, self.hosts(1, 2)))
        self.assert_logs_alike([1, 2])
        self.assertEqual(len(glob.glob(self.path("ws/logs/*"))), 1)
        self.assert_tidy(1, 2)

    def test_9_missing_programs_are_named(self):
        without = self.programs_without("no-mpirun", "mpirun", "mpirun.openmpi", "orterun")
        port = self.another_sshd(1, 2501, f"SetEnv PATH={without}\nAuthorizedKeysFile .ssh/authorized_keys "
                                          f"{FOLDER}/authorized")
        self.finish(self.start(self.mpi_plan(workload="quick", nodes=(1,), steps=5), f"node1:{port}"), 60, status=1)
        self.assertIn(f"There is no mpirun on node1:{port}; install OpenMPI there.", self.said())


if __name__ == "__main__":
    if not shutil.which("mpirun"):
        print("SKIP: the program mpirun is missing (package openmpi-bin)")
        sys.exit(77)
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
