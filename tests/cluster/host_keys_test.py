#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the real ssh and scaleboard-cli the same questions about known_hosts files and compares the verdicts.

Usage, inside a test cluster of one node: host_keys_test.py SCALEBOARD_CLI
ssh runs with StrictHostKeyChecking=yes and BatchMode: it connects or it does not."""

import json
import os
import shutil
import subprocess
import sys
import unittest

CLI = ""
FOLDER = os.environ.get("CLUSTER_DIR", "")
NODE = f"{FOLDER}/n1"


def key_of(kind):
    with open(f"{NODE}/hk_{kind}.pub", encoding="utf-8") as file:
        return " ".join(file.read().split()[:2])


def other_key(kind):
    path = f"{FOLDER}/other_{kind}"
    if not os.path.exists(path):
        subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", path], check=True)
    with open(path + ".pub", encoding="utf-8") as file:
        return " ".join(file.read().split()[:2])


def hashed(line):
    path = f"{FOLDER}/to_hash"
    with open(path, "w", encoding="utf-8") as file:
        file.write(line + "\n")
    subprocess.run(["ssh-keygen", "-q", "-H", "-f", path], check=True, capture_output=True)
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


class HostKeys(unittest.TestCase):
    questions = 0

    @classmethod
    def setUpClass(cls):
        for kind in ("ed25519", "ecdsa", "rsa"):
            subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", f"{NODE}/hk_{kind}"], check=True)
        # An authority's certificate, for the server that has one.
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{FOLDER}/ca"], check=True)
        shutil.copy(f"{NODE}/hk_ed25519", f"{NODE}/hk_cert")
        shutil.copy(f"{NODE}/hk_ed25519.pub", f"{NODE}/hk_cert.pub")
        subprocess.run(["ssh-keygen", "-q", "-s", f"{FOLDER}/ca", "-h", "-I", "node1", "-n", "node1",
                        f"{NODE}/hk_cert.pub"], check=True)
        with open(f"{NODE}/sshd_config", encoding="utf-8") as file:
            base = "".join(line for line in file if not line.startswith(("HostKey", "ListenAddress", "PidFile")))
        cls.servers = {2201: ["ed25519"], 2202: ["ecdsa"], 2203: ["rsa"], 2204: ["ed25519", "ecdsa", "rsa"]}
        ports = {**cls.servers, 24: ["ed25519"]}
        for port, kinds in ports.items():
            keys = "".join(f"HostKey {NODE}/hk_{kind}\n" for kind in kinds)
            if port == 24:
                keys += f"HostCertificate {NODE}/hk_cert-cert.pub\n"
            with open(f"{NODE}/sshd_{port}", "w", encoding="utf-8") as file:
                file.write(f"Port {port}\nListenAddress 10.77.0.1\nPidFile none\nMaxStartups 100\n{keys}{base}")
            subprocess.run([os.environ["CLUSTER"], "exec", "1", "--dir", FOLDER, "--", "/usr/sbin/sshd", "-f",
                            f"{NODE}/sshd_{port}"], check=True)

    def ask(self, known, host="node1", port=2201, extra="", expected=None, same=True):
        """Both verdicts on one known_hosts text. `expected`: what both must say; `same`: they must agree."""
        type(self).questions += 1
        with open(f"{FOLDER}/kh", "w", encoding="utf-8") as file:
            file.write(known)
        with open(f"{FOLDER}/kh_config", "w", encoding="utf-8") as file:
            file.write(f"Host *\n  User root\n  Port {port}\n  IdentityFile {FOLDER}/id\n  IdentitiesOnly yes\n"
                       f"  UserKnownHostsFile {FOLDER}/kh {FOLDER}/kh2\n  GlobalKnownHostsFile /dev/null\n"
                       f"{extra}")
        theirs = subprocess.run(["ssh", "-F", f"{FOLDER}/kh_config", "-o", "StrictHostKeyChecking=yes", "-o",
                                 "BatchMode=yes", "-o", "UpdateHostKeys=no", host, "true"], capture_output=True,
                                text=True, timeout=30)
        ours = subprocess.run([CLI, "probe", host, "--json", "--ssh-config", f"{FOLDER}/kh_config"],
                              capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
        node = json.loads(ours.stdout)["nodes"][0]
        accepted = any(step["step"] == "Host key" and step["done"] for step in node["steps"])
        if same:
            self.assertEqual(accepted, theirs.returncode == 0, f"ssh: {theirs.stderr}\nours: {node.get('problem')}")
        if expected is not None:
            self.assertEqual(accepted, expected, node.get("problem"))
        message = node.get("problem", {}).get("message", "")
        kind = ("known" if accepted else "revoked" if "revoked" in message else "changed" if "changed" in message
                else "authority" if "certificates" in message else "unknown" if "not known" in message else message)
        if same and not accepted and "REMOTE HOST IDENTIFICATION HAS CHANGED" in theirs.stderr:
            self.assertEqual(kind, "changed", theirs.stderr)
        if same and "REVOKED HOST KEY" in theirs.stderr:
            self.assertEqual(kind, "revoked", theirs.stderr)
        return kind, message

    def test_same_verdicts(self):
        ed, ec, rsa = key_of("ed25519"), key_of("ecdsa"), key_of("rsa")
        wrong = other_key("ed25519")
        name = "[node1]:2201"
        cases = {
            "nothing on file": ("", {}),
            "the right key": (f"{name} {ed}\n", {}),
            "a wrong key": (f"{name} {wrong}\n", {}),
            "right after wrong": (f"{name} {wrong}\n{name} {ed}\n", {}),
            "hashed": (hashed(f"{name} {ed}") + "\n", {}),
            "hashed, wrong": (hashed(f"{name} {wrong}") + "\n", {}),
            "hashed, another host": (hashed(f"[node2]:2201 {ed}") + "\n", {}),
            "bare name on another port": (f"node1 {ed}\n", {}),
            "bare name, wrong key": (f"node1 {wrong}\n", {}),
            "bare right, port wrong": (f"node1 {ed}\n{name} {wrong}\n", {}),
            "revoked": (f"@revoked {name} {ed}\n", {}),
            "revoked and on file": (f"{name} {ed}\n@revoked {name} {ed}\n", {}),
            "revoked for all": (f"@revoked * {ed}\n{name} {ed}\n", {}),
            "another key revoked": (f"@revoked * {wrong}\n{name} {ed}\n", {}),
            "revoked under the bare name": (f"@revoked node1 {ed}\n{name} {ed}\n", {}),
            "revoked bare, bare on file": (f"@revoked node1 {ed}\nnode1 {ed}\n", {}),
            "wildcard": (f"[node*]:2201 {ed}\n", {}),
            "question mark": (f"[node?]:2201 {ed}\n", {}),
            "wildcard, wrong": (f"[node*]:2201 {wrong}\n", {}),
            "excluded": (f"!{name},[node*]:2201 {ed}\n", {}),
            "another excluded": (f"![node2]:2201,[node*]:2201 {ed}\n", {}),
            "list of names": (f"other,{name} {ed}\n", {}),
            "upper case": (f"[NODE1]:2201 {ed}\n", {}),
            "host typed in upper case": (f"{name} {ed}\n", {"host": "NODE1"}),
            "comment and blank lines": (f"# c\n\n   \n{name} {ed} me@here\n", {}),
            "indented": (f"  {name}\t{ed}\n", {}),
            "unknown marker": (f"@trusted {name} {ed}\n", {}),
            "damaged key": (f"{name} ssh-ed25519 AAAAC3Nz\n", {}),
            "type does not fit": (f"{name} ssh-rsa {ed.split()[1]}\n", {}),
            "other type on file": (f"{name} {other_key('rsa')}\n", {}),
            "ecdsa server, ed25519 on file": (f"[node1]:2202 {wrong}\n", {"port": 2202}),
            "ecdsa": (f"[node1]:2202 {ec}\n", {"port": 2202}),
            "rsa": (f"[node1]:2203 {rsa}\n", {"port": 2203}),
            "rsa, wrong": (f"[node1]:2203 {other_key('rsa')}\n", {"port": 2203}),
            "three keys, rsa on file": (f"[node1]:2204 {rsa}\n", {"port": 2204}),
            "three keys, ecdsa on file": (f"[node1]:2204 {ec}\n", {"port": 2204}),
            "three keys, wrong ed25519 and right rsa": (f"[node1]:2204 {wrong}\n[node1]:2204 {rsa}\n",
                                                        {"port": 2204}),
            "HostKeyAlias": (f"farm {ed}\n", {"extra": "  HostKeyAlias farm\n"}),
            "HostKeyAlias, name on file": (f"{name} {ed}\n", {"extra": "  HostKeyAlias farm\n"}),
            "HostName": (f"{name} {ed}\n", {"host": "alias", "extra": "  HostName node1\n"}),
            "HostName, alias on file": (f"[alias]:2201 {ed}\n", {"host": "alias", "extra": "  HostName node1\n"}),
            "authority without certificate": (f"@cert-authority {name} {wrong}\n", {}),
            "authority and key": (f"@cert-authority {name} {wrong}\n{name} {ed}\n", {}),
        }
        for title, (known, options) in cases.items():
            with self.subTest(title):
                self.ask(known, **options)

    def test_default_port(self):
        with open(f"{NODE}/hk.pub", encoding="utf-8") as file:
            key = " ".join(file.read().split()[:2])
        for title, known in {"right": f"node1 {key}\n", "with port": f"[node1]:22 {key}\n",
                             "wrong": f"node1 {other_key('ed25519')}\n", "hashed": hashed(f"node1 {key}") + "\n",
                             "second file": ""}.items():
            with self.subTest(title):
                with open(f"{FOLDER}/kh2", "w", encoding="utf-8") as file:
                    file.write(f"node1 {key}\n" if title == "second file" else "")
                self.ask(known, port=22)
        os.remove(f"{FOLDER}/kh2")

    def test_a_certificate_alone_is_refused(self):
        # ssh verifies the certificate and connects; we cannot, and say so instead of trusting the bare key.
        with open(f"{FOLDER}/ca.pub", encoding="utf-8") as file:
            authority = " ".join(file.read().split()[:2])
        kind, message = self.ask(f"@cert-authority * {authority}\n", port=24, same=False, expected=False)
        self.assertEqual(kind, "authority")
        self.assertIn("certificates only", message)

    def test_a_changed_key_names_both_and_the_line(self):
        wrong = other_key("ed25519")
        kind, message = self.ask(f"# first\n[node1]:2201 {wrong}\n", expected=False)
        self.assertEqual(kind, "changed")
        self.assertIn(f"line 2 of {FOLDER}/kh", message)
        for path in (f"{NODE}/hk_ed25519.pub", f"{FOLDER}/other_ed25519.pub"):
            printed = subprocess.run(["ssh-keygen", "-lf", path], capture_output=True, text=True, check=True).stdout
            self.assertIn(printed.split()[1], message)

    def test_no_option_turns_the_check_off(self):
        for extra in ("  StrictHostKeyChecking no\n", "  StrictHostKeyChecking accept-new\n"):
            kind, _ = self.ask("", extra=extra, same=False, expected=False)
            self.assertEqual(kind, "unknown")
        with open(f"{FOLDER}/kh", encoding="utf-8") as file:
            self.assertEqual(file.read(), "", "nothing may be saved without being asked")

    def test_a_revocation_list_is_not_passed_over(self):
        kind, message = self.ask("", extra=f"  RevokedHostKeys {FOLDER}/none\n", same=False, expected=False)
        self.assertIn("RevokedHostKeys is not supported", message, kind)

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.questions} questions asked")


if __name__ == "__main__":
    CLI = sys.argv.pop(1)
    unittest.main()
