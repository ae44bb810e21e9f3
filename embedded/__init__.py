"""Laurel's own PostgreSQL and Valkey: real servers, started when first needed.

They stop when their last user is gone. The door is `embedded.servers.attach()`; the rest is how it
is done:

binaries   where the server programs are, and a copy of them that an unprivileged user can read
accounts   whom the servers run as
places     the folders: data, locks, sockets
locks      who is alive, told by the kernel
processes  starting a child that dies with its parent
postgres   PostgreSQL's configuration, first initialisation and readiness
valkey     Valkey's configuration and readiness
guardian   the small process that starts the servers, watches them and stops them
run        `make run`
"""
