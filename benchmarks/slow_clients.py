"""The wait for a leaderboard while 500 slow clients hold connections open.

The site as `make run` serves it, behind nginx and Caddy with the settings in `deploy/`, as far as
they are installed, and without a proxy. Slow clients send nothing, or a byte a second of a header
or a body, or read a byte a second of four large files. Four visitors open a connection for each
request, and give up after ten seconds.
"""

import asyncio
import http.client
import multiprocessing
import os
import re
import resource
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.running_site import PROJECT, running_site, wait_until_up

CLIENTS = 500
VISITORS = 4
SECONDS = 10.0
PATIENCE = 10.0
PAGE = "/arenas/football/leaderboard/"
FORM = (
    "POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
    f"Cookie: csrftoken={'a' * 32}\r\n"  # with a token, Django reads the body
    "Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin="
)
NGINX = """
daemon off;
error_log stderr;
pid {folder}/pid;
worker_rlimit_nofile 20000;
events {{ worker_connections 10000; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""


def beginnings() -> dict[str, bytes]:
    """Return what a client of each kind sends at once."""
    static = Path(os.environ["LAUREL_DATA"]) / "static"
    large = max(static.rglob("*.*.js"), key=lambda path: path.stat().st_size)
    name = str(large.relative_to(static)).encode()
    return {
        "nothing": b"",
        "header": f"GET {PAGE} HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".encode(),
        "body": FORM.encode(),
        # The kernel takes the first file or two off the server's hands, whoever reads them.
        "reading": b"GET /static/%b HTTP/1.1\r\nHost: localhost\r\n\r\n" % name * 4,
    }


async def be_slow(port: int, kind: str, beginning: bytes, connected: asyncio.Event) -> None:
    client = socket.socket()
    client.settimeout(0)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    loop = asyncio.get_running_loop()
    with client, suppress(OSError):  # the server has hung up
        await loop.sock_connect(client, ("127.0.0.1", port))
        await loop.sock_sendall(client, beginning)
        if kind == "reading":
            await loop.sock_recv(client, 1)
        connected.set()
        while True:
            await asyncio.sleep(1)
            if kind in {"header", "body"}:
                await loop.sock_sendall(client, b"a")
            elif kind == "reading":
                await loop.sock_recv(client, 1)


def be_many(port: int, kind: str, beginning: bytes, connected: Event) -> None:
    async def run() -> None:
        events = [asyncio.Event() for _ in range(CLIENTS)]
        clients = []
        for event in events:
            clients.append(asyncio.create_task(be_slow(port, kind, beginning, event)))
            await asyncio.sleep(0.002)
        with suppress(TimeoutError):  # some wait in vain for a response
            await asyncio.wait_for(asyncio.gather(*(event.wait() for event in events)), 30)
        connected.set()
        await asyncio.gather(*clients)
        await asyncio.sleep(PATIENCE + SECONDS)

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(run())


@contextmanager
def slow_clients(port: int, kind: str, beginning: bytes) -> Iterator[None]:
    connected = multiprocessing.Event()
    process = multiprocessing.Process(target=be_many, args=(port, kind, beginning, connected))
    process.start()
    connected.wait(60)
    try:
        yield
    finally:
        process.kill()
        process.join()


def visit(port: int) -> float | None:
    """Return the seconds that the page took, None if it did not come."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", PAGE)
        response = connection.getresponse()
        response.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return time.monotonic() - began if response.status == http.client.OK else None


def measure(port: int) -> str:
    """Return how long visitors wait, in words."""
    waits: list[float | None] = []
    until = time.monotonic() + SECONDS

    def keep_visiting() -> None:
        while time.monotonic() < until:
            waits.append(visit(port))
            time.sleep(0.05)

    visitors = [threading.Thread(target=keep_visiting) for _ in range(VISITORS)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    served = sorted(1000 * wait for wait in waits if wait is not None)
    if not served:
        return f"none of {len(waits)} served within {PATIENCE:.0f} s"
    median, p99 = (served[int(share * (len(served) - 1))] for share in (0.5, 0.99))
    return f"{len(served)} of {len(waits)} served, median {median:.0f} ms, p99 {p99:.0f} ms"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def nginx(site: int) -> Iterator[int]:
    """Run nginx in front of the site, without TLS, and give its port."""
    port, server = free_port(), (PROJECT / "deploy/nginx.conf").read_text().split("\n\n")[1:]
    text = "\n".join(server).replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    text = re.sub(r".*(ssl_certificate|listen \[).*", "", text)
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{site}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        configuration = Path(folder, "nginx.conf")
        configuration.write_text(NGINX.format(folder=folder, server=text))
        with running(["nginx", "-c", str(configuration)], port):
            yield port


@contextmanager
def caddy(site: int) -> Iterator[int]:
    """Run Caddy in front of the site, without TLS, and give its port."""
    port = free_port()
    addresses = {"LAUREL_SITE_URL": f"http://:{port}", "LAUREL_WEB": f"127.0.0.1:{site}"}
    command = ["caddy", "run", "--adapter", "caddyfile"]
    with running([*command, "--config", str(PROJECT / "deploy/Caddyfile")], port, **addresses):
        yield port


@contextmanager
def no_proxy(site: int) -> Iterator[int]:
    yield site


@contextmanager
def running(command: list[str], port: int, **more: str) -> Iterator[None]:
    """Run a proxy."""
    process = subprocess.Popen(command, env={**os.environ, **more}, stderr=subprocess.DEVNULL)
    try:
        wait_until_up(process, f"http://127.0.0.1:{port}")
        yield
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    with running_site("slow-clients", with_players=False) as address:
        site = urlsplit(address).port or 0
        for proxy in (nginx, caddy, no_proxy):
            name = proxy.__name__
            if proxy is not no_proxy and not shutil.which(name):
                print(f"{name} is not installed")
                continue
            with proxy(site) as port:
                print(f"{name}, no slow clients: {measure(port)}", flush=True)
                for kind, beginning in beginnings().items():
                    with slow_clients(port, kind, beginning):
                        print(
                            f"{name}, {CLIENTS} slow clients ({kind}): {measure(port)}", flush=True
                        )


if __name__ == "__main__":
    main()
