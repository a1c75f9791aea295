#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs as jobs of Kubernetes: the real kubectl on a control node, against a stand-in for the API server that runs pods as
processes on two other nodes (kube_stand_in.py says what it does and does not do). No cluster is involved, so this shows
that the scripts, kubectl and the manifests fit each other, and not how a cluster behaves.
Usage, inside a test cluster of three nodes: kubernetes_test.py SCALEBOARD_CLI BUILD_FOLDER"""

import glob
import json
import os
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kube_tools
from cluster_case import CLUSTER, FOLDER, ClusterCase, fault, on_node, wait_for
from kube_stand_in import StandIn

PORT, BARE_PORT = 2700, 2701
CONTROL = f"node3:{PORT}"
ADDRESS = ("10.77.0.254", 6443)
RUNS = "/root/.local/state/scaleboard/runs"


def running_on(node):
    return on_node(node, "pgrep -cf '[b]ash .*sb-test-steps'", check=False).strip()


def kubeconfig(path, server):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"apiVersion": "v1", "kind": "Config", "current-context": "test",
                   "clusters": [{"name": "test", "cluster": {"server": server}}], "users": [],
                   "contexts": [{"name": "test", "context": {"cluster": "test", "namespace": "train"}},
                                {"name": "away", "context": {"cluster": "away"}}]}, file)
    return path


class KubernetesRuns(ClusterCase):
    kubectl = ""
    validate = None
    server = None

    @classmethod
    def setUpClass(cls):
        cls.server = StandIn(ADDRESS, f"{FOLDER}/kube", {"n1": "10.77.0.1", "n2": "10.77.0.2"},
                             lambda node: [CLUSTER, "exec", node[1:], "--dir", FOLDER, "--"],
                             f"{FOLDER}/prefix/bin:/usr/bin:/bin", cls.validate)
        config = kubeconfig(f"{FOLDER}/kubeconfig", f"http://{ADDRESS[0]}:{ADDRESS[1]}")
        tools = cls.programs_without("with-kubectl", "kubectl")
        os.symlink(cls.kubectl, f"{tools}/kubectl")
        cls.another_sshd(3, PORT, f"SetEnv KUBECONFIG={config} PATH={tools}")
        cls.another_sshd(3, BARE_PORT, f"SetEnv PATH={cls.programs_without('bare', 'kubectl')}")

    @classmethod
    def tearDownClass(cls):
        cls.server.down()

    def setUp(self):
        super().setUp()
        self.server.break_logs, self.server.slip = False, 0

    def tearDown(self):
        super().tearDown()
        on_node(3, f"pkill -f {RUNS}; rm -rf {RUNS}", check=False)
        with self.server.lock:
            for resource in ("jobs", "services", "configmaps"):
                for item in self.server.listed(resource):
                    self.server.delete(resource, item["metadata"]["namespace"], item["metadata"]["name"])
        wait_for(lambda: not self.server.objects, 40, "an empty cluster")

    def job_plan(self, image="good", kubernetes=None, **settings):
        with open(self.plan(**settings), encoding="utf-8") as file:
            plan = json.load(file)
        self.plans = getattr(self, "plans", 0) + 1
        path = self.path(f"plan-{self.plans}.json")
        plan.update(launcher="kubernetes", kubernetes=kubernetes or {},
                    environments={plan["frameworks"][0]: f"docker:registry.example/{image}"})
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return path

    def records(self, workspace="ws"):
        found = []
        for path in sorted(glob.glob(self.path(f"{workspace}/logs/*/run.json"))):
            with open(path, encoding="utf-8") as file:
                found.append(json.load(file))
        return found

    def assert_all_gone(self):
        self.assertEqual(list(self.server.objects), [])
        self.assertEqual([running_on(1), running_on(2)], ["0", "0"])
        self.assertEqual(on_node(3, f"ls {RUNS}").strip(), "")
        wait_for(lambda: on_node(3, "pgrep -cf '[l]aunch.sh'", check=False).strip() == "0", 5, "no process is left")

    def steps_of(self, record, rank, workspace="ws"):
        with open(self.path(f"{workspace}/logs/{record['id']}/rank{rank}.log"), encoding="utf-8") as log:
            return [json.loads(line)["step"] for line in log if '"event":"step"' in line]

    def test_a_job_on_two_nodes(self):
        run = self.start(self.job_plan(workload="quick", nodes=(1, 2), steps=20, devices=2), CONTROL)
        trains = self.start(self.job_plan(workload="bert-tiny", nodes=(2,), steps=4, framework="native"), CONTROL,
                            workspace="native")
        self.finish(run, 60)
        self.finish(trains, 60)
        self.assertEqual([record["state"] for record in self.records()], ["done", "done"], self.said())
        record = next(one for one in self.records() if one["case"]["nodes"] == 2)
        self.assertEqual((record["job"]["queue"], record["job"]["state"]), ("Kubernetes", "Complete"))
        self.assertEqual(record["job"]["nodes"], "n1,n2")
        self.assertEqual(record["job"]["image"], "registry.example/good@sha256:" + 64 * "0")
        self.assertEqual(record["case"]["options"]["launcher"], "kubernetes")
        self.assertIn("kubectl apply --server-side", record["launch_command"])
        self.assertEqual(record["nodes"], [])  # the control node is none of those that trained
        for rank in range(4):
            self.assertEqual(self.steps_of(record, rank), list(range(1, 23)), f"rank {rank}")
        self.assertRegex(self.said(), r"Kubernetes job sb-\S+: Complete")
        self.assertIn("PATCH services", self.server.asked)
        trained = self.records("native")[0]
        self.assertEqual((trained["state"], trained["facts"]["world_size"]), ("done", 2), trained["reason"])
        self.assert_all_gone()

    def test_stop_of_a_running_job(self):
        run = self.start(self.job_plan(nodes=(2,), steps=3000), CONTROL)
        wait_for(lambda: running_on(1) == running_on(2) == "1", 20, "ranks on both nodes")
        wait_for(lambda: any(self.steps_of(record, 1) for record in self.records()), 20, "steps of the second pod")
        run.send_signal(signal.SIGINT)
        self.finish(run, 60, status=130)
        self.assertEqual(self.records()[0]["state"], "cancelled")
        self.assert_all_gone()

    def test_found_again_after_the_dashboard_was_killed(self):
        plan = self.job_plan(nodes=(2,), steps=30)
        first = self.start(plan, CONTROL)
        wait_for(lambda: running_on(1) == running_on(2) == "1", 20, "ranks on both nodes")
        first.send_signal(signal.SIGKILL)
        first.wait()
        # As after a restart of the control node: nothing follows the job any more.
        on_node(3, "pkill -KILL -f '[l]aunch.sh'; pkill -KILL kubectl", check=False)
        time.sleep(1)
        self.finish(self.start(plan, CONTROL), 60)
        records = self.records()
        self.assertEqual([record["state"] for record in records], ["done"], records[0]["reason"])
        for rank in range(2):
            self.assertEqual(self.steps_of(records[0], rank), list(range(1, 33)), f"rank {rank}")
        self.assert_all_gone()

    def test_streams_and_links_that_break_cost_no_line(self):
        self.server.break_logs, self.server.slip = True, 3
        run = self.start(self.job_plan(nodes=(2,), steps=45), CONTROL)
        wait_for(lambda: running_on(1) == "1", 20, "a rank")
        fault("cut", 3)
        time.sleep(2)
        fault("heal", 3)
        self.finish(run, 90)
        for rank in range(2):
            self.assertEqual(self.steps_of(self.records()[0], rank), list(range(1, 48)), f"rank {rank}")
        self.assert_all_gone()

    def together(self, *plans):
        """Starts runs side by side, each in a workspace of its own: "ws0", "ws1", …"""
        return [self.start(plan, CONTROL, workspace=f"ws{number}") for number, plan in enumerate(plans)]

    def test_waiting_says_why_and_stop_is_verified(self):
        runs = self.together(self.job_plan(nodes=(2,), steps=3000, kubernetes={"resources": {"cpu": "64"}}),
                             self.job_plan(image="missing", nodes=(1,)), self.job_plan(image="forbidden", nodes=(1,)))
        for reason in ("Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.",
                       "ImagePullBackOff: Back-off pulling image",
                       "no pod yet: pods \"x\" is forbidden: violates PodSecurity"):
            wait_for(lambda why=reason: why in self.said(), 30, reason)
        for run in runs:
            run.send_signal(signal.SIGINT)
        for number, run in enumerate(runs):
            self.finish(run, 60, status=130)
            self.assertEqual(self.records(f"ws{number}")[0]["state"], "cancelled")
        self.assert_all_gone()

    def test_ends_say_why(self):
        runs = self.together(self.job_plan(workload="broken", nodes=(2,)),
                             self.job_plan(image="small", nodes=(1,), steps=3000),
                             self.job_plan(nodes=(1,), steps=3000, kubernetes={"time_limit_min": 1}),
                             self.job_plan(image="noshell", nodes=(1,)),
                             self.job_plan(nodes=(1,), steps=3001, kubernetes={"namespace": "other"}))
        wait_for(lambda: any(key[0] == "pods" and key[1] == "other" for key in list(self.server.objects)), 20, "a pod")
        with self.server.lock:
            job = self.server.listed("jobs", "other")[0]["metadata"]
            self.server.delete("jobs", "other", job["name"])
        for run in runs:
            self.finish(run, 60, status=1)
        self.assertRegex(self.said(), r"Rank 0 of the Kubernetes job sb-\S+ ended with status 6: not enough memory")
        self.assertIn("used more memory than it may (pod 0 on n1)", self.said())
        self.assertIn("was ended at its time limit of 1 min. Raise kubernetes.time_limit_min", self.said())
        self.assertTrue(self.steps_of(self.records("ws2")[0], 0, "ws2"))
        self.assertIn("could not start (pod 0 on n1: exec: \"sh\"", self.said())
        self.assertIn("was deleted by somebody else (kubectl delete)", self.said())
        self.assert_all_gone()

    def test_what_is_refused_says_why_and_leaves_nothing(self):
        runs = self.together(self.job_plan(nodes=(1,), kubernetes={"namespace": "closed"}),
                             self.job_plan(nodes=(1,), kubernetes={"context": "none"}),
                             self.job_plan(nodes=(1,), kubernetes={"context": "away"}))
        runs.append(self.start(self.job_plan(nodes=(1,)), f"node3:{BARE_PORT}", workspace="bare"))
        for run in runs:
            self.finish(run, 60, status=1)
        self.assertIn("Its user needs the right to create and delete jobs", self.said())
        self.assertIn("Kubernetes did not take the job: context \"none\" does not exist.", self.said())
        self.assertIn("No cluster answers there", self.said())
        self.assertIn("there is no kubectl; install it there", self.said())
        self.assert_all_gone()


if __name__ == "__main__":
    build = os.path.join(sys.argv.pop(2), "kubernetes")
    try:
        KubernetesRuns.kubectl = kube_tools.kubectl(build)
    except kube_tools.Missing as missing:
        print(f"SKIP: there is no kubectl (package kubernetes-client), and {missing}")
        sys.exit(77)
    try:
        KubernetesRuns.validate = kube_tools.schemas(build)
    except kube_tools.Missing as missing:
        print(f"the stand-in takes objects without a look at their schemas: {missing}")
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
