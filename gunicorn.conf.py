"""How ``gunicorn league.wsgi`` serves the site, with `make run` and in production."""

import os

from league.log_settings import gunicorn_settings

worker_class = "league.server.BufferingWorker"
workers = 2
threads = 8  # one for each database connection in the pool of a process
preload_app = True
backlog = 2048
graceful_timeout = 5
control_socket_disable = True
if os.environ.get("LAUREL_LOG") == "json":
    logconfig_dict = gunicorn_settings()
