"""An index for lists of the matches in one game mode, created without stopping results."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('league', '0059_modes'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='match',
            index=models.Index(
                condition=models.Q(('mode', ''), _negated=True),
                fields=['arena', 'mode', '-played_at', '-id'],
                name='match_of_mode',
            ),
        ),
    ]
