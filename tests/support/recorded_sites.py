"""Other sites at the network's edge: a TLS server in their place, with what they are known to say.

Names are resolved to it, and its certificate is trusted, so the code that calls the sites is the
real one down to the socket.
"""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

LOCAL = "127.0.0.1"


@dataclass
class Asked:
    """A request to one of the sites."""

    method: str
    url: str
    headers: dict[str, str]
    body: str

    @property
    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body).items()}

    @property
    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.url).query).items()}


@dataclass
class Answer:
    """What a site says, as it was recorded."""

    body: str
    media_type: str = "application/json"
    status: int = 200


@dataclass
class Sites:
    """The answers by method and address without its query, and what was asked."""

    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    sought: list[str] = field(default_factory=list)
    """Other hosts that somebody wanted to call."""

    def asked_of(self, host: str) -> list[Asked]:
        return [one for one in self.asked if urlsplit(one.url).hostname == host]


@contextmanager
def recorded_sites(
    hosts: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Sites]:
    """Stand in for some hosts. All others cannot be found."""
    sites = Sites()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            url = f"https://{self.headers['Host']}{self.path}"
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(length).decode()
            sites.asked.append(Asked(self.command, url, headers, body))
            missing = Answer("Not Found", "text/plain", 404)
            found = sites.answers.get((self.command, url.partition("?")[0]), missing)
            text = found.body.encode()
            self.send_response(found.status)
            self.send_header("Content-Type", found.media_type)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = answer  # noqa: N815 - as the server asks

        def log_message(self, *given: Any) -> None:
            del given

    server = ThreadingHTTPServer((LOCAL, 0), Handler)
    certificate = made_certificate(hosts, folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    lead_to(server.server_port, hosts, sites, monkeypatch)
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.setenv(name, str(certificate))
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield sites
    finally:
        server.shutdown()
        server.server_close()


def lead_to(port: int, hosts: list[str], sites: Sites, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resolve the hosts to a local port."""
    resolve = socket.getaddrinfo

    def resolved(host: Any, given: Any, *rest: Any, **options: Any) -> Any:
        if host in hosts:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (LOCAL, port))]
        if host not in {LOCAL, "localhost", None}:
            sites.sought.append(str(host))
            raise socket.gaierror(f"{host} is not recorded")
        return resolve(host, given, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)


def made_certificate(hosts: list[str], folder: Path) -> Path:
    """Write a certificate of its own authority for some hosts, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Recorded sites")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "recorded.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return file
