# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the API server of Kubernetes, with just enough behind it to run an Indexed Job: it is no cluster. The real
kubectl speaks to it over HTTP; objects are held against the published schemas, strictly, where those are at hand. Pods
are processes on nodes of a test cluster, with a root of their own in which the job's files lie, names from a hosts file
and no image: what an image's name ends with says what becomes of the pod.

  good        the pod runs, with the test's programs in its PATH
  missing     the image cannot be had
  noshell     the container cannot be started
  small       the container is killed after a while, as for want of memory
  forbidden   no pod may be made

A minute of a job's time limit takes SECONDS_A_MINUTE here."""

import copy
import json
import os
import re
import signal
import subprocess
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SECONDS_A_MINUTE = 3
LABEL = "scaleboard-run"
KINDS = {"configmaps": ("v1", "ConfigMap"), "services": ("v1", "Service"), "pods": ("v1", "Pod"),
         "events": ("v1", "Event"), "jobs": ("batch/v1", "Job")}
VERBS = ["create", "delete", "get", "list", "patch"]
# An OpenAPI document without a definition, as protobuf: old kubectls ask for one and check nothing against it.
EMPTY_OPENAPI = b"\x0a\x032.0\x12\x07\x0a\x01k\x12\x021."
POD_ROOT = r"""
mount -t tmpfs tmpfs /mnt || exit 125
for f in /*; do
  case $f in /mnt | /scaleboard) continue ;; esac
  if [ -L "$f" ]; then cp -d "$f" "/mnt$f"; elif [ -d "$f" ]; then mkdir "/mnt$f"; mount --rbind "$f" "/mnt$f"; fi
done
mkdir -p /mnt/scaleboard/files /mnt/scaleboard/run
mount --bind "$1" /mnt/scaleboard/files && mount --bind "$2" /mnt/etc/hosts || exit 125
mount -t tmpfs tmpfs /mnt/dev/shm 2>/dev/null
shift 2
exec setsid chroot /mnt "$@"
"""


class Failure(Exception):
    def __init__(self, code, reason, message):
        super().__init__(message)
        self.code, self.reason = code, reason


def selected(item, selector):
    """Of label selectors only "a=b,c=d" is known."""
    labels = item["metadata"].get("labels", {})
    return all(labels.get(part.split("=")[0]) == part.split("=")[-1] for part in selector.split(",") if part)


def merge(target, patch):
    for key, value in patch.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            merge(target[key], value)
        else:
            target[key] = value


class Pod:
    """A pod's process on its node, and what its container printed."""

    def __init__(self, cluster, item, node):
        self.cluster, self.item, self.node = cluster, item, node
        self.uid = item["metadata"]["uid"]
        self.log = os.path.join(cluster.folder, f"{item['metadata']['name']}.log")
        self.process = None

    def start(self):
        container = self.item["spec"]["containers"][0]
        index = self.item["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"]
        command = [*self.cluster.on_node(self.node), "env", f"SB_POD={self.uid}", "unshare", "--mount", "--pid", "--fork",
                   "--kill-child", "--mount-proc", "sh", "-c", POD_ROOT, "pod", self.cluster.files(self.item),
                   self.cluster.hosts, "env", f"JOB_COMPLETION_INDEX={index}", f"PATH={self.cluster.path}",
                   *container["command"]]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)

    def over(self):
        return self.process is None or self.process.poll() is not None

    def signal(self, number):
        """To the first process of the pod's own PID namespace."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if f"SB_POD={self.uid}".encode() not in file.read().split(b"\0"):
                        continue
                with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                    inner = re.search(r"^NSpid:.*\s(\d+)$", file.read(), re.MULTILINE)
                if inner and inner.group(1) == "1":
                    os.kill(int(pid), number)
            except OSError:
                continue


class StandIn:
    """`on_node(i)` is the start of a command on node i, `nodes` are the numbers and names of those that take pods."""

    def __init__(self, address, folder, nodes, on_node, path, validate=None):
        self.folder, self.nodes, self.on_node, self.path, self.validate = folder, nodes, on_node, path, validate
        self.hosts = os.path.join(folder, "hosts")
        self.lock = threading.RLock()
        self.objects = {}  # (resource, namespace, name): object
        self.pods = {}  # uid: Pod
        self.cpus = 4  # of a node
        self.break_logs = False  # streams of logs end after a second
        self.slip = 0  # so many answers are errors
        self.asked = []  # "PATCH jobs"
        self.running = True
        os.makedirs(folder)
        with open(self.hosts, "w", encoding="utf-8") as file:
            file.write("127.0.0.1 localhost\n")
        self.server = ThreadingHTTPServer(address, type("Handler", (Handler,), {"stand_in": self}))
        self.server.daemon_threads = True
        for work in (self.server.serve_forever, self.control):
            threading.Thread(target=work, daemon=True).start()

    def down(self):
        self.running = False
        with self.lock:
            for pod in self.pods.values():
                pod.signal(signal.SIGKILL)
        self.server.shutdown()
        self.server.server_close()

    def listed(self, resource, namespace=None):
        return [item for (kind, where, _), item in sorted(self.objects.items())
                if kind == resource and namespace in (None, where)]

    def files(self, pod):
        """A folder with the ConfigMap of the pod's volume."""
        name = next(volume["configMap"]["name"] for volume in pod["spec"]["volumes"] if "configMap" in volume)
        folder = os.path.join(self.folder, f"files-{name}")
        os.makedirs(folder, exist_ok=True)
        for key, text in self.objects[("configmaps", pod["metadata"]["namespace"], name)]["data"].items():
            with open(os.path.join(folder, key), "w", encoding="utf-8") as file:
                file.write(text)
        return folder

    # What the controllers and the nodes of a cluster do

    def control(self):
        while self.running:
            with self.lock:
                for job in self.listed("jobs"):
                    self.look_after(job)
            time.sleep(0.1)

    def pods_of(self, job):
        label = job["metadata"]["labels"][LABEL]
        return [pod for pod in self.listed("pods", job["metadata"]["namespace"])
                if pod["metadata"]["labels"].get(LABEL) == label]

    def look_after(self, job):
        pods = self.pods_of(job)
        for pod in pods:
            self.look_at(pod)
        if job["metadata"].get("deletionTimestamp"):
            for pod in pods:
                self.end(pod)
            if not self.pods_of(job):
                self.forget("jobs", job)
            return
        if any(one["type"] in ("Complete", "Failed") for one in job["status"].get("conditions", [])):
            return
        phases = [pod["status"]["phase"] for pod in pods]
        limit = job["spec"].get("activeDeadlineSeconds")
        if limit and time.monotonic() - job["status"]["began"] > limit / 60 * SECONDS_A_MINUTE:
            self.finish(job, pods, "DeadlineExceeded", "Job was active longer than specified deadline")
        elif "Failed" in phases:
            self.finish(job, pods, "BackoffLimitExceeded", "Job has reached the specified backoff limit")
        elif phases.count("Succeeded") == job["spec"]["completions"]:
            job["status"]["conditions"] = [{"type": "Complete", "status": "True"}]
        elif not pods and not job["spec"]["template"]["spec"]["containers"][0]["image"].endswith("forbidden"):
            for index in range(job["spec"]["completions"]):
                self.make_pod(job, index)

    def finish(self, job, pods, reason, message):
        job["status"]["conditions"] = [{"type": "Failed", "status": "True", "reason": reason, "message": message}]
        for pod in pods:
            if pod["status"]["phase"] in ("Pending", "Running"):
                self.end(pod)

    def make_pod(self, job, index):
        template = copy.deepcopy(job["spec"]["template"])
        name = f"{job['metadata']['name']}-{index}-{uuid.uuid4().hex[:5]}"
        pod = {"apiVersion": "v1", "kind": "Pod", "spec": template["spec"], "status": {"phase": "Pending"},
               "metadata": {"name": name, "namespace": job["metadata"]["namespace"], "uid": str(uuid.uuid4()),
                            "labels": template["metadata"]["labels"],
                            "annotations": {"batch.kubernetes.io/job-completion-index": str(index)}}}
        self.objects[("pods", pod["metadata"]["namespace"], name)] = pod

    def look_at(self, pod):
        status, container = pod["status"], pod["spec"]["containers"][0]
        known = self.pods.get(pod["metadata"]["uid"])
        if known and known.item is pod and status["phase"] == "Running":
            if known.over():
                self.take_end(pod, known.process.returncode)
            elif container["image"].endswith("small") and time.monotonic() - status["began"] > 2:
                known.signal(signal.SIGKILL)
                known.process.wait()
                self.take_end(pod, 137, "OOMKilled")
            return
        if status["phase"] != "Pending" or pod["metadata"].get("deletionTimestamp"):
            return
        if not self.place(pod):
            return
        if container["image"].endswith("missing"):
            self.state(pod, "waiting", {"reason": "ImagePullBackOff",
                                        "message": f'Back-off pulling image "{container["image"]}"'})
        elif container["image"].endswith("noshell"):
            self.take_end(pod, 128, "StartError", 'exec: "sh": executable file not found in $PATH')
        else:
            status.update(phase="Running", began=time.monotonic())
            self.state(pod, "running", {})
            self.pods[pod["metadata"]["uid"]] = Pod(self, pod, pod["spec"]["nodeName"])
            self.pods[pod["metadata"]["uid"]].start()

    @staticmethod
    def state(pod, kind, what):
        image = pod["spec"]["containers"][0]["image"]
        pod["status"]["containerStatuses"] = [{"name": "ranks", "state": {kind: what},
                                               "imageID": f"{image}@sha256:{64 * '0'}" if kind != "waiting" else ""}]

    def place(self, pod):
        """A node with room, and none that has a pod of the same run."""
        if "nodeName" in pod["spec"]:
            return True
        run = pod["metadata"]["labels"][LABEL]
        taken = {other["spec"].get("nodeName") for other in self.listed("pods")
                 if other["metadata"]["labels"][LABEL] == run}
        wanted = int(pod["spec"]["containers"][0]["resources"]["limits"].get("cpu", 0))
        free = [name for name in self.nodes if name not in taken and wanted <= self.cpus]
        if not free:
            pod["status"]["conditions"] = [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
                                            "message": f"0/{len(self.nodes)} nodes are available: {len(self.nodes)} "
                                                       "Insufficient cpu."}]
            return False
        pod["spec"]["nodeName"] = free[0]
        pod["status"]["conditions"] = [{"type": "PodScheduled", "status": "True"}]
        index = pod["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"]
        with open(self.hosts, "a", encoding="utf-8") as file:
            file.write(f"{self.nodes[free[0]]} {run}-{index}.{run}\n")
        return True

    def take_end(self, pod, code, reason=None, message=None):
        ended = {"exitCode": code, "reason": reason or ("Error" if code else "Completed")}
        if message:
            ended["message"] = message
        self.state(pod, "terminated", ended)
        pod["status"]["phase"] = "Failed" if code else "Succeeded"

    def end(self, pod):
        """TERM, KILL after the pod's grace; gone when its process is."""
        known = self.pods.get(pod["metadata"]["uid"])
        if known is None or known.over():
            self.forget("pods", pod)
        elif not pod["metadata"].get("deletionTimestamp"):
            pod["metadata"]["deletionTimestamp"] = "now"
            known.signal(signal.SIGTERM)
            threading.Timer(pod["spec"]["terminationGracePeriodSeconds"], known.signal, [signal.SIGKILL]).start()
            threading.Thread(target=self.forget_after, args=[known], daemon=True).start()

    def forget_after(self, known):
        known.process.wait()
        time.sleep(0.5)  # a node takes a while to tell
        with self.lock:
            self.forget("pods", known.item)

    def forget(self, resource, item):
        self.objects.pop((resource, item["metadata"]["namespace"], item["metadata"]["name"]), None)
        if resource == "jobs":  # what the job owns goes with it
            for kind in ("services", "configmaps"):
                for other in self.listed(kind):
                    if any(owner["uid"] == item["metadata"]["uid"]
                           for owner in other["metadata"].get("ownerReferences", [])):
                        self.forget(kind, other)

    def events(self, namespace, selector):
        name = re.search(r"involvedObject\.name=([^,]+)", selector)
        job = self.objects.get(("jobs", namespace, name.group(1))) if name else None
        if not job or not job["spec"]["template"]["spec"]["containers"][0]["image"].endswith("forbidden"):
            return []
        return [{"apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": namespace},
                 "message": 'pods "x" is forbidden: violates PodSecurity'}]

    # What kubectl asks for

    def apply(self, resource, namespace, name, item):
        if namespace == "closed":
            raise Failure(403, "Forbidden", f'{resource} "{name}" is forbidden: User "me" cannot patch resource '
                                            f'"{resource}" in API group "" in the namespace "closed"')
        if self.validate:
            try:
                self.validate.validate(item, "1.31", strict=True)
            except self.validate.ValidationError as error:
                raise Failure(400, "BadRequest", f"strict decoding error: {error.message}") from error
        with self.lock:
            old = self.objects.get((resource, namespace, name))
            item["metadata"].update(namespace=namespace, uid=old["metadata"]["uid"] if old else str(uuid.uuid4()))
            if resource == "jobs":
                item["status"] = old["status"] if old else {"began": time.monotonic()}
            self.objects[(resource, namespace, name)] = item
            return item

    def delete(self, resource, namespace, name):
        with self.lock:
            item = self.objects.get((resource, namespace, name))
            if item is None:
                raise Failure(404, "NotFound", f'{resource} "{name}" not found')
            if resource == "jobs":
                item["metadata"]["deletionTimestamp"] = "now"
            else:
                self.forget(resource, item)
            return item


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stand_in = None

    def log_message(self, *_):
        pass

    def answer(self, body, code=200, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_any(self):
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            self.route(url.path.rstrip("/"), {key: value[0] for key, value in parse_qs(url.query).items()}, body)
        except Failure as failure:
            self.answer({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": str(failure),
                         "reason": failure.reason, "code": failure.code}, failure.code)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_GET = do_PATCH = do_DELETE = handle_any

    def route(self, path, query, body):
        if path == "/openapi/v2":
            return self.answer(EMPTY_OPENAPI, kind="application/com.github.proto-openapi.spec.v2.v1.0+protobuf")
        found = self.discovery(path)
        if found is not None:
            return self.answer(found)
        match = re.fullmatch(r"/(?:api/v1|apis/batch/v1)/namespaces/([^/]+)/([a-z]+)(?:/([^/]+))?(/log)?", path)
        if not match or match.group(2) not in KINDS:
            raise Failure(404, "NotFound", "the server could not find the requested resource")
        namespace, resource, name, log = match.groups()
        stand_in = self.stand_in
        stand_in.asked.append(f"{self.command} {resource}")
        if stand_in.slip > 0 and resource == "jobs" and self.command == "GET":
            stand_in.slip -= 1
            raise Failure(503, "ServiceUnavailable", "the server is currently unable to handle the request")
        if log:
            return self.logs(namespace, name, query.get("follow") == "true")
        return self.answer(self.change(resource, namespace, name, query, body))

    def change(self, resource, namespace, name, query, body):
        stand_in = self.stand_in
        if self.command == "DELETE":
            return stand_in.delete(resource, namespace, name)
        if self.command == "PATCH" and "apply" in self.headers["Content-Type"]:
            return stand_in.apply(resource, namespace, name, json.loads(body))
        with stand_in.lock:
            if name is None:
                items = [item for item in stand_in.listed(resource, namespace)
                         if selected(item, query.get("labelSelector", ""))]
                if resource == "events":
                    items = stand_in.events(namespace, query.get("fieldSelector", ""))
                version, kind = KINDS[resource]
                return copy.deepcopy({"apiVersion": version, "kind": f"{kind}List", "metadata": {}, "items": items})
            item = stand_in.objects.get((resource, namespace, name))
            if item is None:
                raise Failure(404, "NotFound", f'{resource} "{name}" not found')
            if self.command == "PATCH":
                merge(item, json.loads(body))
            return copy.deepcopy(item)

    @staticmethod
    def discovery(path):
        def resources(group):
            return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group,
                    "resources": [{"name": name, "singularName": kind.lower(), "namespaced": True, "kind": kind,
                                   "verbs": VERBS} for name, (version, kind) in KINDS.items() if version == group]}
        batch = {"groupVersion": "batch/v1", "version": "v1"}
        return {"/version": {"major": "1", "minor": "31", "gitVersion": "v1.31.0-stand-in"},
                "/api": {"kind": "APIVersions", "versions": ["v1"]},
                "/apis": {"kind": "APIGroupList", "apiVersion": "v1",
                          "groups": [{"name": "batch", "versions": [batch], "preferredVersion": batch}]},
                "/api/v1": resources("v1"), "/apis/batch/v1": resources("batch/v1")}.get(path)

    def logs(self, namespace, name, follow):
        stand_in = self.stand_in
        with stand_in.lock:
            item = stand_in.objects.get(("pods", namespace, name))
            pod = stand_in.pods.get(item["metadata"]["uid"]) if item else None
        if pod is None:
            raise Failure(404 if item is None else 400, "NotFound" if item is None else "BadRequest",
                          f'pods "{name}" not found')
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        end = time.monotonic() + 1
        with open(pod.log, "rb") as file:
            while True:
                over = pod.over()
                data = file.read()
                if data:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                if over or not follow or (stand_in.break_logs and time.monotonic() > end):
                    break
                time.sleep(0.05)
        self.wfile.write(b"0\r\n\r\n")
