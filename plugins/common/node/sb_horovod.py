# SPDX-License-Identifier: Apache-2.0
"""Starts Horovod: as its own launcher prepared it, or, where processes were started one by one, over Gloo.

Horovod's processes find each other through a key-value store over HTTP that horovodrun keeps. Without
horovodrun or mpirun the first process keeps one, at MASTER_ADDR and MASTER_PORT. Gradients of GPUs still go
over NCCL where Horovod was built with it.
"""

import os
import threading
import time

try:
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
except ImportError:  # Python 3.6
    from http.server import BaseHTTPRequestHandler, HTTPServer
    from socketserver import ThreadingMixIn

    class ThreadingHTTPServer(ThreadingMixIn, HTTPServer):
        daemon_threads = True


class Store:
    """PUT and GET of /scope/key; a process that is done says so by DELETE."""

    def __init__(self, port):
        values, done, lock = {}, [], threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def answer(self, status, body=b""):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_PUT(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with lock:
                    values[self.path] = body
                self.answer(200)

            def do_GET(self):
                with lock:
                    body = values.get(self.path)
                self.answer(404) if body is None else self.answer(200, body)

            def do_DELETE(self):
                with lock:
                    if self.path.startswith("/global"):
                        done.append(self.path)
                self.answer(200)

            def log_message(self, *_):
                pass  # the log is for steps

        self.done = done
        self.server = ThreadingHTTPServer(("", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait(self, world, seconds=5.0):
        """Until every process has left: the store must outlive them."""
        end = time.monotonic() + seconds
        while len(self.done) < world and time.monotonic() < end:
            time.sleep(0.02)


class Horovod:
    """`module` is horovod.torch, horovod.mxnet or horovod.tensorflow."""

    def __init__(self, module, place):
        rank, world, local = place
        self.module, self.store, self.world = module, None, world
        by_mpi = "OMPI_COMM_WORLD_RANK" in os.environ and module.mpi_built()
        if world > 1 and not by_mpi and "HOROVOD_RANK" not in os.environ:
            self.store = self.prepare(rank, world, local)
        module.init()
        self.place = module.rank(), module.size(), module.local_rank()

    @staticmethod
    def prepare(rank, world, local):
        local_size = int(os.environ.get("LOCAL_WORLD_SIZE") or world)
        node = rank // local_size
        port = os.environ.get("MASTER_PORT", "29500")
        settings = {"RANK": rank, "SIZE": world, "LOCAL_RANK": local, "LOCAL_SIZE": local_size,
                    "CROSS_RANK": node, "CROSS_SIZE": world // local_size, "HOSTNAME": "node%d" % node,
                    "CONTROLLER": "gloo", "CPU_OPERATIONS": "gloo", "GLOO_RENDEZVOUS_PORT": port,
                    "GLOO_RENDEZVOUS_ADDR": os.environ.get("MASTER_ADDR", "127.0.0.1")}
        for name, value in settings.items():
            os.environ["HOROVOD_" + name] = str(value)
        if os.environ.get("GLOO_SOCKET_IFNAME"):
            os.environ["HOROVOD_GLOO_IFACE"] = os.environ["GLOO_SOCKET_IFNAME"]
        elif world == local_size:
            os.environ["HOROVOD_GLOO_IFACE"] = "lo"
        return Store(int(port)) if rank == 0 else None

    def end(self):
        self.module.shutdown()
        if self.store:
            self.store.wait(self.world)
