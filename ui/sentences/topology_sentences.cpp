// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about reading topologies: app/core.
#include "sentences/sentence_lists.h"

#include <QtGlobal>

namespace sb {

namespace {

constexpr const char *kList[] = {
    QT_TRANSLATE_NOOP("Sentence", "The NVIDIA driver in the kernel and its libraries differ in version, "
                                  "usually after an update: restart the node or reload the driver."),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "nvidia-smi cannot reach the NVIDIA driver: install it or load its kernel module on the node."),
    QT_TRANSLATE_NOOP("Sentence", "The NVIDIA driver is not loaded on the node: load its kernel module."),
    QT_TRANSLATE_NOOP("Sentence", "The driver could not make the matrix; a software RDMA device is a known "
                                  "cause. The PCI tree can be read instead."),
    QT_TRANSLATE_NOOP("Sentence",
                      "The driver runs but finds no GPU: see dmesg on the node for Xid messages."),
    QT_TRANSLATE_NOOP("Sentence", "The driver runs but finds no GPU."),
    QT_TRANSLATE_NOOP("Sentence", "The account may not use the GPU driver on the node."),
    QT_TRANSLATE_NOOP("Sentence", "A GPU fell off the bus: restart the node."),
    QT_TRANSLATE_NOOP(
        "Sentence", "A GPU does not answer: see dmesg on the node for Xid messages, then restart the node."),
    QT_TRANSLATE_NOOP("Sentence", "The driver's library could not start on the node."),
    QT_TRANSLATE_NOOP("Sentence", "The tool is not installed on the node, or not in PATH."),
    QT_TRANSLATE_NOOP("Sentence", "The node shows another host key than before; nothing was sent."),
    QT_TRANSLATE_NOOP("Sentence", "The node's host key could not be verified."),
    QT_TRANSLATE_NOOP("Sentence", "The node accepted neither key nor password."),
    QT_TRANSLATE_NOOP("Sentence", "The node answers, but no SSH server listens there."),
    QT_TRANSLATE_NOOP("Sentence", "The node does not answer."),
    QT_TRANSLATE_NOOP("Sentence", "The node's name has no address."),
    QT_TRANSLATE_NOOP("Sentence", "There is no route to the node."),
    QT_TRANSLATE_NOOP("Sentence", "The node closed the connection before anything was read."),
    QT_TRANSLATE_NOOP("Sentence", "The text is empty: the command printed nothing."),
    QT_TRANSLATE_NOOP("Sentence", "The text is longer than 1 MiB; the rest was not read."),
    QT_TRANSLATE_NOOP("Sentence", "The text has no topology table; paste what nvidia-smi topo -m printed."),
};

} // namespace

std::span<const char *const> topologySentences()
{
    return kList;
}

} // namespace sb
