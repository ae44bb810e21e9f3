"""Webhooks reach only public addresses, whatever their names and forms."""

import socket
import threading
from typing import Any

import pytest

from league.services.core.errors import Refused
from league.services.webhooks import addresses, posting
from tests.support.webhook_steps import LOCAL, receiver


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("", "an address such as"),
        ("receiver.example", "an address such as"),
        ("https://", "an address such as"),
        ("https://re ceiver.example/", "an address such as"),
        ("https://receiver.example/\r\nX-Evil: 1", "an address such as"),
        ("https://receiver.example/\x00", "an address such as"),
        ("https://receiver.example\\@127.0.0.1/", "an address such as"),
        ("https://receiver.example:port/", "an address such as"),
        ("https://receiver.example:99999/", "an address such as"),
        ("https://[::1", "an address such as"),
        ("https://bücher.example/", "an address such as"),
        ("https://name:word@receiver.example/", "no user name"),
        ("https://@receiver.example/", "no user name"),
        ("https://receiver.example/#part", "fragment"),
        ("http://receiver.example/", "begin with https"),
        ("ftp://receiver.example/", "begin with https"),
        ("file:///etc/passwd", "an address such as"),
        ("gopher://receiver.example/", "begin with https"),
        ("https://receiver.example:22/", "port"),
        ("https://receiver.example:5432/", "port"),
    ],
)
def test_an_address_is_refused(address: str, says: str) -> None:
    with pytest.raises(Refused, match=says):
        addresses.read(address)


def test_the_parts_of_an_address() -> None:
    target = addresses.read("https://Receiver.Example.:8443/a/b?c=d")
    assert (target.host, target.port, target.path) == ("receiver.example", 8443, "/a/b?c=d")
    assert target.named == "receiver.example:8443"
    assert addresses.read("https://[2606:4700::1111]").named == "[2606:4700::1111]"


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",  # noqa: S104 - none is bound
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "127.8.8.8",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.1.2.3",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:8.8.8.8",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "5f00::1",
        "receiver",
        "",
    ],
)
def test_an_address_that_is_not_public(address: str) -> None:
    assert not addresses.is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "2a00:1450::5"])
def test_an_address_that_is_public(address: str) -> None:
    assert addresses.is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "169.254.169.254",
    ],
)
def test_other_forms_of_a_local_address_are_refused(host: str) -> None:
    """Whatever the system makes of such a host, the result is checked."""
    with pytest.raises(Refused):
        addresses.resolve(addresses.read(f"https://{host}/"))


class Names:
    """A name server whose answers change from one question to the next."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    def __call__(self, host: str, port: int, **_options: Any) -> list[Any]:
        found = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]


def test_one_private_address_among_public_ones_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Names(["8.8.8.8", "10.0.0.1"]))
    with pytest.raises(Refused, match="public internet"):
        addresses.resolve(addresses.read("https://receiver.example/"))


def test_a_name_that_leads_elsewhere_the_second_time_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: the connection goes to the address that was checked."""
    names = Names(["8.8.8.8"], [LOCAL])
    went: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        del timeout
        went.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", names)
    monkeypatch.setattr(socket, "create_connection", connect)
    outcome = posting.post("https://rebinding.example/", {}, b"{}")
    assert went == [("8.8.8.8", 443)]
    assert names.asked == 1
    assert not outcome.is_delivered


def test_a_name_that_leads_here_when_it_is_sent_to_is_not_connected_to() -> None:
    with receiver() as got:
        port = got.address.rpartition(":")[2].partition("/")[0]
        for address in (got.address, f"https://localhost:{port}/", "https://localhost/"):
            outcome = posting.post(address, {}, b"{}")
            assert not outcome.is_delivered
            assert outcome.status is None
        assert got.got == []


def test_a_name_server_that_does_not_answer_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    never = threading.Event()
    monkeypatch.setattr(addresses, "LOOKUP_SECONDS", 0.05)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_o: never.wait(5) and [])
    with pytest.raises(Refused, match="cannot be found"):
        addresses.resolve(addresses.read("https://receiver.example/"))
    never.set()
