# SPDX-License-Identifier: GPL-3.0-or-later
"""What the cluster's tests share: nodes with their faults, plans, a dashboard from the outside."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

FOLDER = os.environ.get("CLUSTER_DIR", "")
CLUSTER = os.environ.get("CLUSTER", "")
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def fault(what, node, *more):
    subprocess.run([CLUSTER, what, str(node), "--dir", FOLDER, *more], check=True)


def node_command(node, script):
    return [CLUSTER, "exec", str(node), "--dir", FOLDER, "--", "sh", "-c", script]


def on_node(node, script, check=True):
    done = subprocess.run(node_command(node, script), capture_output=True, text=True, check=check)
    return done.stdout


def wait_for(condition, timeout_s, what):
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {timeout_s} s")


class ClusterCase(unittest.TestCase):
    program = ""  # scaleboard-cli

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="case-", dir=FOLDER)
        self.children = []
        # An installation with the test program for a framework, beside the real one.
        self.prefix = os.path.join(FOLDER, "prefix")
        if not os.path.exists(self.prefix):
            os.makedirs(f"{self.prefix}/bin")
            os.makedirs(f"{self.prefix}/share/scaleboard/plugins")
            binaries = os.path.dirname(self.program)
            for file in (self.program, f"{binaries}/sbtrain", f"{SOURCE}/tests/support/bin/sb-test-steps"):
                shutil.copy(file, f"{self.prefix}/bin")
            for folder in (f"{SOURCE}/plugins/native", f"{SOURCE}/tests/data/plugins/steps"):
                shutil.copytree(folder, f"{self.prefix}/share/scaleboard/plugins/{os.path.basename(folder)}")
        self.cli = f"{self.prefix}/bin/scaleboard-cli"

    def tearDown(self):
        for child in self.children:
            if child.poll() is None:
                child.kill()
                child.wait()
        # What a failed test left going must not be taken for the next one's.
        for node in range(1, 5):
            if os.path.exists(f"{FOLDER}/n{node}/ready"):
                subprocess.run([CLUSTER, "exec", str(node), "--dir", FOLDER, "--", "sh", "-c", """
cd /root/.local/state/scaleboard/runs 2>/dev/null || exit 0
for f in */pgid; do [ -e "$f" ] && kill -s KILL -- "-$(cat "$f")"; done
rm -rf /root/.local/state/scaleboard/runs /root/kept"""], capture_output=True, check=False)

    @staticmethod
    def another_sshd(node, port, settings):
        """A second sshd of a node with other settings; gives its port."""
        with open(f"{FOLDER}/n{node}/sshd_config", encoding="utf-8") as file:
            base = "".join(line for line in file if not line.startswith(("ListenAddress", "PidFile")))
        with open(f"{FOLDER}/n{node}/sshd_{port}", "w", encoding="utf-8") as file:
            file.write(f"Port {port}\nListenAddress 10.77.0.{node}\nPidFile none\n{settings}\n{base}")
        subprocess.run([CLUSTER, "exec", str(node), "--dir", FOLDER, "--", "/usr/sbin/sshd", "-f",
                        f"{FOLDER}/n{node}/sshd_{port}"], check=True)
        return port

    @staticmethod
    def programs_without(name, *missing):
        """A folder for PATH with every program but some."""
        folder = os.path.join(FOLDER, name)
        os.makedirs(folder)
        for place in ("/usr/bin", "/bin", "/usr/sbin", "/sbin"):
            for program in os.listdir(place):
                if program not in missing and not os.path.lexists(f"{folder}/{program}"):
                    os.symlink(f"{place}/{program}", f"{folder}/{program}")
        return folder

    def path(self, name):
        return os.path.join(self.scratch, name)

    def plan(self, workload="slow", nodes=(2,), steps=40, devices=1, framework="steps", **more):
        plan = {"schema": 1, "name": "Test", "frameworks": [framework],
                "workloads": [{"name": workload, "precisions": ["fp32"],
                               "batch_sizes_per_device": [more.get("batch", 2)]}],
                "scales": [{"nodes": count, "devices_per_node": devices} for count in nodes],
                "device": "cpu", "data": "synthetic", "threads_per_device": 1,
                "measurement": {"warmup_steps": 2, "measured_steps": steps, "repeats": more.get("repeats", 1)}}
        with open(self.path("plan.json"), "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return self.path("plan.json")

    def start(self, plan, hosts, workspace="ws", config=None):
        with open(self.path("cli.log"), "a", encoding="utf-8") as log:
            child = subprocess.Popen([self.cli, "run", plan, "--hosts", hosts, "--workspace", self.path(workspace),
                                      "--ssh-config", config or f"{FOLDER}/ssh_config"],
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.children.append(child)
        return child

    def said(self):
        with open(self.path("cli.log"), encoding="utf-8") as file:
            return file.read()

    def finish(self, child, timeout_s=120, status=0):
        try:
            code = child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.fail(f"not finished within {timeout_s} s: {self.said()}")
        self.assertEqual(code, status, self.said())

    def probe(self, *nodes, config=None, check=True):
        done = subprocess.run([self.cli, "probe", *nodes, "--json", "--ssh-config", config or f"{FOLDER}/ssh_config"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90, check=False)
        if check:
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)["nodes"]

    def config(self, text):
        """An ssh_config with `text` before the cluster's own."""
        with open(f"{FOLDER}/ssh_config", encoding="utf-8") as file:
            whole = text + "\n" + file.read()
        with open(self.path("config"), "w", encoding="utf-8") as file:
            file.write(whole)
        return self.path("config")

    # Logs: a second name for each log of a run on its node outlives the run's folder.

    def keep_logs(self, node, home="/root"):
        return wait_for(lambda: on_node(node, f"""cd "{home}/.local/state/scaleboard/runs" 2>/dev/null || exit 0
mkdir -p {home}/kept
for f in */rank*.log; do [ -s "$f" ] && ln -f "$f" {home}/kept/ && echo "$f"; done""", check=False), 20,
                        f"no log on node {node}")

    def assert_logs_alike(self, nodes, workspace="ws"):
        """Every kept log is byte for byte in the workspace."""
        count = 0
        for node in nodes:
            for name in on_node(node, "ls /root/kept").split():
                kept = on_node(node, f"cat /root/kept/{name}")
                found = [os.path.join(folder, name) for folder, _, files in
                         os.walk(self.path(workspace)) if name in files]
                self.assertEqual(len(found), 1, (name, found))
                with open(found[0], encoding="utf-8") as file:
                    self.assertEqual(file.read(), kept, f"{name} of node {node}")
                steps = [json.loads(line).get("step") for line in kept.splitlines() if '"step"' in line]
                steps = [step for step in steps if step is not None]
                self.assertEqual(steps, list(range(1, len(steps) + 1)))
                count += 1
            on_node(node, "rm -rf /root/kept")
        self.assertGreater(count, 0)

    def assert_tidy(self, *nodes, folders=True):
        """Nothing of a run is left on these nodes."""
        def left():
            text = ""
            for node in nodes:
                text += on_node(node, "ps -eo args | grep -E 'sb-test-steps|sbtrain|launch.sh|tail -c|flock' | "
                                      "grep -v grep; " + ("ls /root/.local/state/scaleboard/runs" if folders else ""),
                                check=False)
            return text
        try:
            wait_for(lambda: not left(), 20, "tidy")
        except AssertionError:
            self.fail(f"left on the nodes: {left()}")

    def talk(self, arguments, answers):
        """Runs the program at a terminal of its own; `answers`: (text to wait for after the last answer, what to
        type). Wait for the question itself: what is typed before it is shown and thrown away."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(self.cli, [self.cli, *arguments])
        seen = ""
        answered = 0
        processes = ""
        end = time.monotonic() + 40
        waiting = list(answers)
        while time.monotonic() < end:
            ready, _, _ = select.select([terminal], [], [], 0.2)
            if ready:
                try:
                    data = os.read(terminal, 4096)
                except OSError:
                    break
                if not data:
                    break
                seen += data.decode(errors="replace")
            if waiting and waiting[0][0] in seen[answered:]:
                answered = len(seen)
                os.write(terminal, (waiting.pop(0)[1] + "\n").encode())
                processes += subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        else:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        self.assertFalse(waiting, f"never asked: {waiting}; seen: {seen}")
        return os.waitstatus_to_exitcode(status), seen, processes
