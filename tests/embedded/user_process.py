"""A process that uses the servers of LAUREL_DATA: attach, print the addresses, obey commands.

It needs only the standard library, so any user of the machine can run it.
"""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    from embedded import home, servers  # noqa: PLC0415  the caller sets the import path
    from embedded.errors import EmbeddedError  # noqa: PLC0415  likewise

    if folder := os.environ.get("TEST_SYSTEM_FOLDER"):
        home.SYSTEM_FOLDER = Path(folder)
    try:
        found = servers.attach()
    except EmbeddedError as error:
        write({"error": str(error)})
        return
    write({"sockets": str(found.sockets), "redis_url": found.redis_url})
    for line in sys.stdin:
        match line.strip():
            case "fork":
                child = os.fork()
                if not child:
                    os.close(0)
                    os.close(1)
                    while True:
                        os.read(int(os.environ["TEST_LIFELINE"]), 1) or os._exit(0)
                write({"pid": child})
            case "leave":
                servers.leave()
                write({"left": True})


def write(answer: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.path.insert(0, os.environ["TEST_PROJECT"])
    main()
