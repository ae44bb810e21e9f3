"""A penalty has one amnesty in force: the rule no longer counts those that ended."""

from django.db import migrations, models

IN_FORCE = """
CREATE UNIQUE INDEX CONCURRENTLY one_amnesty_in_force ON league_amnesty (award_id)
WHERE ended_by_id IS NULL
"""


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('league', '0088_undoing'),
    ]

    operations = [
        migrations.RunSQL(
            IN_FORCE,
            'DROP INDEX CONCURRENTLY one_amnesty_in_force',
            state_operations=[
                migrations.AddConstraint(
                    model_name='amnesty',
                    constraint=models.UniqueConstraint(condition=models.Q(('ended_by', None)), fields=('award',), name='one_amnesty_in_force'),
                ),
            ],
        ),
        migrations.RunSQL(
            'ALTER TABLE league_amnesty DROP CONSTRAINT one_amnesty_a_penalty',
            'ALTER TABLE league_amnesty ADD CONSTRAINT one_amnesty_a_penalty UNIQUE (award_id)',
            state_operations=[
                migrations.RemoveConstraint(model_name='amnesty', name='one_amnesty_a_penalty'),
            ],
        ),
    ]
