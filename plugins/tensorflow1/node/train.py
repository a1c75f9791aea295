#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-50 v1.5 with TensorFlow 1.15: a static graph and a session; several processes by Horovod."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "common", "node")]
import sb_run  # noqa: E402


def resnet50(tf, images):
    """Logits; the stride sits in the 3x3 convolution (v1.5). 25,557,032 trained parameters."""
    layers = tf.layers
    scale = tf.variance_scaling_initializer(2.0, "fan_out", "untruncated_normal")

    def conv_bn(x, width, size, stride=1, relu=True):
        x = layers.conv2d(x, width, size, stride, "same", use_bias=False, kernel_initializer=scale)
        x = tf.cast(layers.batch_normalization(tf.cast(x, tf.float32), momentum=0.9, epsilon=1e-5, training=True,
                                               fused=True), x.dtype)
        return tf.nn.relu(x) if relu else x

    x = conv_bn(images, 64, 7, 2)
    x = layers.max_pooling2d(x, 3, 2, "same")
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            width, stride = 64 << stage, 2 if stage and not block else 1
            y = conv_bn(x, width, 1)
            y = conv_bn(y, width, 3, stride)
            y = conv_bn(y, 4 * width, 1, relu=False)
            if stride != 1 or int(x.shape[-1]) != 4 * width:
                x = conv_bn(x, 4 * width, 1, stride, relu=False)
            x = tf.nn.relu(x + y)
    return layers.dense(tf.cast(tf.reduce_mean(x, [1, 2]), tf.float32), 1000)


def main():
    chosen = sb_run.options(__doc__, ["fp32", "fp16"], ["xla"])
    if chosen.is_bert:
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the TensorFlow 1 script trains resnet50 only")
    if chosen.data != "synthetic":
        raise sb_run.Refused(sb_run.UNSUPPORTED, "the TensorFlow 1 script trains on --data synthetic only")
    rank, world, local = sb_run.place()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    if chosen.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import tensorflow as tf
    tf.logging.set_verbosity(tf.logging.ERROR)
    horovod = None
    if world > 1:
        import horovod.tensorflow as horovod
        import sb_horovod
        started = sb_horovod.Horovod(horovod, (rank, world, local))
        rank, world, local = started.place
    if chosen.device == "cuda" and not tf.test.is_gpu_available():
        raise sb_run.Refused(sb_run.UNSUPPORTED, "TensorFlow %s sees no GPU here" % tf.__version__)
    tf.set_random_seed(chosen.seed)
    run = sb_run.Run("tensorflow1", tf.__version__, chosen, (rank, world, local),
                     "xla" if chosen.xla == "on" else "graph")
    data = sb_run.Synthetic(chosen, rank, channels_last=True)
    # Kept on the device in variables: a constant of this size would be folded into the graph.
    images = tf.Variable(data.images, trainable=False)
    labels = tf.Variable(data.labels, trainable=False)
    logits = resnet50(tf, images)
    smoothing = chosen.label_smoothing
    target = tf.one_hot(labels, 1000, 1 - smoothing + smoothing / 1000, smoothing / 1000)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=logits))
    trained = tf.trainable_variables()
    decay = tf.add_n([tf.nn.l2_loss(v) for v in trained if len(v.shape) > 1]) * 1e-4
    optimizer = tf.train.MomentumOptimizer(sb_run.learning_rate(chosen, world), 0.9)
    if horovod:
        optimizer = horovod.DistributedOptimizer(optimizer)
    if chosen.precision == "fp16":
        optimizer = tf.train.experimental.enable_mixed_precision_graph_rewrite(optimizer)
    gradients = optimizer.compute_gradients(loss + decay, trained)
    if chosen.clip_norm > 0:
        clipped, _ = tf.clip_by_global_norm([g for g, _ in gradients], chosen.clip_norm)
        gradients = list(zip(clipped, [v for _, v in gradients]))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = optimizer.apply_gradients(gradients)
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    if chosen.device == "cuda":
        config.gpu_options.visible_device_list = str(local)
    if chosen.threads > 0 and chosen.device == "cpu":
        config.intra_op_parallelism_threads = chosen.threads
        config.inter_op_parallelism_threads = 1
    if chosen.xla == "on":
        config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    run.start(sum(int(v.shape.num_elements()) for v in trained))
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        if horovod:
            session.run(horovod.broadcast_global_variables(0))
        run.ready()
        for _ in range(chosen.steps):
            _, value = session.run([train, loss])
            run.step(value)
    if horovod:
        started.end()
    run.end()


if __name__ == "__main__":
    sb_run.guarded(main)
