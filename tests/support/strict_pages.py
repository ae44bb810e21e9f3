"""Check that a page obeys the strict content security policy."""

import re
from typing import Any

from django.test import Client

INLINE = re.compile(
    r"""<script(?![^>]*(?:\ssrc=|\stype="application/json"))|<style|\sstyle\s*=|\son\w+\s*=\s*["']"""
    r"|javascript:",
    re.IGNORECASE,
)


REMOTE = re.compile(
    r"""<(?:script|link(?! rel="alternate")|img|iframe)[^>]*(?:src|href)=["'](?:https?:)?//"""
)


def broken_rules(response: Any, page: str) -> list[str]:
    """Return what a page has that the policy forbids, and the rules that its policy lacks."""
    policy = f"{response.headers.get('Content-Security-Policy', '')};"
    lacks = [rule for rule in ("script-src 'self';", "style-src 'self';") if rule not in policy]
    return [*lacks, *INLINE.findall(page), *REMOTE.findall(page)]


def assert_strict(client: Client, url: str) -> None:
    response = client.get(url)
    assert response.status_code == 200, url
    assert broken_rules(response, response.content.decode()) == [], url
