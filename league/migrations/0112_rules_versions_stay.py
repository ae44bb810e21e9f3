"""Keep the versions of seasons' rules as they were written."""

from django.db import migrations

GUARD = """
CREATE TRIGGER league_rulesversion_is_append_only BEFORE UPDATE OR DELETE ON league_rulesversion
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""
UNGUARD = "DROP TRIGGER league_rulesversion_is_append_only ON league_rulesversion;"


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0108_front_page"),
    ]

    operations = [migrations.RunSQL(GUARD, UNGUARD)]
