"""Passwords in tests are hashed as on the site, but not slowly on purpose."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class QuickArgon2(Argon2PasswordHasher):
    time_cost = 1
    memory_cost = 64
    parallelism = 1
