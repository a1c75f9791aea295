#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs over real nodes while links break, servers die and disks fill: no line is lost or doubled, and nothing
is left on a node. Usage, inside a test cluster of six nodes: faults_test.py SCALEBOARD_CLI

SCALEBOARD_CYCLES=N: cycles of cut and resume (200)."""

import os
import signal
import sys
import time
import unittest

from cluster_case import ClusterCase, fault, on_node, wait_for


class Faults(ClusterCase):
    def test_cut_of_2_s_loses_no_line(self):
        run = self.start(self.plan(steps=60), "node[1-2]")
        self.keep_logs(1), self.keep_logs(2)
        fault("cut", 1)
        time.sleep(2)
        fault("heal", 1)
        self.finish(run)
        self.assert_logs_alike([1, 2])
        self.assert_tidy(1, 2)

    def test_cut_of_30_s_loses_no_line(self):
        run = self.start(self.plan(steps=60), "node[3-4]")
        self.keep_logs(3), self.keep_logs(4)
        fault("cut", 3)
        time.sleep(30)
        fault("heal", 3)
        self.finish(run)
        self.assertIn("broke", self.said())
        self.assert_logs_alike([3, 4])
        self.assert_tidy(3, 4)

    def test_sshd_killed_and_restarted(self):
        run = self.start(self.plan(steps=80), "node[1-2]")
        self.keep_logs(1)
        fault("sshd-drop", 1)
        time.sleep(3)
        self.assertIsNone(run.poll())
        fault("sshd-start", 1)
        self.finish(run)
        self.assert_logs_alike([1])
        self.assert_tidy(1, 2)

    def test_cut_and_resume_over_and_over(self):
        rounds = max(1, int(os.environ.get("SCALEBOARD_CYCLES", "200")) // 4)  # on four nodes each
        run = self.start(self.plan(nodes=(4,), steps=max(60, rounds * 15)), "node[1-4]")
        for node in range(1, 5):
            self.keep_logs(node)
        begin = time.monotonic()
        for _ in range(rounds):
            for node in range(1, 5):
                # Every session of the node at once, at any moment of a line; the listener stays.
                on_node(node, "for p in /proc/[0-9]*; do read -r l <$p/cmdline; case $l in 'sshd: '*@*) "
                              "kill -KILL ${p#/proc/};; esac; done 2>/dev/null; :")
            time.sleep(0.7)  # it comes back after half a second
        took = time.monotonic() - begin
        self.assertIsNone(run.poll(), "the run must last longer than the cuts")
        self.finish(run, rounds * 2 + 60)
        self.assertGreaterEqual(self.said().count("broke"), rounds)
        self.assert_logs_alike([1, 2, 3, 4])
        self.assert_tidy(1, 2, 3, 4)
        print(f"{4 * rounds} cycles of cut and resume in {took:.0f} s")

    def test_dashboard_killed_and_started_again(self):
        plan = self.plan(steps=250)
        first = self.start(plan, "node[1-2]")
        self.keep_logs(1), self.keep_logs(2)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(2)
        ranks = on_node(1, "pgrep -cf '[b]ash .*sb-test-steps'").strip()
        self.assertEqual(ranks, "1", "the run goes on without the dashboard")
        self.finish(self.start(plan, "node[1-2]"))
        self.assert_logs_alike([1, 2])
        self.assert_tidy(1, 2)

    def test_stop_is_verified(self):
        for workload in ("slow", "deaf"):  # deaf ignores TERM
            with self.subTest(workload):
                run = self.start(self.plan(workload, nodes=(4,), steps=600), "node[1-4]", workspace=workload)
                wait_for(lambda: "1" in on_node(4, "pgrep -cf '[b]ash .*sb-test-steps' || :"), 20, "started")
                run.send_signal(signal.SIGINT)
                self.finish(run, 40, status=130)
                self.assert_tidy(1, 2, 3, 4)

    def test_disk_full_on_the_node(self):
        on_node(3, "dd if=/dev/zero of=/root/fill bs=1M 2>/dev/null; :", check=False)
        try:
            self.finish(self.start(self.plan(nodes=(1,)), "node3"), 60, status=1)
        finally:
            on_node(3, "rm -f /root/fill")
        self.assertRegex(self.said(), "(?i)disk full|no space")
        self.assertIn("node3", self.said())
        self.assert_tidy(3, folders=False)

    def test_more_channels_than_a_connection_may_have(self):
        port = self.another_sshd(1, 2500, "MaxSessions 2")
        run = self.start(self.plan(nodes=(1,), devices=2, steps=30), f"node1:{port}")
        self.keep_logs(1)
        self.finish(run)  # two logs, errors, the end and telemetry are five channels
        self.assert_logs_alike([1])
        self.assert_tidy(1)

    powered_off = None  # the run, and where it is kept

    def power_off(self):
        run = self.start(self.plan(steps=80), "node[5-6]")
        self.children.remove(run)
        self.keep_logs(5), self.keep_logs(6)
        fault("off", 6)
        type(self).powered_off = (run, self.scratch)

    def test_a_node_powers_off(self):
        self.power_off()  # a node is given up after a minute; test_zz… looks then

    def test_zz_powered_off_node_is_given_up(self):
        if not self.powered_off:
            self.power_off()
        run, self.scratch = self.powered_off
        self.children.append(run)
        self.finish(run, 120, status=1)
        self.assertRegex(self.said(), "node6 has not answered for [0-9]+ s")
        self.assert_tidy(5)


if __name__ == "__main__":
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
