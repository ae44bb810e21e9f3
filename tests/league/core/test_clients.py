"""The address that a request comes from: what proxies say, and what visitors forge."""

from ipaddress import ip_network

import pytest
from django.conf import settings as site
from django.http import HttpRequest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from league.checks import proxies
from league.clients import client_address, sent_from


def request_from(peer: str, forwarded: str | None = None) -> HttpRequest:
    request = RequestFactory(REMOTE_ADDR=peer).get("/")
    if forwarded is not None:
        request.META["HTTP_X_FORWARDED_FOR"] = forwarded
    return request


@pytest.mark.parametrize(
    ("hops", "forwarded", "address"),
    [
        (0, None, "192.0.2.1"),
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.9,198.51.100.7 ", "198.51.100.7"),
        (1, "198.51.100.7:51234", "198.51.100.7"),
        (1, "2001:db8:1:2:a:b:c:d", "2001:db8:1:2::"),
        (1, "[2001:db8:1:2:a:b:c:d]:51234", "2001:db8:1:2::"),
        (1, '"[2001:db8:1:2:a:b:c:d]"', "2001:db8:1:2::"),
        (1, "fe80::1%eth0", "fe80::"),
        (1, "::ffff:198.51.100.7", "198.51.100.7"),
        (1, "[::ffff:198.51.100.7]:80", "198.51.100.7"),
        (1, "198.51.100.7, unknown", None),
        (1, "198.51.100.7,", None),
        (1, "", None),
        (1, None, None),
        (2, "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        (2, "198.51.100.7", None),
        (3, "203.0.113.9, 198.51.100.7, 10.0.0.2, 10.0.0.1", "198.51.100.7"),
    ],
)
def test_only_the_trusted_proxies_say_where_a_request_comes_from(
    settings: Settings, hops: int, forwarded: str | None, address: str | None
) -> None:
    settings.PROXY_HOPS = hops
    request = request_from("192.0.2.1", forwarded)
    assert client_address(request) == address
    assert (sent_from(request) is None) == (address is None)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.1:443", "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("::ffff:10.0.0.1", "198.51.100.7, fd00::2", "198.51.100.7"),
        ("", "198.51.100.7, 10.0.0.2", "198.51.100.7"),
        # Around the proxies: somebody connects to the site, or to the inner proxy, directly.
        ("198.51.100.7", "203.0.113.9, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9, nonsense", None),
    ],
)
def test_a_peer_outside_the_networks_of_the_proxies_is_the_client_itself(
    settings: Settings, peer: str, forwarded: str, address: str | None
) -> None:
    settings.PROXY_HOPS = 2
    settings.PROXY_NETWORKS = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]
    assert client_address(request_from(peer, forwarded)) == address


@given(forged=st.text(max_size=60), hops=st.integers(1, 3))
def test_nothing_that_a_visitor_sends_changes_the_address(forged: str, hops: int) -> None:
    before, site.PROXY_HOPS = site.PROXY_HOPS, hops
    try:
        added = ", ".join(["198.51.100.7", "10.0.0.3", "10.0.0.2"][:hops])
        assert client_address(request_from("10.0.0.1", f"{forged}, {added}")) == "198.51.100.7"
    finally:
        site.PROXY_HOPS = before


@pytest.mark.parametrize("secure", [True, False])
def test_a_site_without_a_proxy_is_warned_about(settings: Settings, *, secure: bool) -> None:
    settings.SECURE, settings.PROXY_HOPS = secure, 0
    assert [problem.id for problem in proxies()] == ["league.W002"]
    settings.PROXY_HOPS = 1
    assert proxies() == []
