"""Environment variables: all mistakes are told at once, in plain words."""

import ast
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from league.database import database_from_url
from league.environment import VARIABLES, examine

PROJECT = Path(__file__).resolve().parents[3]
KNOWN = {variable.name for variable in VARIABLES}
NOT_OURS = {"DJANGO_SETTINGS_MODULE", "PGOPTIONS"}


def problems(**environment: str) -> list[str]:
    return examine(environment)[1]


def test_nothing_needs_to_be_set() -> None:
    values, wrong = examine({"PATH": "/bin", "LAUREL_DATA": "", "DATABASE_URL": ""})
    assert wrong == []
    assert values["LAUREL_SITE_URL"] == "http://localhost:8000"
    assert values["LAUREL_API_RATE_ACCOUNT"] == 1200


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda variable: variable.name)
def test_every_example_works(variable: object) -> None:
    name, example = variable.name, variable.example  # type: ignore[attr-defined]
    assert not [one for one in problems(**{name: example}) if "needs both" not in one]


@pytest.mark.parametrize(
    ("name", "value", "explanation"),
    [
        ("LAUREL_SITE_URL", "league.example", "begins with http:// or https://"),
        ("LAUREL_SITE_URL", "https://league.example/sub/", "more than a host and a port"),
        ("LAUREL_SITE_URL", "https://league.example:port", "port"),
        ("SECRET_KEY", "short", "shorter than 20 characters"),
        ("SECRET_KEY_FALLBACKS", "long enough to be a key,short", "shorter than 20 characters"),
        ("DATABASE_URL", "mysql://db/laurel", "does not begin with postgresql://"),
        ("DATABASE_URL", "postgresql://db.example/", "names no database"),
        ("DATABASE_URL", "postgresql://db/laurel?sslmod=require", "sslmod"),
        ("DATABASE_URL", "postgresql://db/laurel?sslmode=on", "an sslmode that is none of"),
        ("DATABASE_URL", "postgresql://u:p@ss/w@db/laurel", "write @ as %40"),
        ("REDIS_URL", "http://cache", "redis://, rediss:// or unix://"),
        ("EMAIL_URL", "mail.example", "not the address of a mail server"),
        ("DEFAULT_FROM_EMAIL", "Laurel", "has no email address"),
        ("LAUREL_DATA", __file__, "is a file, not a folder"),
        ("LAUREL_PROXY_HOPS", "11", "whole number from 0 to 10"),
        ("LAUREL_PROXY_HOPS", "²", "whole number from 0 to 10"),
        ("LAUREL_PROXY_HOPS", "-1", "whole number from 0 to 10"),
        ("LAUREL_CORS_ORIGINS", "stats.example", "begins with http"),
        ("LAUREL_CORS_ORIGINS", "https://stats.example/", "is no origin"),
        ("LAUREL_CORS_ORIGINS", "https://a.example/x", "more than a host and a port"),
        ("LAUREL_PROXY_NETWORKS", "127.0.0.1,proxy", "no address or network"),
        ("LAUREL_PROXY_NETWORKS", "10.0.0.1/8", "no address or network"),
        ("LAUREL_PROXY_NETWORKS", "10.0.0.1;10.0.0.2", "no address or network"),
        ("LAUREL_WEBHOOK_TEST_HOSTS", "http://receiver", "no host such as"),
        ("LAUREL_OFFLINE", "yes", "neither 1 (on) nor 0 (off)"),
        ("LAUREL_LOG", "xml", "none of text, json"),
        ("LAUREL_ADMINS", "ops@league.example, nobody", "'nobody', which is not an email address"),
        ("LAUREL_BACKUP_FOLDER", __file__, "is a file, not a folder"),
        ("LAUREL_BACKUP_KEY", "hunter2", "is not a key of age"),
        ("PORT", "٣", "whole number from 1"),
        ("PORT", "http", "whole number from 1 to 65535"),
        ("LAUREL_API_RATE_ACCOUNT", "-5", "whole number"),
        ("DISCORD_CLIENT_ID", "1", "needs both"),
        ("DATABASE_DIRECT_URL", "postgresql://db/laurel", "a pooler needs both"),
        ("DATABASE_REPLICA_URL", "postgresql://db/laurel", "a replica needs both"),
        ("LAUREL_SITE_ULR", "https://league.example", "Did you mean LAUREL_SITE_URL?"),
    ],
)
def test_a_wrong_value_is_explained(name: str, value: str, explanation: str) -> None:
    [problem] = problems(**{name: value})
    assert name in problem
    assert explanation in problem


@pytest.mark.parametrize(
    "key",
    [
        "00" * 32,
        "01" + "00" * 31,
        "ec" + "ff" * 30 + "7f",
        "ee" + "ff" * 31,
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ],
)
def test_a_key_of_discord_with_which_anybody_can_sign_is_refused(key: str) -> None:
    verifier = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    for number in range(500):
        with suppress(InvalidSignature):
            verifier.verify(bytes.fromhex("01" + "00" * 63), str(number).encode())
            break
    else:
        pytest.fail("nobody can sign for this key")
    [problem] = problems(DISCORD_CLIENT_ID="1", DISCORD_SECRET="2", DISCORD_PUBLIC_KEY=key)
    assert "anybody can sign" in problem


def test_networks_are_separated_by_commas() -> None:
    values, wrong = examine({"LAUREL_PROXY_NETWORKS": "127.0.0.1, 2001:db8::/32,"})
    assert wrong == []
    assert [str(one) for one in values["LAUREL_PROXY_NETWORKS"]] == [
        "127.0.0.1/32",
        "2001:db8::/32",
    ]


def test_earlier_secret_keys_are_separated_by_commas() -> None:
    first, second = "one key of the site before", "the key of the site before that"
    values, wrong = examine({"SECRET_KEY_FALLBACKS": f"{first}, {second},"})
    assert wrong == []
    assert values["SECRET_KEY_FALLBACKS"] == [first, second]


def test_what_an_earlier_secret_key_signed_is_still_accepted() -> None:
    old = "the first key of the site"
    code = (
        "from django.core.signing import dumps, loads;"  # which needs the settings alone
        f"print(loads(dumps(7, key={old!r})))"
    )
    environment = {
        **os.environ,
        "SECRET_KEY": "the second key of the site",
        "SECRET_KEY_FALLBACKS": old,
        "LAUREL_OFFLINE": "1",
        "DJANGO_SETTINGS_MODULE": "league.settings",
    }
    command = [sys.executable, "-c", code]
    assert subprocess.check_output(command, cwd=PROJECT, env=environment, text=True) == "7\n"


def test_secrets_are_not_repeated() -> None:
    wrong = problems(
        SECRET_KEY="hunter2",
        DATABASE_URL="postgresql://laurel:hunter2/x@db:x/laurel?a=1",
        REDIS_URL="rdis://:hunter2@cache",
        EMAIL_URL="smtq://user:hunter2@mail",
    )
    assert len(wrong) == 4
    assert "hunter2" not in " ".join(wrong)


def test_the_site_does_not_start_and_tells_all_mistakes_at_once() -> None:
    environment = {
        **os.environ,
        "LAUREL_SITE_URL": "nowhere",
        "REDIS_URL": "nowhere",
        "LAUREL_TYPO": "1",
    }
    command = [sys.executable, "manage.py", "check"]
    ended = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    told = [line.split()[1] for line in ended.stderr.splitlines() if line.startswith("  - ")]
    assert told == ["LAUREL_SITE_URL='nowhere'", "REDIS_URL", "LAUREL_TYPO"]


def test_the_database_gets_every_option_of_its_address() -> None:
    url = "postgresql://me:p%40ss@db.example:6432/league?sslmode=verify-full&connect_timeout=9"
    made = database_from_url(url)
    assert (made["USER"], made["PASSWORD"], made["PORT"]) == ("me", "p@ss", "6432")
    assert made["OPTIONS"] == {
        **made["OPTIONS"],
        "sslmode": "verify-full",
        "connect_timeout": "9",
    }
    sockets = database_from_url("postgresql://me@%2Frun%2Fpostgres/league")
    assert sockets["HOST"] == "/run/postgres"


def test_every_variable_that_the_code_reads_is_known_and_documented() -> None:
    files = [PROJECT / "manage.py", *(PROJECT / "league").rglob("*.py")]
    files += [*(PROJECT / "embedded").rglob("*.py"), PROJECT / "tests" / "support" / "effort.py"]
    read = set().union(*(names_read(file) for file in files)) - NOT_OURS
    assert {"LAUREL_DATA", "PORT", "LAUREL_TESTS"} <= read
    assert read <= KNOWN
    text = (PROJECT / "docs" / "configuration.md").read_text()
    assert set(re.findall(r"`([A-Z][A-Z_]+)`", text)) >= KNOWN


def names_read(file: Path) -> set[str]:
    """Return the names that a file reads from a mapping called environment, os.environ or GIVEN."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Subscript(value=source, slice=ast.Constant(value=str(name))):
                pass
            case ast.Call(
                func=ast.Attribute(value=source, attr="get"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                pass
            case _:
                continue
        if ast.unparse(source) in {"os.environ", "environment", "GIVEN"}:
            names.add(name)
    return names
