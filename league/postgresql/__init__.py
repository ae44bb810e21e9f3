"""Django's PostgreSQL backend, with connections that are checked when they leave the pool."""
