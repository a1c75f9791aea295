#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in podman containers on real nodes: the native backend in an image made of this machine's own packages.
Usage, inside a test cluster of two nodes: containers_test.py SCALEBOARD_CLI"""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

from cluster_case import FOLDER, ClusterCase, on_node, wait_for

IMAGE = "localhost/sb-native:1"
PORT = 2400
CONTAINERS = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
cgroups = "disabled"
netns = "host"
[engine]
cgroup_manager = "cgroupfs"
runtime = "crun"
"""
STORAGE = """[storage]
driver = "overlay"
graphroot = "/run/podman-store"
runroot = "/run/containers/storage"
"""


def libraries(program):
    """The shared libraries of a program, and the loader."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"(/\S+) \(0x", said)


def make_image(folder, program):
    """A tar of a root file system with busybox and what the backend is linked with."""
    root = os.path.join(folder, "rootfs")
    os.makedirs(f"{root}/bin")
    for name in ("proc", "sys", "dev", "tmp", "run", "etc", "root"):
        os.makedirs(f"{root}/{name}")
    shutil.copy(shutil.which("busybox"), f"{root}/bin/busybox")
    for name in ("sh", "true", "sleep"):
        os.symlink("busybox", f"{root}/bin/{name}")
    for library in libraries(program):
        target = root + library
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.realpath(library), target)
    shutil.copy("/etc/hosts", f"{root}/etc/hosts")
    tar = os.path.join(folder, "image.tar")
    subprocess.run(["tar", "-C", root, "-cf", tar, "."], check=True)
    return tar


class Containers(ClusterCase):
    podman = ""  # the shell words before a podman command on a node

    @classmethod
    def setUpClass(cls):
        with open(f"{FOLDER}/containers.conf", "w", encoding="utf-8") as file:
            file.write(CONTAINERS)
        with open(f"{FOLDER}/storage.conf", "w", encoding="utf-8") as file:
            file.write(STORAGE)
        cls.podman = f"CONTAINERS_CONF={FOLDER}/containers.conf CONTAINERS_STORAGE_CONF={FOLDER}/storage.conf podman"
        cls.tar = make_image(FOLDER, f"{os.path.dirname(ClusterCase.program)}/sbtrain")
        for node in (1, 2):
            on_node(node, f"{cls.podman} import {cls.tar} {IMAGE} >/dev/null")

    def setUp(self):
        super().setUp()
        for name in ("logs.json", "plugin.schema.json"):
            shutil.copy(os.path.join(os.path.dirname(__file__), "..", "..", "plugins", name),
                        f"{self.prefix}/share/scaleboard/plugins")
        if not os.path.exists(f"{FOLDER}/n1/sshd_{PORT}"):
            for node in (1, 2):
                self.another_sshd(node, PORT, f"SetEnv CONTAINERS_CONF={FOLDER}/containers.conf "
                                              f"CONTAINERS_STORAGE_CONF={FOLDER}/storage.conf")

    def container_plan(self, image, nodes, steps):
        path = self.plan("bert-tiny", nodes, steps, framework="native")
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        plan["environments"] = {"native": f"podman:{image}"}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return path

    def containers(self, node):
        return on_node(node, f"{self.podman} ps --all --format '{{{{.ID}}}} {{{{.Names}}}} {{{{.Status}}}}'").splitlines()

    def test_two_nodes_train_in_containers_and_leave_nothing(self):
        run = self.start(self.container_plan(IMAGE, (1, 2), 6), f"node1:{PORT} node2:{PORT}")
        self.finish(run, 300)
        records = sorted(glob.glob(self.path("ws/logs/*/run.json")))
        self.assertEqual(len(records), 2)
        for record in records:
            with open(record, encoding="utf-8") as file:
                of = json.load(file)
            self.assertEqual(of["state"], "done", of.get("reason"))
            self.assertEqual(of["case"]["options"]["environment"], f"podman:{IMAGE}")
            with open(f"{os.path.dirname(record)}/rank0.log", encoding="utf-8") as log:
                first = json.loads(log.readline())
            self.assertEqual(first["event"], "container")
            self.assertRegex(first["digest"], r"^sha256:[0-9a-f]{64}$")
        for node in (1, 2):
            self.assertEqual("\n".join(self.containers(node)), "", f"on node{node}: {self.said()}")

    def test_stop_removes_the_containers(self):
        run = self.start(self.container_plan(IMAGE, (2,), 100000), f"node1:{PORT} node2:{PORT}")
        for node in (1, 2):
            wait_for(lambda: self.containers(node), 60, f"a container on node{node}")
        run.send_signal(signal.SIGINT)
        self.finish(run, 60, status=130)
        for node in (1, 2):
            self.assertEqual("\n".join(self.containers(node)), "", f"on node{node}: {self.said()}")
            self.assertEqual(on_node(node, "pgrep -x sbtrain; :"), "")

    def test_missing_image_is_named(self):
        run = self.start(self.container_plan("localhost/none:1", (1,), 6), f"node1:{PORT}")
        self.finish(run, 120, status=1)
        said = self.said()
        self.assertIn("localhost/none:1", said)
        self.assertIn("Check the image's name and tag", said)


if __name__ == "__main__":
    for needed in ("podman", "crun", "busybox"):
        if not shutil.which(needed):
            print(f"skipped: the program {needed} is missing")
            sys.exit(77)
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
