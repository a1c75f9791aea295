#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 or BERT with PyTorch: DistributedDataParallel, autocast, torch.compile."""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402
import sb_torch  # noqa: E402


def main():
    chosen = sb_run.options(__doc__, ["fp32", "tf32", "fp16", "bf16"], ["compile"])
    import torch
    nn = torch.nn
    rank, world, local = sb_run.place()
    torch.manual_seed(chosen.seed)
    device = sb_torch.prepare(torch, chosen, local)
    run = sb_run.Run("pytorch", torch.__version__, chosen, (rank, world, local),
                     "torch.compile" if chosen.compile == "on" else "eager")
    net = sb_torch.bert_net(torch, chosen) if chosen.is_bert else sb_torch.bottleneck_net(nn)
    net.to(device)
    if chosen.device == "cuda" and not chosen.is_bert:
        net.to(memory_format=torch.channels_last)
    run.start(sum(p.numel() for p in net.parameters()),
              torch.cuda.get_device_name() if chosen.device == "cuda" else None)
    if world > 1:
        torch.distributed.init_process_group("nccl" if chosen.device == "cuda" else "gloo")
        net = nn.parallel.DistributedDataParallel(
            net, device_ids=[device.index] if chosen.device == "cuda" else None)
    model = torch.compile(net) if chosen.compile == "on" else net
    rate = sb_run.learning_rate(chosen, world)
    fused = {"fused": True} if chosen.device == "cuda" else {}
    if chosen.is_bert:
        optimizer = torch.optim.AdamW(sb_torch.groups_of(net, 0.01), lr=rate, eps=1e-6, **fused)
    else:
        optimizer = torch.optim.SGD(sb_torch.groups_of(net, 1e-4), lr=rate, momentum=0.9)
    criterion = nn.CrossEntropyLoss(label_smoothing=chosen.label_smoothing)
    half = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(chosen.precision)
    scaler = torch.amp.GradScaler(chosen.device, enabled=chosen.precision == "fp16")
    source = sb_torch.batches(torch, chosen, rank, world, device)
    run.ready()
    for _ in range(chosen.steps):
        asked = time.monotonic()
        batch = next(source)
        data_ms = (time.monotonic() - asked) * 1000
        with torch.autocast(chosen.device, dtype=half, enabled=half is not None):
            loss = model(*batch) if chosen.is_bert else criterion(model(batch[0]), batch[1])
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        if chosen.clip_norm > 0:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(net.parameters(), chosen.clip_norm)
        scaler.step(optimizer)
        scaler.update()
        run.step(loss.item(), data_ms)
    peak = torch.cuda.max_memory_allocated() if chosen.device == "cuda" else None
    if world > 1:
        torch.distributed.barrier()
        torch.distributed.destroy_process_group()
    run.end(peak)


if __name__ == "__main__":
    sb_run.guarded(main)
