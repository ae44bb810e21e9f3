"""Single events of matches, such as frags, in their order."""

import django.db.models.deletion
from django.db import migrations, models

GUARD = """
CREATE TRIGGER league_matchevent_is_append_only BEFORE UPDATE OR DELETE ON league_matchevent
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""
UNGUARD = "DROP TRIGGER league_matchevent_is_append_only ON league_matchevent"


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0070_checked_penalties'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='event_count',
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.CreateModel(
            name='MatchEvent',
            fields=[
                (
                    'pk',
                    models.CompositePrimaryKey(
                        'match_id',
                        'number',
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('winner', models.PositiveSmallIntegerField(verbose_name='winner’s side')),
                ('loser', models.PositiveSmallIntegerField(verbose_name='loser’s side')),
                (
                    'match',
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='single_events',
                        to='league.match',
                    ),
                ),
            ],
            options={
                'verbose_name': 'match event',
                'verbose_name_plural': 'match events',
                'constraints': [
                    models.CheckConstraint(
                        condition=models.Q(('number__gte', 1), ('number__lte', 20000)),
                        name='event_number_in_range',
                    ),
                    models.CheckConstraint(
                        condition=models.Q(('winner', models.F('loser')), _negated=True),
                        name='event_between_two',
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
