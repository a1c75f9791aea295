#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 with MXNet Gluon, hybridized; several processes by Horovod where it is installed."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402


def resnet50(mx):
    """The stride sits in the 3x3 convolution (v1.5). 25,557,032 trained parameters."""
    nn = mx.gluon.nn

    class Block(mx.gluon.HybridBlock):
        def __init__(self, inside, width, stride):
            super(Block, self).__init__()
            self.body = nn.HybridSequential()
            self.body.add(nn.Conv2D(width, 1, use_bias=False, in_channels=inside), nn.BatchNorm(in_channels=width),
                          nn.Activation("relu"),
                          nn.Conv2D(width, 3, stride, 1, use_bias=False, in_channels=width),
                          nn.BatchNorm(in_channels=width), nn.Activation("relu"),
                          nn.Conv2D(4 * width, 1, use_bias=False, in_channels=width),
                          nn.BatchNorm(in_channels=4 * width))
            self.shortcut = None
            if stride != 1 or inside != 4 * width:
                self.shortcut = nn.HybridSequential()
                self.shortcut.add(nn.Conv2D(4 * width, 1, stride, use_bias=False, in_channels=inside),
                                  nn.BatchNorm(in_channels=4 * width))

        def hybrid_forward(self, F, x):
            y = self.body(x)
            return F.Activation(y + (x if self.shortcut is None else self.shortcut(x)), act_type="relu")

    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, 7, 2, 3, use_bias=False, in_channels=3), nn.BatchNorm(in_channels=64),
            nn.Activation("relu"), nn.MaxPool2D(3, 2, 1))
    inside = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            net.add(Block(inside, 64 << stage, 2 if stage and not block else 1))
            inside = 4 * (64 << stage)
    net.add(nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(1000, in_units=inside))
    return net


def main():
    chosen = sb_run.options(__doc__, ["fp32", "fp16"])
    if chosen.is_bert:
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the MXNet script trains resnet50 only")
    if chosen.data != "synthetic":
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the MXNet script trains on --data synthetic only")
    rank, world, local = sb_run.place()
    if chosen.threads > 0:
        os.environ["OMP_NUM_THREADS"] = str(chosen.threads)
    import mxnet as mx
    horovod = None
    if world > 1:
        import horovod.mxnet as horovod
        import sb_horovod
        started = sb_horovod.Horovod(horovod, (rank, world, local))
        rank, world, local = started.place
    if chosen.device == "cuda" and mx.context.num_gpus() == 0:
        raise sb_run.Refused(sb_run.UNSUPPORTED, "MXNet %s sees no GPU here" % mx.__version__)
    context = mx.gpu(local) if chosen.device == "cuda" else mx.cpu()
    mx.random.seed(chosen.seed)
    run = sb_run.Run("mxnet", mx.__version__, chosen, (rank, world, local), "gluon hybrid")
    net = resnet50(mx)
    net.initialize(mx.init.MSRAPrelu("out", 0), ctx=context)
    if chosen.precision == "fp16":
        net.cast("float16")
    net.hybridize(static_alloc=True, static_shape=True)
    trained = {name: p for name, p in net.collect_params().items() if p.grad_req != "null"}
    run.start(sum(int(p.data().size) for p in trained.values()))
    settings = {"learning_rate": sb_run.learning_rate(chosen, world), "momentum": 0.9, "wd": 1e-4,
                "multi_precision": chosen.precision == "fp16"}
    if horovod:
        horovod.broadcast_parameters(net.collect_params(), root_rank=0)
        trainer = horovod.DistributedTrainer(net.collect_params(), "sgd", settings)
    else:
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", settings, kvstore=None)
    cost = mx.gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=chosen.label_smoothing == 0)
    data = sb_run.Synthetic(chosen, rank)
    kind = "float16" if chosen.precision == "fp16" else "float32"
    images = mx.nd.array(data.images, ctx=context, dtype=kind)
    labels = mx.nd.array(data.labels, ctx=context)
    if chosen.label_smoothing > 0:
        share = chosen.label_smoothing / 1000
        labels = mx.nd.one_hot(labels, 1000, on_value=1 - chosen.label_smoothing + share, off_value=share)
    run.ready()
    for _ in range(chosen.steps):
        with mx.autograd.record():
            loss = cost(net(images).astype("float32"), labels).mean()
        loss.backward()
        if chosen.clip_norm > 0:
            mx.gluon.utils.clip_global_norm([p.grad() for p in trained.values()], chosen.clip_norm)
        trainer.step(1)
        run.step(loss.asscalar())
    if horovod:
        mx.nd.waitall()  # updates are asked for, not done: the last ones still need the others
        started.end()
    run.end()


if __name__ == "__main__":
    sb_run.guarded(main)
