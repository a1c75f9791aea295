#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numbers that PyTorch computes in float64 for small configurations of sbtrain's models.

Writes reference.csv beside this file: case,kind,name,value,projection
  loss       name = step (from 1), value = loss before the step's update
  gradient   of step 1: value = norm, projection = sum g_i s_i
  parameter  after the last step: value = norm, projection = sum p_i s_i
with signs s_i = +1 or -1 from Stream(7, 99) at the parameter's place in the arena. No weights and no data
are stored: both programs make them with the generator of backend/random.h.

Run with any PyTorch >= 2.0:  python3 make_fixtures.py
"""
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

G = np.uint64(0x9E3779B97F4A7C15)
MASK = (1 << 64) - 1


def mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def mix_int(z):
    return int(mix(np.array([z & MASK], dtype=np.uint64))[0])


class Stream:
    def __init__(self, seed, stream):
        self.key = np.uint64(mix_int(seed + int(G) * (stream + 1)))

    def hash(self, counters):
        return mix(self.key + G * (np.asarray(counters, dtype=np.uint64) + np.uint64(1)))

    def unit(self, counters):
        return (self.hash(counters) >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)


class Parameters:
    """Named float64 leaves in arena order, started as backend/models/model.cpp starts them."""

    def __init__(self, seed):
        self.stream = Stream(seed, 1)
        self.offset = 0
        self.entries = []  # name, tensor, offset, decay

    def add(self, name, shape, value, uniform, decay):
        count = math.prod(shape)
        values = np.full(count, value, dtype=np.float32)
        if uniform:
            unit = self.stream.unit(np.arange(self.offset, self.offset + count))
            values = values * (np.float32(2) * unit - np.float32(1))
        tensor = torch.tensor(values.astype(np.float64).reshape(shape), requires_grad=True)
        self.entries.append((name, tensor, self.offset, decay))
        self.offset += count
        return tensor


# ---- models: forward(batch) -> loss, in the order of backend/models ---------------------------------------


class ConvBn:
    def __init__(self, p, name, c, k, kernel=1, stride=1, gamma=1.0):
        bound = math.sqrt(6.0 / (k * kernel * kernel))
        self.weight = p.add(name + ".weight", (k, c, kernel, kernel), bound, True, True)
        self.gamma = p.add(name + ".bn.gamma", (k,), gamma, False, False)
        self.beta = p.add(name + ".bn.beta", (k,), 0.0, False, False)
        self.stride, self.pad = stride, kernel // 2

    def __call__(self, x, residual=None, relu=True):
        y = F.conv2d(x, self.weight, stride=self.stride, padding=self.pad)
        y = F.batch_norm(y, None, None, self.gamma, self.beta, training=True, eps=1e-5)
        if residual is not None:
            y = y + residual
        return F.relu(y) if relu else y


class ResNet:
    def __init__(self, p, stem, stages, expansion, classes, smoothing):
        self.imagenet = stem == 7
        self.smoothing = smoothing
        c = 64 if self.imagenet else 16
        self.stem = ConvBn(p, "stem", 3, c, stem, 2 if self.imagenet else 1)
        self.blocks = []
        for s, count in enumerate(stages):
            width = (64 if self.imagenet else 16) << s
            for b in range(count):
                name = f"stage{s + 1}.block{b + 1}"
                stride = 2 if s > 0 and b == 0 else 1
                self.blocks.append(self.block(p, name, c, width, stride, expansion))
                c = width * expansion
        self.weight = p.add("fc.weight", (classes, c), 1.0 / math.sqrt(c), True, True)
        self.bias = p.add("fc.bias", (classes,), 0.0, False, False)

    @staticmethod
    def block(p, name, c, width, stride, expansion):
        need = stride != 1 or c != width * expansion
        if expansion == 4:
            first = ConvBn(p, name + ".conv1", c, width)
            second = ConvBn(p, name + ".conv2", width, width, 3, stride)
            shortcut = ConvBn(p, name + ".shortcut", c, 4 * width, 1, stride) if need else None
            # At 1 every block doubles the variance, and float32 alone is 1 % off: 16 untrained blocks are
            # badly conditioned. reference_test.cpp does the same.
            last = ConvBn(p, name + ".conv3", width, 4 * width, gamma=0.2)
            return [first, second], shortcut, last
        first = ConvBn(p, name + ".conv1", c, width, 3, stride)
        shortcut = ConvBn(p, name + ".shortcut", c, width, 1, stride) if need else None
        last = ConvBn(p, name + ".conv2", width, width, 3)
        return [first], shortcut, last

    def loss(self, batch):
        x = self.stem(batch["images"])
        if self.imagenet:
            x = F.max_pool2d(x, 3, 2, 1)
        for convs, shortcut, last in self.blocks:
            y = x
            for conv in convs:
                y = conv(y)
            x = last(y, residual=shortcut(x, relu=False) if shortcut else x)
        logits = x.mean((2, 3)) @ self.weight.T + self.bias
        return F.cross_entropy(logits, batch["labels"], label_smoothing=self.smoothing)


class Bert:
    INIT = 0.034641016

    def __init__(self, p, layers, c, heads, length):
        self.p, self.c, self.heads, self.length = p, c, heads, length
        self.token = p.add("embedding.token", (30522, c), self.INIT, True, True)
        self.position = p.add("embedding.position", (512, c), self.INIT, True, True)
        self.segment = p.add("embedding.segment", (2, c), self.INIT, True, True)
        self.norm0 = self.norm("embedding.norm")
        self.layers = []
        for i in range(layers):
            name = f"layer{i + 1}"
            self.layers.append((
                self.dense(name + ".attention.qkv", c, 3 * c),
                self.dense(name + ".attention.output", c, c),
                self.norm(name + ".attention.norm"),
                self.dense(name + ".ffn.inner", c, 4 * c),
                self.dense(name + ".ffn.output", 4 * c, c),
                self.norm(name + ".ffn.norm"),
            ))
        self.masked = self.dense("masked.dense", c, c)
        self.masked_norm = self.norm("masked.norm")
        self.decoder_bias = p.add("masked.decoder.bias", (30522,), 0.0, False, False)
        self.pooler = self.dense("next.pooler", c, c)
        self.classifier = self.dense("next.classifier", c, 2)

    def norm(self, name):
        return (self.p.add(name + ".gamma", (self.c,), 1.0, False, False),
                self.p.add(name + ".beta", (self.c,), 0.0, False, False))

    def dense(self, name, c, k):
        return (self.p.add(name + ".weight", (k, c), self.INIT, True, True),
                self.p.add(name + ".bias", (k,), 0.0, False, False))

    def layer_norm(self, x, norm):
        return F.layer_norm(x, (self.c,), norm[0], norm[1], 1e-12)

    def attention(self, qkv, lengths):
        n, t, d = qkv.shape[0], self.length, self.c // self.heads
        q, k, v = qkv.view(n, t, 3, self.heads, d).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(d)
        padding = torch.arange(t)[None, :] >= lengths[:, None]
        scores = scores.masked_fill(padding[:, None, None, :], float("-inf"))
        return (scores.softmax(-1) @ v).transpose(1, 2).reshape(n, t, self.c)

    def loss(self, batch):
        n, t = batch["tokens"].shape
        x = self.token[batch["tokens"]] + self.position[:t] + self.segment[batch["segments"]]
        x = self.layer_norm(x, self.norm0)
        for qkv, output, norm1, inner, outer, norm2 in self.layers:
            y = self.attention(F.linear(x, *qkv), batch["lengths"])
            x = self.layer_norm(F.linear(y, *output) + x, norm1)
            y = F.linear(F.gelu(F.linear(x, *inner), approximate="tanh"), *outer)
            x = self.layer_norm(y + x, norm2)
        rows = torch.gather(x, 1, batch["positions"][..., None].expand(-1, -1, self.c)).reshape(-1, self.c)
        y = self.layer_norm(F.gelu(F.linear(rows, *self.masked), approximate="tanh"), self.masked_norm)
        loss = F.cross_entropy(F.linear(y, self.token, self.decoder_bias), batch["masked_labels"].reshape(-1))
        y = torch.tanh(F.linear(x[:, 0], *self.pooler))
        return loss + F.cross_entropy(F.linear(y, *self.classifier), batch["next"])


# ---- data: backend/data/synthetic.cpp ---------------------------------------------------------------------


def image_batch(seed, first, n, size, classes):
    images = np.empty((n, 3, size, size), dtype=np.float32)
    labels = np.empty(n, dtype=np.int64)
    tile = np.arange(size) * 8 // size
    places = ((np.arange(3)[:, None, None] * 8 + tile[None, :, None]) * 8 + tile[None, None, :])
    for i in range(n):
        stream = Stream(mix_int(seed) + first + i, 2)
        label = int(stream.hash([0])[0]) % classes
        pattern = Stream(mix_int(seed) + label, 3).unit(places)
        noise = stream.unit(np.arange(1, 3 * size * size + 1)).reshape(3, size, size)
        images[i] = np.float32(3.4641016) * (noise - np.float32(0.5)) + (pattern - np.float32(0.5))
        labels[i] = label
    return {"images": torch.tensor(images.astype(np.float64)), "labels": torch.tensor(labels)}


def sequence_batch(seed, first, n, length, vocabulary, lengths):
    masked = (15 * length + 99) // 100
    tokens = np.empty((n, length), dtype=np.int64)
    positions = np.empty((n, masked), dtype=np.int64)
    labels = np.empty((n, masked), dtype=np.int64)
    following = np.empty(n, dtype=np.int64)
    for i in range(n):
        stream = Stream(mix_int(seed) + first + i, 2)
        u = stream.unit(np.arange(length)).astype(np.float64)
        tokens[i] = (vocabulary * u * u * u).astype(np.int64)
        following[i] = tokens[i, 0] % 2
        for p in range(masked):
            begin, end = p * length // masked, (p + 1) * length // masked
            t = begin + int(stream.hash([length + p])[0]) % (end - begin)
            positions[i, p], labels[i, p] = t, tokens[i, t]
            tokens[i, t] = 103
    segments = np.broadcast_to(np.arange(length) >= length // 2, (n, length)).astype(np.int64)
    arrays = {"tokens": tokens, "segments": segments, "positions": positions, "masked_labels": labels,
              "next": following, "lengths": np.asarray(lengths)}
    return {key: torch.tensor(value) for key, value in arrays.items()}


# ---- cases ------------------------------------------------------------------------------------------------


def run_case(name, p, model, batches, optimizer, clip):
    rows = []
    for step, batch in enumerate(batches, 1):
        optimizer.zero_grad()
        loss = model.loss(batch)
        loss.backward()
        rows.append((name, "loss", step, loss.item(), 0.0))
        if step == 1:
            rows += [summary(name, "gradient", entry, entry[1].grad) for entry in p.entries]
        if clip:
            torch.nn.utils.clip_grad_norm_([entry[1] for entry in p.entries], clip)
        optimizer.step()
    return rows + [summary(name, "parameter", entry, entry[1].detach()) for entry in p.entries]


def summary(case, kind, entry, values):
    name, _, offset, _ = entry
    signs = np.where(Stream(7, 99).unit(np.arange(offset, offset + values.numel())) < 0.5, -1.0, 1.0)
    flat = values.reshape(-1).numpy()
    return case, kind, name, float(np.linalg.norm(flat)), float(flat @ signs)


def groups(p, decay):
    return [{"params": [e[1] for e in p.entries if e[3]], "weight_decay": decay},
            {"params": [e[1] for e in p.entries if not e[3]], "weight_decay": 0.0}]


def resnet_case(name, size, stages, batch, learning_rate):
    imagenet = len(stages) == 4
    classes = 1000 if imagenet else 10
    p = Parameters(1)
    model = ResNet(p, 7 if imagenet else 3, stages, 4 if imagenet else 1, classes, 0.1)
    batches = [image_batch(1, s * batch, batch, size, classes) for s in range(3)]
    optimizer = torch.optim.SGD(groups(p, 1e-4), lr=learning_rate, momentum=0.9)
    return run_case(name, p, model, batches, optimizer, None)


def bert_case(name, length, batch, steps):
    p = Parameters(1)
    model = Bert(p, 2, 128, 2, length)
    lengths = [length - 5 * i for i in range(batch)]
    batches = [sequence_batch(1, s * batch, batch, length, 30522, lengths) for s in range(steps)]
    optimizer = torch.optim.AdamW(groups(p, 0.01), lr=1e-3, eps=1e-6)
    return run_case(name, p, model, batches, optimizer, 1.0)


def main():
    np.seterr(over="ignore")  # hashes wrap around on purpose
    rows = resnet_case("resnet20-cifar", 32, (3, 3, 3), 8, 0.01)
    rows += resnet_case("resnet50", 64, (3, 4, 6, 3), 4, 0.001)
    rows += bert_case("bert-tiny", 32, 4, 3)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.csv")
    with open(path, "w", encoding="ascii") as file:
        file.write("case,kind,name,value,projection\n")
        for row in rows:
            file.write("%s,%s,%s,%.10g,%.10g\n" % row)


if __name__ == "__main__":
    main()
