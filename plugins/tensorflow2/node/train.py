#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 or BERT with TensorFlow 2: Keras layers, MultiWorkerMirroredStrategy, tf.function, XLA."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402


def resnet50(keras):
    """The stride sits in the 3x3 convolution (v1.5). 25,557,032 trained parameters."""
    layers = keras.layers

    def conv_bn(x, width, size, stride=1, relu=True):
        x = layers.Conv2D(width, size, stride, "same", use_bias=False,
                          kernel_initializer=keras.initializers.VarianceScaling(2.0, "fan_out", "untruncated_normal"))(x)
        x = layers.BatchNormalization(momentum=0.9, epsilon=1e-5)(x)
        return layers.ReLU()(x) if relu else x

    def block(x, width, stride):
        y = conv_bn(x, width, 1)
        y = conv_bn(y, width, 3, stride)
        y = conv_bn(y, 4 * width, 1, relu=False)
        if stride != 1 or x.shape[-1] != 4 * width:
            x = conv_bn(x, 4 * width, 1, stride, relu=False)
        return layers.ReLU()(layers.Add()([x, y]))

    images = keras.Input((None, None, 3))
    x = conv_bn(images, 64, 7, 2)
    x = layers.MaxPool2D(3, 2, "same")(x)
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for number in range(blocks):
            x = block(x, 64 << stage, 2 if stage and not number else 1)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(images, layers.Dense(1000, dtype="float32")(x))


def bert(tf, model):
    """BERT pre-training as a tf.Module; the decoder is tied to the embedding."""
    layers, width, heads = sb_run.BERT[model]

    class Bert(tf.Module):
        def __init__(self):
            super().__init__()
            self.parts = {}

            def normal(name, shape):
                self.parts[name] = tf.Variable(tf.random.normal(shape, stddev=0.02), name=name)

            def constant(name, shape, value):
                self.parts[name] = tf.Variable(tf.fill(shape, value), name=name)

            def linear(name, inside, outside):
                normal(name + ".w", (inside, outside))
                constant(name + ".b", (outside,), 0.0)

            def norm(name):
                constant(name + ".gamma", (width,), 1.0)
                constant(name + ".beta", (width,), 0.0)

            normal("tokens", (sb_run.VOCABULARY, width))
            normal("places", (512, width))
            normal("segments", (2, width))
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
            constant("bias", (sb_run.VOCABULARY,), 0.0)
            linear("pooler", width, width)
            linear("next", width, 2)

        def linear(self, x, name):
            y = tf.linalg.matmul(x, tf.cast(self.parts[name + ".w"], x.dtype))
            return y + tf.cast(self.parts[name + ".b"], x.dtype)

        def norm(self, x, name):
            y = tf.cast(x, tf.float32)
            mean, var = tf.nn.moments(y, -1, keepdims=True)
            y = tf.nn.batch_normalization(y, mean, var, self.parts[name + ".beta"], self.parts[name + ".gamma"], 1e-12)
            return tf.cast(y, x.dtype)

        def __call__(self, batch, dtype):
            tokens = batch["tokens"]
            n, length = tokens.shape
            x = tf.gather(self.parts["tokens"], tokens) + self.parts["places"][:length] + \
                tf.gather(self.parts["segments"], batch["segments"])
            x = tf.nn.dropout(self.norm(tf.cast(x, dtype), "norm"), 0.1)
            for layer in range(layers):
                name = "layer%d." % layer
                qkv = tf.reshape(self.linear(x, name + "qkv"), (n, length, 3, heads, width // heads))
                q, k, v = tf.unstack(qkv, axis=2)
                scores = tf.cast(tf.einsum("nqhd,nkhd->nhqk", q, k), tf.float32) / (width // heads) ** 0.5
                y = tf.einsum("nhqk,nkhd->nqhd", tf.nn.dropout(tf.cast(tf.nn.softmax(scores), dtype), 0.1), v)
                y = self.linear(tf.reshape(y, (n, length, width)), name + "out")
                x = self.norm(x + tf.nn.dropout(y, 0.1), name + "norm1")
                y = self.linear(tf.nn.gelu(self.linear(x, name + "up"), True), name + "down")
                x = self.norm(x + tf.nn.dropout(y, 0.1), name + "norm2")
            picked = tf.gather(x, batch["positions"], batch_dims=1)
            y = self.norm(tf.nn.gelu(self.linear(picked, "dense"), True), "dense_norm")
            words = tf.cast(tf.linalg.matmul(y, tf.cast(self.parts["tokens"], dtype), transpose_b=True), tf.float32)
            follows = tf.cast(self.linear(tf.tanh(self.linear(x[:, 0], "pooler")), "next"), tf.float32)
            cost = tf.nn.sparse_softmax_cross_entropy_with_logits
            return tf.reduce_mean(cost(batch["masked"], words + self.parts["bias"])) + \
                tf.reduce_mean(cost(batch["next"], follows))

    return Bert()


class Update:
    """SGD with momentum or AdamW, as the other frameworks' scripts have them."""

    def __init__(self, tf, chosen, rate, variables):
        self.tf, self.chosen, self.rate, self.variables = tf, chosen, rate, variables
        zeros = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
        self.m = zeros
        if chosen.is_bert:
            self.v = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
            self.t = tf.Variable(0.0, trainable=False)

    def __call__(self, gradients):
        tf = self.tf
        gradients = [tf.convert_to_tensor(g) for g in gradients]
        if self.chosen.clip_norm > 0:
            gradients, _ = tf.clip_by_global_norm(gradients, self.chosen.clip_norm)
        if self.chosen.is_bert:
            self.t.assign_add(1.0)
        for i, (p, g) in enumerate(zip(self.variables, gradients)):
            decays = len(p.shape) > 1
            if not self.chosen.is_bert:
                self.m[i].assign(0.9 * self.m[i] + g + (1e-4 * p if decays else 0.0))
                p.assign_sub(self.rate * self.m[i])
                continue
            self.m[i].assign(0.9 * self.m[i] + 0.1 * g)
            self.v[i].assign(0.999 * self.v[i] + 0.001 * g * g)
            step = (self.m[i] / (1 - 0.9 ** self.t)) / (tf.sqrt(self.v[i] / (1 - 0.999 ** self.t)) + 1e-6)
            p.assign(p * (1 - (self.rate * 0.01 if decays else 0.0)) - self.rate * step)


def cluster(rank, world):
    """TF_CONFIG from the rendezvous: one worker a process; worker r listens on the first port + r."""
    if world == 1 or os.environ.get("TF_CONFIG"):
        return
    port = int(os.environ.get("MASTER_PORT", "29500"))
    hosts = os.environ.get("SB_RANK_HOSTS", "").split(",")
    if len(hosts) != world:
        hosts = [os.environ.get("MASTER_ADDR", "127.0.0.1")] * world
    workers = ["%s:%d" % (host, port + 1 + r) for r, host in enumerate(hosts)]
    os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": workers}, "task": {"type": "worker", "index": rank}})


def main():
    chosen = sb_run.options(__doc__, ["fp32", "tf32", "bf16", "fp16"], ["xla"])
    if chosen.data != "synthetic":
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the TensorFlow 2 script trains on --data synthetic only")
    if chosen.precision == "fp16":
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the TensorFlow 2 script has no loss scaling: use bf16")
    rank, world, local = sb_run.place()
    cluster(rank, world)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if chosen.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import tensorflow as tf
    gpus = tf.config.list_physical_devices("GPU")
    if chosen.device == "cuda":
        if not gpus:
            raise sb_run.Refused(sb_run.UNSUPPORTED, "TensorFlow %s sees no GPU here" % tf.__version__)
        tf.config.set_visible_devices(gpus[local % len(gpus)], "GPU")
        tf.config.experimental.set_memory_growth(gpus[local % len(gpus)], True)
        tf.config.experimental.enable_tensor_float_32_execution(chosen.precision == "tf32")
    elif chosen.threads > 0:
        tf.config.threading.set_intra_op_parallelism_threads(chosen.threads)
        tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.random.set_seed(chosen.seed)
    strategy = tf.distribute.MultiWorkerMirroredStrategy() if world > 1 else tf.distribute.get_strategy()
    dtype = tf.bfloat16 if chosen.precision == "bf16" else tf.float32
    run = sb_run.Run("tensorflow2", tf.__version__, chosen, (rank, world, local),
                     "xla" if chosen.xla == "on" else "graph")
    with strategy.scope():
        if chosen.is_bert:
            net = bert(tf, chosen.model)
        else:
            if chosen.precision == "bf16":
                tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
            net = resnet50(tf.keras)
        variables = list(net.trainable_variables)
        update = Update(tf, chosen, sb_run.learning_rate(chosen, world), variables)
    run.start(sum(int(tf.size(v)) for v in variables))
    data = sb_run.Synthetic(chosen, rank, channels_last=True)
    names = ("tokens", "segments", "positions", "masked", "next") if chosen.is_bert else ("images", "labels")
    batch = {name: tf.constant(getattr(data, name)) for name in names}
    smoothing = chosen.label_smoothing

    def loss_of():
        if chosen.is_bert:
            return net(batch, dtype)
        target = tf.one_hot(batch["labels"], 1000, 1 - smoothing + smoothing / 1000, smoothing / 1000)
        return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, net(batch["images"], training=True)))

    def one():
        with tf.GradientTape() as tape:
            loss = loss_of()
        gradients = tape.gradient(loss, variables)
        context = tf.distribute.get_replica_context()
        if world > 1:
            gradients = context.all_reduce(tf.distribute.ReduceOp.MEAN, [tf.convert_to_tensor(g) for g in gradients])
        update(gradients)
        return loss

    @tf.function(jit_compile=chosen.xla == "on" and world == 1)
    def step():
        return strategy.run(one) if world > 1 else one()

    run.ready()
    for _ in range(chosen.steps):
        loss = step()
        run.step(float(strategy.experimental_local_results(loss)[0]))
    run.end()
    sys.stdout.flush()
    os._exit(0)  # the strategy's server threads do not end by themselves


if __name__ == "__main__":
    sb_run.guarded(main)
