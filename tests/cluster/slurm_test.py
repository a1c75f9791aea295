#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs as batch jobs of a real Slurm: submitted on a login node, followed, cancelled, found again, ended by their
time limit. Usage, inside a test cluster of three nodes (node 3 logs in, all compute; it alone is the partition "side"):
slurm_test.py SCALEBOARD_CLI"""

import glob
import json
import os
import re
import signal
import sys
import time
import unittest

import slurm_service
from cluster_case import FOLDER, ClusterCase, on_node, wait_for
from slurm_service import LOGIN, WithSlurm, running_on


class SlurmRuns(WithSlurm, ClusterCase):
    limited = None  # the test that began the job with a time limit, and the program that follows it

    def tearDown(self):
        super().tearDown()
        for line in self.slurm.queue():  # of a failed test
            self.slurm.ask("scancel", line.split()[0], check=False)

    def job_plan(self, slurm=None, **settings):
        path = self.plan(**settings)
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        plan["launcher"] = "slurm"
        plan["slurm"] = {"folder": f"{FOLDER}/shared", "time_limit_min": 10, **(slurm or {})}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return path

    def records(self):
        found = []
        for path in sorted(glob.glob(self.path("ws/logs/*/run.json"))):
            with open(path, encoding="utf-8") as file:
                found.append(json.load(file))
        return found

    def assert_all_gone(self):
        wait_for(lambda: not self.slurm.queue(), 20, "an empty queue")
        for node in (1, 2):
            self.assertEqual(running_on(node), "0")
        self.assertEqual(os.listdir(f"{FOLDER}/shared/runs"), [])

    def test_a_job_on_two_nodes(self):
        self.finish(self.start(self.job_plan(workload="quick", nodes=(1, 2), steps=20, devices=2), LOGIN), 60)
        self.assertEqual([record["state"] for record in self.records()], ["done", "done"])
        record = next(one for one in self.records() if one["case"]["nodes"] == 2)
        self.assertEqual(record["job"]["state"], "COMPLETED")
        self.assertEqual(record["job"]["nodes"], "node[1-2]")
        self.assertEqual(record["case"]["options"]["launcher"], "slurm")
        self.assertIn("--ntasks-per-node=2", record["launch_command"])
        self.assertEqual(record["nodes"], [])  # the login node is none of those that trained
        for rank in range(4):
            folder = self.path(f"ws/logs/{record['id']}")
            with open(f"{folder}/rank{rank}.log", encoding="utf-8") as log:
                steps = [json.loads(line)["step"] for line in log if '"step"' in line and '"event":"step"' in line]
            self.assertEqual(steps, list(range(1, 23)), f"rank {rank}")
        self.assertIn("COMPLETED", self.said())
        self.assert_all_gone()

    def test_the_backend_trains(self):
        self.finish(self.start(self.job_plan(workload="bert-tiny", nodes=(2,), steps=4, framework="native"), LOGIN))
        self.assertEqual(self.records()[0]["facts"]["world_size"], 2)
        self.assertGreater(self.records()[0]["measurement"]["throughput"], 0)

    def test_waiting_says_why_and_cancel_is_verified(self):
        blocker = self.slurm.ask("sbatch", "--parsable", "-N2", "--exclusive", "--wrap", "sleep 600",
                                 "--output=/dev/null").strip()
        wait_for(lambda: f"{blocker} RUNNING" in self.slurm.queue(), 10, "the other job runs")
        run = self.start(self.job_plan(nodes=(2,), steps=3000), LOGIN)
        wait_for(lambda: "PENDING (Resources)" in self.said(), 20, "a reason for waiting")
        run.send_signal(signal.SIGINT)
        self.finish(run, 30, status=130)
        self.assertEqual(self.records()[0]["state"], "cancelled")
        self.assertEqual(self.slurm.queue(), [f"{blocker} RUNNING"])
        self.slurm.ask("scancel", blocker)
        self.assert_all_gone()

    def test_cancel_of_a_running_job(self):
        run = self.start(self.job_plan(nodes=(2,), steps=3000), LOGIN)
        wait_for(lambda: running_on(1) == running_on(2) == "1", 20, "ranks on both nodes")
        run.send_signal(signal.SIGINT)
        self.finish(run, 60, status=130)
        self.assert_all_gone()
        self.assertEqual(self.records()[0]["job"]["state"], "CANCELLED")

    def test_found_again_after_the_dashboard_was_killed(self):
        plan = self.job_plan(nodes=(2,), steps=40)
        first = self.start(plan, LOGIN)
        wait_for(lambda: running_on(1) == running_on(2) == "1", 20, "ranks on both nodes")
        first.send_signal(signal.SIGKILL)
        first.wait()
        job = self.records()[0]["job"]["id"]
        time.sleep(1)
        self.assertEqual(self.slurm.queue(), [f"{job} RUNNING"])
        self.finish(self.start(plan, LOGIN), 60)
        records = self.records()
        self.assertEqual(len(records), 1)
        self.assertEqual((records[0]["state"], records[0]["job"]["id"]), ("done", job))
        self.assert_all_gone()

    def test_cancelled_by_somebody_else(self):
        run = self.start(self.job_plan(nodes=(2,), steps=3000), LOGIN)
        wait_for(lambda: running_on(1) == "1", 20, "a rank")
        self.slurm.ask("scancel", self.slurm.queue()[0].split()[0])
        self.finish(run, 60, status=1)
        self.assertIn("was cancelled by somebody else (scancel)", self.said())

    def test_a_node_that_fails_is_the_reason(self):
        run = self.start(self.job_plan(nodes=(2,), steps=3000), LOGIN)
        wait_for(lambda: running_on(1) == running_on(2) == "1", 20, "ranks on both nodes")
        self.slurm.ask("scontrol", "update", "nodename=node2", "state=down", "reason=test")
        self.addCleanup(self.slurm.resume, 2)
        self.finish(run, 60, status=1)
        self.assertRegex(self.said(), r"The Slurm job \d+ ended because a node failed on node\[1-2\]")
        self.assertEqual(self.records()[0]["job"]["state"], "NODE_FAIL")
        self.slurm.resume(2)
        self.assert_all_gone()

    def test_a_drained_node_keeps_a_job_waiting_and_says_why(self):
        self.slurm.ask("scontrol", "update", "nodename=node2", "state=drain", "reason=test")
        self.addCleanup(self.slurm.resume, 2)
        run = self.start(self.job_plan(workload="quick", nodes=(2,), steps=20), LOGIN)
        wait_for(lambda: re.search(r"PENDING \(\w+", self.said()), 20, "a reason for waiting")
        self.slurm.resume(2)
        self.finish(run, 60)
        self.assertEqual(self.records()[0]["job"]["state"], "COMPLETED")
        self.assert_all_gone()

    def test_zz_a_forgotten_job_is_no_success(self):
        """A controller that lost its memory, and no accounting to ask."""
        run = self.start(self.job_plan(nodes=(2,), steps=3000), LOGIN)
        wait_for(lambda: running_on(1) == running_on(2) == "1", 20, "ranks on both nodes")
        self.slurm.forget()
        self.finish(run, 60, status=1)
        self.assertIn("Slurm does not know the job", self.said())
        self.assertEqual(self.records()[0]["job"]["state"], "FORGOTTEN")
        self.assert_all_gone()

    def test_0_a_job_with_a_time_limit_begins(self):
        """The least limit is a minute and the controller looks twice a minute, so others run meanwhile."""
        plan = self.job_plan(nodes=(1,), steps=3000, slurm={"time_limit_min": 1, "partition": "side",
                                                            "folder": f"{FOLDER}/limited"})
        SlurmRuns.limited = (self, self.start(plan, LOGIN))
        wait_for(lambda: running_on(3) == "1", 20, "a rank")
        self.children.clear()

    def test_z_time_limit_is_the_reason(self):
        begun, run = SlurmRuns.limited
        begun.finish(run, 120, status=1)
        self.assertIn("was ended at its time limit of 00:01:00. Raise slurm.time_limit_min", begun.said())
        self.assertEqual(begun.records()[0]["job"]["state"], "TIMEOUT")
        self.assertEqual(os.listdir(f"{FOLDER}/limited/runs"), [])
        self.assertEqual(running_on(3), "0")

    def test_refused_and_failed_jobs_say_why(self):
        self.finish(self.start(self.job_plan(workload="quick", nodes=(2,), slurm={"partition": "none"}), LOGIN), 30,
                    status=1)
        self.assertIn("Slurm did not take the job", self.said())
        self.assertIn("partition", self.said())
        self.finish(self.start(self.job_plan(workload="broken", nodes=(2,)), LOGIN, workspace="ws2"), 30, status=1)
        self.assertRegex(self.said(), r"Rank 0 of the Slurm job \d+ ended with status 6: not enough memory")
        # The home folder is each node's own here.
        plan = self.job_plan(workload="quick", nodes=(1,), slurm={"folder": "/root/mine"})
        self.finish(self.start(plan, LOGIN, workspace="ws3"), 30, status=1)
        self.assertIn("slurm.folder", self.said())
        self.assertEqual(on_node(3, "ls /root/mine/runs"), "")


if __name__ == "__main__":
    lacks = slurm_service.missing()
    if lacks:
        print(f"SKIP: the program {lacks} is missing (packages slurm-wlm and munge)")
        sys.exit(77)
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
