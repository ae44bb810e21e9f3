"""Rating events may be superseded, once, by a correction; and nothing else of them may change."""

from django.db import migrations

TELL_WHEN_PLAYED_BEFORE = """
DROP TRIGGER league_ratingevent_is_append_only ON league_ratingevent;
UPDATE league_ratingevent AS e SET last_played_before = told.before
FROM (
    SELECT e.id, greatest(r.played_before, max(m.played_at) OVER (
        PARTITION BY e.season_id, e.player_id ORDER BY m.rated_order
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )) AS before
    FROM league_ratingevent AS e
    JOIN league_match AS m ON m.id = e.match_id
    JOIN league_rating AS r ON r.season_id = e.season_id AND r.player_id = e.player_id
) AS told
WHERE told.id = e.id AND told.before IS NOT NULL;
"""

ALLOW_SUPERSEDING = """
CREATE FUNCTION league_only_supersede() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    without league_ratingevent := NEW;
BEGIN
    without.superseded_by_id := NULL;
    IF OLD.superseded_by_id IS NULL AND NEW.superseded_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'correction that supersedes them', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER league_ratingevent_is_append_only BEFORE UPDATE ON league_ratingevent
FOR EACH ROW EXECUTE FUNCTION league_only_supersede();
CREATE TRIGGER league_ratingevent_is_kept BEFORE DELETE ON league_ratingevent
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""

REFUSE_ANY_CHANGE = """
DROP TRIGGER league_ratingevent_is_append_only ON league_ratingevent;
DROP TRIGGER league_ratingevent_is_kept ON league_ratingevent;
DROP FUNCTION league_only_supersede;
CREATE TRIGGER league_ratingevent_is_append_only BEFORE UPDATE OR DELETE ON league_ratingevent
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0015_corrections")]

    operations = [
        migrations.RunSQL(TELL_WHEN_PLAYED_BEFORE, migrations.RunSQL.noop),
        migrations.RunSQL(ALLOW_SUPERSEDING, REFUSE_ANY_CHANGE),
        migrations.RunSQL(
            """CREATE TRIGGER league_correction_is_append_only
            BEFORE UPDATE OR DELETE ON league_correction
            FOR EACH ROW EXECUTE FUNCTION league_refuse_change()""",
            "DROP TRIGGER league_correction_is_append_only ON league_correction",
        ),
    ]
