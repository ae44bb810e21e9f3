"""One trial of several sets of rules, in place of trials, comparisons and largest gains."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0009_event_kinds")]

    operations = [
        # Findings of trials last for 30 days, and those of one set of rules cannot be shown as
        # those of several.
        migrations.RunSQL(
            "DELETE FROM league_trialmove; DELETE FROM league_trial;"
            "DELETE FROM league_job WHERE kind IN ('trial', 'lab', 'rules', 'rerate-trial')",
            migrations.RunSQL.noop,
        ),
        migrations.RemoveField("seasonaccuracy", "asked_at"),
        migrations.RemoveField("seasonaccuracy", "gains"),
        migrations.RemoveField("seasonaccuracy", "gains_at"),
        migrations.RemoveField("trial", "rating_system"),
        migrations.RemoveField("trial", "rating_parameters"),
        migrations.RemoveField("trial", "rules"),
        migrations.RemoveField("trial", "changes"),
        migrations.AddField(
            "trial",
            "candidates",
            models.JSONField(default=list, verbose_name="rules"),
            preserve_default=False,
        ),
        migrations.AddField(
            "trial", "split", models.DateTimeField(default=None), preserve_default=False
        ),
        migrations.AddField("trial", "chosen", models.CharField(blank=True, max_length=60)),
        migrations.AddField(
            "trialmove", "candidate", models.CharField(default="", max_length=60), preserve_default=False
        ),
        migrations.RemoveConstraint("trialmove", "trial_moves_a_player_once"),
        migrations.AddConstraint(
            "trialmove",
            models.UniqueConstraint(
                fields=["trial", "candidate", "player"], name="trial_moves_a_player_once"
            ),
        ),
    ]
