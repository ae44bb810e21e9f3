"""How ``gunicorn league.wsgi`` serves the site, with `make run` and in production."""

import os
import socket
import struct
from typing import Any

from league.log_settings import gunicorn_settings

worker_class = "gthread"
workers = 2
threads = 8  # one for each database connection in the pool of a process
preload_app = True
backlog = 2048
timeout = 10
graceful_timeout = 5
limit_request_line = 8190
forwarded_allow_ips = ""  # Django reads the headers of proxies; no client sets SCRIPT_NAME
control_socket_disable = True
# Options of libpq, in milliseconds: no page waits longer for a statement, or for locked rows. Tasks
# and commands wait as long as it takes.
os.environ.setdefault("PGOPTIONS", "-c statement_timeout=60000 -c lock_timeout=5000")
if os.environ.get("LAUREL_LOG") == "json":
    logconfig_dict = gunicorn_settings()

SILENT_FOR = 30
"""Seconds after which a client that sends and reads nothing no longer holds a thread."""


def when_ready(server: Any) -> None:
    """Limit how long a thread waits for a client. Connections inherit this from their listener."""
    for listener in server.LISTENERS:
        for limit in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            listener.sock.setsockopt(socket.SOL_SOCKET, limit, struct.pack("ll", SILENT_FOR, 0))
    # Such a connection is closed, which is no error of ours.
    server.log.error_log.addFilter(
        lambda record: not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))
    )
