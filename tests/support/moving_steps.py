"""Steps for tests that move a league to another site: a browser, and all rows of a database."""

from __future__ import annotations

import hashlib
import re
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import requests
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from django.core.cache import cache
from django.test import Client

from league.services.operations import postgres_tools
from league.services.people import first_admin
from league.web.core.uploads import COOKIE, SALT
from tests.support import databases
from tests.support.celery_steps import happens_within
from tests.support.web_server import WebServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import User

TABLES = """
    SELECT oid::regclass::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY 1
"""
SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1"
MOVED_WITHIN = 240.0
"""Seconds that moving a small league may take on a busy machine."""
TIMEOUT = 120


def digests(database: str) -> dict[str, str]:
    """Return a digest of all rows of each table, and the state of each sequence."""
    found: dict[str, str] = {}
    with postgres_tools.connect(database) as server:
        for (table,) in server.execute(TABLES).fetchall():
            digest, rows = hashlib.sha256(), 0
            copy = f"COPY (SELECT row::text FROM {table} AS row ORDER BY 1) TO STDOUT"
            with server.cursor().copy(copy.encode()) as lines:
                for line in lines:
                    rows += bytes(line).count(b"\n")
                    digest.update(line)
            found[table] = f"{rows} {digest.hexdigest()}"
        for name, value in server.execute(SEQUENCES):
            found[name] = str(value)
    return found


def holder() -> Client:
    """Return a browser that has given the setup code."""
    browser = Client()
    browser.cookies[COOKIE] = signing.get_cookie_signer(salt=COOKIE + SALT).sign("given")
    return browser


class Browser:
    """Somebody who fills in the forms of a site's server."""

    def __init__(self, server: WebServer) -> None:
        self.site = f"http://127.0.0.1:{server.port}"
        self.session = requests.Session()

    def get(self, path: str) -> requests.Response:
        return self.session.get(self.site + path, timeout=TIMEOUT)

    def log_in(self, user: User) -> None:
        store = SessionStore()
        store[SESSION_KEY] = str(user.pk)
        store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
        store[HASH_SESSION_KEY] = user.get_session_auth_hash()
        store.save()
        self.session.cookies.set(settings.SESSION_COOKIE_NAME, store.session_key)

    def send(self, page: str, to: str = "", **fields: object) -> requests.Response:
        """Send a form of a page, with a file if a field is a path."""
        [token, *_] = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', self.get(page).text)
        files = {name: value for name, value in fields.items() if isinstance(value, Path)}
        texts = {name: value for name, value in fields.items() if name not in files}
        with ExitStack() as stack:
            return self.session.post(
                self.site + (to or page),
                data={"csrfmiddlewaretoken": token, **texts},
                files={name: stack.enter_context(path.open("rb")) for name, path in files.items()},
                timeout=TIMEOUT,
            )

    def give_code(self) -> None:
        answer = self.send("/setup/archive/", code=first_admin.setup_code())
        assert 'name="archive"' in answer.text

    def bring(self, path: Path, key: str = "") -> requests.Response:
        return self.send("/setup/archive/", archive=path, key=key)

    def wait(self, answer: requests.Response) -> str:
        """Look at the page of an attempt until it is over, and return its text."""
        assert "/setup/archive/" in answer.url
        seen: list[str] = []

        def is_over() -> bool:
            page = self.session.get(answer.url, timeout=TIMEOUT)
            assert page.status_code in {200, 503}, page.text
            seen.append(page.text)
            return page.status_code == 200 and "is being moved here" not in page.text

        assert happens_within(is_over, MOVED_WITHIN)
        return " ".join(re.sub(r"<[^>]+>", " ", seen[-1]).split())


@contextmanager
def empty_site(folder: Path) -> Iterator[tuple[str, WebServer]]:
    """Serve an empty league. Django works on its database, whose name is given too."""
    with databases.unused() as database:
        cache.clear()
        server = WebServer(folder)
        try:
            yield database, server
        finally:
            server.stop()
