"""Laurel's own PostgreSQL and Valkey: started on first use, stopped after the last user leaves.

Call `embedded.servers.attach()` to use them. The modules:

servers     attach to the servers and leave them
guardian    the process that starts, restarts and stops the servers
postgres    PostgreSQL: configuration, first initialisation, readiness
valkey      Valkey: configuration and readiness
home        the folder of one pair of servers: paths, creation, permissions
accounts    the user that runs the servers
binaries    the server programs
processes   child processes that never outlive their parent, and their logs
locks       file locks that show which processes are alive
run         `make run`
supervisor  the site's own processes under `make run`
"""
