"""Indexes by which the file of a player finds what concerns them, created without a lock."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('league', '0097_site'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='staffaction',
            index=GinIndex(
                fields=['details'], name='staff_action_details', opclasses=['jsonb_path_ops']
            ),
        ),
        AddIndexConcurrently(
            model_name='match',
            index=models.Index(
                condition=models.Q(('reported_from__isnull', False)),
                fields=['reported_from'],
                name='match_by_address',
            ),
        ),
    ]
