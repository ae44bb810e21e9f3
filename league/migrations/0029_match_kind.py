"""Say what a match stands for, and name every rule that a trigger enforces."""

from django.db import migrations, models

FILL = """
UPDATE league_match AS m SET kind = CASE
    WHEN EXISTS (SELECT FROM league_challenge AS c WHERE c.match_id = m.id) THEN 'forfeit'
    ELSE 'decay' END
WHERE NOT m.played;
"""

UNFILL = "UPDATE league_match SET played = false WHERE kind <> 'game';"

LEDGER_FUNCTIONS = """
CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation'{constraint};
END $$;

CREATE OR REPLACE FUNCTION league_only_supersede() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    without league_ratingevent := NEW;
BEGIN
    without.superseded_by_id := NULL;
    IF OLD.superseded_by_id IS NULL AND NEW.superseded_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'correction that supersedes them', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation'{constraint};
END $$;

CREATE OR REPLACE FUNCTION league_only_supersede_points() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    without league_pointentry := NEW;
BEGIN
    without.superseded_by_id := NULL;
    IF OLD.superseded_by_id IS NULL AND NEW.superseded_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'correction that supersedes them', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation'{constraint};
END $$;

CREATE OR REPLACE FUNCTION league_division_changes_are_kept() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM league_season WHERE id = OLD.season_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation'{constraint};
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0028_bans")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="kind",
            field=models.CharField(
                choices=[
                    ("game", "game"),
                    ("forfeit", "ranks lost for a refused challenge"),
                    ("decay", "rating decay of inactive players"),
                ],
                db_default="game",
                default="game",
                editable=False,
                max_length=10,
            ),
        ),
        migrations.RunSQL(FILL, UNFILL),
        migrations.RemoveIndex(model_name="match", name="match_unplayed"),
        migrations.RemoveField(model_name="match", name="played"),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("kind", "game"), _negated=True),
                fields=["season"],
                name="match_unplayed",
            ),
        ),
        migrations.RunSQL(
            LEDGER_FUNCTIONS.format(constraint=", CONSTRAINT = TG_NAME"),
            LEDGER_FUNCTIONS.format(constraint=""),
        ),
    ]
