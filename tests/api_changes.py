"""Add what has changed in the API to ``docs/api-changes.md``: ``make api-changes``."""

import os
import sys

import django


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.support import api_surface  # noqa: PLC0415 - once Django is set up

    added, gone = api_surface.untold()
    if added or gone:
        api_surface.tell(added, gone)
    sys.stdout.write(f"{len(added)} lines added and {len(gone)} taken away. Say why above them.\n")


if __name__ == "__main__":
    main()
