#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 or BERT with DeepSpeed's engine: its optimizer wrapper, its ZeRO stages, its precision."""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402
import sb_torch  # noqa: E402


def settings(chosen, world):
    """DeepSpeed's own configuration of this run; its per-step report is switched off, ours counts."""
    config = {"train_micro_batch_size_per_gpu": chosen.batch_size, "gradient_accumulation_steps": 1,
              "train_batch_size": chosen.batch_size * world, "steps_per_print": 10 ** 9,
              "zero_optimization": {"stage": int(chosen.zero)}}
    if chosen.clip_norm > 0:
        config["gradient_clipping"] = chosen.clip_norm
    if chosen.precision == "fp16":
        config["fp16"] = {"enabled": True}
    if chosen.precision == "bf16":
        config["bf16"] = {"enabled": True}
    return config


def main():
    chosen = sb_run.options(__doc__, ["fp32", "tf32", "fp16", "bf16"], {"zero": ["0", "1", "2", "3"]})
    os.environ["DS_ACCELERATOR"] = chosen.device
    import deepspeed
    import torch
    nn = torch.nn
    rank, world, local = sb_run.place()
    torch.manual_seed(chosen.seed)
    device = sb_torch.prepare(torch, chosen, local)
    run = sb_run.Run("deepspeed", deepspeed.__version__, chosen, (rank, world, local),
                     "PyTorch %s, ZeRO %s" % (torch.__version__, chosen.zero))
    net = sb_torch.bert_net(torch, chosen) if chosen.is_bert else sb_torch.bottleneck_net(nn)
    parameters = sum(p.numel() for p in net.parameters())
    rate = sb_run.learning_rate(chosen, world)
    if chosen.is_bert:
        optimizer = torch.optim.AdamW(sb_torch.groups_of(net, 0.01), lr=rate, eps=1e-6)
    else:
        optimizer = torch.optim.SGD(sb_torch.groups_of(net, 1e-4), lr=rate, momentum=0.9)
    run.start(parameters, torch.cuda.get_device_name() if chosen.device == "cuda" else None)
    deepspeed.init_distributed("nccl" if chosen.device == "cuda" else "gloo", auto_mpi_discovery=False)
    engine, _, _, _ = deepspeed.initialize(model=net, optimizer=optimizer, config=settings(chosen, world))
    criterion = nn.CrossEntropyLoss(label_smoothing=chosen.label_smoothing)
    source = sb_torch.batches(torch, chosen, rank, world, device)
    half = {"fp16": torch.float16, "bf16": torch.bfloat16}.get(chosen.precision)
    run.ready()
    for _ in range(chosen.steps):
        asked = time.monotonic()
        batch = next(source)
        data_ms = (time.monotonic() - asked) * 1000
        if half is not None and not chosen.is_bert:
            batch = [x.to(half) if x.is_floating_point() else x for x in batch]
        loss = engine(*batch) if chosen.is_bert else criterion(engine(batch[0]).float(), batch[1])
        engine.backward(loss)
        engine.step()
        run.step(loss.item(), data_ms)
    peak = torch.cuda.max_memory_allocated() if chosen.device == "cuda" else None
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
    run.end(peak)


if __name__ == "__main__":
    sb_run.guarded(main)
