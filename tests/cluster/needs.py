"""The programs that `make cluster` needs, and their installation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGES = {
    "ip": "iproute2",
    "setpriv": "util-linux",
    "haproxy": "haproxy",
    "pgbouncer": "pgbouncer",
}
"""Programs, and the packages of Debian that have them."""
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def meet() -> None:
    """Install missing programs, or exit and name them."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        raise SystemExit("make cluster needs Linux and root: it makes network namespaces.")
    if missing := absent():
        install([PACKAGES[program] for program in missing])
    if missing := absent():
        raise SystemExit(f"make cluster needs these programs: {', '.join(missing)}.")
    tried = subprocess.run(
        ["ip", "netns", "add", "laurel-try"], check=False, capture_output=True, text=True
    )
    subprocess.run(["ip", "netns", "del", "laurel-try"], check=False, capture_output=True)
    if tried.returncode:
        raise SystemExit(f"make cluster may not make network namespaces here: {tried.stderr}")


def absent() -> list[str]:
    return [program for program in PACKAGES if not shutil.which(program, path=PATH)]


def install(packages: list[str]) -> None:
    if not shutil.which("apt-get"):
        raise SystemExit(f"make cluster needs these packages: {', '.join(packages)}.")
    sys.stdout.write(f"Installing {', '.join(packages)} with apt-get ...\n")
    sys.stdout.flush()
    # In run level 1, Debian starts no services that it installs.
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages],
    ):
        done = subprocess.run(command, env=quiet, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed: {done.stderr}")
