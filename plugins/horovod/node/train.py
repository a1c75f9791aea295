#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 or BERT on synthetic batches with Horovod's optimizer around PyTorch's."""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_horovod  # noqa: E402
import sb_run  # noqa: E402
import sb_torch  # noqa: E402


def main():
    chosen = sb_run.options(__doc__, ["fp32", "tf32"], ["compression"])
    import horovod
    import horovod.torch as hvd
    import torch
    nn = torch.nn
    started = sb_horovod.Horovod(hvd, sb_run.place())
    rank, world, local = started.place
    torch.manual_seed(chosen.seed)
    device = sb_torch.prepare(torch, chosen, local)
    run = sb_run.Run("horovod", horovod.__version__, chosen, started.place, "PyTorch %s" % torch.__version__)
    net = sb_torch.bert_net(torch, chosen) if chosen.is_bert else sb_torch.bottleneck_net(nn)
    net.to(device)
    run.start(sum(p.numel() for p in net.parameters()),
              torch.cuda.get_device_name() if chosen.device == "cuda" else None)
    rate = sb_run.learning_rate(chosen, world)
    if chosen.is_bert:
        optimizer = torch.optim.AdamW(sb_torch.groups_of(net, 0.01), lr=rate, eps=1e-6)
    else:
        optimizer = torch.optim.SGD(sb_torch.groups_of(net, 1e-4), lr=rate, momentum=0.9)
    packed = hvd.Compression.fp16 if chosen.compression == "on" else hvd.Compression.none
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters(), compression=packed)
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    criterion = nn.CrossEntropyLoss(label_smoothing=chosen.label_smoothing)
    source = sb_torch.batches(torch, chosen, rank, world, device)
    run.ready()
    for _ in range(chosen.steps):
        asked = time.monotonic()
        batch = next(source)
        data_ms = (time.monotonic() - asked) * 1000
        loss = net(*batch) if chosen.is_bert else criterion(net(batch[0]), batch[1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.synchronize()  # the clipped gradients are the averaged ones
        if chosen.clip_norm > 0:
            nn.utils.clip_grad_norm_(net.parameters(), chosen.clip_norm)
        with optimizer.skip_synchronize():
            optimizer.step()
        run.step(loss.item(), data_ms)
    peak = torch.cuda.max_memory_allocated() if chosen.device == "cuda" else None
    started.end()
    run.end(peak)


if __name__ == "__main__":
    sb_run.guarded(main)
