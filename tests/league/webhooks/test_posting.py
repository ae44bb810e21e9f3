"""A receiver that misbehaves costs an attempt, a bounded time and little memory."""

import socket
import ssl
import subprocess
import time
import tracemalloc
from pathlib import Path

import pytest
from pytest_django import Settings

from league.services.webhooks import posting
from tests.support.webhook_steps import LOCAL, hostile, receiver

MEBIBYTE = bytes(2**20)


@pytest.fixture(autouse=True)
def tests_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_TEST_HOSTS = [LOCAL]


@pytest.fixture
def short_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "DEADLINE", 0.6)
    monkeypatch.setattr(posting, "BODY_SECONDS", 0.2)


def post(address: str) -> posting.Outcome:
    return posting.post(address, {"webhook-id": "msg_1"}, b'{"type":"webhook.test"}')


def took(address: str) -> tuple[posting.Outcome, float]:
    began = time.monotonic()
    return post(address), time.monotonic() - began


def test_a_message_arrives_as_it_was_sent() -> None:
    with receiver() as kind:
        outcome = post(kind.address)
    [got] = kind.got
    assert outcome.is_delivered
    assert outcome.status == 204
    assert got.path == "/laurel?from=tests"
    assert got.body == b'{"type":"webhook.test"}'
    assert got.headers["content-type"] == "application/json"
    assert got.headers["webhook-id"] == "msg_1"


@pytest.mark.parametrize("status", [400, 401, 404, 410, 429, 500, 503])
def test_other_answers_are_failures(status: int) -> None:
    with receiver() as kind:
        kind.status, kind.text = status, "No.\x00\x07"
        kind.headers = {"Retry-After": "120"}
        outcome = post(kind.address)
    assert not outcome.is_delivered
    assert outcome.status == status
    assert str(status) in outcome.problem
    assert outcome.answer == "No.\ufffd\ufffd"
    assert outcome.retry_after == 120


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    with receiver() as elsewhere, receiver() as kind:
        kind.status, kind.headers = status, {"Location": elsewhere.address}
        outcome = post(kind.address)
        assert "redirect" in outcome.problem
        assert elsewhere.got == []


def silent(connected: socket.socket) -> None:
    connected.recv(65536)
    time.sleep(5)


def drips_its_head(connected: socket.socket) -> None:
    connected.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connected.sendall(b"X-More: yes\r\n")
        time.sleep(0.05)


def never_reads(connected: socket.socket) -> None:
    time.sleep(5)
    connected.recv(1)


def only_continues(connected: socket.socket) -> None:
    while True:
        connected.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.05)


@pytest.mark.usefixtures("short_deadlines")
@pytest.mark.parametrize("behave", [silent, drips_its_head, never_reads, only_continues])
def test_a_receiver_that_hangs_fails_at_the_deadline(behave: object) -> None:
    with hostile(behave) as address:  # type: ignore[arg-type]
        outcome, seconds = took(address)
    assert not outcome.is_delivered
    assert outcome.status is None
    assert seconds < 2


@pytest.mark.usefixtures("short_deadlines")
def test_once_the_status_is_known_the_rest_does_not_matter() -> None:
    def drips_its_text(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        while True:
            connected.sendall(b"a")
            time.sleep(0.05)

    with hostile(drips_its_text) as address:
        outcome, seconds = took(address)
    assert outcome.is_delivered
    assert seconds < 2


def test_ten_gigabytes_are_not_read() -> None:
    sent = []

    def floods(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n")
        for _mebibyte in range(10_240):
            connected.sendall(MEBIBYTE)
            sent.append(1)

    with hostile(floods) as address:
        tracemalloc.start()
        outcome, seconds = took(address)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert outcome.is_delivered
    assert len(outcome.answer) <= 500
    assert seconds < 5
    assert peak < 4 * 2**20
    assert len(sent) < 50, "the connection was closed"


def test_an_endless_head_is_not_read() -> None:
    def floods(connected: socket.socket) -> None:
        connected.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        while True:
            connected.sendall(b"a" * 65536)

    with hostile(floods) as address:
        _outcome, seconds = took(address)
    assert seconds < 5


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"HTTP/1.1 99999 OK\r\n\r\n",
        b"\xff\xfe\x00" * 50,
    ],
)
def test_an_answer_that_is_no_http_is_a_failure(answer: bytes) -> None:
    def says(connected: socket.socket) -> None:
        connected.recv(65536)
        connected.sendall(answer)

    with hostile(says) as address:
        outcome = post(address)
    assert not outcome.is_delivered


def test_a_chunked_answer_is_shown_without_its_chunks() -> None:
    def says(connected: socket.socket) -> None:
        connected.recv(65536)
        connected.sendall(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n"
        )

    with hostile(says) as address:
        assert post(address).answer == "OK"


def test_nobody_listens() -> None:
    with hostile(lambda _connected: None) as address:
        pass
    outcome = post(address)
    assert not outcome.is_delivered
    assert "connection failed" in outcome.problem


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    key, made = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=receiver",
            "-addext",
            f"subjectAltName=IP:{LOCAL}",
            "-keyout",
            str(key),
            "-out",
            str(made),
        ],
        check=True,
        capture_output=True,
    )
    return key, made


def test_a_receiver_with_a_certificate_is_trusted_and_another_is_not(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, made = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made, key)
    with receiver(context) as secure:
        posting.trust.cache_clear()
        outcome = post(secure.address)
        assert not outcome.is_delivered
        assert "not secure" in outcome.problem
        assert secure.got == []
        monkeypatch.setenv("SSL_CERT_FILE", str(made))
        posting.trust.cache_clear()
        try:
            assert post(secure.address).is_delivered
        finally:
            posting.trust.cache_clear()
        assert len(secure.got) == 1


@pytest.mark.usefixtures("short_deadlines")
def test_a_receiver_that_never_ends_its_handshake_fails_at_the_deadline() -> None:
    with hostile(silent) as address:
        outcome, seconds = took(address.replace("http:", "https:"))
    assert not outcome.is_delivered
    assert seconds < 2
