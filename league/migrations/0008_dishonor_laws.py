"""Penalties and amnesties are written once and never changed."""

from django.db import migrations

LEDGERS = ["league_dishonoraward", "league_amnesty"]

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0007_dishonor")]

    operations = [
        migrations.RunSQL(
            GUARD.format(table=table), f"DROP TRIGGER {table}_is_append_only ON {table}"
        )
        for table in LEDGERS
    ]
