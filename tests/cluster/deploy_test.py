#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Putting programs on nodes: a cut upload goes on where it stopped, a program that does not run on a node is
built there from source. Usage, inside a test cluster of four nodes: deploy_test.py SCALEBOARD_CLI"""

import os
import shutil
import subprocess
import sys
import time
import unittest

from cluster_case import SOURCE, ClusterCase, fault, node_command, on_node, wait_for

PROGRAMS = "/root/.local/state/scaleboard/programs"


def link(*arguments):
    subprocess.run(["tc", "qdisc", *arguments], check=True, capture_output=True)


class Deploy(ClusterCase):
    def setUp(self):
        super().setUp()
        # An installation of its own, whose program is another one.
        self.own = self.path("prefix")
        shutil.copytree(self.prefix, self.own)
        self.cli = f"{self.own}/bin/scaleboard-cli"
        self.step_program = f"{self.own}/bin/sb-test-steps"
        on_node(1, f"rm -rf {PROGRAMS}")

    def make_foreign(self):
        """A whole program, but for a processor that nobody here has."""
        with open("/bin/true", "rb") as file:
            image = bytearray(file.read())
        self.assertEqual(image[:4], b"\x7fELF")
        image[18:20] = (0x1234).to_bytes(2, "little")
        with open(self.step_program, "wb") as file:
            file.write(image)
        shutil.copytree(f"{SOURCE}/tests/data/source", f"{self.own}/share/scaleboard/source")

    def test_a_program_that_does_not_run_is_built_from_source(self):
        if not shutil.which("cmake") or not shutil.which("c++"):
            self.skipTest("cmake and c++ are not installed")
        self.make_foreign()
        self.finish(self.start(self.plan("quick", nodes=(1,)), "node1"))
        self.assertIn("node1: building the program from source, 100 %", self.said())
        left = on_node(1, f"cd {PROGRAMS}; find . -type f").split()
        names = sorted(os.path.basename(path) for path in left)
        self.assertRegex(names[0], "^build-[0-9a-f]{64}.lock$")
        self.assertEqual(names[1:], ["sb-test-steps", "sb-test-steps.built"], "nothing but these")
        # A second workspace: what was built is taken as it is.
        before = self.said()
        self.finish(self.start(self.plan("quick", nodes=(1,)), "node1", workspace="second"))
        self.assertNotIn("building", self.said()[len(before):])
        # Other sources are built again.
        with open(f"{self.own}/share/scaleboard/source/sb-test-steps/main.cpp", "a", encoding="utf-8") as file:
            file.write("// changed\n")
        before = self.said()
        self.finish(self.start(self.plan("quick", nodes=(1,)), "node1", workspace="third"))
        self.assertIn("building", self.said()[len(before):])

    def test_what_is_missing_for_building_is_named(self):
        self.make_foreign()
        few = self.programs_without("few", "cmake", "c++", "g++", "clang++")
        port = self.another_sshd(2, 2700, f"SetEnv PATH={few}")
        self.finish(self.start(self.plan("quick", nodes=(1,)), f"node2:{port}"), status=1)
        self.assertIn("does not run on node2:2700", self.said())
        self.assertIn("these programs are missing there: cmake c++", self.said())

    def test_what_the_compiler_says_is_passed_on(self):
        if not shutil.which("cmake") or not shutil.which("c++"):
            self.skipTest("cmake and c++ are not installed")
        self.make_foreign()
        with open(f"{self.own}/share/scaleboard/source/sb-test-steps/main.cpp", "w", encoding="utf-8") as file:
            file.write("int main() { return no_such_name; }\n")
        self.finish(self.start(self.plan("quick", nodes=(1,)), "node1"), status=1)
        self.assertRegex(self.said(), "the compiler says: .*no_such_name")

    def test_a_cut_upload_goes_on_where_it_stopped(self):
        size = 24 << 20
        with open(self.step_program, "a", encoding="utf-8") as file:
            file.write("exit 0\n")
        with open(self.step_program, "ab") as file:
            file.write(os.urandom(size))
        link("replace", "dev", "v1", "root", "tbf", "rate", "80mbit", "burst", "256k", "latency", "50ms")
        try:
            counter = "cat /sys/class/net/eth0/statistics/rx_bytes"
            begin = int(on_node(1, counter))
            run = self.start(self.plan("quick", nodes=(1,)), "node1")
            part = f"cat {PROGRAMS}/*/sb-test-steps.part 2>/dev/null | wc -c"
            wait_for(lambda: int(on_node(1, part)) > size // 3, 60, "a third is there")
            fault("cut", 1)
            time.sleep(20)  # until the link is given up
            kept = int(on_node(1, part))
            self.assertGreater(kept, size // 3)
            self.assertLess(kept, size)
            # As where the writer of the cut link lives on: the file stays open for writing.
            writer = subprocess.Popen(node_command(1, f"exec sleep 120 3>>$(echo {PROGRAMS}/*/sb-test-steps.part)"))
            self.addCleanup(writer.wait)
            self.addCleanup(writer.terminate)
            fault("heal", 1)
            self.finish(run, 120)
            sent = int(on_node(1, counter)) - begin
        finally:
            fault("heal", 1)
            link("del", "dev", "v1", "root")
        self.assertLess(sent, 1.25 * size, f"{sent} bytes for {size}: it began anew")


if __name__ == "__main__":
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
