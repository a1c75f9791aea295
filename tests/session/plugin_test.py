#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's own plugin, made by the ten steps of plugins/README.md, and the ways in which its script can fail.
Usage: plugin_test.py SOURCE_DIR BIN_DIR"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BIN = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CLI = os.path.join(BIN, "scaleboard-cli")
SCRIPT = '''import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sb_run


def main():
    chosen = sb_run.options("", ["fp32"])
    run = sb_run.Run("mine", "1.0", chosen, sb_run.place())
    run.start(1)
    run.ready()
    fault = os.environ["FAULT"]
    for step in range(1, chosen.steps + 1):
        if step == 3 and fault == "bert-base":
            raise ValueError("the third step is too much for me")
        if step == 3 and fault == "bert-large":
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        if step == 3 and chosen.batch_size == 3:
            os.kill(os.getpid(), 9)
        run.step(float("nan") if step == 3 and fault == "resnet50" else 1.0 / step)
    run.end()


sb_run.guarded(main)
'''


def cli(*arguments):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=120, check=False)


# One process for all devices of a node; it counts from 0 and prints the time of a step.
OF_A_NODE = """import sys, time
batch, steps, endpoints = sys.argv[1:]
print(endpoints, flush=True)
for step in range(int(steps)):
    print("[Pass 0, train batch %d] loss 6.9, batch %s, elapse 0.2500 sec" % (step, batch), flush=True)
"""


class Plugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.environ["XDG_STATE_HOME"] = self.path("state")
        os.environ["XDG_DATA_HOME"] = self.path("data")
        self.mine = self.path("data/scaleboard/plugins/mine")
        os.makedirs(self.mine + "/node")
        os.makedirs(self.mine + "/samples")
        shutil.copy(SOURCE + "/plugins/common/node/sb_run.py", self.mine + "/node")
        with open(self.mine + "/node/train.py", "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        self.manifest()

    def path(self, name):
        return os.path.join(self.folder, name)

    def manifest(self, folder=None, **changes):
        with open(SOURCE + "/plugins/pytorch/plugin.json", encoding="utf-8") as file:
            manifest = json.load(file)
        for key in ("packages", "switches", "folder_switches"):
            manifest.pop(key, None)
        manifest.update({"name": "mine", "title": "Mine", "files": ["node/train.py", "node/sb_run.py"],
                         "log": {"rule": "json_lines"}, **changes})
        manifest["environment"]["FAULT"] = "{workload}"
        for workload in manifest["workloads"]:
            workload["memory_bytes_fixed"] = 1e6
            workload["memory_bytes_per_sample"] = 1e3
        with open((folder or self.mine) + "/plugin.json", "w", encoding="utf-8") as file:
            json.dump(manifest, file)

    def run_plan(self, *workloads, batch=2, devices=1):
        plan = {"schema": 1, "name": "Mine", "frameworks": ["mine"],
                "workloads": [{"name": name, "precisions": ["fp32"], "batch_sizes_per_device": [batch]}
                              for name in workloads],
                "scales": [{"nodes": 1, "devices_per_node": devices}], "device": "cpu", "threads_per_device": 1,
                "measurement": {"warmup_steps": 1, "measured_steps": 4, "repeats": 1}}
        with open(self.path("plan.json"), "w", encoding="utf-8") as file:
            json.dump(plan, file)
        done = cli("run", self.path("plan.json"), "--workspace", self.path("ws"))
        runs = {}
        for path in glob.glob(self.path("ws/logs/*/run.json")):
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
            runs[record["case"]["workload"]] = record
        return done, runs

    def test_is_found_run_and_checked(self):
        done, runs = self.run_plan("bert-tiny")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(runs["bert-tiny"]["state"], "done")
        log = glob.glob(self.path("ws/logs/*/rank0.log"))[0]
        shutil.copy(log, self.mine + "/samples/first.log")
        checked = cli("plugin", "check", self.mine)
        self.assertEqual(checked.returncode, 3)
        self.assertIn("There is no " + self.mine + "/samples/first.expected.json", checked.stderr)
        with open(self.mine + "/samples/first.expected.json", "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "note": "a run on this machine", "steps": 5, "first_loss": 1.0}, file)
        checked = cli("plugin", "check", self.mine)
        self.assertEqual((checked.returncode, checked.stdout), (0, "mine: good, 1 log\n"), checked.stderr)
        parsed = json.loads(cli("parse", log, "--framework", "mine", "--json").stdout)
        self.assertEqual(parsed["framework"], "mine")

    def test_one_process_a_node_uses_its_devices(self):
        with open(self.mine + "/node/train.py", "w", encoding="utf-8") as file:
            file.write(OF_A_NODE)
        line = {"kind": "time", "pattern": "train batch (?P<step>\\d+)\\].*elapse (?P<time>{N}) (?P<time_unit>s)ec",
                "unit": "s", "counts_from": 0}
        settings = {"processes": "per_node", "launchers": [], "log": {"rule": "lines", "lines": [line]},
                    "command": ["{program}", "{files}/train.py", "{batch_size*devices_per_node}", "{steps}",
                                "{node_endpoints}"]}
        self.manifest(**settings)
        done, runs = self.run_plan("bert-tiny", batch=8, devices=2)
        self.assertEqual(done.returncode, 0, done.stderr)
        record = runs["bert-tiny"]
        self.assertEqual(len(record["commands"]), 1)
        self.assertAlmostEqual(record["measurement"]["throughput"], 16 / 0.25)
        with open(glob.glob(self.path("ws/logs/*/rank0.log"))[0], encoding="utf-8") as log:
            self.assertRegex(log.readline(), r"^127\.0\.0\.1:\d+$")
        self.assertEqual(len(glob.glob(self.path("ws/logs/*/rank*.log"))), 1)
        again = cli("rebuild", "--workspace", self.path("ws"))
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.manifest(**{**settings, "launchers": ["mpirun"]})
        done, _ = self.run_plan("bert-tiny")
        self.assertIn('processes is "per_node"; then launch must be "per_rank"', done.stderr)

    def test_of_a_taken_name_is_not_used(self):
        twin = self.path("data/scaleboard/plugins/pytorch")
        os.makedirs(twin)
        self.manifest(twin, name="pytorch", files=[])
        done, runs = self.run_plan("bert-tiny")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"warning: {twin}/plugin.json is not used: ", done.stderr)
        self.assertIn("has the same name. Rename its folder", done.stderr)

    def test_each_way_to_fail_is_named_and_the_sweep_goes_on(self):
        done, runs = self.run_plan("bert-base", "bert-large", "resnet50", "bert-tiny")
        self.assertEqual(done.returncode, 1, done.stderr)
        for workload, words in (("bert-base", "the third step is too much for me"),
                                ("bert-large", "CUDA out of memory. Tried to allocate 2.00 GiB"),
                                ("resnet50", "the loss is not a number after step 3")):
            self.assertEqual(runs[workload]["state"], "failed")
            self.assertIn(words, runs[workload]["reason"])
            self.assertIn(words, done.stderr)
        self.assertEqual(runs["bert-tiny"]["state"], "done", "the sweep did not go on")

    def test_a_kill_from_outside_is_named(self):
        done, runs = self.run_plan("bert-tiny", batch=3)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(runs["bert-tiny"]["exit_code"], 137)
        self.assertIn("Something ended the process from outside; the host's memory", runs["bert-tiny"]["reason"])

    def test_a_missing_package_is_named_before_anything_starts(self):
        self.manifest(packages=["no-such-package-of-anyone"])
        done, runs = self.run_plan("bert-tiny", "resnet50")
        self.assertEqual(done.returncode, 1, done.stderr)
        for run in runs.values():
            self.assertEqual(run["reason"], "Mine is not in the python3 of local: the package "
                                            "no-such-package-of-anyone is missing. Install it there.")
        self.assertEqual(len(runs), 2)

    def test_the_probe_lists_environments(self):
        home = self.path("home")
        os.makedirs(home + "/.virtualenvs/torch/bin")
        os.makedirs(home + "/.virtualenvs/no-python/bin")
        os.makedirs(home + "/miniconda3/envs/jax/conda-meta")
        for name in ("torch", "no-python"):
            with open(f"{home}/.virtualenvs/{name}/pyvenv.cfg", "w", encoding="utf-8"):
                pass
        os.symlink(sys.executable, home + "/.virtualenvs/torch/bin/python")
        done = subprocess.run([CLI, "probe", "local", "--json"], capture_output=True, text=True, timeout=60, check=True,
                              env={**os.environ, "HOME": home})
        found = json.loads(done.stdout)["nodes"][0]["environments"]
        self.assertIn(f"venv:{home}/.virtualenvs/torch", found)
        self.assertIn(f"conda:{home}/miniconda3/envs/jax", found)
        self.assertNotIn(f"venv:{home}/.virtualenvs/no-python", found)

    def test_a_broken_manifest_is_named_with_its_key(self):
        self.manifest(lunch="per_rank")
        done, _ = self.run_plan("bert-tiny")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(self.mine + "/plugin.json", done.stderr)
        self.assertIn("lunch", done.stderr)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main(verbosity=2)
