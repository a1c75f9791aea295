#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scaleboard-cli as a user types it, with real training. Usage: cli_test.py SOURCE_DIR BIN_DIR"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE, BIN = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CLI = os.path.join(BIN, "scaleboard-cli")
PLAN = {"schema": 1, "name": "small", "frameworks": ["native"],
        "workloads": [{"name": "resnet20-cifar", "precisions": ["fp32"], "batch_sizes_per_device": [8]}],
        "scales": [{"nodes": 1, "devices_per_node": 1}, {"nodes": 1, "devices_per_node": 2}],
        "device": "cpu", "threads_per_device": 1,
        "measurement": {"warmup_steps": 2, "measured_steps": 8, "repeats": 2}}


def cli(*arguments, **options):
    return subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=120, **options)


class Workplace(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # Run folders of the tests stay out of the user's own state folder.
        os.environ["XDG_STATE_HOME"] = self.path("state")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def plan(self, **changes):
        return self.write("plan.json", json.dumps({**PLAN, **changes}, indent=1))

    def refused(self, result, *words, status=3):
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stdout, "")
        errors = [line for line in result.stderr.splitlines() if not line.startswith("warning: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        for word in words:
            self.assertIn(word, errors[0])

    def results(self):
        result = cli("results", "--workspace", self.path("w"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)


class Cli(Workplace):
    def test_run_results_rebuild(self):
        result = cli("run", self.plan(), "--workspace", self.path("w"))
        self.assertEqual(result.returncode, 0, result.stderr)
        found = self.results()
        self.assertEqual(found["schema"], 1)
        one, two = found["results"]
        self.assertEqual((one["framework"], one["workload"], one["precision"]), ("native", "resnet20-cifar", "fp32"))
        self.assertEqual((one["devices"], two["devices"], two["gpus_per_node"], two["nodes"]), (1, 2, 2, 1))
        self.assertEqual((one["repeats"], len(one["run_ids"]), one["unit"]), (2, 2, "images/s"))
        self.assertEqual(one["speedup"], 1.0)
        self.assertAlmostEqual(two["speedup"], two["throughput"] / one["throughput"])
        self.assertAlmostEqual(one["seconds_per_epoch"], 50000 / one["throughput"])
        self.assertTrue(one["min"] <= one["throughput"] <= one["max"])
        for name in os.listdir(self.path("w")):
            if name.startswith("scaleboard.db"):
                os.remove(os.path.join(self.path("w"), name))
        rebuilt = cli("rebuild", "--workspace", self.path("w"))
        self.assertEqual(rebuilt.returncode, 0, rebuilt.stderr)
        self.assertEqual(self.results(), found)

    def test_killed_in_the_middle_goes_on(self):
        plan = self.plan()
        process = subprocess.Popen([CLI, "run", plan, "--workspace", self.path("w"), "--quiet"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        logs = self.path("w/logs")
        deadline = time.monotonic() + 60

        def begun():
            return [run for run in (os.listdir(logs) if os.path.isdir(logs) else [])
                    if os.path.exists(os.path.join(logs, run, "rank0.log"))
                    and b'"step"' in open(os.path.join(logs, run, "rank0.log"), "rb").read()]
        while len(begun()) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = set(os.listdir(logs))
        self.assertGreaterEqual(len(before), 2)
        states = {run: json.load(open(os.path.join(logs, run, "run.json")))["state"] for run in before}
        done = [run for run, state in states.items() if state == "done"]
        stamps = {run: os.stat(os.path.join(logs, run, "run.json")).st_mtime_ns for run in done}
        again = cli("run", plan, "--workspace", self.path("w"))
        self.assertEqual(again.returncode, 0, again.stderr)
        after = set(os.listdir(logs))
        self.assertEqual(len(after), 4, "each run exactly once")
        self.assertTrue(before <= after)
        for run in done:  # finished runs were not touched
            self.assertEqual(os.stat(os.path.join(logs, run, "run.json")).st_mtime_ns, stamps[run])
        for run in after:
            with open(os.path.join(logs, run, "rank0.log"), encoding="utf-8") as file:
                steps = [event["step"] for event in map(json.loads, file) if event["event"] == "step"]
            self.assertEqual(steps, list(range(1, 11)), "no line lost or doubled")
        self.assertEqual([case["repeats"] for case in self.results()["results"]], [2, 2])

    def test_ctrl_c_stops_and_says_so(self):
        process = subprocess.Popen([CLI, "run", self.plan(measurement={"warmup_steps": 2, "measured_steps": 5000}),
                                    "--workspace", self.path("w")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        log = self.path("w/logs")
        deadline = time.monotonic() + 30
        while not os.path.isdir(log) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        records = [json.load(open(os.path.join(log, run, "run.json"))) for run in os.listdir(log)]
        self.assertEqual([record["state"] for record in records], ["cancelled"])

    def test_bad_plans(self):
        w = ["--workspace", self.path("w")]
        self.refused(cli("run", self.path("none.json"), *w), "There is no plan", "none.json")
        self.refused(cli("run", self.write("p.json", "{\n\"schema\": 1,\n oops}"), *w), "p.json, line 3")
        self.refused(cli("run", self.plan(repeats=3), *w), "plan.json, line ", 'the plan has no "repeats"')
        self.refused(cli("run", self.plan(workloads=[{"name": "resnet05", "batch_sizes_per_device": [1]}]), *w),
                     "plan.json: workloads[0]", '"resnet05"', 'Did you mean "resnet50"?')
        self.refused(cli("run", self.plan(workloads=[{"name": "resnet50", "batch_sizes_per_device": [-4]}]), *w),
                     "workloads[0].batch_sizes_per_device has -4")
        self.refused(cli("run", self.plan(schema=7), *w), "newer version (schema 7")
        self.assertFalse(os.path.exists(self.path("w")), "nothing half-written")

    def test_bad_workspaces(self):
        os.mkdir(self.path("full"))
        self.write("full/thesis.tex", "x")
        self.refused(cli("run", self.plan(), "--workspace", self.path("full")), "not empty and not a workspace")
        self.refused(cli("results", "--workspace", self.path("none")), "There is no workspace in")
        os.mkdir(self.path("new"))
        self.write("new/workspace.json", '{"schema": 2, "name": "new", "created_utc": ""}')
        self.refused(cli("results", "--workspace", self.path("new")), "newer version (schema 2; this one reads up to 1)")
        self.assertEqual(os.listdir(self.path("new")), ["workspace.json"])

    def test_bad_usage(self):
        self.refused(cli("rnu"), 'There is no command "rnu". Did you mean "run"?', status=2)
        self.refused(cli("run"), "needs one plan", status=2)
        self.refused(cli("results", "--wrkspace", "x"), "wrkspace", status=2)
        self.refused(cli("parse", self.path("none.log")), "none.log")
        for command in ([], ["run"], ["results"], ["parse"], ["rebuild"]):
            result = cli(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(" ".join(["Usage: scaleboard-cli", *command, ""]), result.stdout)
        self.assertRegex(cli("--version").stdout, r"^scaleboard-cli \d+\.\d+\.\d+\n$")

    def test_a_missing_program_is_named(self):
        lonely = self.path("prefix/bin")
        os.makedirs(lonely)
        os.makedirs(self.path("prefix/share/scaleboard"))
        os.symlink(os.path.join(SOURCE, "plugins"), self.path("prefix/share/scaleboard/plugins"))
        with open(CLI, "rb") as program, open(os.path.join(lonely, "scaleboard-cli"), "wb") as copy:
            copy.write(program.read())
        os.chmod(os.path.join(lonely, "scaleboard-cli"), 0o755)
        result = subprocess.run([os.path.join(lonely, "scaleboard-cli"), "run", self.plan(), "--workspace",
                                 self.path("w")], capture_output=True, text=True, timeout=60,
                                env={**os.environ, "PATH": "/usr/bin:/bin"})
        self.refused(result, 'The program "sbtrain"', "was not found in", status=1)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to mount a small disk")
    def test_full_disk_keeps_what_was_written(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk],
                          capture_output=True, check=False).returncode:
            self.skipTest("mounting is not allowed here")
        try:
            plan = self.plan(measurement={"warmup_steps": 2, "measured_steps": 3000, "repeats": 1},
                             scales=[{"nodes": 1, "devices_per_node": 1}],
                             workloads=[{"name": "resnet20-cifar", "batch_sizes_per_device": [1]}])
            result = cli("run", plan, "--workspace", disk + "/w")
            self.assertNotEqual(result.returncode, 0)
            self.assertRegex(result.stderr, "full|took no more|cannot be written|No space|could not")
            run = os.path.join(disk, "w/logs", os.listdir(disk + "/w/logs")[0])
            record = json.load(open(os.path.join(run, "run.json")))  # whole, never half-written
            self.assertEqual(record["schema"], 1)
            self.assertIn(record["state"], ("starting", "running"))
            for folder in os.listdir(self.path("state/scaleboard/runs")):
                with open(self.path(f"state/scaleboard/runs/{folder}/pgid"), encoding="utf-8") as file:
                    os.killpg(int(file.read()), signal.SIGKILL)
        finally:
            subprocess.run(["umount", "-l", disk], check=False)


DEMO = os.path.join(SOURCE, "resources/demo/h200-2gpu")
ALLREDUCE = os.path.join(SOURCE, "resources/measured/2026-11-29-h200-2gpu/allreduce.jsonl")
REPORT = "dlperf-2020-10/resnet50-fp32"


class Analysis(Workplace):
    """fit and compare on the recorded runs on two H200 and on published results."""

    def demo(self, name="w"):
        shutil.copytree(DEMO, self.path(name))
        return self.path(name)

    def test_fit_says_what_two_scales_cannot_tell_and_where_the_loss_goes(self):
        folder = self.demo()
        self.assertEqual(cli("rebuild", "--workspace", folder).returncode, 0)
        result = cli("fit", folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Amdahl: not identifiable from 2 scales", result.stdout)
        self.assertRegex(result.stdout, r"a step takes [\d.]+ ms alone, [\d.]+ ms on 2 devices")
        self.assertRegex(result.stdout, r"utilisation on 2 devices: [\d.]+.% of 989\.0 TFLOP/s "
                                        r"\(NVIDIA H200; NVIDIA H200 data sheet\)")
        curves = json.loads(cli("fit", folder, "--json").stdout)["curves"]
        used = [curve["utilisation"] for curve in curves]
        self.assertTrue(all(0.05 < share < 1 for share in used), used)

    def test_fit_explains_communication_with_measured_all_reduce(self):
        folder = self.demo()
        result = cli("fit", folder)  # with what the workspace has in links/
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"β [\d ,.\u202f]+\(.*GB/s bus bandwidth.* over 2 ranks")
        # One scale beyond a single device does not tell how much was hidden.
        self.assertIn("α–β: not identifiable from 1 scale", result.stdout)
        shutil.rmtree(os.path.join(folder, "links"))
        self.assertNotIn("α–β", cli("fit", folder).stdout)
        self.assertEqual(cli("fit", folder, "--comm", ALLREDUCE).stdout, result.stdout)

    def test_fit_identifies_a_model_from_enough_scales(self):
        result = cli("fit", REPORT + "#oneflow", "--model", "amdahl", "--devices", "64")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"Amdahl: σ 0\.00\d+ \(.+ – .+\), one device 39\d\.\d+")
        self.assertIn("at 64 devices: ", result.stdout)
        self.refused(cli("fit", self.path("none")), "no folder, no file and no published results")
        self.refused(cli("fit", REPORT, "--comm", self.write("x.txt", "hello")), "x.txt has no all-reduce times")
        self.refused(cli("fit", REPORT, "--devices", "0"), "--devices", status=2)

    def test_compare_tells_ci_by_its_status(self):
        faster, slower = REPORT + "#oneflow", REPORT + "#ngc_mxnet"
        good = cli("compare", faster, slower, "--fail-below", "0.97")
        self.assertEqual(good.returncode, 0, good.stderr)
        self.assertIn("passes", good.stdout)
        bad = cli("compare", slower, faster, "--fail-below", "0.97")
        self.assertEqual(bad.returncode, 1, bad.stderr)
        self.assertIn("3 of 4 cases of A are below 0.97 × B", bad.stderr)
        self.assertEqual(cli("compare", slower, faster, "--fail-below", "0.8").returncode, 0)
        self.assertEqual(cli("compare", slower, faster).returncode, 0)  # no gate was asked for
        cases = json.loads(cli("compare", slower, faster, "--fail-below", "0.97", "--json").stdout)["cases"]
        self.assertEqual([case["gate"] for case in cases].count("fails"), 3)
        self.refused(cli("compare", faster, slower, "--fail-below", "much"), "--fail-below", status=2)
        self.refused(cli("compare", faster), "compare needs A and B", status=2)

    def test_compare_refuses_unlike_cases_until_asked(self):
        unlike = (REPORT + "#oneflow", "dlperf-2020-10/resnet50-amp#oneflow")
        self.refused(cli("compare", *unlike), "precision", "--anyway")
        result = cli("compare", *unlike, "--anyway")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("† Unlike keys", result.stdout)

    def test_history_goes_over_workspaces_and_bundles(self):
        folder = self.demo()
        one = json.loads(cli("compare", "--history", folder, "--json").stdout)["history"]
        self.assertTrue(one)
        self.assertTrue(all(len(case["points"]) == 1 for case in one))
        # The same runs as of a later day: nothing has changed.
        later = self.demo("later")
        for record in glob.glob(os.path.join(later, "logs/*/run.json")):
            with open(record, encoding="utf-8") as file:
                run = json.load(file)
            run["plan"] = "Again"
            for key in ("created_utc", "started_utc", "finished_utc"):
                run[key] = run[key].replace("2026-11-29", "2026-11-30")
            with open(record, "w", encoding="utf-8") as file:
                json.dump(run, file)
        for name in os.listdir(later):
            if name.startswith("scaleboard.db"):
                os.remove(os.path.join(later, name))
        self.assertEqual(cli("rebuild", "--workspace", later).returncode, 0)
        bundle = self.path("later.tar.zst")
        self.assertEqual(cli("bundle", "create", "--workspace", later, "--out", bundle).returncode, 0)
        for second in (later, bundle):
            result = cli("compare", "--history", folder, second, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            history = json.loads(result.stdout)["history"]
            self.assertEqual(len(history), len(one))
            for case in history:
                days = [point["day"] for point in case["points"]]
                self.assertEqual(days, ["2026-11-29", "2026-11-30"])
                self.assertEqual(case["points"][1]["ratio"], 1.0)
                self.assertNotIn(case["points"][1]["change"], ("faster", "slower"))
        self.refused(cli("compare", "--history", REPORT), "--history needs workspaces or bundles")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
