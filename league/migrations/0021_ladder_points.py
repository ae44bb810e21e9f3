"""Ladder points: their ledger, of which nothing changes but what a correction supersedes."""

import django.db.models.deletion
import django.db.models.expressions
from django.db import migrations, models

ONLY_SUPERSEDE = """
CREATE FUNCTION league_only_supersede_points() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    without league_pointentry := NEW;
BEGIN
    without.superseded_by_id := NULL;
    IF OLD.superseded_by_id IS NULL AND NEW.superseded_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'correction that supersedes them', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER league_pointentry_is_append_only BEFORE UPDATE ON league_pointentry
FOR EACH ROW EXECUTE FUNCTION league_only_supersede_points();
CREATE TRIGGER league_pointentry_is_kept BEFORE DELETE ON league_pointentry
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
CREATE TRIGGER league_finalpoints_is_append_only BEFORE UPDATE OR DELETE ON league_finalpoints
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""

LET_BE = """
DROP TRIGGER league_pointentry_is_append_only ON league_pointentry;
DROP TRIGGER league_pointentry_is_kept ON league_pointentry;
DROP TRIGGER league_finalpoints_is_append_only ON league_finalpoints;
DROP FUNCTION league_only_supersede_points;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0020_divisions'),
    ]

    operations = [
        migrations.CreateModel(
            name='PointTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('season_id', models.BigIntegerField()),
                ('points', models.IntegerField()),
                ('players', models.IntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['season_id', 'points'], name='points_tally')],
            },
        ),
        migrations.CreateModel(
            name='FinalPoints',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('rank', models.PositiveIntegerField(null=True, verbose_name='rank')),
                ('points', models.IntegerField(verbose_name='points')),
                ('matches', models.PositiveIntegerField(verbose_name='matches')),
                ('wins', models.PositiveIntegerField(verbose_name='victories')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='final_points', to='league.player')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='final_points', to='league.season')),
            ],
            options={
                'verbose_name': 'final ladder points',
                'verbose_name_plural': 'final ladder points',
                'ordering': ['season', 'position'],
                'constraints': [models.UniqueConstraint(fields=('season', 'position'), name='final_points_order'), models.UniqueConstraint(fields=('player', 'season'), name='final_points_once')],
            },
        ),
        migrations.CreateModel(
            name='PointEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='given')),
                ('odds', models.FloatField(verbose_name='odds of victory')),
                ('score_ratio', models.FloatField(verbose_name='share of the winning score')),
                ('victory', models.BooleanField(verbose_name='victory')),
                ('deserted', models.BooleanField(verbose_name='deserted')),
                ('points', models.IntegerField(verbose_name='points')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='point_entries', to='league.match')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='point_entries', to='league.player')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='point_entries', to='league.season')),
                ('superseded_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.correction', verbose_name='superseded by')),
            ],
            options={
                'verbose_name': 'ladder points of a match',
                'verbose_name_plural': 'ladder points of matches',
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('superseded_by', None)), fields=['season', 'player', 'match'], name='points_of_player')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('superseded_by', None)), fields=('match', 'player'), name='a_result_gives_points_once'), models.CheckConstraint(condition=models.Q(('odds__gte', 0), ('odds__lte', 1), ('score_ratio__gte', 0), ('score_ratio__lte', 1)), name='points_by_shares')],
            },
        ),
        migrations.CreateModel(
            name='PointTotal',
            fields=[
                ('pk', models.CompositePrimaryKey('season_id', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('points', models.IntegerField(verbose_name='points')),
                ('matches', models.PositiveIntegerField(verbose_name='matches')),
                ('wins', models.PositiveIntegerField(verbose_name='victories')),
                ('listed', models.BooleanField(verbose_name='listed')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='point_totals', to='league.player')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='point_totals', to='league.season')),
            ],
            options={
                'verbose_name': 'ladder points of a season',
                'verbose_name_plural': 'ladder points of seasons',
                'indexes': [models.Index(models.F('season'), django.db.models.expressions.CombinedExpression(models.F('points'), '*', models.Value(-1)), models.F('matches'), models.F('player'), condition=models.Q(('listed', True)), name='points_order')],
            },
        ),
        migrations.RunSQL(ONLY_SUPERSEDE, LET_BE),
    ]
