#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 or BERT with OneFlow: DistributedDataParallel, autocast."""

import ctypes
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402


def load_libraries():
    """The wheel needs cuDNN even for the processor; pip puts it where the loader does not look."""
    for folder in sys.path:
        for pattern in ("cublas/lib/libcublasLt.so*", "cublas/lib/libcublas.so*", "cudnn/lib/libcudnn.so*",
                        "cudnn/lib/libcudnn_ops_infer.so*", "cudnn/lib/libcudnn_cnn_infer.so*"):
            for library in glob.glob(os.path.join(folder, "nvidia", pattern)):
                try:
                    ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
                except OSError:
                    pass  # the import says what is missing


def resnet50(nn):
    """The stride sits in the 3x3 convolution (v1.5). 25,557,032 parameters."""
    class Block(nn.Module):
        def __init__(self, inside, width, stride):
            super().__init__()
            self.conv1 = nn.Conv2d(inside, width, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(width)
            self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(width)
            self.conv3 = nn.Conv2d(width, 4 * width, 1, bias=False)
            self.bn3 = nn.BatchNorm2d(4 * width)
            self.relu = nn.ReLU()
            self.shortcut = None
            if stride != 1 or inside != 4 * width:
                self.shortcut = nn.Sequential(nn.Conv2d(inside, 4 * width, 1, stride, bias=False),
                                              nn.BatchNorm2d(4 * width))

        def forward(self, x):
            y = self.relu(self.bn1(self.conv1(x)))
            y = self.relu(self.bn2(self.conv2(y)))
            y = self.bn3(self.conv3(y))
            return self.relu(y + (x if self.shortcut is None else self.shortcut(x)))

    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inside = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            layers.append(Block(inside, 64 << stage, 2 if stage and not block else 1))
            inside = 4 * (64 << stage)
    layers += [nn.AdaptiveAvgPool2d((1, 1)), nn.Flatten(), nn.Linear(inside, 1000)]
    return nn.Sequential(*layers)


def bert(flow, model):
    nn = flow.nn
    layers, width, heads = sb_run.BERT[model]
    gelu = nn.GELU(approximate="tanh")

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(width, 3 * width)
            self.out = nn.Linear(width, width)
            self.norm1 = nn.LayerNorm(width, eps=1e-12)
            self.up = nn.Linear(width, 4 * width)
            self.down = nn.Linear(4 * width, width)
            self.norm2 = nn.LayerNorm(width, eps=1e-12)
            self.drop = nn.Dropout(0.1)

        def forward(self, x):
            n, length, _ = x.shape
            qkv = self.qkv(x).reshape(n, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
            q, k, v = qkv[0], qkv[1], qkv[2]
            scores = flow.matmul(q, k.transpose(-2, -1)) / (width // heads) ** 0.5
            y = flow.matmul(self.drop(flow.softmax(scores, dim=-1)), v)
            y = self.out(y.permute(0, 2, 1, 3).reshape(n, length, width))
            x = self.norm1(x + self.drop(y))
            return self.norm2(x + self.drop(self.down(gelu(self.up(x)))))

    class Bert(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(sb_run.VOCABULARY, width)
            self.places = nn.Embedding(512, width)
            self.segments = nn.Embedding(2, width)
            self.norm = nn.LayerNorm(width, eps=1e-12)
            self.drop = nn.Dropout(0.1)
            self.layers = nn.ModuleList([Layer() for _ in range(layers)])
            self.dense = nn.Linear(width, width)
            self.dense_norm = nn.LayerNorm(width, eps=1e-12)
            self.bias = nn.Parameter(flow.zeros(sb_run.VOCABULARY))
            self.pooler = nn.Linear(width, width)
            self.next = nn.Linear(width, 2)
            self.cost = nn.CrossEntropyLoss()

        def forward(self, tokens, segments, positions, masked, follows):
            places = flow.arange(tokens.shape[1], device=tokens.device)
            x = self.drop(self.norm(self.tokens(tokens) + self.places(places) + self.segments(segments)))
            for layer in self.layers:
                x = layer(x)
            picked = flow.gather(x, 1, positions.unsqueeze(2).expand(-1, -1, x.shape[2]))
            y = self.dense_norm(gelu(self.dense(picked)))
            words = flow.matmul(y, self.tokens.weight.transpose(0, 1)) + self.bias
            after = self.next(flow.tanh(self.pooler(x[:, 0])))
            return self.cost(words.reshape(-1, sb_run.VOCABULARY), masked.reshape(-1)) + self.cost(after, follows)

    net = Bert()
    for module in net.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
    return net


def main():
    chosen = sb_run.options(__doc__, ["fp32", "fp16"])
    if chosen.data != "synthetic":
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the OneFlow script trains on --data synthetic only")
    if chosen.label_smoothing > 0:
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the OneFlow script has no label smoothing")
    rank, world, local = sb_run.place()
    # OneFlow reads the rendezvous from these at import.
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29500")
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(world), LOCAL_RANK=str(local))
    load_libraries()
    import oneflow as flow
    if chosen.device == "cuda" and not flow.cuda.is_available():
        raise sb_run.Refused(sb_run.UNSUPPORTED, "OneFlow %s sees no GPU here" % flow.__version__)
    device = flow.device("%s:%d" % (chosen.device, local) if chosen.device == "cuda" else "cpu")
    flow.manual_seed(chosen.seed)
    run = sb_run.Run("oneflow", flow.__version__, chosen, (rank, world, local), "eager")
    net = (bert(flow, chosen.model) if chosen.is_bert else resnet50(flow.nn)).to(device)
    run.start(sum(p.numel() for p in net.parameters()))
    model = flow.nn.parallel.DistributedDataParallel(net, broadcast_buffers=False) if world > 1 else net
    rate = sb_run.learning_rate(chosen, world)
    yes = [p for p in net.parameters() if p.ndim > 1]
    no = [p for p in net.parameters() if p.ndim <= 1]
    decay = 0.01 if chosen.is_bert else 1e-4
    groups = [{"params": yes, "weight_decay": decay, "lr": rate}, {"params": no, "weight_decay": 0.0, "lr": rate}]
    if chosen.is_bert:
        optimizer = flow.optim.AdamW(groups, lr=rate, eps=1e-6)
    else:
        optimizer = flow.optim.SGD(groups, lr=rate, momentum=0.9)
    cost = flow.nn.CrossEntropyLoss().to(device)
    data = sb_run.Synthetic(chosen, rank)
    names = ("tokens", "segments", "positions", "masked", "next") if chosen.is_bert else ("images", "labels")
    batch = [flow.tensor(getattr(data, name).astype("float32" if name == "images" else "int64"), device=device)
             for name in names]
    half = chosen.precision == "fp16"
    scaler = flow.amp.GradScaler() if half else None
    run.ready()
    for _ in range(chosen.steps):
        if half:
            with flow.autocast("cuda"):
                loss = model(*batch) if chosen.is_bert else cost(model(batch[0]), batch[1])
        else:
            loss = model(*batch) if chosen.is_bert else cost(model(batch[0]), batch[1])
        optimizer.zero_grad()
        (scaler.scale(loss) if scaler else loss).backward()
        if chosen.clip_norm > 0:
            if scaler:
                scaler.unscale_(optimizer)
            flow.nn.utils.clip_grad_norm_(net.parameters(), chosen.clip_norm)
        if scaler:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        run.step(loss.numpy().item())
    run.end()


if __name__ == "__main__":
    sb_run.guarded(main)
