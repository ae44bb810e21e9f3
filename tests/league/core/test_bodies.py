"""Bodies of requests that are too large, have no length, or do not arrive whole."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from league.models import Player, Scope
from league.web.core.bodies import LARGEST_BODY, WholeBody
from tests.support.api_steps import by_token
from tests.support.web_steps import browser_of

FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=b"
BODIES = {
    FORM: b"name=Anna&more=1",
    PARTS: b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAnna\r\n--b--\r\n',
}


def send(client: Any, path: str, body: Any, kind: str, length: int) -> Any:
    """Send a request with this length, of which ``body`` is what arrives, as in production."""
    environ: Any = {"wsgi.input": body, "CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind}
    environ["wsgi.input"] = WholeBody(environ)
    return client.generic("POST", path, b"", kind, **environ)


@pytest.mark.parametrize("kind", BODIES)
def test_part_of_a_form_is_no_form(kind: str, alice: Player) -> None:
    browser, body = browser_of(alice), BODIES[kind]
    for arrives in range(len(body)):
        part = BytesIO(body[:arrives])
        answer = send(browser, "/teams/new/", part, kind, len(body))
        assert answer.status_code == 400
        assert "form" not in (answer.context or ())
    answer = send(browser, "/teams/new/", BytesIO(body), kind, len(body))
    assert answer.context["form"]["name"].value() == "Anna"


def test_part_of_a_document_gets_a_problem(alice: Player) -> None:
    program, body = by_token(alice, Scope.ACCOUNT), b'{"name": "A team"}' + b" " * 100_000
    for arrives in (0, 1, 20, len(body) - 1):
        part = BytesIO(body[:arrives])
        answer = send(program, "/api/v1/teams/", part, "application/json", len(body))
        assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")


def test_a_body_that_breaks_off_is_the_clients_fault() -> None:
    class Broken(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise ConnectionResetError(size)

    client = Client(headers={"Cookie": f"csrftoken={'a' * 32}"}, enforce_csrf_checks=True)
    assert send(client, "/accounts/login/", Broken(), FORM, 10).status_code == 400


def test_a_body_without_a_length_is_refused() -> None:
    chunked: Any = {"HTTP_TRANSFER_ENCODING": "chunked"}
    assert Client().post("/accounts/login/", **chunked).status_code == 411
    answer = Client().post("/api/v1/rate/", **chunked)
    assert (answer.status_code, answer.json()["code"]) == (411, "length_required")


def test_too_large_a_request_is_refused_before_it_is_read() -> None:
    said = "The request is larger than 32.0 MB. A file can have at most 16.0 MB"
    large: Any = {"CONTENT_LENGTH": str(LARGEST_BODY + 1)}
    page = Client().post("/accounts/login/", **large)
    assert page.status_code == 413
    assert said in page.content.decode().replace("\xa0", " ")
    document = Client().post("/api/v1/rate/", **large)
    assert (document.status_code, document.json()["code"]) == (413, "too_large")
    assert said in document.json()["detail"].replace("\xa0", " ")


def test_scripts_of_other_sites_may_read_why(settings: Settings) -> None:
    settings.CORS_ORIGINS = ["https://stats.example"]
    large: Any = {"CONTENT_LENGTH": str(LARGEST_BODY + 1)}
    for origin, allowed in (("https://stats.example",) * 2, ("https://any.example", "*")):
        answer = Client().post("/api/v1/rate/", headers={"Origin": origin}, **large)
        assert answer.headers["Access-Control-Allow-Origin"] == allowed
