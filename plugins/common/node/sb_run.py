# SPDX-License-Identifier: Apache-2.0
"""What the training scripts of all frameworks share: options, synthetic data, events, exit status.

Stands beside a script on the node, or in plugins/common/node of a checkout. Needs Python 3.6 and NumPy. The
events and exit statuses are those of sbtrain (backend/EVENTS.md), so every framework's log reads alike.
"""

import argparse
import datetime
import json
import os
import platform
import socket
import sys
import time
import traceback

UNSUPPORTED, NO_RENDEZVOUS, PEER_LOST, OUT_OF_MEMORY, DIVERGED = 3, 4, 5, 6, 7

# name: (unit, layers, width, heads)
BERT = {"bert-base": (12, 768, 12), "bert-large": (24, 1024, 16), "bert-tiny": (2, 128, 2)}
VOCABULARY = 30522
MASKED = 20


class Refused(Exception):
    """One sentence for the user, with the exit status that fits."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def options(description, precisions, switches=()):
    """Parses the options that every script takes, and its own switches: names of on/off ones, or name to values,
    the first being the default."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--model", choices=["resnet50"] + sorted(BERT), default="resnet50")
    parser.add_argument("--precision", choices=precisions, default="fp32")
    parser.add_argument("--batch-size", type=int, default=8, help="samples a process and step")
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--threads", type=int, default=0, help="CPU threads a process; 0: the framework's choice")
    parser.add_argument("--data", default="synthetic", help="synthetic, or a folder of images in folders")
    parser.add_argument("--workers", type=int, default=4, help="processes or threads that load data")
    parser.add_argument("--image-size", type=int, default=224)
    parser.add_argument("--sequence-length", type=int, default=128)
    parser.add_argument("--label-smoothing", type=float, default=0.0)
    parser.add_argument("--clip-norm", type=float, default=None, help="0: none; default: none for images, 1 for BERT")
    parser.add_argument("--learning-rate", type=float, default=None)
    parser.add_argument("--seed", type=int, default=1)
    for name in switches:
        values = switches[name] if isinstance(switches, dict) else ["off", "on"]
        parser.add_argument("--" + name, choices=values, default=values[0])
    chosen = parser.parse_args()
    if min(chosen.batch_size, chosen.steps, chosen.image_size, chosen.sequence_length) < 1:
        parser.error("--batch-size, --steps, --image-size and --sequence-length must be at least 1")
    chosen.is_bert = chosen.model in BERT
    if chosen.clip_norm is None:
        chosen.clip_norm = 1.0 if chosen.is_bert else 0.0
    return chosen


def place():
    """This process among all, from the variables of the launcher: torch-like, then Open MPI, then Slurm."""
    def first(*names):
        for name in names:
            if os.environ.get(name, "") != "":
                return int(os.environ[name])
        return None

    rank = first("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
    world = first("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")
    local = first("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID")
    return rank or 0, world or 1, local or 0


class Synthetic:
    """One batch of random numbers, made once: what is measured is the framework, not the generator."""

    def __init__(self, chosen, rank, channels_last=False):
        import numpy
        random = numpy.random.RandomState(chosen.seed + rank)
        n = chosen.batch_size
        if chosen.is_bert:
            length = chosen.sequence_length
            masked = min(MASKED, length)
            self.tokens = random.randint(0, VOCABULARY, (n, length)).astype("int32")
            self.segments = numpy.zeros((n, length), "int32")
            self.segments[:, length // 2:] = 1
            self.positions = numpy.stack([numpy.sort(random.permutation(length)[:masked])
                                          for _ in range(n)]).astype("int32")
            self.masked = numpy.take_along_axis(self.tokens, self.positions, 1) if hasattr(
                numpy, "take_along_axis") else self.tokens[:, :masked]
            self.next = random.randint(0, 2, (n,)).astype("int32")
        else:
            size = chosen.image_size
            shape = (n, size, size, 3) if channels_last else (n, 3, size, size)
            self.images = random.standard_normal(shape).astype("float32")
            self.labels = random.randint(0, 1000, (n,)).astype("int32")


class Run:
    """The events of one process."""

    def __init__(self, program, version, chosen, world_place, path=""):
        self.chosen = chosen
        self.program, self.version, self.path = program, version, path
        self.rank, self.world, self.local = world_place
        self.began = time.monotonic()
        self.before = self.began
        self.done = 0

    def emit(self, event, **members):
        line = {"event": event}
        if self.rank:
            line["rank"] = self.rank
        for key, value in members.items():
            # JSON has no "not a number".
            line[key] = None if isinstance(value, float) and value - value != 0 else value
        sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
        sys.stdout.flush()

    def start(self, parameters, device_name=None, optimizer=None, gradient_bytes=None):
        c = self.chosen
        now = datetime.datetime.utcfromtimestamp(time.time()).isoformat(timespec="milliseconds") + "Z"
        self.emit("start", schema=1, time_utc=now, program=self.program, version=self.version, model=c.model,
                  device=c.device, device_name=device_name or processor(), path=self.path or self.program,
                  precision=c.precision, batch_size=c.batch_size, global_batch_size=c.batch_size * self.world,
                  world_size=self.world, local_rank=self.local, hostname=socket.gethostname(),
                  threads=c.threads, steps=c.steps, parameters=int(parameters),
                  gradient_bytes=int(gradient_bytes or 4 * parameters),
                  unit="sequences" if c.is_bert else "images",
                  optimizer=optimizer or ("adamw" if c.is_bert else "sgd"), data=c.data, seed=c.seed,
                  pid=os.getpid())

    def ready(self):
        self.before = time.monotonic()
        self.emit("ready", time_s=round(self.before - self.began, 6))

    def step(self, loss, data_ms=None):
        """The end of a step; `loss` is a number, so the device has finished it."""
        now = time.monotonic()
        self.done += 1
        members = {"step": self.done, "time_s": round(now - self.began, 6),
                   "step_ms": round((now - self.before) * 1000, 3), "loss": round(float(loss), 6),
                   "samples": self.chosen.batch_size * self.world}
        if data_ms is not None:
            members["data_ms"] = round(data_ms, 3)
        self.emit("step", **members)
        self.before = now
        if members["loss"] != members["loss"]:
            raise Refused(DIVERGED, "the loss is not a number after step %d: lower --learning-rate" % self.done)

    def end(self, peak_memory_bytes=None):
        self.emit("end", status="ok", steps=self.done, time_s=round(time.monotonic() - self.began, 6),
                  peak_memory_bytes=peak_memory_bytes or peak_resident_bytes())


def learning_rate(chosen, world):
    if chosen.learning_rate is not None:
        return chosen.learning_rate
    return 1e-4 if chosen.is_bert else 0.1 * chosen.batch_size * world / 256


def processor():
    try:
        with open("/proc/cpuinfo") as text:
            for line in text:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def peak_resident_bytes():
    import resource
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def fail(status, message):
    sys.stdout.write(json.dumps({"event": "error", "exit_code": status, "message": message}) + "\n")
    sys.stdout.flush()
    os._exit(status)  # other ranks may hold threads of this one for ever


def guarded(main):
    """Runs main(); an exception becomes an error event with the exit status that fits, its trace on stderr."""
    try:
        main()
    except Refused as refused:
        fail(refused.status, str(refused))
    except ImportError as missing:
        fail(UNSUPPORTED, "%s: install it in the environment of %s on this node" % (missing, sys.executable))
    except Exception as error:  # a framework's own exceptions share no base
        traceback.print_exc()
        text = str(error).strip().split("\n")[0] or type(error).__name__
        lower = (type(error).__name__ + " " + str(error)).lower()
        if isinstance(error, MemoryError) or "out of memory" in lower or "resourceexhausted" in lower \
                or "resource_exhausted" in lower or "can't allocate memory" in lower:
            fail(OUT_OF_MEMORY, "out of memory: " + text)
        if "connection reset" in lower or "connection closed by peer" in lower:
            fail(PEER_LOST, text)
        if "timed out" in lower or "timeout" in lower or "connection refused" in lower:
            fail(NO_RENDEZVOUS, text)
        fail(1, "%s: %s" % (type(error).__name__, text))
