#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Results from elsewhere, imported with scaleboard-cli and then compared, fitted and reported.
Usage: import_test.py BIN_DIR

The recorded logs are looked for as tests/corpus does: in corpus/logs of SCALEBOARD_CORPUS or of ../shared beside the
checkout. Without them the test on them is skipped.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = os.path.abspath(sys.argv.pop(1))
CLI = os.path.join(BIN, "scaleboard-cli")
DASHBOARD = os.path.join(BIN, "scaleboard")
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.path.join(os.environ.get("SCALEBOARD_CORPUS", os.path.join(SOURCE, "../shared")), "corpus/logs")
RATES = {"1n1g": 300.0, "1n2g": 590.0, "1n4g": 1150.0, "1n8g": 2200.0, "2n8g": 4200.0}


def windows(rate):
    """A log with a line every 100 steps, the first of them slow."""
    text = "Some words first\n"
    for i in range(8):
        text += ("I0826 15:12:50.113950 140405777909504 keras_utils.py:133] TimeHistory: 1.0 seconds, %.2f "
                 "examples/second between steps %d and %d\n" % (rate / 3 if i == 0 else rate + i % 3, i * 100, i * 100 + 100))
    return text


def nccl(gbps=12.0, latency_us=25.0, ranks=2):
    """What all_reduce_perf prints."""
    text = "# nThread 1 nGpus 1 minBytes 1024 maxBytes 1073741824 step: 4(factor)\n#\n"
    for rank in range(ranks):
        text += "#  Rank %2d Group  0 Pid %6d on      node1 device %2d [0x%02x] A Card\n" % (rank, 900 + rank, rank, rank)
    text += ("#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   "
             "busbw #wrong\n#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
             "(us)  (GB/s)  (GB/s)\n")
    size = 1024
    while size <= 1 << 30:
        us = latency_us * 2 * (ranks - 1) + 2.0 * (ranks - 1) / ranks * size / gbps / 1e3
        algbw = size / us / 1e3
        half = "%8.2f %7.2f %7.2f      0" % (us, algbw, algbw * 2 * (ranks - 1) / ranks)
        text += "%12d %13d     float     sum      -1 %s %s\n" % (size, size // 4, half, half)
        size *= 4
    return text + "# Avg bus bandwidth    : 8.0\n"


class Import(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, text, *names):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        with open(self.path(*names), "w", encoding="utf-8") as file:
            file.write(text)

    def cli(self, *arguments, status=0):
        result = subprocess.run([CLI, *arguments], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return result.stderr if status else result.stdout

    def tree(self, framework="tensorflow2", factor=1.0):
        for case, rate in RATES.items():
            for run in range(1, 4):
                self.write(windows(rate * factor + run), "logs", framework, "resnet50", "bz128", case,
                           "rn50_b128_fp32_%d.log" % run)

    def bring(self, *more):
        return json.loads(self.cli("import", self.path("logs"), "--workspace", self.path("w"), "--json", *more))

    def test_a_tree_becomes_results_a_fit_and_a_report(self):
        self.tree()
        self.write(nccl(), "logs", "links", "all_reduce.txt")
        report = self.bring()
        self.assertEqual((report["imported"], report["links"], report["known"]), (15, 1, 0))
        medians = {case["scale"]: case["median"] for case in report["cases"]}
        for case, rate in RATES.items():
            self.assertAlmostEqual(medians[case], rate + 3, delta=0.6)  # run 2, and a mean of 0 to 2
        again = self.bring()
        self.assertEqual((again["imported"], again["links"], again["known"]), (0, 0, 16))
        results = json.loads(self.cli("results", "--workspace", self.path("w"), "--json"))["results"]
        self.assertEqual(sorted(r["devices"] for r in results), [1, 2, 4, 8, 16])
        self.assertEqual({r["repeats"] for r in results}, {3})
        for result in results:
            self.assertAlmostEqual(result["speedup"], result["throughput"] / medians["1n1g"], places=6)
        # The benchmark of links that came along says what communication costs.
        fit = json.loads(self.cli("fit", self.path("w"), "--gradient-bytes", "100e6", "--json"))
        amdahl = fit["curves"][0]["fits"][0]
        self.assertTrue(amdahl["identifiable"], amdahl)
        text = self.cli("fit", self.path("w"), "--gradient-bytes", "100e6")
        beta = re.search(r"β ([\d.]+)", text)
        self.assertAlmostEqual(float(beta.group(1)), 12.0, delta=0.3)
        if os.path.exists(DASHBOARD):
            done = subprocess.run([DASHBOARD, "report", "--workspace", self.path("w"), "--out", self.path("report")],
                                  capture_output=True, text=True, timeout=300, check=False,
                                  env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
            self.assertEqual(done.returncode, 0, done.stderr)
            written = "".join(os.listdir(self.path("report")))
            self.assertIn(".html", written)

    def test_two_frameworks_are_compared(self):
        self.tree("tensorflow2")
        self.bring()
        shutil.move(self.path("w"), self.path("before"))
        shutil.rmtree(self.path("logs"))
        self.tree("tensorflow2", 0.9)
        self.bring()
        self.cli("compare", self.path("before"), self.path("before"), "--fail-below", "0.97")
        slower = subprocess.run([CLI, "compare", self.path("w"), self.path("before"), "--fail-below", "0.97"],
                                capture_output=True, text=True, timeout=120, check=False)
        self.assertNotEqual(slower.returncode, 0, slower.stdout)
        self.assertIn("slower", slower.stdout)

    def test_tables_and_files_of_results(self):
        self.write('{"rn50": {"1n1g": {"median_speed": 321.8, "batch_size_per_device": 128}, "2n8g": '
                   '{"median_speed": 4849.68, "batch_size_per_device": 128}}}', "logs", "tensorflow2", "result.json")
        self.write("net,gpus,rate\nresnet50,1,300\nresnet50,8,many\n", "logs", "t.csv")
        report = self.bring("--column", "throughput=rate", "--column", "workload=net", "--column", "devices=2")
        self.assertEqual(report["imported"], 3)
        problems = [item["problem"] for item in report["items"] if item["problem"]]
        self.assertEqual(problems, ['line 3: the throughput "many" is no number above zero'])
        rows = json.loads(self.cli("results", "--workspace", self.path("w"), "--json"))["results"]
        speedups = {(r["framework"], r["devices"]): r["speedup"] for r in rows}
        self.assertAlmostEqual(speedups["tensorflow2", 16], 4849.68 / 321.8)
        self.assertIn("--column", self.cli("import", self.path("logs"), "--dry-run", "--column", "x=y", status=2))

    def test_nothing_that_could_be_taken(self):
        self.write("hello\n", "logs", "a.log")
        error = self.cli("import", self.path("logs"), "--dry-run", status=3)
        self.assertIn("Nothing there could be taken", error)

    @unittest.skipUnless(os.path.isdir(CORPUS), "no recorded logs")
    def test_the_recorded_logs_give_the_reports_medians(self):
        logs = [name for name in glob.glob(os.path.join(CORPUS, "dlperf-tf2-resnet50-*.log"))
                if re.search(r"-(\d+n\d+g)-(\d+)\.log$", name)]
        self.assertEqual(len(logs), 30)
        for name in logs:
            case, run = re.search(r"-(\d+n\d+g)-(\d+)\.log$", name).groups()
            with open(name, encoding="utf-8") as file:
                self.write(file.read(), "logs", "tensorflow", "resnet50", "bz128", case, "rn50_b128_fp32_%s.log" % run)
        medians = sorted(case["median"] for case in self.bring()["cases"])
        for found, printed in zip(medians, [321.80, 574.66, 1143.46, 2458.74, 4849.68, 9418.44], strict=True):
            self.assertAlmostEqual(found, printed, delta=0.005 * 1.01)


if __name__ == "__main__":
    unittest.main()
