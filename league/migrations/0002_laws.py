"""Laws that Django's schema language cannot write."""

from django.db import migrations

LEDGERS = ["league_ratingevent", "league_staffaction"]

REFUSE = """
CREATE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
"""

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""

SIDE_OF_ITS_MATCH = """
ALTER TABLE league_participant ADD CONSTRAINT participant_on_a_side_of_its_match
FOREIGN KEY (match_id, side_id) REFERENCES league_side (match_id, id) DEFERRABLE INITIALLY DEFERRED;
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "CREATE SEQUENCE league_match_rated_order",
            "DROP SEQUENCE league_match_rated_order",
        ),
        migrations.RunSQL(REFUSE, "DROP FUNCTION league_refuse_change"),
        *(
            migrations.RunSQL(
                GUARD.format(table=table), f"DROP TRIGGER {table}_is_append_only ON {table}"
            )
            for table in LEDGERS
        ),
        migrations.RunSQL(
            SIDE_OF_ITS_MATCH,
            "ALTER TABLE league_participant DROP CONSTRAINT participant_on_a_side_of_its_match",
        ),
    ]
