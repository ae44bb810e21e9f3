"""Write ``league/schema.sql`` again: ``make schema``."""

import os
import sys

import django


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from league.schema import FILE  # noqa: PLC0415 - once Django is set up
    from tests.support.schema_file import written  # noqa: PLC0415 - as above

    FILE.write_text(written())
    sys.stdout.write(f"{FILE} is written.\n")


if __name__ == "__main__":
    main()
