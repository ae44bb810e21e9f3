"""Run every attack against a site of its own, print what each has won, and verify all ratings."""

import sys

from tests.support.running_site import running_site


def main() -> int:
    """Return 1 if an attack succeeded, or left a rating that its results do not explain."""
    succeeded = 0
    with running_site("attack", with_players=False) as address:
        from django.core.management import call_command  # noqa: PLC0415 - once Django is set up

        from tests.attacks.attempts import ATTACKS  # noqa: PLC0415 - as above

        for title, attack in ATTACKS.items():
            outcome = attack(address)
            succeeded += not outcome.failed
            verdict = "fails" if outcome.failed else "SUCCEEDS"
            sys.stdout.write(
                f"{verdict:9}{title}: {outcome.accepted} of {outcome.tried} accepted; "
                f"{outcome.effect}\n"
            )
            sys.stdout.flush()
        call_command("verify_ratings")
    return 1 if succeeded else 0


if __name__ == "__main__":
    sys.exit(main())
