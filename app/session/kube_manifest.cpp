// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/kube_manifest.h"

#include "core/json.h"
#include "core/text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace sb {

namespace {

constexpr std::size_t kMostFileBytes = 1'000'000; // a ConfigMap takes 1 MiB; its other parts need some
constexpr std::size_t kStampSize = 18;            // "20261129-180409981"
constexpr int kReadOnlyMode = 0444;
constexpr int kGraceS = 30;
constexpr int kKeepEndedS = 24 * 3600; // if nobody comes back to delete the job, the cluster does

using Json = JsonNode;

Json object()
{
    return Json::object();
}

Json list(std::initializer_list<Json> items)
{
    Json node = Json::array();
    for (const Json &item : items)
        node.push(item);
    return node;
}

Json labels(const KubeJob &job)
{
    return object().set(kKubeLabel, job.name).set("app.kubernetes.io/managed-by", "scaleboard");
}

Json metadata(const KubeJob &job)
{
    Json node = object().set("name", job.name);
    if (!job.settings.nameSpace.empty())
        node.set("namespace", job.settings.nameSpace);
    return node.set("labels", labels(job)).set("annotations", object().set(kKubeLabel, job.runId));
}

Json configMap(const KubeJob &job)
{
    Json data = object();
    for (const PodFile &file : job.files)
        data.set(file.name, file.text);
    data.set(kPodScript, job.script);
    return object()
        .set("apiVersion", "v1")
        .set("kind", "ConfigMap")
        .set("metadata", metadata(job))
        .set("data", data);
}

// Names are published before a pod is ready: ranks look for each other while they start.
Json service(const KubeJob &job)
{
    return object()
        .set("apiVersion", "v1")
        .set("kind", "Service")
        .set("metadata", metadata(job))
        .set("spec", object()
                         .set("clusterIP", "None")
                         .set("publishNotReadyAddresses", true)
                         .set("selector", object().set(kKubeLabel, job.name)));
}

bool wantsRdma(const KubeJob &job)
{
    return std::any_of(job.settings.resources.begin(), job.settings.resources.end(),
                       [](const auto &resource) { return resource.first.find("rdma") != std::string::npos; });
}

Json limits(const KubeJob &job)
{
    Json node = object();
    if (job.gpus)
        node.set("nvidia.com/gpu", std::to_string(job.ranksPerPod));
    else if (!job.settings.resources.contains("cpu"))
        node.set("cpu", std::to_string(job.ranksPerPod * std::max(1, job.threadsPerRank)));
    for (const auto &[name, quantity] : job.settings.resources)
        node.set(name, quantity);
    return node;
}

Json mount(const std::string &name, const std::string &path, bool readOnly)
{
    Json node = object().set("name", name).set("mountPath", path);
    if (readOnly)
        node.set("readOnly", true);
    return node;
}

std::string folderVolume(std::size_t index)
{
    return "folder-" + std::to_string(index);
}

Json container(const KubeJob &job)
{
    Json mounts = list({mount("files", kPodFilesFolder, true), mount("run", kPodRunFolder, false),
                        mount("shm", "/dev/shm", false)});
    for (std::size_t i = 0; i < job.folders.size(); ++i)
        mounts.push(mount(folderVolume(i), job.folders[i], true));
    Json node =
        object()
            .set("name", "ranks")
            .set("image", job.image)
            .set("imagePullPolicy", "IfNotPresent")
            .set("command", std::vector<std::string>{"sh", std::string(kPodFilesFolder) + "/" + kPodScript})
            .set("workingDir", kPodRunFolder)
            .set("resources", object().set("limits", limits(job)))
            .set("volumeMounts", mounts);
    if (wantsRdma(job)) // the adapter's queues are locked memory
        node.set("securityContext",
                 object().set("capabilities", object().set("add", std::vector<std::string>{"IPC_LOCK"})));
    return node;
}

Json volumes(const KubeJob &job)
{
    Json node = list(
        {object()
             .set("name", "files")
             .set("configMap", object().set("name", job.name).set("defaultMode", kReadOnlyMode)),
         object().set("name", "run").set("emptyDir", object()),
         object()
             .set("name", "shm")
             .set("emptyDir", object()
                                  .set("medium", "Memory")
                                  .set("sizeLimit", std::to_string(job.settings.sharedMemoryGb) + "Gi"))});
    for (std::size_t i = 0; i < job.folders.size(); ++i) {
        Json volume = object().set("name", folderVolume(i));
        if (job.folders[i] == job.dataFolder && !job.settings.dataClaim.empty())
            volume.set("persistentVolumeClaim",
                       object().set("claimName", job.settings.dataClaim).set("readOnly", true));
        else
            volume.set("hostPath", object().set("path", job.folders[i]).set("type", "Directory"));
        node.push(volume);
    }
    return node;
}

// Two pods on one node would share what a result counts as two nodes.
Json apart(const KubeJob &job)
{
    const Json term =
        object()
            .set("topologyKey", "kubernetes.io/hostname")
            .set("labelSelector", object().set("matchLabels", object().set(kKubeLabel, job.name)));
    return object().set("podAntiAffinity",
                        object().set("requiredDuringSchedulingIgnoredDuringExecution", list({term})));
}

Json podSpec(const KubeJob &job)
{
    const KubernetesSettings &settings = job.settings;
    Json node = object()
                    .set("restartPolicy", "Never")
                    .set("subdomain", job.name)
                    .set("terminationGracePeriodSeconds", kGraceS)
                    .set("enableServiceLinks", false)
                    .set("automountServiceAccountToken", false);
    if (!settings.serviceAccount.empty())
        node.set("serviceAccountName", settings.serviceAccount);
    if (settings.hostNetwork)
        node.set("hostNetwork", true).set("dnsPolicy", "ClusterFirstWithHostNet");
    if (!settings.nodeSelector.empty()) {
        Json selector = object();
        for (const auto &[name, value] : settings.nodeSelector)
            selector.set(name, value);
        node.set("nodeSelector", selector);
    }
    if (job.pods > 1)
        node.set("affinity", apart(job));
    if (job.gpus) // nodes with GPUs are often kept for pods that say so
        node.set("tolerations", list({object()
                                          .set("key", "nvidia.com/gpu")
                                          .set("operator", "Exists")
                                          .set("effect", "NoSchedule")}));
    return node.set("containers", list({container(job)})).set("volumes", volumes(job));
}

Json jobObject(const KubeJob &job)
{
    Json spec = object()
                    .set("completionMode", "Indexed")
                    .set("completions", job.pods)
                    .set("parallelism", job.pods)
                    .set("backoffLimit", 0) // a second attempt would write into the first one's logs
                    .set("ttlSecondsAfterFinished", kKeepEndedS);
    if (job.settings.timeLimitMin)
        spec.set("activeDeadlineSeconds", *job.settings.timeLimitMin * 60);
    spec.set("template",
             object().set("metadata", object().set("labels", labels(job))).set("spec", podSpec(job)));
    return object()
        .set("apiVersion", "batch/v1")
        .set("kind", "Job")
        .set("metadata", metadata(job))
        .set("spec", spec);
}

bool isKey(const std::string &name)
{
    return !name.empty() && name.size() <= 253 && name != kPodScript &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.';
           });
}

Result<void> checkFiles(const KubeJob &job)
{
    std::size_t bytes = job.script.size();
    for (const PodFile &file : job.files) {
        bytes += file.text.size();
        if (!isKey(file.name))
            return Error{ErrorCode::BadInput, "The file " + file.name +
                                                  " cannot go into a pod: its name must be letters, digits, "
                                                  "\"-\", \"_\" and \".\", and not launch.sh."};
        if (validUtf8(file.text) != file.text)
            return Error{ErrorCode::BadInput,
                         "The file " + file.name +
                             " cannot go into a pod: it is no text in UTF-8. Put it into "
                             "the image."};
    }
    if (bytes > kMostFileBytes)
        return Error{ErrorCode::BadInput, "The scripts of the run have " + std::to_string(bytes) +
                                              " bytes; a ConfigMap of Kubernetes takes 1000000. Put them "
                                              "into the image, or take fewer nodes."};
    return {};
}

} // namespace

std::string kubeName(const std::string &runId)
{
    std::uint32_t hash = 2166136261U; // FNV-1a: two runs of one millisecond have different names
    for (const char c : runId)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::string name = "sb-";
    for (const char c : runId.substr(0, kStampSize)) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        name += (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') ? lower : '-';
    }
    char text[16];
    std::snprintf(text, sizeof text, "-%08x", hash);
    return name + text;
}

std::string podHost(const std::string &jobName, int index)
{
    return jobName + "-" + std::to_string(index) + "." + jobName;
}

Result<std::string> kubeManifest(const KubeJob &job)
{
    if (const auto checked = checkFiles(job); !checked)
        return checked.error();
    return writeJson(object()
                         .set("apiVersion", "v1")
                         .set("kind", "List")
                         .set("items", list({configMap(job), service(job), jobObject(job)}))) +
           "\n";
}

} // namespace sb
