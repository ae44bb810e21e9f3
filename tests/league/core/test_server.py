"""Whatever bytes come in, the web server answers or closes the connection, and goes on."""

import random
import re
import runpy
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest
from django.conf import settings

from embedded import postgres
from tests.support.celery_steps import happens_within
from tests.support.effort import examples
from tests.support.web_server import PATIENCE, WebServer

pytestmark = pytest.mark.slow
HOST = b"Host: localhost\r\n"
HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(32)).replace(b"\n", b"") * 15
ODD = {
    "letters that are not ASCII in the path": b"GET /\xc3\x89 HTTP/1.1\r\n" + HOST + b"\r\n",
    "letters that are not ASCII in the query": b"GET /players/?q=\xc3\xa9 HTTP/1.1\r\n"
    + HOST
    + b"\r\n",
    "a method in lower case": b"get / HTTP/1.1\r\n" + HOST + b"\r\n",
    "a space in the address": b"GET /a b HTTP/1.1\r\n" + HOST + b"\r\n",
    "a space before the colon": b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\n" + HOST + b": a\r\n\r\n",
    "control characters in the path": b"GET /\x01\x02 HTTP/1.1\r\n" + HOST + b"\r\n",
    "control characters in a header": b"GET / HTTP/1.1\r\n" + HOST + b"X: \x00\x01\r\n\r\n",
    "line feeds alone": b"GET / HTTP/1.1\nHost: localhost\n\n",
    "carriage returns alone": b"GET / HTTP/1.1\rHost: localhost\r\r",
    "no version": b"GET /\r\n\r\n",
    "an unknown version": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "the hello of TLS": HELLO,
    "the hello of TLS, and a line": HELLO + b"\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
    "two lengths": b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
    "a length that is no number": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: x\r\n\r\n",
    "a length in other digits": b"POST / HTTP/1.1\r\n"
    + HOST
    + "Content-Length: ١\r\n\r\n".encode(),
    "chunks of no size": b"POST / HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nab",
    "an unknown coding": b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: nil\r\n\r\n",
    "a very long line": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "very many headers": b"GET / HTTP/1.1\r\n" + HOST + b"A: b\r\n" * 1000 + b"\r\n",
    "a very long header": b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"b" * 100_000 + b"\r\n\r\n",
    "half a line": b"GET / HT",
    "half a header": b"GET / HTTP/1.1\r\n" + HOST + b"X-Slow: a",
    "half a form": b"POST /accounts/login/ HTTP/1.1\r\n"
    + HOST
    + b"Content-Type: application/x-www-form-urlencoded\r\nCookie: csrftoken="
    + b"a" * 32
    + b"\r\nContent-Length: 1000\r\n\r\nlogin=al",
    "half of JSON": b"POST /oauth/token HTTP/1.1\r\n" + HOST + b"Content-Length: 99\r\n\r\ngrant_",
    "nothing": b"",
}


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any
) -> Iterator[WebServer]:
    with django_db_blocker.unblock():
        server = WebServer(tmp_path_factory.mktemp("server"))
    try:
        for _ in range(20):
            server.status("/players/")
        yield server
    finally:
        server.stop()


def is_refusal_or_end(answer: bytes) -> bool:
    """Return whether the server has refused a request as the client's fault, or said nothing."""
    return not answer or re.match(rb"HTTP/1\.1 (4\d\d|501) ", answer) is not None


@pytest.mark.parametrize("sent", ODD.values(), ids=ODD)
def test_an_odd_request_is_refused_or_its_connection_is_closed(
    sent: bytes, server: WebServer
) -> None:
    """Also while its client waits, which holds a thread."""
    assert is_refusal_or_end(server.exchange(sent))
    assert is_refusal_or_end(server.exchange(sent, then_close=True))
    assert server.status("/healthz") == 200


def a_request(chance: random.Random) -> bytes:
    """Return a request that is in order, or nearly."""
    path = chance.choice([b"/healthz", b"/players/", b"/static/none", b"/api/v1/arenas/"])
    headers = [HOST] * chance.choice([1, 1, 1, 0, 2])
    body = bytes(chance.randbytes(chance.randrange(200)))
    match chance.randrange(4):
        case 0:
            headers += [b"Content-Length: %d\r\n" % (len(body) + chance.choice([0, 0, 5, -5]))]
        case 1:
            headers += [b"Content-Length: %d\r\n" % len(body)] * 2
        case 2:
            headers += [b"Transfer-Encoding: chunked\r\n"]
            size = chance.choice([b"%x" % len(body), b"-1", b"g", b"", b"f" * 30])
            body = size + b"\r\n" + body + b"\r\n0\r\n\r\n"
        case _:
            body = b""
    chance.shuffle(headers)
    method = chance.choice([b"GET", b"HEAD", b"POST", b"get", b"G\xc9T", b""])
    return method + b" " + path + b" HTTP/1.1\r\n" + b"".join(headers) + b"\r\n" + body


def rubbish(chance: random.Random) -> bytes:
    """Return random bytes, or a request that was cut, mixed up or partly replaced."""
    sent = a_request(chance)
    at = chance.randrange(len(sent))
    match chance.randrange(6):
        case 0:
            return chance.randbytes(chance.randrange(1, 2000))
        case 1:
            return sent[:at]
        case 2:
            return sent[:at] + chance.randbytes(chance.randrange(1, 20)) + sent[at:]
        case 3:
            return sent[at:] + sent[:at]
        case 4:
            return HELLO[: chance.randrange(1, len(HELLO))] + sent[at:]
        case _:
            return sent


def test_thousands_who_send_rubbish_and_leave_cost_nothing(server: WebServer) -> None:
    before = server.open_files()

    def come_and_go(seed: int) -> bytes:
        chance = random.Random(seed)  # noqa: S311 - no secret
        if chance.random() < 0.5:
            return server.exchange(rubbish(chance), then_close=True)
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as client:
            client.sendall(rubbish(chance))
        return b""

    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(come_and_go, range(examples(500, 20_000))))
    assert [one for one in answers if re.match(rb"HTTP/1\.1 5(?!01)", one)] == []
    assert [one for one in answers if one and not one.startswith(b"HTTP/1.1 ")] == []
    assert server.status("/healthz") == 200
    assert happens_within(lambda: server.open_files() <= before, PATIENCE)
    assert server.status("/players/") == 200
    assert "ERROR" not in server.log.read_text()


def test_clients_that_fall_silent_give_all_threads_back(server: WebServer) -> None:
    """There are eight. A proxy in front never lets it come to this."""
    before = server.open_files()
    silent = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(16)]
    for number, client in enumerate(silent):
        client.sendall([b"GET / HT", HELLO, ODD["half a form"]][number % 3])
    assert server.status("/healthz", 60) == 200
    for client in silent:
        client.close()
    assert happens_within(lambda: server.open_files() <= before, PATIENCE)


def test_an_answer_to_head_has_no_body_and_leaves_the_connection_in_order(
    server: WebServer,
) -> None:
    head = b"HEAD /players/ HTTP/1.1\r\n" + HOST + b"\r\n"
    last = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n"
    answers = server.exchange(head, last)
    assert answers.count(b"HTTP/1.1 200 OK") == 2
    assert answers.partition(b"\r\n\r\n")[2].startswith(b"HTTP/1.1 200 OK")


def test_no_client_moves_the_site_to_another_path(server: WebServer) -> None:
    def page(**headers: str) -> bytes:
        visitor = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        visitor.request("GET", "/arenas/", headers={"Host": "localhost", **headers})
        answer = visitor.getresponse()
        body = answer.read()
        visitor.close()
        return b"%d %b" % (answer.status, re.sub(rb"(csrf|nonce)[^>]*", b"", body))

    usual = page()
    for name, value in (("SCRIPT_NAME", "/arenas"), ("PATH_INFO", "/x/"), ("Script-Name", "/x")):
        assert page(**{name: value}) == usual, name


def test_the_embedded_postgresql_admits_all_connections_that_the_site_may_open() -> None:
    web = runpy.run_path("gunicorn.conf.py")
    options: Any = settings.DATABASES["default"]["OPTIONS"]
    pool = options["pool"]["max_size"]
    assert web["threads"] <= pool, "else threads wait for one another"
    others = 2 + 1 + 1 + 3  # Celery's two processes and their parent, the players, three commands
    [admitted] = re.findall(r"max_connections = (\d+)", postgres._SETTINGS)
    reserved = 3
    assert (web["workers"] + others) * pool <= int(admitted) - reserved
