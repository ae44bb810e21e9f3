"""A process that uses the servers of LAUREL_DATA: attaches, says where they are, obeys its input.

It needs nothing beyond the standard library, so that any user of the machine can run it.
"""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    from embedded import binaries, servers  # noqa: PLC0415  the caller says where it is to be found
    from embedded.errors import EmbeddedError  # noqa: PLC0415  likewise

    if elsewhere := os.environ.get("TEST_SYSTEM_FOLDER"):
        binaries.SYSTEM_FOLDER = Path(elsewhere)
    try:
        found = servers.attach()
    except EmbeddedError as error:
        say({"error": str(error)})
        return
    say({"sockets": str(found.sockets), "pid": os.getpid()})
    for line in sys.stdin:
        match line.strip():
            case "fork":
                child = os.fork()
                if not child:
                    os.close(0)
                    os.close(1)
                    while True:
                        os.read(int(os.environ["TEST_LIFELINE"]), 1) or os._exit(0)
                say({"pid": child})
            case "leave":
                servers.leave()
                say({"left": True})


def say(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.path.insert(0, os.environ["TEST_PROJECT"])
    main()
