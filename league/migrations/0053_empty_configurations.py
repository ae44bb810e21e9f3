"""Empty the configurations of queues that were imported from a file with nothing but arenas.

Earlier releases stored an empty ``<Configuration>`` for them, which nothing could read.
"""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [('league', '0052_checked_ticks')]

    operations = [
        migrations.RunSQL(
            "UPDATE league_arenaqueue SET configuration = '' "
            r"WHERE configuration ~ '^\s*<Configuration>\s*</Configuration>\s*$'",
            migrations.RunSQL.noop,
        )
    ]
