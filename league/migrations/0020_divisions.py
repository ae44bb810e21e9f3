"""Divisions are kept, with a ledger of how players move between them."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

# The ledger goes with its season, and is else written once.
LEDGER = """
CREATE FUNCTION league_division_changes_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM league_season WHERE id = OLD.season_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER league_divisionchange_is_append_only
BEFORE UPDATE OR DELETE ON league_divisionchange
FOR EACH ROW EXECUTE FUNCTION league_division_changes_are_kept();

CREATE FUNCTION league_divisions_go_with_their_season() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_standingcuts WHERE season_id = OLD.id;
    DELETE FROM league_divisionchange WHERE season_id = OLD.id;
    RETURN NULL;
END $$;

CREATE TRIGGER divisions_go_with_their_season AFTER DELETE ON league_season
FOR EACH ROW EXECUTE FUNCTION league_divisions_go_with_their_season();
"""

# A margin for each kind of cut takes the place of one for all, and of patience.
MARGINS = """
UPDATE {table} SET {rules} = jsonb_set({rules}, '{{cuts}}', ({rules} -> 'cuts') - 'patience' - 'margin'
    || CASE WHEN {rules} #> '{{cuts,margin}}' IS NULL THEN '{{}}' ELSE jsonb_build_object(
        coalesce({rules} #>> '{{cuts,by}}', 'percentile') || '_margin',
        CASE WHEN coalesce({rules} #>> '{{cuts,by}}', 'percentile') = 'percentile'
            THEN least(({rules} #>> '{{cuts,margin}}')::float8, 99)
            ELSE ({rules} #>> '{{cuts,margin}}')::float8 END) END)
WHERE {rules} ? 'cuts'
"""

# The next fold of each season settles the divisions of all, and tells nobody.
ONE_OF_EACH_SEASON = """
INSERT INTO league_standingchange (season_id, player_id)
SELECT s.id, one.player_id FROM league_season AS s
CROSS JOIN LATERAL (
    SELECT player_id FROM league_standing WHERE season_id = s.id LIMIT 1
) AS one
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0019_season_archive'),
    ]

    operations = [
        migrations.CreateModel(
            name='DivisionNews',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='division_news', serialize=False, to='league.player')),
                ('upto', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='StandingCuts',
            fields=[
                ('season_id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('reached', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), size=None)),
                ('kept', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), size=None)),
            ],
        ),
        migrations.AddField(
            model_name='standing',
            name='division',
            field=models.SmallIntegerField(null=True),
        ),
        migrations.CreateModel(
            name='DivisionChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('was', models.CharField(blank=True, max_length=60, verbose_name='from')),
                ('becomes', models.CharField(blank=True, max_length=60, verbose_name='to')),
                ('told', models.BooleanField(default=True, verbose_name='told')),
                ('match', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='division_changes', to='league.match', verbose_name='match')),
                ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='division_changes', to='league.player')),
                ('season', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='division_changes', to='league.season')),
            ],
            options={
                'verbose_name': 'change of division',
                'verbose_name_plural': 'changes of division',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['season', 'player', 'id'], name='division_change_of_player'), models.Index(condition=models.Q(('match__isnull', False)), fields=['match'], name='division_change_of_match')],
            },
        ),
        migrations.RunSQL(LEDGER),
        migrations.RunSQL(MARGINS.format(table="league_arena", rules="season_rules")),
        migrations.RunSQL(MARGINS.format(table="league_historicalarena", rules="season_rules")),
        migrations.RunSQL(MARGINS.format(table="league_season", rules="rules")),
        migrations.RunSQL(ONE_OF_EACH_SEASON),
    ]
