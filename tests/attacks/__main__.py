"""Run every attack against a site of its own, print what each has won, and verify all ratings."""

import sys
from io import StringIO

from tests.support.running_site import running_site


def main() -> int:
    """Return 1 if an attack succeeded, or left ratings that the results do not explain."""
    succeeded = 0
    with running_site("attack", with_players=False) as address:
        from tests.attacks.attempts import ATTACKS  # noqa: PLC0415 - once Django is set up

        for title, attack in ATTACKS.items():
            outcome = attack(address)
            succeeded += not outcome.failed
            verdict = "fails" if outcome.failed else "SUCCEEDS"
            sys.stdout.write(
                f"{verdict:9}{title}: {outcome.accepted} of {outcome.tried} accepted; "
                f"{outcome.effect}\n"
            )
            sys.stdout.flush()
        differing = differences()
    sys.stdout.write(
        f"{'DIFFER' if differing else 'equal':9}ratings and the replay of all results"
        f"{': ' if differing else ''}{differing}\n"
    )
    return 1 if succeeded or differing else 0


def differences() -> str:
    """Verify the ratings of every season. Return what differs, empty for nothing."""
    from django.core.management import CommandError, call_command  # noqa: PLC0415 - as above

    told = StringIO()
    try:
        call_command("verify_ratings", stdout=told)
    except CommandError as error:
        return f"{error}\n{told.getvalue()}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
