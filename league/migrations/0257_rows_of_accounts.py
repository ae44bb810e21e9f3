"""Indexes by which the rows of a player, an account or a case are found, created without a lock.

PostgreSQL looks for them, too, before it deletes a player or an account.
"""

from django.contrib.postgres.indexes import BrinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("league", "0256_steps_of_new_captains")]

    operations = [
        *(
            AddIndexConcurrently(
                model_name="match",
                index=models.Index(
                    fields=[name], condition=Q(**{f"{name}__isnull": False}), name=f"match_{name}"
                ),
            )
            for name in ("started_by", "disputed_by", "confirmed_by")
        ),
        AddIndexConcurrently(
            model_name="staffaction",
            index=models.Index(
                fields=["id"], condition=Q(kind="case"), name="staff_action_of_case"
            ),
        ),
        AddIndexConcurrently(
            model_name="staffaction",
            index=BrinIndex(autosummarize=True, fields=["at"], name="staff_action_at"),
        ),
    ]
