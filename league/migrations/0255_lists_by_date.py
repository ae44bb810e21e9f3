"""Indexes by which lists of the admin are filtered by date, created without a lock."""

from django.contrib.postgres.indexes import BrinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("league", "0250_imports_of_fixtures")]

    operations = [
        AddIndexConcurrently(
            model_name="arrangement",
            index=models.Index(fields=["play_at"], name="arrangement_play_at"),
        ),
        AddIndexConcurrently(
            model_name="player",
            index=BrinIndex(autosummarize=True, fields=["created_at"], name="player_created"),
        ),
        AddIndexConcurrently(
            model_name="pointentry",
            index=BrinIndex(autosummarize=True, fields=["at"], name="points_at"),
        ),
        AddIndexConcurrently(
            model_name="user",
            index=BrinIndex(autosummarize=True, fields=["date_joined"], name="account_joined"),
        ),
    ]
