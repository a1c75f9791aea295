#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the same models with PyTorch (eager, torch.compile) and sbtrain in turn on one card, and prints one table.

With --gpus N: torch.compile under DistributedDataParallel and sbtrain on 1, 2, 4 .. N cards of this host.

Same work: model, batch, precision, optimizer, clipping, masked positions, one fixed made-up batch on the
device. Same method: 20 steps to warm up, then the median of five blocks of 20 steps, by CUDA events (PyTorch)
or by the device's time stamps (sbtrain).
"""

import argparse
import json
import math
import os
import re
import socket
import statistics
import subprocess
import sys
import time

START = time.monotonic()
WARM, BLOCKS, BLOCK = 20, 5, 20

# model, precision, batch, what sbtrain must reach in units of torch.compile
ROWS = [
    ("resnet50", "fp16", 256, 1.40),
    ("resnet50", "bf16", 256, 1.35),
    ("bert-base", "bf16", 160, 1.35),
    ("bert-base", "fp16", 160, 1.35),
    ("bert-base", "bf16", 64, 2.0),
    ("resnet50", "tf32", 128, 1.3),
    ("bert-base", "tf32", 32, 1.3),
    ("bert-base", "fp32", 32, 1.1),
    ("resnet50", "fp32", 128, 1.3),
]

# The same for several cards: what efficiency sbtrain must reach.
GPU_ROWS = [
    ("resnet50", "fp16", 256, 0.97),
    ("resnet50", "bf16", 256, 0.97),
    ("bert-base", "bf16", 160, 0.95),
]


def make_bert(torch):
    nn, F = torch.nn, torch.nn.functional

    class Layer(nn.Module):
        def __init__(self, c, heads, p):
            super().__init__()
            self.heads, self.p = heads, p
            self.qkv, self.proj = nn.Linear(c, 3 * c), nn.Linear(c, c)
            self.inner, self.outer = nn.Linear(c, 4 * c), nn.Linear(4 * c, c)
            self.norm1, self.norm2 = nn.LayerNorm(c, 1e-12), nn.LayerNorm(c, 1e-12)
            self.drop = nn.Dropout(p)

        def forward(self, x):
            n, t, c = x.shape
            q, k, v = self.qkv(x).view(n, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.p)
            y = self.proj(y.transpose(1, 2).reshape(n, t, c))
            x = self.norm1(x + self.drop(y))
            return self.norm2(x + self.drop(self.outer(F.gelu(self.inner(x), approximate="tanh"))))

    class Bert(nn.Module):
        def __init__(self, vocabulary=30522, c=768, layers=12, heads=12, p=0.1):
            super().__init__()
            self.token = nn.Embedding(vocabulary, c)
            self.position, self.segment = nn.Embedding(512, c), nn.Embedding(2, c)
            self.norm, self.drop = nn.LayerNorm(c, 1e-12), nn.Dropout(p)
            self.layers = nn.ModuleList(Layer(c, heads, p) for _ in range(layers))
            self.dense, self.dense_norm = nn.Linear(c, c), nn.LayerNorm(c, 1e-12)
            self.bias = nn.Parameter(torch.zeros(vocabulary))
            self.pooler, self.classifier = nn.Linear(c, c), nn.Linear(c, 2)
            for parameter in self.parameters():
                if parameter.dim() > 1:
                    nn.init.normal_(parameter, std=0.02)

        def forward(self, tokens, segments, positions, labels, following):
            n, t = tokens.shape
            places = torch.arange(t, device=tokens.device)
            x = self.drop(self.norm(self.token(tokens) + self.position(places) + self.segment(segments)))
            for layer in self.layers:
                x = layer(x)
            masked = x.gather(1, positions.unsqueeze(-1).expand(-1, -1, x.shape[2])).reshape(-1, x.shape[2])
            masked = self.dense_norm(F.gelu(self.dense(masked), approximate="tanh"))
            logits = F.linear(masked, self.token.weight, self.bias)
            loss = F.cross_entropy(logits, labels.view(-1))
            return loss + F.cross_entropy(self.classifier(torch.tanh(self.pooler(x[:, 0]))), following)

    return Bert()


def make_inputs(torch, model, batch, channels_last):
    g = torch.Generator(device="cuda").manual_seed(1)
    if model == "resnet50":
        images = torch.randn(batch, 3, 224, 224, device="cuda", generator=g)
        if channels_last:
            images = images.contiguous(memory_format=torch.channels_last)
        return images, torch.randint(1000, (batch,), device="cuda", generator=g)
    tokens = torch.randint(30522, (batch, 128), device="cuda", generator=g)
    segments = (torch.arange(128, device="cuda") >= 64).long().expand(batch, -1).contiguous()
    positions = torch.rand(batch, 128, device="cuda", generator=g).argsort(1)[:, :20].contiguous()
    labels = torch.randint(30522, (batch, 20), device="cuda", generator=g)
    return tokens, segments, positions, labels, torch.randint(2, (batch,), device="cuda", generator=g)


def torch_row(torch, model, precision, batch, compiled, distributed=False, steps=WARM):
    """Milliseconds of a step, peak memory in bytes, seconds until measuring began; nothing if steps is not WARM."""
    begin = time.monotonic()
    torch._dynamo.reset()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    tf32 = precision != "fp32"
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cuda.matmul.allow_tf32 = tf32
    channels_last = model == "resnet50" and precision != "fp32"
    if model == "resnet50":
        import torchvision

        net = torchvision.models.resnet50().cuda()
        if channels_last:
            net = net.to(memory_format=torch.channels_last)
        criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4, fused=True)
    else:
        net = make_bert(torch).cuda()
        criterion = None
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, weight_decay=0.01, eps=1e-6, fused=True)
    if distributed:
        device = torch.cuda.current_device()
        net = torch.nn.parallel.DistributedDataParallel(net, device_ids=[device], gradient_as_bucket_view=True)
    inputs = make_inputs(torch, model, batch, channels_last)
    scaler = torch.amp.GradScaler("cuda", enabled=precision == "fp16")
    half = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(precision)

    def loss_of():
        with torch.autocast("cuda", dtype=half or torch.float16, enabled=half is not None):
            if criterion is None:
                return net(*inputs)
            return criterion(net(inputs[0]), inputs[1])

    run = torch.compile(loss_of) if compiled else loss_of
    parameters = list(net.parameters())

    def step():
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(run()).backward()
        if model != "resnet50":
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        scaler.step(optimizer)
        scaler.update()

    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    if steps != WARM:
        return None
    ready = time.monotonic() - begin
    times = []
    for _ in range(BLOCKS):
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        for _ in range(BLOCK):
            step()
        last.record()
        last.synchronize()
        times.append(first.elapsed_time(last) / BLOCK)
    peak = torch.cuda.max_memory_allocated()
    return statistics.median(times), peak, ready


def host_cpu_s():
    """Processor seconds of this process and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def start_ranks(command, gpus):
    """Starts one process a card; only rank 0's output is kept."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ranks = []
    for rank in range(gpus):
        place = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": gpus, "LOCAL_WORLD_SIZE": gpus,
                 "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        environment = dict(os.environ, **{name: str(value) for name, value in place.items()})
        output = subprocess.PIPE if rank == 0 else subprocess.DEVNULL
        ranks.append(subprocess.Popen(command, stdout=output, text=True, env=environment))
    return ranks


def output_of(ranks, seconds):
    """What rank 0 printed; every process has ended."""
    try:
        output = ranks[0].communicate(timeout=seconds)[0]
        for rank in ranks[1:]:
            rank.wait(timeout=30)
    finally:
        for rank in ranks:
            rank.kill()
    return output


def ddp_row(model, precision, batch, gpus):
    row = f"{model} {precision} {batch}"
    output = output_of(start_ranks([sys.executable, os.path.abspath(__file__), "--worker", row], gpus), 300)
    result = json.loads(output.splitlines()[-1])
    return result["step_ms"], result["peak"], result["ready"]


def worker(row):
    """One process of ddp_row()."""
    import torch

    model, precision, batch = row.split()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.distributed.init_process_group("nccl")
    ms, peak, ready = torch_row(torch, model, precision, int(batch), True, True)
    if torch.distributed.get_rank() == 0:
        print(json.dumps({"step_ms": ms, "peak": peak, "ready": ready}), flush=True)
    torch.distributed.destroy_process_group()
    return 0


def sbtrain_row(program, model, precision, batch, gpus=1):
    command = [program, "--device", "cuda", "--model", model, "--precision", precision, "--batch-size", str(batch)]
    command += ["--steps", str(WARM + BLOCKS * BLOCK), "--overfit"]
    if model == "resnet50":
        command += ["--label-smoothing", "0.1"]
    if gpus == 1:
        output = subprocess.run(command, capture_output=True, text=True, timeout=240).stdout
    else:
        output = output_of(start_ranks(command, gpus), 240)
    events = [json.loads(line) for line in output.splitlines()]
    for event in events:
        if event["event"] == "error":
            raise RuntimeError(event["message"])
    steps = [e for e in events if e["event"] == "step"]
    ends = [e["time_s"] for e in steps]
    blocks = [1e3 * (ends[WARM + (i + 1) * BLOCK - 1] - ends[WARM + i * BLOCK - 1]) / BLOCK for i in range(BLOCKS)]
    end = next(e for e in events if e["event"] == "end")
    if not math.isfinite(steps[-1]["loss"]):
        raise RuntimeError("the loss is not finite")
    return statistics.median(blocks), end["device_memory_bytes"], ends[WARM - 1], end["host_cpu_s"]


def name_of(row):
    return f"{row[0]} {row[1]} b{row[2]}"


def one_rate(torch, program, row, kind):
    """Samples a second of one row; prints what was measured."""
    model, precision, batch, _ = row
    if kind == "sbtrain":
        torch.cuda.empty_cache()
        ms, peak, ready, cpu = sbtrain_row(program, model, precision, batch)
    else:
        before = host_cpu_s()
        ms, peak, ready = torch_row(torch, model, precision, batch, kind == "compile")
        cpu = host_cpu_s() - before
    rate = 1e3 * batch / ms
    print(json.dumps({"row": name_of(row), "with": kind, "step_ms": round(ms, 3), "samples_per_s": round(rate),
                      "peak_memory_bytes": peak, "seconds_to_measuring": round(ready, 2),
                      "host_cpu_s": round(cpu, 2)}), flush=True)
    return rate


def compile_first(rows, seconds):
    """Compiles every row in a process of its own, all at once, so that torch.compile's cache is warm."""
    command = [sys.executable, os.path.abspath(__file__), "--compile"]
    environment = dict(os.environ, TORCHINDUCTOR_COMPILE_THREADS="4")
    begin = time.monotonic()
    running = [subprocess.Popen([*command, f"{model} {precision} {batch}"], env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for model, precision, batch, _ in rows]
    done = 0
    for process in running:
        try:
            done += process.wait(timeout=max(begin + seconds - time.monotonic(), 1)) == 0
        except subprocess.TimeoutExpired:
            process.kill()
    print(f"compiled {done} of {len(rows)} rows in {time.monotonic() - begin:.0f} s", flush=True)


def compare_gpus(torch, arguments):
    """The table for several cards; True if every efficiency is reached."""
    counts = [n for n in (1, 2, 4, 8, 16) if n <= arguments.gpus]
    if torch.cuda.device_count() < arguments.gpus:
        print(f"skipped: {arguments.gpus} cards asked for, {torch.cuda.device_count()} are here")
        return None
    table = []
    reached = True
    for model, precision, batch, goal in GPU_ROWS:
        line = f"{model} {precision} {batch}"
        if not re.search(arguments.rows, line):
            continue
        rates = {"ddp": [], "sbtrain": []}
        for gpus in counts:
            for kind in rates:
                if kind == "sbtrain" and arguments.skip_sbtrain:
                    continue
                if kind == "sbtrain":
                    ms, peak, ready, _ = sbtrain_row(arguments.sbtrain, model, precision, batch, gpus)
                elif gpus == 1:
                    ms, peak, ready = torch_row(torch, model, precision, batch, True)
                    torch.cuda.empty_cache()
                else:
                    ms, peak, ready = ddp_row(model, precision, batch, gpus)
                rates[kind].append(1e3 * batch * gpus / ms)
                print(json.dumps({"row": line, "with": kind, "gpus": gpus, "step_ms": round(ms, 3),
                                  "samples_per_s": round(rates[kind][-1]), "peak_memory_bytes": peak,
                                  "seconds_to_measuring": round(ready, 2)}), flush=True)
        for kind, of_kind in rates.items():
            for gpus, rate in zip(counts, of_kind):
                efficiency = rate / gpus / of_kind[0]
                table.append((line, kind, gpus, rate, efficiency))
                reached = reached and (kind != "sbtrain" or efficiency >= goal)
    print("\n| row | with | GPUs | samples/s | efficiency |\n| --- | --- | --- | --- | --- |")
    for line, kind, gpus, rate, efficiency in table:
        print(f"| {line} | {kind} | {gpus} | {rate:,.0f} | {efficiency:.3f} |")
    return reached


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sbtrain", default="sbtrain", help="the program")
    parser.add_argument("--rows", default="", help="only rows whose 'model precision batch' has a match of this regular expression")
    parser.add_argument("--skip-eager", action="store_true")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin nothing more after this long: rows, then eager")
    parser.add_argument("--gpus", type=int, default=1, help="compare on 1, 2, 4 .. so many cards")
    parser.add_argument("--skip-sbtrain", action="store_true", help="with --gpus: PyTorch alone")
    parser.add_argument("--compile-first", action="store_true",
                        help="compile all rows at once before measuring: shorter, but with torch.compile's cache warm "
                        "its seconds to measuring are too few")
    parser.add_argument("--compile-only", action="store_true", help="fill torch.compile's cache and end")
    parser.add_argument("--worker", default="", help=argparse.SUPPRESS)
    parser.add_argument("--compile", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return worker(arguments.worker)
    try:
        import torch
        import torchvision  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    if not torch.cuda.is_available():
        print("skipped: PyTorch sees no CUDA device")
        return 77
    if arguments.compile:
        model, precision, batch = arguments.compile.split()
        torch_row(torch, model, precision, int(batch), True, steps=2)
        return 0
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}, "
          f"imports took {time.monotonic() - START:.1f} s, {host_cpu_s():.1f} s of the processor", flush=True)
    if arguments.gpus > 1:
        reached = compare_gpus(torch, arguments)
        return 77 if reached is None else 0 if reached else 1
    rows = [row for row in ROWS if re.search(arguments.rows, f"{row[0]} {row[1]} {row[2]}")]
    if arguments.compile_first or arguments.compile_only:
        compile_first(rows, 150)
    if arguments.compile_only:
        return 0
    rates = {}  # (row, kind) -> samples a second
    orders = [("sbtrain", "compile")] if arguments.skip_eager else [("sbtrain", "compile"), ("eager",)]
    for order in orders:
        for row in rows:
            if time.monotonic() - START < arguments.seconds:
                for kind in order:
                    rates[row, kind] = one_rate(torch, arguments.sbtrain, row, kind)
    print("\n| row | PyTorch eager | torch.compile | sbtrain | x compile | goal |\n| --- | --- | --- | --- | --- | --- |")
    missed = 0
    for row in rows:
        if (row, "compile") not in rates:
            continue
        ratio = rates[row, "sbtrain"] / rates[row, "compile"]
        missed += ratio < row[3]
        eager = f"{rates[row, 'eager']:,.0f}" if (row, "eager") in rates else "-"
        print(f"| {name_of(row)} | {eager} | {rates[row, 'compile']:,.0f} | {rates[row, 'sbtrain']:,.0f} | {ratio:.2f} "
              f"| {row[3]} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
