"""Nobody waits in a queue and plays at the same time: a law between two tables."""

from django.db import migrations

# Both sides take the player's lock first: whoever comes second sees what the first has written.
WAIT_OR_PLAY = """
CREATE FUNCTION league_waits_or_plays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('laurel player', NEW.player_id));
    IF TG_TABLE_NAME = 'league_participant' AND EXISTS (
        SELECT FROM league_ticketmember WHERE player_id = NEW.player_id AND open
    ) OR TG_TABLE_NAME = 'league_ticketmember' AND EXISTS (
        SELECT FROM league_participant WHERE player_id = NEW.player_id AND live
    ) THEN
        RAISE EXCEPTION 'player % would wait in a queue and play at the same time', NEW.player_id
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'player_waits_or_plays';
    END IF;
    RETURN NEW;
END $$;
"""

GUARD = """
CREATE TRIGGER {table}_waits_or_plays BEFORE INSERT OR UPDATE OF {column} ON {table}
FOR EACH ROW WHEN (NEW.{column}) EXECUTE FUNCTION league_waits_or_plays();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0004_tickets")]

    operations = [
        migrations.RunSQL(
            "CREATE SEQUENCE league_ticket_place", "DROP SEQUENCE league_ticket_place"
        ),
        migrations.RunSQL(WAIT_OR_PLAY, "DROP FUNCTION league_waits_or_plays"),
        *(
            migrations.RunSQL(
                GUARD.format(table=table, column=column),
                f"DROP TRIGGER {table}_waits_or_plays ON {table}",
            )
            for table, column in (("league_participant", "live"), ("league_ticketmember", "open"))
        ),
    ]
