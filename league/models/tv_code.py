"""Codes that start the page of a competition on a screen in the hall."""

from __future__ import annotations

import uuid

from django.db import models

from league.models.competition import Competition

LENGTH = 6


class TvCode(models.Model):
    """The code of a competition, while there is one, and the address that it leads to."""

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, primary_key=True, related_name="tv_code"
    )
    code = models.CharField(max_length=LENGTH, unique=True)
    key = models.UUIDField(unique=True, default=uuid.uuid4)
    """Screens are known by it: nobody can guess it, so they never run into the limit of codes."""

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.code
