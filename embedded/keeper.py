"""Keeps the servers of a running site guarded: starts another guardian if theirs is killed."""

import sys
import time

from embedded import servers
from embedded.errors import EmbeddedError
from embedded.home import default_data

POLL = 0.25  # seconds between checks of the guardian


def main() -> int:
    """Watch until stopped. Return 1 when the servers cannot be started."""
    try:
        attach()
        write("PostgreSQL and Valkey run.")
        while True:
            time.sleep(POLL)
            if not servers.are_guarded():
                write("The guardian of PostgreSQL and Valkey has ended. Starting another ...")
                attach()
                write("PostgreSQL and Valkey run again.")
    except EmbeddedError as error:
        write(str(error))
        return 1


def attach() -> None:
    """Attach to the servers of the site's data. Never begin with new data in the place of lost."""
    database = default_data().absolute() / "servers" / "postgres"
    if not database.exists():
        raise EmbeddedError(f"The database is gone: {database} does not exist. Put it back.")
    servers.attach(report=write)


def write(text: str) -> None:
    """Write a line to standard output at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
