"""Check that a page obeys the strict content security policy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client


INLINE = re.compile(
    r"""<script(?![^>]*\ssrc=)|<style|\sstyle\s*=|\son\w+\s*=\s*["']|javascript:""", re.IGNORECASE
)


REMOTE = re.compile(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["'](?:https?:)?//""")


def assert_strict(client: Client, url: str, status: int = 200) -> None:
    response = client.get(url)
    assert response.status_code == status, url
    policy = response["Content-Security-Policy"]
    assert "script-src 'self';" in f"{policy};"
    assert "style-src 'self';" in f"{policy};"
    page = response.content.decode()
    assert INLINE.findall(page) == [], url
    assert REMOTE.findall(page) == [], url
