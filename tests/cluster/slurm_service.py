# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Slurm over the nodes of a test cluster: munged and slurmctld in the controller's network, a slurmd in
each node. Everything lives in FOLDER/slurm."""

import os
import shutil
import signal
import subprocess

from cluster_case import CLUSTER, FOLDER, on_node, wait_for

HOME = f"{FOLDER}/slurm"
LOGIN_PORT = 2600
LOGIN = f"node3:{LOGIN_PORT}"
MUNGE = "/usr/sbin/munged"
NEEDED = (MUNGE, "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "squeue", "scancel")
CONF = """ClusterName=t
SlurmctldHost=ctl(10.77.0.254)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={home}/munge/sock
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool-%n
SlurmctldPidFile={home}/ctld.pid
SlurmdPidFile={home}/slurmd-%n.pid
SlurmctldLogFile={home}/ctld.log
SlurmdLogFile={home}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MpiDefault=none
SchedulerParameters=sched_interval=1,bf_interval=1
GresTypes=gpu
NodeName=node[1-{nodes}] NodeAddr=10.77.0.[1-{nodes}] CPUs=2 RealMemory=1000 Gres=gpu:2 State=UNKNOWN
PartitionName=main Nodes=node[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=side Nodes=node3 MaxTime=INFINITE State=UP
"""


def missing():
    """The first program that is not there, or None."""
    for program in NEEDED:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            return program
    return None


class Slurm:
    def __init__(self, nodes):
        self.nodes = range(1, nodes + 1)
        self.environment = dict(os.environ, SLURM_CONF=f"{HOME}/slurm.conf",
                                PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
        self.services = []

    def up(self):
        for folder in ("munge", "state", "gpus", *(f"spool-node{node}" for node in self.nodes)):
            os.makedirs(f"{HOME}/{folder}")
        os.chmod(f"{HOME}/munge", 0o755)
        with open(f"{HOME}/munge/key", "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(f"{HOME}/munge/key", 0o600)
        with open(f"{HOME}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONF.format(home=HOME, nodes=len(self.nodes)))
        with open(f"{HOME}/cgroup.conf", "w", encoding="utf-8") as file:
            file.write("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        for number in range(2):  # plain files stand for GPUs: Slurm counts them, nothing opens them
            with open(f"{HOME}/gpus/nvidia{number}", "w", encoding="utf-8"):
                pass
        with open(f"{HOME}/gres.conf", "w", encoding="utf-8") as file:
            file.write(f"Name=gpu File={HOME}/gpus/nvidia[0-1]\n")
        munge = f"{HOME}/munge"
        # As root with a key of our own in a folder of ours: --force, or it wants its own user's folders.
        subprocess.run([MUNGE, "--force", f"--key-file={munge}/key", f"--socket={munge}/sock",
                        f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed"],
                       check=True)
        self._control()
        for node in self.nodes:
            self._serve([CLUSTER, "exec", str(node), "--dir", FOLDER, "--", "env", f"SLURM_CONF={HOME}/slurm.conf",
                         "slurmd", "-D", "-N", f"node{node}"])
        self.wait_idle()

    def _serve(self, command):
        with open(f"{HOME}/services.log", "a", encoding="utf-8") as log:
            self.services.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                  env=self.environment, start_new_session=True))

    def _control(self, *options):
        self._serve(["unshare", "--uts", "sh", "-c", "hostname ctl; exec slurmctld -D " + " ".join(options)])

    def resume(self, node):
        self.ask("scontrol", "update", f"nodename=node{node}", "state=resume", check=False)

    def forget(self):
        """Another controller that knows of no job."""
        controller = self.services.pop(0)
        self.ask("scontrol", "shutdown", "slurmctld")
        controller.wait(20)
        self._control("-c")
        self.services.insert(0, self.services.pop())
        self.wait_idle()

    def ask(self, *command, check=True):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=check).stdout

    def wait_idle(self):
        wait_for(lambda: self.ask("sinfo", "-h", "-N", "-o", "%T", check=False).split() == ["idle"] * len(self.nodes), 30,
                 "all nodes idle")

    def queue(self, partition="main"):
        return self.ask("squeue", "-h", "-p", partition, "-o", "%i %T").split("\n")[:-1]

    def down(self):
        subprocess.run(["scontrol", "shutdown"], env=self.environment, capture_output=True, check=False)
        for service in self.services:
            try:
                service.wait(10)
            except subprocess.TimeoutExpired:
                service.kill()
                service.wait()
        try:
            with open(f"{HOME}/munge/pid", encoding="utf-8") as file:
                os.kill(int(file.read()), signal.SIGTERM)
        except (OSError, ValueError):
            pass


def running_on(node):
    return on_node(node, "pgrep -cf '[b]ash .*sb-test-steps'", check=False).strip()


class WithSlurm:
    """For a ClusterCase of three nodes: Slurm while its tests run, and a login at LOGIN that reaches it."""

    slurm = None

    @classmethod
    def setUpClass(cls):
        cls.slurm = Slurm(3)
        cls.slurm.up()

    @classmethod
    def tearDownClass(cls):
        cls.slurm.down()

    def setUp(self):
        super().setUp()
        if not os.path.exists(f"{FOLDER}/n3/sshd_{LOGIN_PORT}"):
            self.another_sshd(3, LOGIN_PORT, f"SetEnv SLURM_CONF={HOME}/slurm.conf")
