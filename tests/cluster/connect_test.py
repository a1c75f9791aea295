#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting to real nodes in every way: users with other shells, passwords, jump hosts, limits of sshd; and a
study over 1, 2 and 4 of them. Usage, inside a test cluster of four nodes: connect_test.py SCALEBOARD_CLI"""

import json
import os
import re
import subprocess
import sys
import unittest

from cluster_case import CLUSTER, FOLDER, ClusterCase, on_node, wait_for


class Connect(ClusterCase):
    def test_login_shells_and_noise(self):
        noise = "echo noise; echo '@sb hostname wrong'; echo more >&2"
        for user, file in (("plain", ".profile"), ("cshuser", ".cshrc"), ("fishuser", ".config/fish/config.fish"),
                           ("boxuser", ".profile"), ("secret", ".bashrc"), ("o.dd-User_1", ".bashrc")):
            on_node(3, f"mkdir -p $(dirname /home/{user}/{file}); echo \"{noise}\" >/home/{user}/{file}; "
                       f"chown -R {user}: /home/{user} 2>/dev/null; :")
        users = [f"{user}@node3" for user in ("plain", "cshuser", "fishuser", "boxuser", "secret", "o.dd-User_1")]
        for node in self.probe(*users):
            self.assertEqual(node["facts"]["hostname"], "node3", node["name"])

    def test_user_names(self):
        for user in ("we$ird", "it's"):
            node, = self.probe(f"{user}@node3", check=False)
            self.assertFalse(node["ready"])
            self.assertIn(f"The user name {user} has a character", node["problem"]["message"])

    def test_further_probes_over_the_same_channel(self):
        users = [f"{user}@node3" for user in ("plain", "cshuser", "fishuser", "boxuser")]
        done = subprocess.run([self.cli, "probe", *users, "node2", "--again", "3", "--json", "--ssh-config",
                               f"{FOLDER}/ssh_config"], capture_output=True, text=True, timeout=90, check=True)
        self.assertEqual(len(re.findall(r"^[0-9.]+ ms$", done.stderr, re.M)), 4, done.stderr)
        first = self.probe(*users, "node2")
        for before, after in zip(first, json.loads(done.stdout)["nodes"]):
            for node in (before, after):
                for moving in ("clock_offset_s", "memory_free_bytes"):
                    node["facts"].pop(moving)
            self.assertEqual(before["facts"], after["facts"], "nothing is lost or doubled")
        wait_for(lambda: "0" == on_node(3, "pgrep -c -u 'plain,cshuser,fishuser,boxuser' || :").strip(), 10,
                 "the probes have gone with their sessions")

    def test_a_further_probe_sees_what_changed(self):
        probing = subprocess.Popen([self.cli, "probe", "node4", "--again", "5000", "--json", "--ssh-config",
                                    f"{FOLDER}/ssh_config"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.children.append(probing)
        probing.stderr.readline()
        on_node(4, "hostname renamed; ip addr add 10.77.99.4/24 dev eth0")
        try:
            facts = json.loads(probing.communicate(timeout=90)[0])["nodes"][0]["facts"]
        finally:
            on_node(4, "hostname node4; ip addr del 10.77.99.4/24 dev eth0")
        self.assertEqual(facts["hostname"], "renamed")
        self.assertIn("10.77.99.4", [address for one in facts["interfaces"] for address in one["addresses"]])

    def test_run_as_a_plain_user_in_odd_places(self):
        for node in (1, 4):
            odd = "/home/plain/o'd \\$(x) *é"
            self.another_sshd(node, 2300, f'SetEnv "XDG_STATE_HOME={odd}"')
        run = self.start(self.plan("quick"), "plain@node1:2300 plain@node4:2300", workspace="w s'$(x) ü",
                         config=f"{FOLDER}/ssh_config")
        self.finish(run)
        self.assertIn("o'd", on_node(1, "ls /home/plain"))

    def test_password_passphrase_and_questions(self):
        for node in (1, 2):  # 1 asks for a password, 2 by keyboard-interactive
            text = f"Host secret{node}\n  HostName node{node}\n  User secret\n  IdentityFile {FOLDER}/none\n" \
                   f"  UserKnownHostsFile {FOLDER}/known_hosts\n"
            with open(self.path(f"c{node}"), "w", encoding="utf-8") as file:
                file.write(text)
            status, seen, processes = self.talk(
                ["probe", f"secret{node}", "--ssh-config", self.path(f"c{node}")],
                [("assword", "wrong"), ("assword", "correct horse")])
            self.assertEqual(status, 0, seen)
            self.assertIn("not right", seen)
            self.assertNotIn("correct horse", seen + processes, "a secret must not be shown")
        with open(self.path("locked"), "w", encoding="utf-8") as file:
            file.write(f"Host *\n  User root\n  IdentityFile {FOLDER}/locked\n  IdentitiesOnly yes\n"
                       f"  UserKnownHostsFile {FOLDER}/known_hosts\n")
        status, seen, processes = self.talk(["probe", "node[1-3]", "--ssh-config", self.path("locked")],
                                            [("Passphrase of", "open sesame")])
        self.assertEqual(status, 0, seen)
        self.assertEqual(seen.count("Passphrase of"), 1, "one question for all nodes")
        self.assertNotIn("open sesame", seen + processes)

    def agent(self, *keys):
        """An ssh-agent with these keys of the cluster; gives the environment for it."""
        socket = self.path("agent")
        agent = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
        self.children.append(agent)
        wait_for(lambda: os.path.exists(socket), 10, "the agent")
        environment = dict(os.environ, SSH_AUTH_SOCK=socket, SSH_ASKPASS=self.path("ask"),
                           SSH_ASKPASS_REQUIRE="force")
        with open(self.path("ask"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 'open sesame'\n")
        os.chmod(self.path("ask"), 0o755)
        for key in keys:
            subprocess.run(["ssh-add", "-q", f"{FOLDER}/{key}"], env=environment, check=True, capture_output=True)
        return environment

    def sign_in_with(self, environment, text, ready=True):
        """The step of signing in, with an ssh_config of this text."""
        with open(self.path("agent_config"), "w", encoding="utf-8") as file:
            file.write(f"Host *\n  User root\n  UserKnownHostsFile {FOLDER}/known_hosts\n{text}")
        done = subprocess.run([self.cli, "probe", "node1", "--json", "--ssh-config", self.path("agent_config")],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
                              env=environment)
        node, = json.loads(done.stdout)["nodes"]
        self.assertEqual(node["ready"], ready, node.get("problem"))
        return [step for step in node["steps"] if step["step"] == "Sign in"][0]["found"]

    def test_agent(self):
        environment = self.agent("id")
        found = self.sign_in_with(environment, f"  IdentityFile {FOLDER}/none\n")
        self.assertIn("a key of the agent", found)
        self.sign_in_with(environment, f"  IdentityFile {FOLDER}/none\n  IdentityAgent none\n", ready=False)

    def test_agent_with_identities_only(self):
        # The key file is encrypted, but the agent has it: nobody is asked, and no other key is offered.
        environment = self.agent("id", "locked")
        found = self.sign_in_with(environment, f"  IdentityFile {FOLDER}/locked\n  IdentitiesOnly yes\n")
        self.assertIn("a key of the agent", found)
        locked = subprocess.run(["ssh-keygen", "-lf", f"{FOLDER}/locked.pub"], capture_output=True, text=True,
                                check=True).stdout.split()[1]
        with open(f"{FOLDER}/n1/sshd.log", encoding="utf-8") as file:
            accepted = [line for line in file if "Accepted publickey" in line]
        self.assertIn(locked, accepted[-1])
        # A key that no IdentityFile names is not used, even if the agent has it.
        self.sign_in_with(self.agent_with_only("id"), f"  IdentityFile {FOLDER}/locked\n  IdentitiesOnly yes\n",
                          ready=False)

    def agent_with_only(self, key):
        self.scratch = self.path("other")
        os.makedirs(self.scratch)
        return self.agent(key)

    def test_unknown_key_is_saved_when_the_user_says_so(self):
        with open(self.path("config"), "w", encoding="utf-8") as file:
            file.write(f"Host *\n  User root\n  IdentityFile {FOLDER}/id\n  UserKnownHostsFile {self.path('kh')}\n")
        arguments = ["probe", "node1", "--ssh-config", self.path("config")]
        status, seen, _ = self.talk(arguments, [("cancel (Enter)?", "")])
        self.assertEqual(status, 1, seen)
        self.assertFalse(os.path.exists(self.path("kh")))
        status, seen, _ = self.talk(arguments, [("cancel (Enter)?", "once")])
        self.assertEqual(status, 0, seen)
        self.assertFalse(os.path.exists(self.path("kh")))
        printed = subprocess.run(["ssh-keygen", "-lvf", f"{FOLDER}/n1/hk.pub"], capture_output=True, text=True,
                                 check=True).stdout.splitlines()
        self.assertIn(printed[0].split()[1], seen)
        for line in printed[2:-1]:  # the picture, without its frame
            self.assertIn(line, seen)
        status, seen, _ = self.talk(arguments, [("cancel (Enter)?", "save")])
        self.assertEqual(status, 0, seen)
        subprocess.run(["ssh", "-F", self.path("config"), "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes",
                        "node1", "true"], check=True)
        self.probe("node1", config=self.path("config"))

    def test_jump_hosts(self):
        config = self.config("Host deep\n  HostName node3\n  ProxyJump node1,node2\n"
                             "Host side\n  HostName node4\n  ProxyJump node1\n"
                             f"Host piped\n  HostName node4\n  ProxyCommand ssh -F {FOLDER}/ssh_config -W %h:%p node2\n")
        deep, side, piped = self.probe("deep", "side", "piped", config=config)
        self.assertEqual([deep["facts"]["hostname"], side["facts"]["hostname"], piped["facts"]["hostname"]],
                         ["node3", "node4", "node4"])
        keys = [step["hop"] for step in deep["steps"] if step["step"] == "Host key" and step["done"]]
        self.assertEqual(keys, ["root@node1", "root@node2", "root@deep"], "every hop is verified")
        with open(f"{FOLDER}/n2/sshd.log", encoding="utf-8") as file:
            self.assertIn("Accepted publickey for root", file.read())

    def test_jump_host_with_an_unknown_key_is_refused(self):
        config = self.config(f"Host node1\n  UserKnownHostsFile {self.path('empty')}\n"
                             "Host deep\n  HostName node3\n  ProxyJump node1\n")
        node, = self.probe("deep", config=config, check=False)
        self.assertFalse(node["ready"])
        self.assertIn("root@node1", node["problem"]["message"])

    def test_forty_names_of_one_server(self):  # MaxStartups 10:30:100 drops log-ins at random
        names = "".join(f"Host a{i}\n  HostName node1\n" for i in range(1, 41))
        self.assertEqual(len(self.probe("a[1-40]", config=self.config(names))), 40)

    def test_clock_off_by_an_hour(self):
        node, = self.probe("node2")
        self.assertLess(abs(node["facts"]["clock_offset_s"]), 1)
        late = self.programs_without("late", "date", "bash")  # bash tells the time without a program
        with open(f"{late}/date", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec /bin/date -d '+1 hour' \"$@\"\n")
        os.chmod(f"{late}/date", 0o755)
        node, = self.probe(f"node2:{self.another_sshd(2, 2400, f'SetEnv PATH={late}')}")
        self.assertAlmostEqual(node["facts"]["clock_offset_s"], 3600, delta=2)

    def test_zz_study_over_1_2_and_4_nodes(self):
        rates = ("free", "1gbit", "100mbit")
        for rate in rates:
            subprocess.run([CLUSTER, "rate", rate, "--dir", FOLDER], check=True)
            try:
                plan = self.plan("resnet20-cifar", nodes=(1, 2, 4) if rate == "free" else (1, 2), steps=10,
                                 framework="native", batch=8)
                self.finish(self.start(plan, "node[1-4]", workspace=rate))
            finally:
                subprocess.run([CLUSTER, "rate", "free", "--dir", FOLDER], check=True)
        self.assertIn("nodes meet in 10.77.0.0/16 over eth0", self.said())
        table = {rate: self.throughputs(rate) for rate in rates}
        print("images/s by nodes:", table)
        self.assertEqual(sorted(table["free"]), [1, 2, 4])
        # 1.1 MB of gradients a step: 100 Mbit/s adds some 90 ms to each.
        free = table["free"][2] / table["free"][1]
        slow = table["100mbit"][2] / table["100mbit"][1]
        self.assertLess(slow, 0.85 * free)

    def throughputs(self, rate):
        done = subprocess.run([self.cli, "results", "--workspace", self.path(rate)], capture_output=True, text=True,
                              check=True)
        table = {}
        for line in done.stdout.splitlines():
            found = re.match(r"Native \(sbtrain\)\s+(\d+)\s+\d+\s+([0-9.\u202f]+)", line)
            if found:
                table[int(found.group(1))] = float(found.group(2).replace("\u202f", ""))
        return table


if __name__ == "__main__":
    ClusterCase.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
