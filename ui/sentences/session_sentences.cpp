// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about running, importing and packing: app/session.
#include "sentences/sentence_lists.h"

#include <QtGlobal>

namespace sb {

namespace {

constexpr const char *kList[] = {
    QT_TRANSLATE_NOOP("Sentence", "%1 was made by a newer version (schema %2; this one reads up to %3); open "
                                  "it with that version."),
    QT_TRANSLATE_NOOP("Sentence", "kind is \"%1\", not \"scaleboard bundle\""),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: \"%2\" is nothing that a bundle has."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was not unpacked: it has no workspace.json."),
    QT_TRANSLATE_NOOP("Sentence", "The workspace %1 has no run that has ended; there is nothing to bundle."),
    QT_TRANSLATE_NOOP("Sentence", "The bundle was stopped; nothing was written."),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "%1 has names or addresses that are not neutral; export the report again with neutral names."),
    QT_TRANSLATE_NOOP("Sentence", "The workspace has another measurement named %1 already; give this one "
                                  "another name."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was written by a newer version (schema %2; this one reads up to %3)."),
    QT_TRANSLATE_NOOP("Sentence", "No temporary folder could be made to unpack %1 into: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The node %1 is not connected."),
    QT_TRANSLATE_NOOP("Sentence", "%1 could not be put on %2: %3"),
    QT_TRANSLATE_NOOP("Sentence", "%1 does not run on %2: %3."),
    QT_TRANSLATE_NOOP("Sentence", "status %1"),
    QT_TRANSLATE_NOOP("Sentence", "%1 cannot be written."),
    QT_TRANSLATE_NOOP("Sentence", "%1 cannot be copied to %2: %3."),
    QT_TRANSLATE_NOOP("Sentence", "the case \"%1\" is not of the form 2n8g"),
    QT_TRANSLATE_NOOP("Sentence", "the throughput \"%1\" is no number above zero"),
    QT_TRANSLATE_NOOP("Sentence", "the table cannot be read, or is larger than 64 MB"),
    QT_TRANSLATE_NOOP("Sentence", "no number that a training program would print"),
    QT_TRANSLATE_NOOP("Sentence", "a benchmark of links, not a training run"),
    QT_TRANSLATE_NOOP("Sentence", "There is no %1 to import."),
    QT_TRANSLATE_NOOP("Sentence", "The pattern cannot be used: %1."),
    QT_TRANSLATE_NOOP("Sentence", "The import was cancelled."),
    QT_TRANSLATE_NOOP("Sentence", "%1 needs %2 nodes."),
    QT_TRANSLATE_NOOP("Sentence", "The log %1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The log %1 cannot be opened: %2."),
    QT_TRANSLATE_NOOP("Sentence", "The log %1 cannot be read."),
    QT_TRANSLATE_NOOP("Sentence", "The disk took no more of %1 (%2). The log is kept up to byte %3; free "
                                  "some space and start again to go on from there."),
    QT_TRANSLATE_NOOP("Sentence", "The topology of %1 was not read: %2"),
    QT_TRANSLATE_NOOP("Sentence", "%1 GPUs, %2 cores"),
    QT_TRANSLATE_NOOP("Sentence", "%1 cores"),
    QT_TRANSLATE_NOOP("Sentence", "The probe of %1 failed: %2"),
    QT_TRANSLATE_NOOP("Sentence", "the node says of no home folder."),
    QT_TRANSLATE_NOOP("Sentence", "the node says of no home folder, nor anything else."),
    QT_TRANSLATE_NOOP("Sentence",
                      "The login shell of the user runs no commands, or standard programs are missing."),
    QT_TRANSLATE_NOOP("Sentence", "Sign in by hand and run: sh -c 'uname -n'"),
    QT_TRANSLATE_NOOP("Sentence", "the folder %1 cannot be made."),
    QT_TRANSLATE_NOOP("Sentence", "the folder %1 cannot be made (%2)."),
    QT_TRANSLATE_NOOP("Sentence", "the folder %1 cannot be written; is the disk full?"),
    QT_TRANSLATE_NOOP("Sentence", "the folder %1 cannot be written; is the disk full? (%2)"),
    QT_TRANSLATE_NOOP("Sentence", "the run did not come up within 5 s in %1."),
    QT_TRANSLATE_NOOP("Sentence", "the run did not come up within 5 s in %1 (%2)."),
    QT_TRANSLATE_NOOP("Sentence", "the run folder %1 is gone."),
    QT_TRANSLATE_NOOP("Sentence", "the run was killed from outside or the node restarted."),
    QT_TRANSLATE_NOOP("Sentence", "the process group of the run is not known in %1."),
    QT_TRANSLATE_NOOP("Sentence", "processes of the run are still there after a KILL."),
    QT_TRANSLATE_NOOP("Sentence", "a standard program is missing on the node."),
    QT_TRANSLATE_NOOP("Sentence", "a standard program is missing on the node (%1)."),
    QT_TRANSLATE_NOOP("Sentence", "the node's shell ended with status %1."),
    QT_TRANSLATE_NOOP("Sentence", "the node's shell ended with status %1 (%2)."),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "%1 has no GPU: there is none in its PCI tree, and nvidia-smi and rocm-smi are not installed."),
    QT_TRANSLATE_NOOP("Sentence", "%1 shows no topology, and there is no GPU in its PCI tree. %2"),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "A run of this workspace was started on nodes that are not connected now (%1). It is left as it is."),
    QT_TRANSLATE_NOOP("Sentence", "There is no plugin \"%1\" any more."),
    QT_TRANSLATE_NOOP("Sentence", "There is no %1."),
    QT_TRANSLATE_NOOP("Sentence", "%1: there is no plugin \"%2\"."),
    QT_TRANSLATE_NOOP("Sentence", "On %1, %2"),
    QT_TRANSLATE_NOOP("Sentence", "%1 has not answered for %2 s. When it is back, see whether processes of "
                                  "the run are left there: their folder is %3."),
    QT_TRANSLATE_NOOP("Sentence", "The run could not be stopped. On %1, %2"),
    QT_TRANSLATE_NOOP("Sentence", "Rank %1 on %2 ended with status %3."),
    QT_TRANSLATE_NOOP("Sentence", "Rank %1 on %2 ended with status %3: %4"),
    QT_TRANSLATE_NOOP("Sentence", "It was stopped before mpirun was started."),
    QT_TRANSLATE_NOOP("Sentence", "Stopped by the user."),
    QT_TRANSLATE_NOOP("Sentence", "The environment \"%1\" has no name after the colon."),
    QT_TRANSLATE_NOOP("Sentence", "The environment \"%1\" needs an absolute folder."),
    QT_TRANSLATE_NOOP("Sentence", "The environment \"%1\" begins with none of %2:."),
    QT_TRANSLATE_NOOP("Sentence", "Open or make a workspace first: results need a place."),
    QT_TRANSLATE_NOOP("Sentence", "No workspace is open."),
    QT_TRANSLATE_NOOP("Sentence", "This workspace is a bundle and read-only. Make a new workspace and run "
                                  "the plan there; the bundle has it below plans/."),
    QT_TRANSLATE_NOOP("Sentence", "A plan is running already."),
    QT_TRANSLATE_NOOP("Sentence",
                      "A plan is running; stop it or wait for its end, then open the other workspace."),
    QT_TRANSLATE_NOOP("Sentence", "The nodes are still being connected to; try again in a moment."),
    QT_TRANSLATE_NOOP("Sentence", "No node is connected. Connect one first."),
    QT_TRANSLATE_NOOP("Sentence", "The node %1 has no home folder for its runs."),
    QT_TRANSLATE_NOOP("Sentence", "Every case of the plan is refused: %1"),
    QT_TRANSLATE_NOOP("Sentence", "it has none."),
    QT_TRANSLATE_NOOP("Sentence", "A plan is running on this machine; add nodes when it is done."),
    QT_TRANSLATE_NOOP("Sentence", "A plan is running; nodes can be removed when it is done."),
    QT_TRANSLATE_NOOP("Sentence", "The source folder %1 is not there."),
    QT_TRANSLATE_NOOP(
        "Sentence", "The source folder %1 cannot be packed: a path is too long, or it has more than 64 MiB."),
    QT_TRANSLATE_NOOP("Sentence", "its folder there cannot be written; is the disk full? (%1)"),
    QT_TRANSLATE_NOOP("Sentence", "these programs are missing there: %1. Install them (in Debian: "
                                  "build-essential cmake libdnnl-dev libgloo-dev)"),
    QT_TRANSLATE_NOOP("Sentence", "CMake says: %1"),
    QT_TRANSLATE_NOOP("Sentence", "the compiler says: %1"),
    QT_TRANSLATE_NOOP("Sentence", "A temporary file cannot be written: %1."),
    QT_TRANSLATE_NOOP("Sentence", "It could not be built from source: %1."),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 Install what is missing there, or build the program on a node like it."),
    QT_TRANSLATE_NOOP("Sentence", "%1 is larger than 16 MB; a benchmark of links prints less."),
    QT_TRANSLATE_NOOP("Sentence", "%1 cannot be looked for in %2: %3"),
    QT_TRANSLATE_NOOP("Sentence", "its Python did not answer"),
    QT_TRANSLATE_NOOP("Sentence", "it did not answer"),
    QT_TRANSLATE_NOOP("Sentence", "%1 is not in %2: the package %3 is missing. Install it there."),
    QT_TRANSLATE_NOOP("Sentence", "There is no folder %1 on %2: clone %3's scripts there."),
    QT_TRANSLATE_NOOP("Sentence", "%1 on %2 is at %3, the recipe is of %4. Run there: %5"),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "Whether a container of %1 sees the GPUs of %2 could not be found out: %3 Install the NVIDIA "
        "Container Toolkit there; podman needs the file that nvidia-ctk cdi generate makes."),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "A container of %1 sees %2 GPUs on %3, %4 are needed: its engine ignored the flag. Install the "
        "NVIDIA Container Toolkit there; podman needs the file that nvidia-ctk cdi generate makes."),
    QT_TRANSLATE_NOOP("Sentence", "The check before the run broke off on %1: %2"),
    QT_TRANSLATE_NOOP("Sentence", "The image %1 could not be got on %2: %3 Check the image's name and tag, "
                                  "and whether the node may pull from that registry."),
    QT_TRANSLATE_NOOP("Sentence", "%1 and %2 differ in %3: %4 on the second. Install the same on both, or "
                                  "the curve compares two things."),
    QT_TRANSLATE_NOOP("Sentence", "%1 on the first and %2"),
    QT_TRANSLATE_NOOP("Sentence", "the versions of %1"),
    QT_TRANSLATE_NOOP("Sentence", "the scripts in %1"),
    QT_TRANSLATE_NOOP("Sentence", "the image %1"),
    QT_TRANSLATE_NOOP("Sentence",
                      "There is no data folder %1 on %2: put the same data at the same place on every node."),
    QT_TRANSLATE_NOOP("Sentence", "No node is connected."),
    QT_TRANSLATE_NOOP("Sentence", "%1 needs the same folder for runs on all nodes; %2 has %3 and %4 has %5. "
                                  "Choose the launcher per_rank."),
    QT_TRANSLATE_NOOP("Sentence", "Slurm cannot use the folder %1: its name has blanks or quotation marks. "
                                  "Name another as slurm.folder in the plan."),
    QT_TRANSLATE_NOOP("Sentence", "the job was submitted from %1, but Slurm knows no job of its name."),
    QT_TRANSLATE_NOOP("Sentence", "the job is still in Slurm's queue after scancel."),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 The nodes do not reach each other; see the network and firewalls between them."),
    QT_TRANSLATE_NOOP("Sentence", "%1 No sshd listens there; start it, or name its port in ssh_config."),
    QT_TRANSLATE_NOOP("Sentence", "%1 \"node-ssh prepare\" makes this log-in possible."),
    QT_TRANSLATE_NOOP("Sentence", "%1 has no key of this purpose; nothing to remove."),
    QT_TRANSLATE_NOOP("Sentence", "%1 said nothing about %2."),
    QT_TRANSLATE_NOOP("Sentence", "%1 signs in to %2"),
    QT_TRANSLATE_NOOP("Sentence", "%1 cannot sign in to %2: %3."),
    QT_TRANSLATE_NOOP("Sentence", "%1: the key is in %2"),
    QT_TRANSLATE_NOOP("Sentence", "%1: lets the key in from %2"),
    QT_TRANSLATE_NOOP("Sentence", "%1: the key is not let in any more"),
    QT_TRANSLATE_NOOP("Sentence", "A rank of the run left no exit code; it was killed from outside."),
    QT_TRANSLATE_NOOP("Sentence", "Log-ins from node to node need at least two nodes."),
    QT_TRANSLATE_NOOP("Sentence", "The Slurm job %1"),
    QT_TRANSLATE_NOOP("Sentence", "%1 was ended at its time limit. Raise slurm.time_limit_min in the plan."),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 was ended at its time limit of %2. Raise slurm.time_limit_min in the plan."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was cancelled by somebody else (scancel)."),
    QT_TRANSLATE_NOOP("Sentence", "%1 ended because a node failed. Run the plan again."),
    QT_TRANSLATE_NOOP("Sentence", "%1 ended because a node failed on %2. Run the plan again."),
    QT_TRANSLATE_NOOP("Sentence", "%1 used more memory than it had asked for. Ask for more (slurm.options: "
                                  "\"--mem=…\") or take a smaller batch."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was ended to make room for another. Run the plan again."),
    QT_TRANSLATE_NOOP("Sentence", "Slurm does not know the job %1 any more, and it left no exit codes."),
    QT_TRANSLATE_NOOP("Sentence", "%1: the run folder is not there on the compute nodes. Name one that they "
                                  "share with the login node as slurm.folder in the plan."),
    QT_TRANSLATE_NOOP("Sentence", "Rank %1 on %2 ended with status %3. Something killed it; the node's "
                                  "memory, or a container's share of it, is the usual reason."),
    QT_TRANSLATE_NOOP("Sentence", "Rank %1 on %2 ended with status %3: %4 Something killed it; the node's "
                                  "memory, or a container's share of it, is the usual reason."),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "Something killed it; the node's memory, or a container's share of it, is the usual reason."),
    QT_TRANSLATE_NOOP("Sentence", "line %1: %2"),
    QT_TRANSLATE_NOOP("Sentence", "the %1 \"%2\" is no count"),
    QT_TRANSLATE_NOOP("Sentence", "%1 devices cannot be spread evenly over %2 nodes"),
    QT_TRANSLATE_NOOP("Sentence", "%1 nodes of %2 devices are more than any cluster has"),
    QT_TRANSLATE_NOOP("Sentence", "it cannot be read: %1"),
    QT_TRANSLATE_NOOP("Sentence", "it is larger than 64 MB"),
    QT_TRANSLATE_NOOP("Sentence", "it is a workbook (XLSX) in spite of its name; save it as CSV"),
    QT_TRANSLATE_NOOP("Sentence", "it is empty"),
    QT_TRANSLATE_NOOP("Sentence", "it has no column \"%1\"; its columns are %2"),
    QT_TRANSLATE_NOOP("Sentence", "a quote is not closed"),
    QT_TRANSLATE_NOOP("Sentence", "a benchmark of links, but not between the GPUs of a node"),
    QT_TRANSLATE_NOOP("Sentence", "\"%1\" holds no cases"),
    QT_TRANSLATE_NOOP("Sentence", "batch_size_per_device is no count"),
    QT_TRANSLATE_NOOP("Sentence", "the case \"%1\" has neither median_speed nor average_speed"),
    QT_TRANSLATE_NOOP("Sentence", "the speed of \"%1\" is no number above zero"),
    QT_TRANSLATE_NOOP("Sentence", "the file cannot be read, or is larger than 64 MB"),
    QT_TRANSLATE_NOOP("Sentence", "The file %1 cannot go into a pod: its name must be letters, digits, "
                                  "\"-\", \"_\" and \".\", and not launch.sh."),
    QT_TRANSLATE_NOOP("Sentence",
                      "The file %1 cannot go into a pod: it is no text in UTF-8. Put it into the image."),
    QT_TRANSLATE_NOOP("Sentence", "The scripts of the run have %1 bytes; a ConfigMap of Kubernetes takes "
                                  "1000000. Put them into the image, or take fewer nodes."),
    QT_TRANSLATE_NOOP("Sentence", "The Kubernetes job %1"),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 was ended at its time limit. Raise kubernetes.time_limit_min in the plan."),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 was ended at its time limit of %2. Raise kubernetes.time_limit_min in the plan."),
    QT_TRANSLATE_NOOP("Sentence", "%1 used more memory than it may (%2). Give it more (kubernetes.resources: "
                                  "\"memory\"), or take a smaller batch."),
    QT_TRANSLATE_NOOP("Sentence", "%1 lost a pod to its node's needs (%2). Run the plan again."),
    QT_TRANSLATE_NOOP(
        "Sentence", "%1 could not start (%2). The image needs sh, and the framework's program in its PATH."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was deleted by somebody else (kubectl delete)."),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 No cluster answers there; see the configuration of kubectl on that node."),
    QT_TRANSLATE_NOOP("Sentence", "%1 Its user needs the right to create and delete jobs, services and "
                                  "config maps, and to read pods and their logs."),
    QT_TRANSLATE_NOOP("Sentence", "Kubernetes did not take the job: %1"),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "The launcher kubernetes needs an image for %1; name one as its environment in the plan."),
    QT_TRANSLATE_NOOP("Sentence", "there is no kubectl; install it there, or name another node first."),
    QT_TRANSLATE_NOOP("Sentence", "something of the job is still in the cluster after kubectl delete: %1."),
    QT_TRANSLATE_NOOP("Sentence", "Rank %1 of the Kubernetes job %2 ended with status %3."),
    QT_TRANSLATE_NOOP("Sentence", "Rank %1 of the Kubernetes job %2 ended with status %3: %4"),
    QT_TRANSLATE_NOOP("Sentence",
                      "The launcher kubernetes was not run against a cluster yet: its manifests are checked "
                      "against the published schemas, and kubectl against a stand-in for the API server."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was ended at its time limit while it still waited (%2)."),
    QT_TRANSLATE_NOOP("Sentence", "%1 was ended at its time limit of %2 while it still waited (%3)."),
    QT_TRANSLATE_NOOP("Sentence", "horovodrun is started in a virtual environment or from the node's own "
                                  "PATH, not in %1. Choose the launcher mpirun or per_rank."),
    QT_TRANSLATE_NOOP("Sentence", "horovodrun needs a network interface of the same name on all nodes; %1 "
                                  "has %2 and %3 has %4. Choose the launcher mpirun or per_rank."),
};

} // namespace

std::span<const char *const> sessionSentences()
{
    return kList;
}

} // namespace sb
