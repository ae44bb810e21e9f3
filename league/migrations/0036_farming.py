"""Players need different opponents to be ranked, and records that look arranged are flagged."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Everybody keeps their rank until the connections of their season are computed, which is soon.
COMPUTE_SOON = """
INSERT INTO league_standingconnections (season_id, changed, computed, seconds, needed)
SELECT id, 1, 0, 0, 0 FROM league_season WHERE opened_at IS NOT NULL AND archived_at IS NULL;
"""

WITH_THEIR_SEASON = """
CREATE FUNCTION league_connections_go_with_their_season() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_standingconnections WHERE season_id = OLD.id;
    RETURN NULL;
END $$;

CREATE TRIGGER connections_go_with_their_season AFTER DELETE ON league_season
FOR EACH ROW EXECUTE FUNCTION league_connections_go_with_their_season();
"""

WITHOUT_THEIR_SEASON = """
DROP TRIGGER connections_go_with_their_season ON league_season;
DROP FUNCTION league_connections_go_with_their_season();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0035_notices'),
    ]

    operations = [
        # Rows that are there get the first default without being written, new ones the second.
        migrations.AddField(
            model_name='rating',
            name='connected',
            field=models.BooleanField(db_default=True, editable=False),
        ),
        migrations.AlterField(
            model_name='rating',
            name='connected',
            field=models.BooleanField(db_default=False, editable=False),
        ),
        migrations.CreateModel(
            name='StandingConnections',
            fields=[
                ('season_id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('changed', models.BigIntegerField(default=1)),
                ('computed', models.BigIntegerField(default=0)),
                ('computed_at', models.DateTimeField(null=True)),
                ('seconds', models.FloatField(default=0)),
                ('needed', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.RunSQL(COMPUTE_SOON, migrations.RunSQL.noop),
        migrations.RunSQL(WITH_THEIR_SEASON, WITHOUT_THEIR_SEASON),
        migrations.CreateModel(
            name='InvitationDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('sent', models.PositiveIntegerField()),
                ('captain', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('captain', 'day'), name='one_count_a_captain_and_day')],
            },
        ),
        migrations.CreateModel(
            name='Flag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('one_sided', 'one-sided pair'), ('one_opponent', 'points from one opponent'), ('unranked', 'wins against unranked players'), ('dodging', 'avoided matches')], max_length=20, verbose_name='kind')),
                ('evidence', models.JSONField(default=dict, help_text="The detector's figures, by name.", verbose_name='evidence')),
                ('raised_at', models.DateTimeField(verbose_name='raised')),
                ('resolved_at', models.DateTimeField(blank=True, null=True, verbose_name='resolved')),
                ('note', models.TextField(blank=True, help_text='What staff found. Only staff can read it.', verbose_name='note')),
                ('other', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='flags_as_opponent', to='league.player', verbose_name='opponent')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flags', to='league.player', verbose_name='player')),
                ('resolved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='flags_resolved', to=settings.AUTH_USER_MODEL, verbose_name='resolved by')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='flags', to='league.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'flag',
                'verbose_name_plural': 'flags',
                'ordering': ['-raised_at', '-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('resolved_at', None)), fields=('kind', 'season', 'player', 'other'), name='flag_once_while_open', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('resolved_at', None), ('resolved_by', None)), models.Q(('resolved_at__isnull', False), ('resolved_by__isnull', False)), _connector='OR'), name='flag_resolved_by_somebody')],
            },
        ),
    ]
