#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 or BERT with JAX: one compiled step, data parallel over all processes' devices."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402

BN_MOMENTUM = 0.9


class Weights:
    """Draws initial values by name; what is not trained (running means) is kept apart."""

    def __init__(self, seed):
        import numpy
        self.random = numpy.random.RandomState(seed)
        self.trained, self.running = {}, {}

    def normal(self, name, shape, std):
        self.trained[name] = (self.random.standard_normal(shape) * std).astype("float32")

    def constant(self, name, shape, value):
        import numpy
        self.trained[name] = numpy.full(shape, value, "float32")

    def statistics(self, name, width):
        import numpy
        self.running[name + ".mean"] = numpy.zeros(width, "float32")
        self.running[name + ".var"] = numpy.ones(width, "float32")


def resnet_plan():
    """(name, inside, width, stride) of each bottleneck; the stride sits in the 3x3 convolution (v1.5)."""
    inside = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            width = 64 << stage
            yield "stage%d.block%d" % (stage + 1, block + 1), inside, width, 2 if stage and not block else 1
            inside = 4 * width


def resnet_weights(weights):
    def conv_bn(name, size, inside, outside):
        weights.normal(name + ".w", (size, size, inside, outside), (2.0 / (size * size * outside)) ** 0.5)
        weights.constant(name + ".gamma", (outside,), 1.0)
        weights.constant(name + ".beta", (outside,), 0.0)
        weights.statistics(name, outside)

    conv_bn("stem", 7, 3, 64)
    for name, inside, width, stride in resnet_plan():
        conv_bn(name + ".conv1", 1, inside, width)
        conv_bn(name + ".conv2", 3, width, width)
        conv_bn(name + ".conv3", 1, width, 4 * width)
        if stride != 1 or inside != 4 * width:
            conv_bn(name + ".shortcut", 1, inside, 4 * width)
    weights.normal("fc.w", (2048, 1000), (1.0 / (3 * 2048)) ** 0.5)
    weights.constant("fc.b", (1000,), 0.0)


def resnet_loss(jax, chosen, dtype):
    jnp, lax = jax.numpy, jax.lax
    smoothing = chosen.label_smoothing

    def loss(trained, running, batch, key):
        fresh = {}

        def conv_bn(x, name, stride=1, relu=True):
            w = trained[name + ".w"].astype(dtype)
            pad = [(w.shape[0] // 2, w.shape[0] // 2)] * 2
            y = lax.conv_general_dilated(x, w, (stride, stride), pad, dimension_numbers=("NHWC", "HWIO", "NHWC"))
            y = y.astype(jnp.float32)
            mean = y.mean((0, 1, 2))
            var = ((y - mean) ** 2).mean((0, 1, 2))
            for which, value in (("mean", mean), ("var", var)):
                old = running[name + "." + which]
                fresh[name + "." + which] = BN_MOMENTUM * old + (1 - BN_MOMENTUM) * lax.stop_gradient(value)
            y = (y - mean) * lax.rsqrt(var + 1e-5) * trained[name + ".gamma"] + trained[name + ".beta"]
            return (jax.nn.relu(y) if relu else y).astype(dtype)

        x = conv_bn(batch["images"].astype(dtype), "stem", 2)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1),
                              ((0, 0), (1, 1), (1, 1), (0, 0)))
        for name, inside, width, stride in resnet_plan():
            y = conv_bn(x, name + ".conv1")
            y = conv_bn(y, name + ".conv2", stride)
            y = conv_bn(y, name + ".conv3", relu=False)
            if name + ".shortcut.w" in trained:
                x = conv_bn(x, name + ".shortcut", stride, relu=False)
            x = jax.nn.relu(x + y)
        logits = x.astype(jnp.float32).mean((1, 2)) @ trained["fc.w"] + trained["fc.b"]
        log = jax.nn.log_softmax(logits)
        target = jax.nn.one_hot(batch["labels"], 1000) * (1 - smoothing) + smoothing / 1000
        return -(target * log).sum(1).mean(), fresh

    return loss


def bert_weights(weights, model):
    layers, width, _ = sb_run.BERT[model]

    def linear(name, inside, outside):
        weights.normal(name + ".w", (inside, outside), 0.02)
        weights.constant(name + ".b", (outside,), 0.0)

    def norm(name):
        weights.constant(name + ".gamma", (width,), 1.0)
        weights.constant(name + ".beta", (width,), 0.0)

    weights.normal("tokens", (sb_run.VOCABULARY, width), 0.02)
    weights.normal("places", (512, width), 0.02)
    weights.normal("segments", (2, width), 0.02)
    norm("norm")
    for layer in range(layers):
        name = "layer%d." % layer
        linear(name + "qkv", width, 3 * width)
        linear(name + "out", width, width)
        norm(name + "norm1")
        linear(name + "up", width, 4 * width)
        linear(name + "down", 4 * width, width)
        norm(name + "norm2")
    linear("dense", width, width)
    norm("dense_norm")
    weights.constant("bias", (sb_run.VOCABULARY,), 0.0)
    linear("pooler", width, width)
    linear("next", width, 2)


def bert_loss(jax, chosen, dtype):
    jnp = jax.numpy
    layers, width, heads = sb_run.BERT[chosen.model]

    def loss(trained, running, batch, key):
        def linear(x, name):
            return x @ trained[name + ".w"].astype(dtype) + trained[name + ".b"].astype(dtype)

        def norm(x, name):
            x = x.astype(jnp.float32)
            mean = x.mean(-1, keepdims=True)
            var = ((x - mean) ** 2).mean(-1, keepdims=True)
            return ((x - mean) * jax.lax.rsqrt(var + 1e-12) * trained[name + ".gamma"] +
                    trained[name + ".beta"]).astype(dtype)

        counter = [0]

        def drop(x):
            counter[0] += 1
            keep = jax.random.bernoulli(jax.random.fold_in(key, counter[0]), 0.9, x.shape)
            return jnp.where(keep, x / 0.9, 0).astype(dtype)

        def picked_loss(logits, labels):
            log = jax.nn.log_softmax(logits.astype(jnp.float32))
            return -jnp.take_along_axis(log, labels[..., None], -1).mean()

        n, length = batch["tokens"].shape
        x = trained["tokens"][batch["tokens"]] + trained["places"][:length] + trained["segments"][batch["segments"]]
        x = drop(norm(x, "norm"))
        for layer in range(layers):
            name = "layer%d." % layer
            qkv = linear(x, name + "qkv").reshape(n, length, 3, heads, width // heads)
            q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
            scores = jnp.einsum("nqhd,nkhd->nhqk", q, k).astype(jnp.float32) / (width // heads) ** 0.5
            y = jnp.einsum("nhqk,nkhd->nqhd", drop(jax.nn.softmax(scores).astype(dtype)), v)
            x = norm(x + drop(linear(y.reshape(n, length, width), name + "out")), name + "norm1")
            y = linear(jax.nn.gelu(linear(x, name + "up"), approximate=True), name + "down")
            x = norm(x + drop(y), name + "norm2")
        picked = jnp.take_along_axis(x, batch["positions"][..., None], 1)
        y = norm(jax.nn.gelu(linear(picked, "dense"), approximate=True), "dense_norm")
        words = y @ trained["tokens"].T.astype(dtype) + trained["bias"].astype(dtype)
        follows = linear(jnp.tanh(linear(x[:, 0], "pooler")), "next")
        return picked_loss(words, batch["masked"]) + picked_loss(follows, batch["next"]), running

    return loss


def update_rule(jax, chosen, rate):
    """(initial state, function that applies a gradient)."""
    jnp = jax.numpy

    def clipped(gradients):
        if chosen.clip_norm <= 0:
            return gradients
        norm = jnp.sqrt(sum((g ** 2).sum() for g in gradients.values()))
        scale = jnp.minimum(1.0, chosen.clip_norm / (norm + 1e-6))
        return {name: g * scale for name, g in gradients.items()}

    def sgd(trained, state, gradients):
        new, speed = {}, {}
        for name, g in clipped(gradients).items():
            p = trained[name]
            speed[name] = 0.9 * state["m"][name] + g + (1e-4 * p if p.ndim > 1 else 0)
            new[name] = p - rate * speed[name]
        return new, {"m": speed}

    def adamw(trained, state, gradients):
        t = state["t"] + 1
        new, m, v = {}, {}, {}
        for name, g in clipped(gradients).items():
            p = trained[name]
            m[name] = 0.9 * state["m"][name] + 0.1 * g
            v[name] = 0.999 * state["v"][name] + 0.001 * g * g
            step = (m[name] / (1 - 0.9 ** t)) / (jnp.sqrt(v[name] / (1 - 0.999 ** t)) + 1e-6)
            new[name] = p * (1 - (rate * 0.01 if p.ndim > 1 else 0)) - rate * step
        return new, {"m": m, "v": v, "t": t}

    def zeros(trained):
        return {name: jnp.zeros_like(p) for name, p in trained.items()}

    if chosen.is_bert:
        return (lambda trained: {"m": zeros(trained), "v": zeros(trained), "t": jnp.zeros((), jnp.float32)}), adamw
    return (lambda trained: {"m": zeros(trained)}), sgd


def set_up(chosen, world, rank, local):
    if chosen.threads > 0 and chosen.device == "cpu":
        os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=%s"
                                   % ("true" if chosen.threads > 1 else "false")).strip()
    os.environ.setdefault("JAX_PLATFORMS", "cpu" if chosen.device == "cpu" else "cuda")
    import jax
    if chosen.precision == "tf32":
        jax.config.update("jax_default_matmul_precision", "tensorfloat32")
    elif chosen.precision == "fp32" and chosen.device == "cuda":
        jax.config.update("jax_default_matmul_precision", "float32")
    if world > 1:
        if chosen.device == "cpu":
            jax.config.update("jax_cpu_collectives_implementation", "gloo")
        where = "%s:%s" % (os.environ.get("MASTER_ADDR", "127.0.0.1"), os.environ.get("MASTER_PORT", "29500"))
        jax.distributed.initialize(where, world, rank,
                                   local_device_ids=None if chosen.device == "cpu" else [local])
    return jax


def main():
    chosen = sb_run.options(__doc__, ["fp32", "tf32", "bf16"])
    if chosen.data != "synthetic":
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the JAX script trains on --data synthetic only")
    rank, world, local = sb_run.place()
    jax = set_up(chosen, world, rank, local)
    jnp = jax.numpy
    mesh_of, sharding = jax.sharding, jax.sharding.NamedSharding
    run = sb_run.Run("jax", jax.__version__, chosen, (rank, world, local), "xla")
    weights = Weights(chosen.seed)
    if chosen.is_bert:
        bert_weights(weights, chosen.model)
    else:
        resnet_weights(weights)
    run.start(sum(p.size for p in weights.trained.values()), jax.local_devices()[0].device_kind
              if chosen.device == "cuda" else None)
    dtype = jnp.bfloat16 if chosen.precision == "bf16" else jnp.float32
    loss = (bert_loss if chosen.is_bert else resnet_loss)(jax, chosen, dtype)
    begin, update = update_rule(jax, chosen, sb_run.learning_rate(chosen, world))

    # One device of each process; the batch is cut along them, weights are everywhere, and XLA adds the
    # all-reduce of gradients.
    devices = [d for p in range(world) for d in jax.devices() if d.process_index == p][:world]
    mesh = mesh_of.Mesh(devices, ("data",))
    whole, cut = sharding(mesh, mesh_of.PartitionSpec()), sharding(mesh, mesh_of.PartitionSpec("data"))

    def everywhere(tree):
        return jax.tree_util.tree_map(lambda x: jax.make_array_from_process_local_data(whole, x), tree)

    data = sb_run.Synthetic(chosen, rank, channels_last=True)
    names = ("tokens", "segments", "positions", "masked", "next") if chosen.is_bert else ("images", "labels")
    batch = {name: jax.make_array_from_process_local_data(cut, getattr(data, name)) for name in names}
    trained, running = everywhere(weights.trained), everywhere(weights.running)
    state = jax.jit(begin, out_shardings=whole)(trained)

    def one(trained, running, state, batch, key):
        (value, fresh), gradients = jax.value_and_grad(loss, has_aux=True)(trained, running, batch, key)
        trained, state = update(trained, state, gradients)
        return trained, fresh, state, value

    step = jax.jit(one, donate_argnums=(0, 1, 2), out_shardings=whole)
    run.ready()
    for i in range(chosen.steps):
        trained, running, state, value = step(trained, running, state, batch,
                                              jax.random.fold_in(jax.random.PRNGKey(chosen.seed), i))
        run.step(float(value))
    if world > 1:
        jax.distributed.shutdown()
    run.end()


if __name__ == "__main__":
    sb_run.guarded(main)
