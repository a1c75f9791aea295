#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 or BERT with PaddlePaddle: DataParallel over processes, AMP."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402


def resnet50(paddle):
    """The stride sits in the 3x3 convolution (v1.5). 25,557,032 parameters."""
    nn = paddle.nn

    class Block(nn.Layer):
        def __init__(self, inside, width, stride):
            super().__init__()
            self.conv1 = nn.Conv2D(inside, width, 1, bias_attr=False)
            self.bn1 = nn.BatchNorm2D(width)
            self.conv2 = nn.Conv2D(width, width, 3, stride, 1, bias_attr=False)
            self.bn2 = nn.BatchNorm2D(width)
            self.conv3 = nn.Conv2D(width, 4 * width, 1, bias_attr=False)
            self.bn3 = nn.BatchNorm2D(4 * width)
            self.relu = nn.ReLU()
            self.shortcut = None
            if stride != 1 or inside != 4 * width:
                self.shortcut = nn.Sequential(nn.Conv2D(inside, 4 * width, 1, stride, bias_attr=False),
                                              nn.BatchNorm2D(4 * width))

        def forward(self, x):
            y = self.relu(self.bn1(self.conv1(x)))
            y = self.relu(self.bn2(self.conv2(y)))
            y = self.bn3(self.conv3(y))
            return self.relu(y + (x if self.shortcut is None else self.shortcut(x)))

    layers = [nn.Conv2D(3, 64, 7, 2, 3, bias_attr=False), nn.BatchNorm2D(64), nn.ReLU(), nn.MaxPool2D(3, 2, 1)]
    inside = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            layers.append(Block(inside, 64 << stage, 2 if stage and not block else 1))
            inside = 4 * (64 << stage)
    layers += [nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Linear(inside, 1000)]
    return nn.Sequential(*layers)


def bert(paddle, model):
    nn, functional = paddle.nn, paddle.nn.functional
    layers, width, heads = sb_run.BERT[model]

    class Layer(nn.Layer):
        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(width, 3 * width)
            self.out = nn.Linear(width, width)
            self.norm1 = nn.LayerNorm(width, 1e-12)
            self.up = nn.Linear(width, 4 * width)
            self.down = nn.Linear(4 * width, width)
            self.norm2 = nn.LayerNorm(width, 1e-12)
            self.drop = nn.Dropout(0.1)

        def forward(self, x):
            n, length, _ = x.shape
            qkv = self.qkv(x).reshape([n, length, 3, heads, width // heads]).transpose([2, 0, 3, 1, 4])
            scores = paddle.matmul(qkv[0], qkv[1], transpose_y=True) / (width // heads) ** 0.5
            y = paddle.matmul(self.drop(functional.softmax(scores)), qkv[2])
            y = self.out(y.transpose([0, 2, 1, 3]).reshape([n, length, width]))
            x = self.norm1(x + self.drop(y))
            return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x), approximate=True))))

    class Bert(nn.Layer):
        def __init__(self):
            super().__init__()
            normal = paddle.ParamAttr(initializer=nn.initializer.Normal(0.0, 0.02))
            self.tokens = nn.Embedding(sb_run.VOCABULARY, width, weight_attr=normal)
            self.places = nn.Embedding(512, width)
            self.segments = nn.Embedding(2, width)
            self.norm = nn.LayerNorm(width, 1e-12)
            self.drop = nn.Dropout(0.1)
            self.layers = nn.LayerList([Layer() for _ in range(layers)])
            self.dense = nn.Linear(width, width)
            self.dense_norm = nn.LayerNorm(width, 1e-12)
            self.bias = self.create_parameter([sb_run.VOCABULARY], is_bias=True)
            self.pooler = nn.Linear(width, width)
            self.next = nn.Linear(width, 2)

        def forward(self, tokens, segments, positions, masked, follows):
            places = paddle.arange(tokens.shape[1])
            x = self.drop(self.norm(self.tokens(tokens) + self.places(places) + self.segments(segments)))
            for layer in self.layers:
                x = layer(x)
            index = positions.unsqueeze(2).expand([-1, -1, x.shape[2]])
            y = self.dense_norm(functional.gelu(self.dense(paddle.take_along_axis(x, index, 1)), True))
            words = paddle.matmul(y, self.tokens.weight, transpose_y=True) + self.bias
            after = self.next(paddle.tanh(self.pooler(x[:, 0])))
            return functional.cross_entropy(words.reshape([-1, sb_run.VOCABULARY]), masked.reshape([-1])) + \
                functional.cross_entropy(after, follows)

    return Bert()


def launcher_variables(rank, world, local):
    """Paddle's own names for the rendezvous; process r listens on the first port + 1 + r."""
    if os.environ.get("PADDLE_TRAINER_ENDPOINTS"):
        return
    port = int(os.environ.get("MASTER_PORT", "29500"))
    hosts = os.environ.get("SB_RANK_HOSTS", "").split(",")
    if len(hosts) != world:
        hosts = [os.environ.get("MASTER_ADDR", "127.0.0.1")] * world
    ends = ["%s:%d" % (host, port + 1 + r) for r, host in enumerate(hosts)]
    os.environ.update(PADDLE_TRAINERS_NUM=str(world), PADDLE_TRAINER_ID=str(rank), PADDLE_LOCAL_RANK=str(local),
                      PADDLE_TRAINER_ENDPOINTS=",".join(ends), PADDLE_CURRENT_ENDPOINT=ends[rank],
                      PADDLE_DISTRI_BACKEND="gloo" if os.environ.get("SB_DEVICE") == "cpu" else "nccl",
                      PADDLE_MASTER=ends[0], FLAGS_selected_gpus=str(local))


def average_gradients(paddle, parameters, world):
    with paddle.no_grad():
        for p in parameters:
            if p.grad is not None:
                total = p.grad.clone()
                paddle.distributed.all_reduce(total)
                p.grad.set_value(total / world)


def main():
    chosen = sb_run.options(__doc__, ["fp32", "bf16", "fp16"])
    if chosen.data != "synthetic":
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the Paddle script trains on --data synthetic only")
    rank, world, local = sb_run.place()
    os.environ["SB_DEVICE"] = chosen.device
    if chosen.threads > 0:
        os.environ["OMP_NUM_THREADS"] = str(chosen.threads)
    if world > 1:
        launcher_variables(rank, world, local)
    import paddle
    if chosen.device == "cuda":
        if not paddle.is_compiled_with_cuda() or paddle.device.cuda.device_count() == 0:
            raise sb_run.Refused(sb_run.UNSUPPORTED, "Paddle %s sees no GPU here" % paddle.__version__)
        paddle.set_device("gpu:%d" % (local % paddle.device.cuda.device_count()))
    else:
        paddle.set_device("cpu")
    if world > 1:
        paddle.distributed.init_parallel_env()
    paddle.seed(chosen.seed)
    run = sb_run.Run("paddle", paddle.__version__, chosen, (rank, world, local), "dygraph")
    net = bert(paddle, chosen.model) if chosen.is_bert else resnet50(paddle)
    parameters = net.parameters()
    run.start(sum(p.size for p in parameters))
    rate = sb_run.learning_rate(chosen, world)
    clip = paddle.nn.ClipGradByGlobalNorm(chosen.clip_norm) if chosen.clip_norm > 0 else None
    if chosen.is_bert:
        no_decay = {p.name for p in parameters if p.ndim <= 1}
        optimizer = paddle.optimizer.AdamW(rate, epsilon=1e-6, parameters=parameters, weight_decay=0.01,
                                           apply_decay_param_fun=lambda n: n not in no_decay, grad_clip=clip)
    else:
        optimizer = paddle.optimizer.Momentum(rate, 0.9, parameters=parameters, weight_decay=1e-4, grad_clip=clip)
    model = net
    if world > 1 and chosen.device == "cuda":
        model = paddle.DataParallel(net)
    data = sb_run.Synthetic(chosen, rank)
    names = ("tokens", "segments", "positions", "masked", "next") if chosen.is_bert else ("images", "labels")
    batch = [paddle.to_tensor(getattr(data, name).astype("int64" if name != "images" else "float32"))
             for name in names]
    half = chosen.precision in ("bf16", "fp16")
    scaler = paddle.amp.GradScaler(enable=chosen.precision == "fp16")
    run.ready()
    for _ in range(chosen.steps):
        with paddle.amp.auto_cast(half, dtype="bfloat16" if chosen.precision == "bf16" else "float16"):
            if chosen.is_bert:
                loss = model(*batch)
            else:
                loss = paddle.nn.functional.cross_entropy(model(batch[0]), batch[1],
                                                          label_smoothing=chosen.label_smoothing)
        scaler.scale(loss).backward()
        if world > 1 and chosen.device == "cpu":
            average_gradients(paddle, parameters, world)
        scaler.step(optimizer)
        scaler.update()
        optimizer.clear_grad()
        run.step(float(loss))
    run.end()


if __name__ == "__main__":
    sb_run.guarded(main)
