"""Print where requests are refused, all or those with a code: ``make refusals CODE=busy``."""

import os
import sys

import django


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.support.refusals import find_refusals  # noqa: PLC0415 - once Django is set up

    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    known = find_refusals()
    found = [one for one in known if wanted in {"", one.code}]
    if not found:
        sys.stdout.write(f"No line has the code {wanted}. These lines compute theirs:\n")
        found = [one for one in known if one.is_computed]
    sys.stdout.write("".join(f"{one}\n" for one in found))


if __name__ == "__main__":
    main()
