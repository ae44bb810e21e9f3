"""Run every attack against a site of its own and print what each has won."""

import sys

from tests.support.running_site import running_site


def main() -> int:
    """Return 1 if an attack succeeded."""
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
    return 1 if succeeded else 0


if __name__ == "__main__":
    sys.exit(main())
