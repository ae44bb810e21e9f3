"""Game modes belong to arenas, matches and ready checks, no longer to queues."""

import django.contrib.postgres.fields
from django.db import migrations, models

QUEUES = ('league_arenaqueue', 'league_historicalarenaqueue')


def adopt_modes_of_queues(apps, schema_editor):
    """Give arenas the modes of their queues. There are as many rows as arenas."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            'UPDATE league_arena AS a SET modes = q.modes FROM league_arenaqueue AS q '
            "WHERE q.arena_id = a.id AND q.modes <> '{}'"
        )


def modes():
    return django.contrib.postgres.fields.ArrayField(
        base_field=models.CharField(max_length=40),
        blank=True,
        db_default=[],
        default=list,
        help_text='The modes that its matches are played in, separated by commas, such as “Conquest, Stronghold”. Players choose theirs when they queue, and every result names one. Leave it empty if all matches are played the same way.',
        size=None,
        verbose_name='game modes',
    )


def mode():
    return models.CharField(
        blank=True, db_default='', default='', max_length=40, verbose_name='game mode'
    )


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0058_season_accuracy'),
    ]

    operations = [
        migrations.AddField(model_name='arena', name='modes', field=modes()),
        migrations.AddField(model_name='historicalarena', name='modes', field=modes()),
        migrations.AddField(model_name='match', name='mode', field=mode()),
        migrations.AddField(model_name='proposal', name='mode', field=mode()),
        # The release before still reads and writes the columns of queues.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"ALTER TABLE {table} ALTER COLUMN modes SET DEFAULT '{{}}'",
                    f'ALTER TABLE {table} ALTER COLUMN modes DROP DEFAULT',
                )
                for table in QUEUES
            ],
            state_operations=[
                migrations.RemoveField(model_name='arenaqueue', name='modes'),
                migrations.RemoveField(model_name='historicalarenaqueue', name='modes'),
            ],
        ),
        migrations.RunPython(adopt_modes_of_queues, migrations.RunPython.noop),
    ]
