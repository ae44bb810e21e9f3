"""Ask the site as each role."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.db import transaction
from django.http import FileResponse

from tests.support.own_words import own_words
from tests.support.permission_roles import Answer
from tests.support.pseudo_locale import Words, pseudo_locale, untranslated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.test import Client

    from tests.support.permission_walk import Question

LOGIN_PAGES = ("/accounts/login/", "/admin/login/")


ANSWERS = {
    401: Answer.LOGIN,
    403: Answer.FORBIDDEN,
    404: Answer.MISSING,
    405: Answer.METHOD,
    400: Answer.REFUSED,
    409: Answer.REFUSED,
    415: Answer.REFUSED,
    422: Answer.REFUSED,
}


def ask(client: Client, method: str, address: str, data: Any = None, *, json: bool = False) -> Any:
    """Return the response, and roll back all its effects on database and client."""
    cookies = copy.deepcopy(client.cookies)
    sent = {"content_type": "application/json"} if json else {}
    with transaction.atomic():
        answer = getattr(client, method.lower())(address, data or {}, **sent)
        if isinstance(answer, FileResponse):
            answer.getvalue()  # which closes the file
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def kind_of(response: Any) -> str:
    """Classify a response as an ``Answer``, or return the status of a server error."""
    status = response.status_code
    if 200 <= status < 300:
        return Answer.OK
    if 300 <= status < 400:
        to_login = urlsplit(response.headers["Location"]).path in LOGIN_PAGES
        return Answer.LOGIN if to_login else Answer.OK
    return ANSWERS.get(status, f"answered {status}")


def attempt(question: Question, method: str, client: Client) -> Any:
    json = question.row.route.startswith("api:") and method not in {"GET", "HEAD"}
    return ask(client, method, question.address, question.fields, json=json)


@dataclass
class Walk:
    """What one role finds on a walk through the site, in a language of accented letters."""

    answers: dict[str, str] = field(default_factory=dict)
    """The kinds of the answers, by what was asked."""
    untranslated: dict[str, set[str]] = field(default_factory=dict)
    """The texts that stayed plain English, each with the pages that have it."""

    def report(self) -> str:
        found = sorted(self.untranslated.items())
        return "\n".join(f"{text!r} on {sorted(pages)[0]}" for text, pages in found)

    def leave_out(self, pages: re.Pattern[str], texts: re.Pattern[str]) -> None:
        """Forget these texts, and those that are only on these pages."""
        self.untranslated = {
            text: kept
            for text, found in self.untranslated.items()
            if not texts.fullmatch(text)
            and (kept := {page for page in found if not pages.match(page)})
        }

    def read(self, page: str, response: Any, own: list[str]) -> None:
        if "text/html" not in response.headers.get("Content-Type", ""):
            return
        text = response.getvalue().decode() if response.streaming else response.content.decode()
        for plain in untranslated(Words(text).found, own):
            self.untranslated.setdefault(plain, set()).add(page)


def walk_as(client: Client, questions: Iterable[Question]) -> Walk:
    """Ask all questions, and send each form also empty."""
    made, own = Walk(), own_words()
    with pseudo_locale():
        for question in questions:
            response = attempt(question, question.row.method, client)
            made.answers[str(question)] = kind_of(response)
            if question.row.method == "POST" and question.fields:  # with words of its own
                response = ask(client, "POST", question.address)
            made.read(f"{question.row.method} {question.address}", response, own)
    return made


def walk_pages(client: Client, addresses: Mapping[str, str]) -> Walk:
    """Open the pages with these addresses, by their names."""
    made, own = Walk(), own_words()
    with pseudo_locale():
        for page, address in addresses.items():
            response = ask(client, "GET", address)
            made.answers[page] = kind_of(response)
            made.read(f"GET {address}", response, own)
    return made
