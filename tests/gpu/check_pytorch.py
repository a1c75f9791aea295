#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sbtrain on the GPU against PyTorch with the same weights and samples.

gradients  loss and gradient of the first step. The yardstick is PyTorch in float64; how far PyTorch's own
           float32 and autocast are from it is printed beside. Deep networks of ReLUs and batch norms with fresh
           weights amplify rounding: there a limit alone says nothing, and being as exact as PyTorch does.
curves     200 steps of training: loss beside PyTorch's, step by step. The yardstick is again float64: a network
           whose loss rises at first goes its own way in every precision, PyTorch's, too.
digits     the 8x8 digits of scikit-learn as files of CIFAR-10's kind: accuracy on those not trained on.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "backend")
HALF = {"fp16": "float16", "bf16": "bfloat16"}
# Relative error in norm that is fine whatever PyTorch's is, and how many times PyTorch's is fine, too: in float32 a
# single ReLU that flips moves the gradient of a small network by 1e-3, and each program flips others.
LIMITS = {"fp32": 1e-4, "tf32": 2e-3, "fp16": 2e-2, "bf16": 2e-2}
TIMES_PYTORCH = 4.0


class Model:
    """One of sbtrain's models in PyTorch, in the order of its parameters, with its made-up samples."""

    def __init__(self, fx, name, batch, size):
        self.fx, self.name, self.batch, self.size = fx, name, batch, size
        self.images = name.startswith("resnet")
        self.classes = 10 if name.endswith("cifar") else 1000 if self.images else 30522
        self.p = fx.Parameters(1)
        if name == "resnet50":
            self.net = fx.ResNet(self.p, 7, (3, 4, 6, 3), 4, 1000, 0.1)
        elif self.images:
            self.net = fx.ResNet(self.p, 3, (3, 3, 3), 1, 10, 0.1)
        else:
            layers, width, heads = (2, 128, 2) if name == "bert-tiny" else (12, 768, 12)
            self.net = fx.Bert(self.p, layers, width, heads, size)
        for entry in self.p.entries:
            if entry[0].endswith(".conv3.bn.gamma"):
                entry[1].data.fill_(1.0)  # the fixtures start elsewhere
        self.start = [entry[1].detach().clone() for entry in self.p.entries]

    def samples(self, step):
        if self.images:
            return self.fx.image_batch(1, step * self.batch, self.batch, self.size, self.classes)
        return self.fx.sequence_batch(1, step * self.batch, self.batch, self.size, self.classes,
                                      [self.size] * self.batch)

    def reset(self, dtype):
        for entry, start in zip(self.p.entries, self.start):
            entry[1].data = start.to(dtype, copy=True)  # training changes it in place
            entry[1].grad = None

    def arguments(self):
        sizes = ["--image-size", self.size] if self.images else ["--sequence-length", self.size, "--dropout", 0]
        smoothing = ["--label-smoothing", 0.1] if self.images else []
        return ["--model", self.name, "--batch-size", self.batch, "--seed", 1] + sizes + smoothing


def run_sbtrain(program, arguments):
    command = [program, "--device", "cuda"] + [str(a) for a in arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    for event in events:
        if event["event"] == "error":
            raise RuntimeError(event["message"])
    return [e["loss"] for e in events if e["event"] == "step"]


def read_parameters(path, model, torch, np):
    flat = torch.tensor(np.fromfile(path, "<f4").astype("f8"))
    out, at = [], 0
    for start in model.start:
        out.append(flat[at:at + start.numel()].view(start.shape))
        at += start.numel()
    assert at == flat.numel()
    return out


def errors(got, wanted):
    """Of all together, and the largest of one that is not tiny beside the others."""
    largest = max(float(w.norm()) for w in wanted)
    total = sum(float((g - w).norm()) ** 2 for g, w in zip(got, wanted)) ** 0.5
    norm = sum(float(w.norm()) ** 2 for w in wanted) ** 0.5
    worst = max(float((g - w).norm()) / max(float(w.norm()), 1e-3 * largest) for g, w in zip(got, wanted))
    return total / norm, worst


def torch_gradients(torch, model, batch, dtype, half=None, tf32=False):
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
    model.reset(dtype)
    cast = {k: v.to(dtype) if v.is_floating_point() else v for k, v in batch.items()}
    scale = 4096.0 if half == "float16" else 1.0
    with torch.autocast("cuda", dtype=getattr(torch, half or "float16"), enabled=half is not None):
        loss = model.net.loss(cast)
    (loss * scale).backward()
    return float(loss), [entry[1].grad.double() / scale for entry in model.p.entries]


def check_gradients(program, torch, np, fx, folder, models):
    failures = 0
    for name, batch_size, size in (("resnet20-cifar", 32, 32), ("resnet50", 16, 128), ("bert-tiny", 8, 128),
                                   ("bert-base", 8, 128)):
        if not re.search(models, name):
            continue
        model = Model(fx, name, batch_size, size)
        batch = model.samples(0)
        true_loss, true = torch_gradients(torch, model, batch, torch.float64)
        for precision, limit in LIMITS.items():
            own_loss, own = torch_gradients(torch, model, batch, torch.float32, HALF.get(precision), precision == "tf32")
            path = os.path.join(folder, "parameters")
            # A rate that is a power of two and large: the step shows the gradient without rounding it.
            arguments = ["--optimizer", "sgd", "--learning-rate", 1024, "--momentum", 0, "--weight-decay", 0,
                         "--clip-norm", 0, "--steps", 1, "--save", path, "--precision", precision]
            loss = run_sbtrain(program, model.arguments() + arguments)[0]
            after = read_parameters(path, model, torch, np)
            got = [(start - end) / 1024 for start, end in zip(model.start, after)]
            all_own, worst_own = errors(own, true)
            all_got, worst_got = errors(got, true)
            loss_error = abs(loss - true_loss) / true_loss
            good = all_got <= max(limit, TIMES_PYTORCH * all_own) and loss_error <= max(
                limit, TIMES_PYTORCH * abs(own_loss - true_loss) / true_loss)
            failures += not good
            print(f"{'ok  ' if good else 'FAIL'} gradient {name} {precision}: sbtrain {all_got:.1e} (worst "
                  f"{worst_got:.1e}), PyTorch {all_own:.1e} (worst {worst_own:.1e}); loss {loss:.6f}, off by "
                  f"{loss_error:.1e}, PyTorch's by {abs(own_loss - true_loss) / true_loss:.1e}", flush=True)
    return failures


STEPS = 200


def torch_curve(torch, fx, model, batches, dtype, half=None, tf32=False):
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
    model.reset(dtype)
    if model.images:
        optimizer = torch.optim.SGD(fx.groups(model.p, 1e-4), lr=0.1 * model.batch / 256, momentum=0.9)
    else:
        optimizer = torch.optim.AdamW(fx.groups(model.p, 0.01), lr=1e-4, eps=1e-6)
    scaler = torch.amp.GradScaler("cuda", enabled=half == "float16")
    losses = []
    for batch in batches:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=getattr(torch, half or "float16"), enabled=half is not None):
            loss = model.net.loss({k: v.to(dtype) if v.is_floating_point() else v for k, v in batch.items()})
        scaler.scale(loss).backward()
        if not model.images:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_([entry[1] for entry in model.p.entries], 1.0)
        scaler.step(optimizer)
        scaler.update()
        losses.append(float(loss.detach()))
    return losses


def distances(np, curve, wanted):
    """Of the means of the last 50 losses, and the largest of the first ten, as parts of the wanted."""
    curve, wanted = np.array(curve), np.array(wanted)
    gap = abs(curve[-50:].mean() - wanted[-50:].mean()) / wanted[-50:].mean()
    return gap, np.abs(curve[:10] - wanted[:10]).max() / wanted[0]


def check_curves(program, torch, np, fx, out, models):
    failures = 0
    for name, batch_size, size in (("resnet20-cifar", 64, 32), ("resnet50", 32, 64), ("bert-tiny", 32, 128),
                                   ("bert-base", 16, 128)):
        if not re.search(models, name):
            continue
        model = Model(fx, name, batch_size, size)
        batches = [model.samples(step) for step in range(STEPS)]
        wanted = torch_curve(torch, fx, model, batches, torch.float64)
        curves = {"pytorch fp64": wanted}
        for precision in LIMITS:
            own = torch_curve(torch, fx, model, batches, torch.float32, HALF.get(precision), precision == "tf32")
            got = run_sbtrain(program, model.arguments() + ["--steps", STEPS, "--precision", precision])
            curves.update({"pytorch " + precision: own, "sbtrain " + precision: got})
            own_gap, own_early = distances(np, own, wanted)
            gap, early = distances(np, got, wanted)
            good = gap <= 0.05 and early <= max(0.02, TIMES_PYTORCH * own_early)
            failures += not good
            print(f"{'ok  ' if good else 'FAIL'} curve {name} {precision}: mean of the last 50 off by {100 * gap:.2f} % "
                  f"(PyTorch {100 * own_gap:.2f}), of the first 10 at most {100 * early:.2f} % (PyTorch "
                  f"{100 * own_early:.2f})", flush=True)
        for kind, curve in curves.items():
            print(f"     {kind}: " + ", ".join(f"{curve[i - 1]:.4f}" for i in (1, 10, 50, 100, 150, 200)), flush=True)
        if out:
            with open(os.path.join(out, f"curve_{name}.csv"), "w", encoding="ascii") as file:
                file.write("step," + ",".join(curves) + "\n")
                for i in range(STEPS):
                    file.write(f"{i + 1}," + ",".join(f"{curve[i]:.6g}" for curve in curves.values()) + "\n")
    return failures


def check_digits(program, torch, np, fx, folder):
    from sklearn.datasets import load_digits

    digits = load_digits()
    pictures = np.repeat(np.repeat((digits.images * 255 / 16).astype("u1"), 4, 1), 4, 2)
    order = np.random.default_rng(1).permutation(len(pictures))
    test, train = order[:360], order[360:]
    records = [bytes([digits.target[i]]) + pictures[i].tobytes() * 3 for i in train]
    with open(os.path.join(folder, "data_batch_1.bin"), "wb") as file:
        file.write(b"".join(records))
    model = Model(fx, "resnet20-cifar", 128, 32)
    mean = torch.tensor([0.4914, 0.4822, 0.4465])[:, None, None]
    deviation = torch.tensor([0.2470, 0.2435, 0.2616])[:, None, None]
    images = (torch.tensor(pictures[test].astype("f4") / 255)[:, None].expand(-1, 3, -1, -1) - mean) / deviation
    failures = 0
    for precision in LIMITS:
        path = os.path.join(folder, "parameters")
        arguments = ["--model", "resnet20-cifar", "--batch-size", 128, "--steps", 400, "--learning-rate", 0.05,
                     "--data", "cifar10:" + folder, "--precision", precision, "--save", path]
        losses = run_sbtrain(program, arguments)
        for entry, values in zip(model.p.entries, read_parameters(path, model, torch, np)):
            entry[1].data = values.float()
        x = model.net.stem(images)  # batch norms use the test images' own statistics
        for convs, shortcut, last in model.net.blocks:
            y = x
            for conv in convs:
                y = conv(y)
            x = last(y, residual=shortcut(x, relu=False) if shortcut else x)
        guesses = (x.mean((2, 3)) @ model.net.weight.T + model.net.bias).argmax(1).cpu().numpy()
        accuracy = float((guesses == digits.target[test]).mean())
        good = accuracy > 0.97
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} digits {precision}: {100 * accuracy:.1f} % of {len(test)} right, loss "
              f"{losses[0]:.3f} -> {losses[-1]:.4f}", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sbtrain", required=True, help="the program")
    parser.add_argument("--only", choices=("gradients", "curves", "digits"))
    parser.add_argument("--models", default="", help="gradients and curves of models that match this regular expression")
    parser.add_argument("--out", default="", help="folder for the curves as CSV")
    arguments = parser.parse_args()
    try:
        import numpy as np
        import torch
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    if not torch.cuda.is_available():
        print("skipped: PyTorch sees no CUDA device")
        return 77
    sys.path.insert(0, FIXTURES)
    import make_fixtures as fx

    np.seterr(over="ignore")  # hashes wrap around on purpose
    torch.set_default_device("cuda")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        if arguments.only in (None, "gradients"):
            failures += check_gradients(arguments.sbtrain, torch, np, fx, folder, arguments.models)
        if arguments.only in (None, "digits"):
            failures += check_digits(arguments.sbtrain, torch, np, fx, folder)
        if arguments.only in (None, "curves"):
            failures += check_curves(arguments.sbtrain, torch, np, fx, arguments.out, arguments.models)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
