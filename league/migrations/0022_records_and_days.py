"""How everybody's matches ended beside the ratings, and who stood where as a day began."""

from django.db import migrations, models

# Of what was rated before. Partitions are written by their own names: no standing changes by this.
COUNT_WHAT_THERE_IS = """
DO $$
DECLARE
    season bigint;
BEGIN
    FOR season IN SELECT DISTINCT season_id FROM league_ratingevent LOOP
        EXECUTE format('
            UPDATE %I AS r
            SET wins = c.wins, draws = c.draws, outcome = c.outcome, streak = c.streak
            FROM (
                SELECT t.player_id, count(*) FILTER (WHERE t.outcome = 1) AS wins,
                    count(*) FILTER (WHERE t.outcome = 0) AS draws, max(t.latest) AS outcome,
                    count(*) FILTER (WHERE t.since) AS streak
                FROM (
                    SELECT o.player_id, o.outcome, o.latest,
                        bool_and(o.outcome = o.latest) OVER (
                            PARTITION BY o.player_id ORDER BY o.games DESC
                        ) AS since
                    FROM (
                        SELECT e.player_id, e.games, r.outcome,
                            first_value(r.outcome) OVER (
                                PARTITION BY e.player_id ORDER BY e.games DESC
                            ) AS latest
                        FROM league_ratingevent AS e
                        JOIN league_participant AS p
                            ON p.match_id = e.match_id AND p.player_id = e.player_id
                        JOIN league_side AS s ON s.id = p.side_id
                        LEFT JOIN (
                            SELECT match_id, count(*) AS firsts FROM league_side
                            WHERE place = 0 GROUP BY match_id
                        ) AS x ON x.match_id = e.match_id
                        CROSS JOIN LATERAL (
                            SELECT CASE WHEN s.place > 0 THEN -1 WHEN x.firsts > 1 THEN 0
                                ELSE 1 END AS outcome
                        ) AS r
                        WHERE e.season_id = %s AND e.superseded_by_id IS NULL
                    ) AS o
                ) AS t
                GROUP BY t.player_id
            ) AS c
            WHERE r.player_id = c.player_id', 'league_rating_' || season, season);
    END LOOP;
END $$;
"""

WITH_THEIR_SEASON = """
CREATE OR REPLACE FUNCTION league_standings_go_with_their_season() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_standing WHERE season_id = OLD.id;
    DELETE FROM league_standinghistogram WHERE season_id = OLD.id;
    DELETE FROM league_standingchange WHERE season_id = OLD.id;
    DELETE FROM league_standingday WHERE season_id = OLD.id;
    DELETE FROM league_standingdayranks WHERE season_id = OLD.id;
    RETURN NULL;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0021_ladder_points'),
    ]

    operations = [
        migrations.CreateModel(
            name='StandingDay',
            fields=[
                ('pk', models.CompositePrimaryKey('season_id', 'day', blank=True, editable=False, primary_key=True, serialize=False)),
                ('season_id', models.BigIntegerField()),
                ('day', models.DateField()),
                ('noted_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='StandingDayRanks',
            fields=[
                ('pk', models.CompositePrimaryKey('season_id', 'day', 'chunk', blank=True, editable=False, primary_key=True, serialize=False)),
                ('season_id', models.BigIntegerField()),
                ('day', models.DateField()),
                ('chunk', models.BigIntegerField()),
                ('ranks', models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name='rating',
            name='draws',
            field=models.PositiveIntegerField(db_default=0, editable=False, verbose_name='draws'),
        ),
        migrations.AddField(
            model_name='rating',
            name='outcome',
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='streak',
            field=models.PositiveIntegerField(db_default=0, editable=False),
        ),
        migrations.AddField(
            model_name='rating',
            name='wins',
            field=models.PositiveIntegerField(db_default=0, editable=False, verbose_name='wins'),
        ),
        migrations.RunSQL(COUNT_WHAT_THERE_IS, migrations.RunSQL.noop),
        migrations.RunSQL(WITH_THEIR_SEASON, migrations.RunSQL.noop),
    ]
