"""Readers of environment variables: each turns a text into what the settings use.

They raise ``ValueError`` with what is wrong, to follow the name of the variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
import pyrage
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from psycopg.conninfo import conninfo_to_dict
from redis.connection import parse_url

PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
"""The usual port of each kind of connection: plain, STARTTLS, TLS from the start."""
FORM = "EMAIL_URL must look like smtp+tls://user:password@host:587 (or smtp://, smtps://)."


def mail_from_url(url: str) -> dict[str, str | int | bool]:
    """Return the settings for ``smtp+tls://user:password@host:port``.

    Raises:
        ImproperlyConfigured: it is not such an URL.
    """
    parts = urlsplit(url)
    try:
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError) as error:
        raise ImproperlyConfigured(FORM) from error
    if not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(FORM)
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }


Reader = Callable[[str], Any]
ESCAPES = "In names and passwords, write @ as %40, / as %2F, : as %3A and % as %25"
PRIME = 2**255 - 19
"""That of the field of Ed25519."""
OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
FORGEABLE = {0, 1, PRIME - 1, OF_ORDER_8, PRIME - OF_ORDER_8}
"""The y of the points of small order, for which some signatures fit without a private key."""
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


def text(value: str) -> str:
    return value


def discord_key(value: str) -> str:
    """Return the public key that verifies requests from Discord."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise ValueError("is not the 64 hexadecimal digits of an application's public key")
    if int.from_bytes(bytes.fromhex(value), "little") % 2**255 % PRIME in FORGEABLE:
        raise ValueError("is a key for which anybody can sign, such as one of zeros")
    return value.lower()


def site_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("is not an address that begins with http:// or https://")
    if parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("has more than a host and a port; the site needs an address of its own")
    _ = parts.port  # raises ValueError
    return value.rstrip("/")


def origins(value: str) -> list[str]:
    """Return the origins of sites, as browsers write them."""
    found = [each.strip() for each in value.split(",") if each.strip()]
    for each in found:
        if each != site_url(each).lower():
            raise ValueError(f"has {each}, which is no origin such as https://stats.example")
    return found


def database_url(value: str) -> str:
    if not value.startswith(("postgresql://", "postgres://")):
        raise ValueError("does not begin with postgresql://")
    try:
        options = conninfo_to_dict(value)
    except psycopg.Error as error:
        # Other messages may quote a part of the password.
        reason = f": {one_line(error)}" if "query parameter" in str(error) else ""
        raise ValueError(f"is not understood by PostgreSQL{reason}. {ESCAPES}") from None
    name, ports = str(options.get("dbname", "")), str(options.get("port", ""))
    if set("@/:") & set(name) or not re.fullmatch(r"[\d,]*", ports):
        raise ValueError(f"has no port or name where one is expected. {ESCAPES}")
    if options.get("sslmode", "prefer") not in SSL_MODES:
        raise ValueError(f"has an sslmode that is none of {', '.join(SSL_MODES)}")
    if not name:
        raise ValueError("names no database: put a slash and its name after the host")
    return value


def redis_url(value: str) -> str:
    if not value.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("does not begin with redis://, rediss:// or unix://")
    try:
        parse_url(value)  # type: ignore[no-untyped-call] # redis has no types here
    except ValueError:
        raise ValueError("is not understood") from None
    return value


def email_url(value: str) -> dict[str, str | int | bool]:
    try:
        return mail_from_url(value)
    except ImproperlyConfigured:
        raise ValueError("is not the address of a mail server") from None


def sender(value: str) -> str:
    _name, address = parseaddr(value)
    local, _at, host = address.rpartition("@")
    if not local or not host or "\n" in value:
        raise ValueError("has no email address")
    return value


def secret_key(value: str) -> str:
    if len(value) < 20:
        raise ValueError("is shorter than 20 characters, so it could be guessed")
    return value


def secret_keys(value: str) -> list[str]:
    return [secret_key(each.strip()) for each in value.split(",") if each.strip()]


def folder(value: str) -> Path:
    path = Path(value)
    if path.exists() and not path.is_dir():
        raise ValueError("is a file, not a folder")
    return path


def switch(value: str) -> bool:
    if value not in {"0", "1"}:
        raise ValueError("is neither 1 (on) nor 0 (off)")
    return value == "1"


def whole_number(least: int, most: int) -> Reader:
    def read_number(value: str) -> int:
        if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
            raise ValueError(f"is not a whole number from {least} to {most}")
        return int(value)

    return read_number


def one_of(*choices: str) -> Reader:
    def read_choice(value: str) -> str:
        if value not in choices:
            raise ValueError(f"is none of {', '.join(choices)}")
        return value

    return read_choice


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def networks(value: str) -> list[IPv4Network | IPv6Network]:
    """Read addresses and networks, separated by commas."""
    try:
        return [ip_network(each.strip()) for each in value.split(",") if each.strip()]
    except ValueError as error:
        raise ValueError(f"has something that is no address or network: {error}") from None


def addresses(value: str) -> list[tuple[str, str]]:
    """Read email addresses, separated by commas, as Django's ``ADMINS``."""
    given = [each.strip() for each in value.split(",") if each.strip()]
    for address in given:
        try:
            validate_email(address)
        except ValidationError:
            raise ValueError(
                f"has {address!r}, which is not an email address; separate them by commas"
            ) from None
    return [("", address) for address in given]


def hosts(value: str) -> list[str]:
    """Read names or addresses of hosts, separated by commas."""
    found = [each.strip().lower() for each in value.split(",") if each.strip()]
    for each in found:
        if not re.fullmatch(r"[0-9a-z.:-]+", each):
            raise ValueError(f"has {each!r}, which is no host such as receiver.test")
    return found


def folder_or_off(value: str) -> str:
    return "" if value == "off" else str(folder(value))


def backup_key(value: str) -> str:
    try:
        pyrage.x25519.Identity.from_str(value.strip())
    except pyrage.IdentityError:
        raise ValueError(
            "is not a key of age; `manage.py backup --new-key` prints a new one"
        ) from None
    return value.strip()
