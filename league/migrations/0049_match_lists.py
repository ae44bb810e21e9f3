"""Indexes for lists of matches, created without stopping results meanwhile."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('league', '0048_first_run'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='match',
            index=models.Index(fields=['-played_at', '-id'], name='match_latest'),
        ),
        AddIndexConcurrently(
            model_name='match',
            index=models.Index(
                condition=models.Q(('status__in', ('live', 'reported', 'disputed'))),
                fields=['id'],
                name='match_open',
            ),
        ),
    ]
