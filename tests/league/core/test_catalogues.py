"""The translations that are offered: complete, current, with the same placeholders and tags.

Others may be there that somebody is working on.
"""

import os
import re
from collections import Counter
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import to_locale
from pytest_django import Settings

from league.checks import is_compiled, translations
from tests.support.messages import Message, messages_of_source

OFFERED = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
CATALOGUES = [
    settings.BASE_DIR / "locale" / to_locale(code) / "LC_MESSAGES" / "django.po" for code in OFFERED
]
PLACEHOLDER = re.compile(r"%\(\w+\)[#0 +-]*[\d.]*[a-zA-Z]|%[#0+-]*[\d.]*[a-zA-Z%]|\{[^{}\s]*\}")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>|&\w+;")
PLURALS = {"de": 2, "fr": 2, "es": 3, "pt_BR": 2, "pl": 4, "zh_Hans": 1, "ar": 6}
"""The number of forms, as in Django's own catalogues."""
FOR_ONE_NUMBER = {"ar": 3}
"""How many of the first forms are for one number each, which they may spell out."""


@pytest.fixture(scope="module", params=CATALOGUES, ids=lambda path: path.parts[-3])
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(scope="module")
def catalogue(path: Path) -> polib.POFile:
    return polib.pofile(str(path))


def test_every_language_has_a_glossary(path: Path) -> None:
    assert (path.parents[1] / "glossary.md").stat().st_size > 1_000


def test_everything_is_translated(catalogue: polib.POFile) -> None:
    assert not [entry.msgid for entry in catalogue if not entry.translated()]
    assert not [entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete]


def test_the_catalogue_has_what_the_source_asks_for(catalogue: polib.POFile) -> None:
    """``make translations`` brings it up to date. xgettext overlooks calls within f-strings."""
    # Templates double the percent signs of texts without placeholders.
    there = {Message(one.msgctxt, one.msgid.replace("%%", "%")) for one in catalogue}
    missing = {
        message: file
        for message, file in messages_of_source().items()
        if message._replace(text=message.text.replace("%%", "%")) not in there
    }
    assert not missing


def test_placeholders_and_tags_are_those_of_the_original(
    catalogue: polib.POFile, path: Path
) -> None:
    language, wrong = path.parts[-3], {}
    assert len(catalogue) > 5_000
    for entry in catalogue:
        originals = [entry.msgid, *([entry.msgid_plural] if entry.msgid_plural else [])]
        forms = entry.msgstr_plural if entry.msgid_plural else {0: entry.msgstr}
        if entry.msgid_plural and len(forms) != PLURALS[language]:
            wrong[entry.msgid] = f"{len(forms)} forms"
        for number, text in forms.items():
            spelled_out = entry.msgid_plural and number < FOR_ONE_NUMBER.get(language, 1)
            for pattern in (PLACEHOLDER, TAG):
                found = Counter(pattern.findall(text))
                wanted = [Counter(pattern.findall(one)) for one in originals]
                lacks = wanted[-1] - found
                if found not in wanted and (
                    not spelled_out or found - wanted[-1] or lacks.total() > 1
                ):
                    wrong[entry.msgid] = text
            if [text[:1].isspace(), text[-1:].isspace()] != [
                originals[0][:1].isspace(),
                originals[0][-1:].isspace(),
            ]:
                wrong[entry.msgid] = f"{text!r} begins or ends otherwise"
    assert not wrong


def test_the_catalogue_is_compiled(path: Path) -> None:
    """``make run`` and ``make test`` compile what has changed."""
    assert is_compiled(path)


def test_a_site_with_stale_translations_is_warned(tmp_path: Path, settings: Settings) -> None:
    assert translations() == []
    settings.LOCALE_PATHS = [tmp_path]
    (problem,) = translations()
    assert "not compiled: ar, de, " in problem.msg
    written = tmp_path / "django.po"
    written.touch()
    assert not is_compiled(written)
    written.with_suffix(".mo").touch()
    assert is_compiled(written)
    os.utime(written, (2**31, 2**31))
    assert not is_compiled(written)
