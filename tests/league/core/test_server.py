"""The web server, with a small application in the place of the site."""

from __future__ import annotations

import json
import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from embedded import postgres
from league.server import LARGEST_BODY, too_large
from tests.embedded.helpers import children_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

APPLICATION = """
import os, time
import django
from django.conf import settings

templates = {"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": ["templates"]}
settings.configure(
    USE_I18N=False,
    UPLOAD_MOST_BYTES=16 * 2**20,
    TEMPLATES=[templates],
    CORS_ORIGINS=["https://stats.example"],
)
django.setup()

def application(environ, start_response):
    if environ["PATH_INFO"] == "/slow":
        time.sleep(1)
    forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
    body = f"{os.getpid()} {forwarded}".encode() + environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"""
CONFIGURATION = """
exec(open("gunicorn.conf.py").read())
import league.server
league.server.HEADERS_WITHIN = 0.5
"""


@pytest.fixture(scope="module")
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, listener: socket.socket
) -> Iterator[subprocess.Popen[bytes]]:
    folder: Path = tmp_path_factory.mktemp("server")
    (folder / "small.py").write_text(APPLICATION)
    (folder / "configuration.py").write_text(CONFIGURATION)
    options = ["--config", str(folder / "configuration.py"), "--bind", f"fd://{listener.fileno()}"]
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", *options, "small:application"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        pass_fds=[listener.fileno()],
        stderr=subprocess.DEVNULL,
    )
    yield server
    server.terminate()
    assert server.wait(10) == 0


@pytest.fixture
def visitor(server: subprocess.Popen[bytes], listener: socket.socket) -> Iterator[HTTPConnection]:
    host, port = listener.getsockname()
    connection = HTTPConnection(host, port, timeout=20)
    yield connection
    connection.close()


def get(visitor: HTTPConnection, path: str = "/", **headers: str) -> str:
    visitor.request("GET", path, headers=headers)
    return visitor.getresponse().read().decode()


def test_it_does_not_name_itself(visitor: HTTPConnection) -> None:
    visitor.request("GET", "/")
    assert visitor.getresponse().getheader("Server") is None


def test_an_answer_to_head_has_no_body_and_leaves_the_connection_in_order(
    visitor: HTTPConnection, listener: socket.socket
) -> None:
    get(visitor)
    with socket.create_connection(listener.getsockname()) as client:
        client.settimeout(20)
        client.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.2)
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answers = b"".join(iter(lambda: client.recv(1000), b""))
    assert answers.count(b"HTTP/1.1 200 OK") == 2
    assert answers.partition(b"\r\n\r\n")[2].startswith(b"HTTP/1.1 200 OK")


def test_it_leaves_the_headers_of_a_proxy_to_django(visitor: HTTPConnection) -> None:
    assert get(visitor, **{"X-Forwarded-For": "192.0.2.7"}).endswith("192.0.2.7")


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "text/html; charset=utf-8"), ("/api/v1/matches/", "application/problem+json")],
)
def test_too_large_a_request_is_refused_before_it_is_read(
    visitor: HTTPConnection, path: str, kind: str
) -> None:
    visitor.putrequest("POST", path)
    visitor.putheader("Content-Length", str(LARGEST_BODY + 1))
    visitor.endheaders()
    answer = visitor.getresponse()
    assert answer.status == 413
    assert answer.getheader("Content-Type") == kind
    said = answer.read().decode().replace("\\u00a0", " ").replace("\xa0", " ")
    assert "The request is larger than 32.0 MB. A file can have at most 16.0 MB" in said


@pytest.mark.parametrize(
    ("path", "origin", "allowed"),
    [
        ("/api/v1/matches/", "https://any.example", "*"),
        ("/api/v1/matches/", "https://stats.example", "https://stats.example"),
        ("/matches/", "https://stats.example", None),
    ],
)
def test_scripts_of_other_sites_may_read_why_their_request_was_not_read(
    visitor: HTTPConnection, path: str, origin: str, allowed: str | None
) -> None:
    visitor.putrequest("POST", path)
    visitor.putheader("Content-Length", str(LARGEST_BODY + 1))
    visitor.putheader("Origin", origin)
    visitor.endheaders()
    answer = visitor.getresponse()
    assert answer.status == 413
    assert answer.getheader("Access-Control-Allow-Origin") == allowed
    assert answer.getheader("Vary") == ("Origin" if allowed else None)


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({"ACCEPT_LANGUAGE": "xx-unknown, de-AT;q=0.8, en;q=0.5"}, "de"),
        ({"COOKIE": "django_language=de"}, "de"),
        ({}, "en"),
        ({"ACCEPT_LANGUAGE": "fr"}, "en"),  # Laurel has no French texts
        ({"ACCEPT_LANGUAGE": "\udcff,;" * 9000, "COOKIE": "=;;"}, "en"),
    ],
)
def test_the_refusal_of_too_large_a_request_is_in_the_readers_language(
    headers: dict[str, str], language: str, settings: Settings
) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    most = {"en": "32.0\xa0MB", "de": "32,0\xa0MB"}[language]  # Django's own German
    kind, page = too_large("/", headers)
    assert kind == "text/html; charset=utf-8"
    assert f'<html lang="{language}"' in page.decode()
    assert most in page.decode()
    kind, document = too_large("/api/v1/matches/", headers)
    assert kind == "application/problem+json"
    assert most in json.loads(document)["detail"]


def test_the_page_about_too_large_a_request_looks_like_the_site_in_the_readers_theme() -> None:
    page = too_large("/", {"COOKIE": "theme=dark"})[1].decode()
    assert 'data-theme="dark"' in page
    assert "css/core/base" in page
    assert "onerror" not in too_large("/", {"COOKIE": 'theme="><img onerror=x>'})[1].decode()


def test_a_request_that_is_malformed_is_refused(listener: socket.socket, server: object) -> None:
    with socket.create_connection(listener.getsockname()) as client:
        client.settimeout(20)
        client.sendall(b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_a_malformed_request_of_a_program_gets_a_problem(
    listener: socket.socket, server: object
) -> None:
    with socket.create_connection(listener.getsockname()) as client:
        client.settimeout(20)
        client.sendall(b"GET /api/v1/arenas/ HTTP/1.1\r\nContent-Length: x\r\n\r\n")
        answer = b"".join(iter(lambda: client.recv(1000), b""))
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"Content-Type: application/problem+json\r\n" in answer
    assert b"Access-Control-Allow-Origin: *\r\n" in answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["instance"] == "/api/v1/arenas/"


def test_a_client_that_does_not_finish_its_header_in_time_is_hung_up_on(
    visitor: HTTPConnection, listener: socket.socket
) -> None:
    get(visitor)
    with socket.create_connection(listener.getsockname()) as slow:
        slow.settimeout(0.1)
        began = time.monotonic()
        slow.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        while received_nothing(slow):
            assert time.monotonic() - began < 20
            slow.sendall(b"a")
        assert time.monotonic() - began > 0.5


def received_nothing(client: socket.socket) -> bool:
    """Return whether nothing has arrived, neither text nor the end, before the time limit."""
    try:
        return client.recv(1) != b""
    except TimeoutError:
        return True


def test_a_client_that_sends_its_body_slowly_gets_its_answer(visitor: HTTPConnection) -> None:
    visitor.putrequest("POST", "/")
    visitor.putheader("Content-Length", "12")
    visitor.endheaders()
    for _ in range(12):
        visitor.send(b"a")
        time.sleep(0.1)
    assert visitor.getresponse().read().endswith(b"aaaaaaaaaaaa")


def test_a_worker_that_is_asked_to_stop_finishes_its_request(visitor: HTTPConnection) -> None:
    worker = int(get(visitor).split()[0])
    visitor.request("GET", "/slow")
    time.sleep(0.3)
    os.kill(worker, signal.SIGTERM)
    assert visitor.getresponse().read().split()[0] == str(worker).encode()


def test_workers_that_are_asked_to_stop_answer_those_who_have_connected(
    server: subprocess.Popen[bytes], visitor: HTTPConnection
) -> None:
    visitor.connect()
    time.sleep(0.2)
    for worker in children_of(server.pid):
        os.kill(worker, signal.SIGTERM)
    time.sleep(0.6)  # they look up from waiting for clients twice a second
    get(visitor)


def test_the_embedded_postgresql_admits_all_connections_that_the_site_may_open() -> None:
    web = runpy.run_path("gunicorn.conf.py")
    options: Any = settings.DATABASES["default"]["OPTIONS"]
    pool = options["pool"]["max_size"]
    assert web["threads"] <= pool, "else threads wait for one another"
    others = 2 + 1 + 1 + 3  # Celery's two processes and their parent, the players, three commands
    [admitted] = re.findall(r"max_connections = (\d+)", postgres._SETTINGS)
    reserved = 3
    assert (web["workers"] + others) * pool <= int(admitted) - reserved
