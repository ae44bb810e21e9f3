"""Each tick stores its whole input."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0011_errata_are_staff_actions")]

    operations = [
        # Ticks are kept for a week. Those that only store differences cannot be read any more.
        migrations.RunSQL(
            "DELETE FROM league_tick WHERE base_id IS NOT NULL", migrations.RunSQL.noop
        ),
        migrations.RemoveConstraint("tick", "full_tick_has_rules"),
        migrations.RemoveField("tick", "base"),
        migrations.AlterField("tick", "rules", models.JSONField(verbose_name="rules")),
    ]
