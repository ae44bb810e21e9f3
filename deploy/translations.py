"""Compile the translations that have changed since they were compiled."""

from pathlib import Path

from polib import pofile

for written in Path(__file__).resolve().parents[1].glob("locale/*/LC_MESSAGES/django.po"):
    compiled = written.with_suffix(".mo")
    if not compiled.exists() or compiled.stat().st_mtime < written.stat().st_mtime:
        pofile(str(written)).save_as_mofile(str(compiled))
