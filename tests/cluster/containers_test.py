#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in podman containers on real nodes: the native backend in an image made of this machine's own packages, and
JAX in one with its virtual environment (that of `tests/run --frameworks`; without it that test is skipped).
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

from cluster_case import FOLDER, SOURCE, ClusterCase, on_node, wait_for

IMAGE = "localhost/sb-native:1"
PORT = 2400
VENV = os.path.join(os.environ.get("SCALEBOARD_FRAMEWORKS", f"{SOURCE}/build/frameworks"), "jax")
JAX_IMAGE = "localhost/sb-jax:1"
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
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout  # of scripts: nothing
    return re.findall(r"(/\S+) \(0x", said)


def put_libraries(root, programs):
    for program in programs:
        for library in libraries(program):
            target = root + library
            if not os.path.exists(target):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.realpath(library), target)


def make_root(folder, name):
    """A root file system with busybox."""
    root = os.path.join(folder, name)
    os.makedirs(f"{root}/bin")
    for place in ("proc", "sys", "dev", "tmp", "run", "etc", "root", "usr/bin"):
        os.makedirs(f"{root}/{place}")
    shutil.copy(shutil.which("busybox"), f"{root}/bin/busybox")
    for applet in ("sh", "true", "sleep"):
        os.symlink("busybox", f"{root}/bin/{applet}")
    shutil.copy("/etc/hosts", f"{root}/etc/hosts")
    return root


def pack(root):
    subprocess.run(["tar", "-C", root, "-cf", f"{root}.tar", "."], check=True)
    shutil.rmtree(root)
    return f"{root}.tar"


def make_image(folder, program):
    """A tar of a root with what the backend is linked with."""
    root = make_root(folder, "rootfs")
    put_libraries(root, [program])
    return pack(root)


def make_python_image(folder, venv):
    """A tar of a root with a virtual environment, its interpreter and standard library, all at their places."""
    said = subprocess.run([f"{venv}/bin/python", "-c", "import os, sys, sysconfig; print(os.path.realpath("
                           "sys.executable)); print(sysconfig.get_path('stdlib'))"],
                          capture_output=True, text=True, check=True).stdout
    program, library = said.split()
    root = make_root(folder, "python")
    leave = shutil.ignore_patterns("__pycache__", "test", "tests", "pip", "ensurepip", "idlelib",
                                   "config-3*")
    for place in (venv, library):
        shutil.copytree(place, root + place, symlinks=True, ignore=leave)
    os.makedirs(os.path.dirname(root + program), exist_ok=True)
    shutil.copy(program, root + program)
    for link in glob.glob(f"{venv}/bin/python*"):  # chains of links end at the program itself
        if os.path.islink(link):
            os.remove(root + link)
            os.symlink(program, root + link)
    modules = [f"{base}/{file}" for place in (venv, library) for base, _, files in os.walk(root + place)
               for file in files if ".so" in file]
    put_libraries(root, [program, *modules])
    with open(f"{root}/usr/bin/python3", "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {venv}/bin/python "$@"\n')
    os.chmod(f"{root}/usr/bin/python3", 0o755)
    return pack(root)


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
        run = self.start(self.container_plan("localhost/none:1", (1, 2), 6), f"node1:{PORT} node2:{PORT}")
        self.finish(run, 120, status=1)
        said = self.said()
        self.assertIn("The image localhost/none:1 could not be got on node", said)
        self.assertIn("Check the image's name and tag", said)
        self.assertRegex(said, r"node\d:2400: getting the image, .*localhost/none:1")
        self.assertIn("[2/2]", said, "the sweep did not go on with the next case")

    def test_images_that_differ_are_refused(self):
        for node in (1, 2):
            on_node(node, f"echo {node} >/tmp/mark && tar -C /tmp -cf - mark | {self.podman} import - "
                          "localhost/sb-unlike:1 >/dev/null; rm /tmp/mark")
        run = self.start(self.container_plan("localhost/sb-unlike:1", (2,), 6), f"node1:{PORT} node2:{PORT}")
        self.finish(run, 120, status=1)
        self.assertIn("differ in the image localhost/sb-unlike:1: sha256:", self.said())

    def test_a_container_without_its_gpus_is_refused(self):
        """nvidia-smi says that there is one, the engine gives none: podman here knows no NVIDIA device."""
        smi = f"{FOLDER}/one-gpu"
        os.makedirs(smi)
        with open(f"{smi}/nvidia-smi", "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\ncase "$*" in *query-gpu=index,name*) echo "0, NVIDIA H100, GPU-1, '
                       '00000000:01:00.0, 81559, 550.54";; esac\n')
        os.chmod(f"{smi}/nvidia-smi", 0o755)
        port = self.another_sshd(1, 2401, f"SetEnv CONTAINERS_CONF={FOLDER}/containers.conf "
                                          f"CONTAINERS_STORAGE_CONF={FOLDER}/storage.conf "
                                          f"PATH={smi}:/usr/sbin:/usr/bin:/sbin:/bin")
        path = self.container_plan(IMAGE, (1,), 6)
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        plan["device"] = "cuda"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        self.finish(self.start(path, f"node1:{port}"), 120, status=1)
        self.assertIn(f"Whether a container of {IMAGE} sees the GPUs of node1", self.said())
        self.assertIn("Install the NVIDIA Container Toolkit there", self.said())
        self.assertEqual("\n".join(self.containers(1)), "")

    @unittest.skipUnless(os.path.exists(f"{VENV}/ready"), f"there is no {VENV}; tests/run --frameworks jax makes it")
    def test_a_framework_trains_in_containers_of_two_nodes(self):
        plugins = f"{self.prefix}/share/scaleboard/plugins"
        for name in ("jax", "common"):
            shutil.copytree(f"{SOURCE}/plugins/{name}", f"{plugins}/{name}", dirs_exist_ok=True)
        tar = make_python_image(FOLDER, VENV)
        for node in (1, 2):
            on_node(node, f"{self.podman} import {tar} {JAX_IMAGE} >/dev/null")
        os.remove(tar)
        path = self.plan("bert-tiny", (1, 2), 8, framework="jax")
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        plan["environments"] = {"jax": f"podman:{JAX_IMAGE}"}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        self.finish(self.start(path, f"node1:{PORT} node2:{PORT}"), 500)
        records = sorted(glob.glob(self.path("ws/logs/*/run.json")))
        self.assertEqual(len(records), 2)
        for record in records:
            with open(record, encoding="utf-8") as file:
                of = json.load(file)
            self.assertEqual(of["state"], "done", of.get("reason"))
            self.assertGreater(of["measurement"]["throughput"], 0)
            print(of["case_name"], of["measurement"]["throughput"])
        for node in (1, 2):
            self.assertEqual("\n".join(self.containers(node)), "", f"on node{node}: {self.said()}")
            on_node(node, f"{self.podman} rmi --force {JAX_IMAGE} >/dev/null")


if __name__ == "__main__":
    for needed in ("podman", "crun", "busybox"):
        if not shutil.which(needed):
            print(f"skipped: the program {needed} is missing")
            sys.exit(77)
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
