"""Keep the log of staff actions from being emptied: its rows were protected, the table was not."""

from django.db import migrations

GUARD = """
CREATE TRIGGER league_staffaction_is_not_emptied BEFORE TRUNCATE ON league_staffaction
FOR EACH STATEMENT EXECUTE FUNCTION league_refuse_change();
"""
UNGUARD = "DROP TRIGGER league_staffaction_is_not_emptied ON league_staffaction;"


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0084_separate_permissions'),
    ]

    operations = [migrations.RunSQL(GUARD, UNGUARD)]
