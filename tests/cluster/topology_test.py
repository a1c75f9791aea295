#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How nodes are wired, asked over SSH. There is no GPU here: a program that prints recorded text stands in for
nvidia-smi, and a folder for the PCI tree. Usage, inside a test cluster of four nodes: topology_test.py
SCALEBOARD_CLI [CLUSTER_WINDOW_TEST]"""

import json
import os
import subprocess
import sys
import unittest

from cluster_case import FOLDER, SOURCE, ClusterCase, on_node

DATA = f"{SOURCE}/tests/data/topology"
PORT = 2600
WINDOW_TEST = ""  # program
SMI = """#!/bin/sh
node=$(uname -n)
[ -e "FOLDER/matrix-$node" ] || { echo "Failed to run topology matrix"; exit 255; }
case "$*" in
-L) for i in 0 1 2 3 4 5 6 7; do echo "GPU $i: Tesla V100-SXM2-16GB (UUID: GPU-0000000$i)"; done ;;
"topo -m") cat "FOLDER/matrix-$node" ;;
*query-gpu=index,name*) for i in 0 1 2 3 4 5 6 7; do
  echo "$i, Tesla V100-SXM2-16GB, GPU-0000000$i, 00000000:0$i:00.0, 16384, 450.80.02"; done ;;
*) echo "| NVIDIA-SMI 450.80.02   Driver Version: 450.80.02   CUDA Version: 11.0 |" ;;
esac
"""


class Topology(ClusterCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(f"{FOLDER}/smi")
        with open(f"{FOLDER}/smi/nvidia-smi", "w", encoding="utf-8") as file:
            file.write(SMI.replace("FOLDER", FOLDER))
        os.chmod(f"{FOLDER}/smi/nvidia-smi", 0o755)
        with open(f"{DATA}/dgx1.txt", encoding="utf-8") as file:
            matrix = file.read()
        for node in (1, 2, 3):
            lines = matrix.splitlines()
            if node == 2:  # a broken link between GPU2 and GPU6
                for row, other in ((3, 7), (7, 3)):
                    cells = lines[row].split("\t")
                    cells[other] = "SYS"
                    lines[row] = "\t".join(cells)
            with open(f"{FOLDER}/matrix-node{node}", "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        for node in range(1, 5):
            cls.another_sshd(node, PORT, f"SetEnv PATH={FOLDER}/smi:/usr/sbin:/usr/bin:/sbin:/bin")

    def hosts(self):
        return self.config("".join(f"Host gpu{i}\n  HostName node{i}\n  Port {PORT}\n" for i in range(1, 5)))

    def topo(self, what, *more, status=0):
        done = subprocess.run([self.cli, "topo", what, "--ssh-config", self.hosts(), *more],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def test_a_node_is_read(self):
        read = json.loads(self.topo("gpu1", "--json")[0])
        self.assertEqual(read["kind"], "nvidia-topo-m")
        self.assertEqual(read["gpus"], 8)
        self.assertEqual(read["source"], "nvidia-smi topo -m")
        self.assertEqual(read["links"]["GPU0-GPU3"], "NV2")
        self.assertEqual(read["products"]["GPU0"], "Tesla V100-SXM2-16GB")
        text, _ = self.topo("gpu1", "--measured", f"{DATA}/nvbandwidth.txt")
        self.assertRegex(text, r"gpu1: nvidia-smi topo -m, read 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC")
        self.assertRegex(text, r"GPU2-GPU6 +NV1 +24\.2 / 12\.1 +48 % of 25  slow")

    def test_nodes_are_compared(self):
        text, _ = self.topo("gpu[1-3]", "--json")
        nodes = json.loads(text)["nodes"]
        self.assertEqual([node["differences"] for node in nodes],
                         [[], ["GPU2-GPU6 is SYS, elsewhere NV1"], []])

    def test_the_pci_tree_when_the_tool_fails(self):
        tree = f"{FOLDER}/pci"
        for address, kind, vendor in (("0000:00:01.0/0000:01:00.0/0000:02:00.0/0000:03:00.0", "0x030200", "0x10de"),
                                      ("0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:04:00.0", "0x030200", "0x10de"),
                                      ("0000:00:02.0/0000:05:00.0", "0x020700", "0x15b3")):
            folder = f"{tree}/pci0000:00/{address}"
            os.makedirs(folder)
            os.makedirs(f"{tree}/bus", exist_ok=True)
            for name, value in (("class", kind), ("vendor", vendor), ("device", "0x20b0"), ("numa_node", "0"),
                                ("local_cpulist", "0-15")):
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write(value + "\n")
            if vendor == "0x15b3":
                os.makedirs(f"{folder}/infiniband/mlx5_0")
            os.symlink(folder, f"{tree}/bus/{os.path.basename(folder)}")
        on_node(4, f"mount --bind {tree}/bus /sys/bus/pci/devices")
        read = json.loads(self.topo("gpu4", "--json")[0])
        self.assertEqual((read["kind"], read["source"]), ("pci-tree", "the PCI tree in sysfs"))
        self.assertEqual(read["gpus"], 2)
        self.assertEqual(read["links"], {"GPU0-GPU1": "PIX"})
        self.assertEqual(read["nic_names"], {"NIC0": "mlx5_0"})
        text, _ = self.topo("gpu4")
        self.assertIn("nvidia-smi topo -m: ", text, "why it is not the matrix")
        self.assertIn("NVLink unknown", text)

    def test_a_node_without_gpu_says_so(self):
        _, problem = self.topo("node1", status=1)
        self.assertIn("node1 has no GPU", problem)
        _, problem = self.topo("nonode", status=1)
        self.assertIn("nonode", problem)

    def test_the_window(self):
        if not WINDOW_TEST:
            self.skipTest("this build has no window")
        with open(self.hosts(), encoding="utf-8") as file:
            text = file.read()
        with open(self.path("config"), "w", encoding="utf-8") as file:
            file.write(f"Host stranger\n  HostName node3\n  UserKnownHostsFile {self.path('empty')}\n{text}")
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", SCALEBOARD_SSH_CONFIG=self.path("config"))
        done = subprocess.run([WINDOW_TEST], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              env=environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-2000:])
        self.assertNotIn("SKIPPED", done.stdout)

    def test_a_plan_takes_the_gpus_that_belong_together(self):
        with open(self.path("gpus.json"), "w", encoding="utf-8") as file:
            json.dump({"schema": 1, "name": "Sets", "frameworks": ["native"],
                       "workloads": [{"name": "resnet50", "precisions": ["fp32"], "batch_sizes_per_device": [8]}],
                       "scales": [{"nodes": 1, "devices_per_node": count} for count in (2, 4, 8)],
                       "device": "cuda", "gpu_sets": {"2": "6,7"},
                       "measurement": {"warmup_steps": 1, "measured_steps": 2, "repeats": 1}}, file)
        done = subprocess.run([self.cli, "run", self.path("gpus.json"), "--hosts", "gpu1", "--dry-run",
                               "--ssh-config", self.hosts()], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        commands = [line for line in done.stdout.splitlines() if not line.startswith("#")]
        self.assertEqual(len(commands), 2 + 4 + 8, done.stdout)
        for command in commands[:2]:  # as the plan says
            self.assertIn("CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=6,7 ", command)
        for command in commands[2:6]:  # one island, as the wiring says
            self.assertIn("CUDA_VISIBLE_DEVICES=0,1,2,3 ", command)
        for command in commands[6:]:
            self.assertNotIn("CUDA_VISIBLE_DEVICES", command)


if __name__ == "__main__":
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and os.path.exists(sys.argv[1]):
        WINDOW_TEST = os.path.abspath(sys.argv.pop(1))
    unittest.main()
