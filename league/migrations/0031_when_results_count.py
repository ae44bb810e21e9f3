"""Rules for when a result counts: agreement to matches, confirmations by side, result rules."""

import datetime
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Matches on their way: who accepted a ready check or a challenge agreed to them, and open reports
# are on the pages of captains with an account. Other reports lapse at their deadline.
AGREED = """
UPDATE league_side AS s SET agreed_at = m.played_at,
    agreed_by = CASE WHEN EXISTS (SELECT FROM league_proposal AS p WHERE p.match_id = m.id)
        THEN 'ready-check' ELSE 'challenge' END
FROM league_match AS m
WHERE m.id = s.match_id AND m.status IN ('live', 'reported', 'disputed') AND (
    EXISTS (SELECT FROM league_proposal AS p WHERE p.match_id = m.id)
    OR EXISTS (SELECT FROM league_challenge AS c WHERE c.match_id = m.id));
"""

NOTIFIED = """
UPDATE league_side AS s SET notified_at = m.reported_at
FROM league_match AS m, league_player AS p, league_user AS u
WHERE m.id = s.match_id AND m.status IN ('reported', 'disputed')
    AND p.id = s.captain_id AND u.id = p.user_id AND u.is_active;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0030_plain_words'),
    ]

    operations = [
        migrations.CreateModel(
            name='Confirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
            ],
            options={
                'verbose_name': 'confirmation',
                'verbose_name_plural': 'confirmations',
                'ordering': ['match', 'at', 'id'],
            },
        ),
        migrations.AddField(
            model_name='arena',
            name='result_rules',
            field=models.JSONField(blank=True, default=dict, verbose_name='result rules'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='result_rules',
            field=models.JSONField(blank=True, default=dict, verbose_name='result rules'),
        ),
        migrations.AddField(
            model_name='match',
            name='started_by',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='matches_started', to=settings.AUTH_USER_MODEL, verbose_name='started by'),
        ),
        migrations.AddField(
            model_name='side',
            name='agreed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='agreed to the match'),
        ),
        migrations.AddField(
            model_name='side',
            name='agreed_by',
            field=models.CharField(blank=True, choices=[('ready-check', 'accepted a ready check'), ('challenge', 'accepted a challenge'), ('date', 'agreed on a date'), ('server', 'a game server started the match')], db_default='', default='', max_length=20, verbose_name='agreed by'),
        ),
        migrations.AddField(
            model_name='side',
            name='notified_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='notified of the report'),
        ),
        migrations.AlterField(
            model_name='arena',
            name='confirmation_window',
            field=models.DurationField(default=datetime.timedelta(days=2), help_text='How long the other sides have to confirm or dispute a report. From 1 minute to 30 days, written as days hours:minutes:seconds (“2 0:00”).', validators=[django.core.validators.MinValueValidator(datetime.timedelta(seconds=60)), django.core.validators.MaxValueValidator(datetime.timedelta(days=30))], verbose_name='confirmation window'),
        ),
        migrations.AlterField(
            model_name='historicalarena',
            name='confirmation_window',
            field=models.DurationField(default=datetime.timedelta(days=2), help_text='How long the other sides have to confirm or dispute a report. From 1 minute to 30 days, written as days hours:minutes:seconds (“2 0:00”).', validators=[django.core.validators.MinValueValidator(datetime.timedelta(seconds=60)), django.core.validators.MaxValueValidator(datetime.timedelta(days=30))], verbose_name='confirmation window'),
        ),
        migrations.AlterField(
            model_name='match',
            name='settlement',
            field=models.CharField(blank=True, choices=[('captain', 'confirmed by the other side'), ('quorum', 'confirmed by enough of the other sides'), ('window', 'confirmed because nobody objected in time'), ('lapsed', 'nobody confirmed it in time'), ('server', 'reported by a game server'), ('staff', 'decided by staff'), ('import', 'imported'), ('season', 'not settled before its season was archived'), ('challenge', 'by the challenge rules'), ('decay', 'by rating decay')], max_length=10, verbose_name='settled by'),
        ),
        migrations.AlterField(
            model_name='staffaction',
            name='kind',
            field=models.CharField(choices=[('upheld', 'upheld a reported result'), ('corrected', 'corrected a reported result'), ('voided', 'voided a match'), ('entered', 'entered a result'), ('amnesty', 'granted an amnesty'), ('challenge', 'called off a challenge'), ('ban', 'banned a player'), ('unban', 'lifted a ban')], max_length=20, verbose_name='action'),
        ),
        migrations.AddConstraint(
            model_name='side',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('agreed_at', None), ('agreed_by', '')), models.Q(('agreed_at__isnull', False), models.Q(('agreed_by', ''), _negated=True)), _connector='OR'), name='side_agreed_somehow'),
        ),
        migrations.AddField(
            model_name='confirmation',
            name='match',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='confirmations', to='league.match'),
        ),
        migrations.AddField(
            model_name='confirmation',
            name='player',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='confirmations', to='league.player'),
        ),
        migrations.AddField(
            model_name='confirmation',
            name='side',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='confirmation', to='league.side'),
        ),
        migrations.AddConstraint(
            model_name='confirmation',
            constraint=models.UniqueConstraint(fields=('match', 'side'), name='side_confirms_once'),
        ),
        migrations.RunSQL(AGREED, migrations.RunSQL.noop),
        migrations.RunSQL(NOTIFIED, migrations.RunSQL.noop),
    ]
