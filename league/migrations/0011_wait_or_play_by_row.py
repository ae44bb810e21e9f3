"""Lock players by their rows: advisory locks of thousands at once would fill the lock table."""

from django.db import migrations

# Both sides take the player's row first: whoever comes second sees what the first has written.
# A row lock is kept in the row, so that any number of players can queue or play in a transaction.
WAIT_OR_PLAY = """
CREATE OR REPLACE FUNCTION league_waits_or_plays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {lock}
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
BY_ROW = "PERFORM FROM league_player WHERE id = NEW.player_id FOR NO KEY UPDATE;"
ADVISORY = "PERFORM pg_advisory_xact_lock(hashtextextended('laurel player', NEW.player_id));"


class Migration(migrations.Migration):
    dependencies = [("league", "0010_imported_configuration")]

    operations = [
        migrations.RunSQL(
            WAIT_OR_PLAY.replace("{lock}", BY_ROW), WAIT_OR_PLAY.replace("{lock}", ADVISORY)
        )
    ]
