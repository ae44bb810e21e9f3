"""Ask the site as each role."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from django.http import FileResponse
from django.test import Client

from tests.support.own_words import own_words
from tests.support.permission_roles import Answer
from tests.support.permission_walk import Question
from tests.support.pseudo_formats.en.formats import DECIMAL_SEPARATOR
from tests.support.pseudo_locale import ForPrograms, Words, pseudo_locale, untranslated
from tests.support.strict_pages import broken_rules
from tests.support.undoing import undone

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
    """Send a form or, with ``json``, a document. All its effects are undone."""
    sent = {"content_type": "application/json"} if json else {}
    return send(client, method, address, data=data or {}, **sent)


def send(client: Client, method: str, address: str, **sent: Any) -> Any:
    """Return the response. All its effects on database and client are undone."""
    cookies = dict(client.cookies)
    with undone():
        answer = getattr(client, method.lower())(address, **sent)
        close_file(answer)
    if answer.cookies:
        client.cookies = SimpleCookie()
        client.cookies.update(cookies)
    return answer


def close_file(answer: Any) -> None:
    """Read an answer to its end if it is a file, which closes the file."""
    if isinstance(answer, FileResponse):
        answer.getvalue()


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


IS_OURS = re.compile(r' translate="no"')
RAW = re.compile(
    r"(?<![\d:])\d:\d\d:\d\d\b|\b\d\d:\d\d:\d\d\.\d{3,}"
    r"|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d|object at 0x"
)
"""A duration, a time with microseconds, one in ISO format and an object, as Python shows them."""


TURNED_AWAY = {Answer.LOGIN, Answer.FORBIDDEN, Answer.MISSING, Answer.METHOD}


def answers_with_a_form(question: Question, response: Any) -> bool:
    """Return whether a form was read: not the JSON of the API, nor one from somebody who may not
    send it. They get the same page whatever they send."""
    sends_a_form = question.row.method == "POST" and not question.row.route.startswith("api:")
    return bool(sends_a_form and question.fields and kind_of(response) not in TURNED_AWAY)


LOOSE_PERCENT = re.compile(r"[\d.] ?%(?!\w)")


@dataclass
class Walk:
    """What one role finds on a walk through the site, in a language of accented letters."""

    answers: dict[str, str] = field(default_factory=dict)
    """The kinds of the answers, by what was asked."""
    untranslated: dict[str, set[str]] = field(default_factory=dict)
    """The texts that stayed plain English, each with the pages that have it."""
    loose: dict[str, list[str]] = field(default_factory=dict)
    """What the strict content security policy forbids, by page."""
    raw: dict[str, set[str]] = field(default_factory=dict)
    """Texts with values as Python writes them, by page."""

    percents: dict[str, set[str]] = field(default_factory=dict)
    """Texts with percents that a line could break, by page: the site writes ``41 %``."""

    numbers: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    """Attributes with numbers as people write them, by page: programs cannot read these."""

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
        if found := broken_rules(response, text):
            self.loose[page] = found
        if raw := {found for found in Words(IS_OURS.sub("", text)).found if RAW.search(found)}:
            self.raw[page] = raw
        if percents := {found for found in Words(text).found if LOOSE_PERCENT.search(found)}:
            self.percents[page] = percents
        if numbers := {one for one in ForPrograms(text).found if DECIMAL_SEPARATOR in one[1]}:
            self.numbers[page] = numbers
        for plain in untranslated(Words(text).found, own):
            self.untranslated.setdefault(plain, set()).add(page)


@contextmanager
def unlogged(level: int = logging.WARNING) -> Iterator[None]:
    """Log nothing up to this level: to format the lines about each request takes a while."""
    before = logging.root.manager.disable
    logging.disable(level)
    try:
        yield
    finally:
        logging.disable(before)  # which also clears what loggers remember of it


def walk_as(client: Client, questions: Iterable[Question]) -> Walk:
    """Ask all questions, and send each form also empty."""
    made, own = Walk(), own_words()
    with pseudo_locale(), unlogged():
        for question in questions:
            response = attempt(question, question.row.method, client)
            made.answers[str(question)] = kind_of(response)
            if answers_with_a_form(question, response):  # with words of its own when sent empty
                response = ask(client, "POST", question.address)
            made.read(f"{question.row.method} {question.address}", response, own)
    return made


def walk_pages(client: Client, addresses: Mapping[str, str]) -> Walk:
    """Open the pages with these addresses, by their names."""
    made, own = Walk(), own_words()
    with pseudo_locale(), unlogged():
        for page, address in addresses.items():
            response = ask(client, "GET", address)
            made.answers[page] = kind_of(response)
            made.read(f"GET {address}", response, own)
    return made
