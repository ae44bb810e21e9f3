"""Pair reports of one game, and keep the changes, counter-reports and messages that follow."""
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


FIND_EARLIER = """
CREATE FUNCTION league_earlier_reports(
    arena bigint, players uuid, result uuid, reporter bigint, played timestamptz, now timestamptz,
    has_token boolean, pairing_window interval, repeat_window interval, just_now interval,
    limit_window interval
) RETURNS TABLE (
    repeated bigint, rivals bigint[], open_reports bigint, recent_reports bigint,
    recent_since timestamptz
) LANGUAGE plpgsql AS $$
BEGIN
    -- Reports by one player, and reports of one line-up, are filed one after the other. The
    -- statements below see what was committed while this waited.
    PERFORM pg_advisory_xact_lock(hashtextextended('reports by a player', reporter));
    PERFORM pg_advisory_xact_lock(hashtextextended('reports of ' || players::text, arena));
    IF NOT has_token THEN
        SELECT e.match INTO repeated FROM (
            SELECT m.id AS match, m.reported_at AS reported_at, m.played_at AS played_at
            FROM league_match AS m
            WHERE m.reported_by_id = reporter AND m.reported_at > now - repeat_window
                AND m.arena_id = arena AND m.result_digest = result AND m.status <> 'void'
            UNION ALL
            SELECT c.match_id, c.at, c.played_at
            FROM league_counterreport AS c JOIN league_match AS m ON m.id = c.match_id
            WHERE c.reporter_id = reporter AND c.at > now - repeat_window
                AND m.arena_id = arena AND c.result_digest = result AND m.status <> 'void'
        ) AS e
        WHERE e.played_at = played
            OR (e.played_at >= e.reported_at - just_now AND played >= now - just_now)
        ORDER BY e.match LIMIT 1;
    END IF;
    -- The open reports of this line-up by a side that the reporter is not on.
    SELECT coalesce(array_agg(m.id ORDER BY abs(extract(epoch FROM m.played_at - played)), m.id),
        '{}') INTO rivals
    FROM league_match AS m JOIN league_season AS s ON s.id = m.season_id
    WHERE m.arena_id = arena AND m.lineup = players AND m.status = 'reported'
        AND m.played_at > played - pairing_window AND m.played_at < played + pairing_window
        AND m.reported_by_id <> reporter AND s.archived_at IS NULL
        AND NOT EXISTS (
            SELECT FROM league_side AS theirs
            LEFT JOIN league_participant AS p
                ON p.side_id = theirs.id AND p.player_id = reporter
            WHERE theirs.match_id = m.id AND theirs.index = m.reported_by_side
                AND (theirs.captain_id = reporter OR p.id IS NOT NULL)
        );
    SELECT count(*) INTO open_reports FROM league_match AS m
    WHERE m.reported_by_id = reporter AND m.status = 'reported';
    SELECT count(*), min(m.reported_at) INTO recent_reports, recent_since FROM league_match AS m
    WHERE m.reported_by_id = reporter
        AND m.reported_at > now - limit_window AND m.reported_at < now + limit_window;
    RETURN NEXT;
END $$;
"""

LEDGERS = ["league_reportchange", "league_matchmessage"]

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0031_when_results_count'),
    ]

    operations = [
        migrations.CreateModel(
            name='CounterReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.PositiveSmallIntegerField(verbose_name='side')),
                ('at', models.DateTimeField(verbose_name='reported')),
                ('played_at', models.DateTimeField(verbose_name='played')),
                ('placings', models.JSONField(verbose_name='places and scores')),
                ('comment', models.TextField(blank=True, verbose_name='comment')),
                ('state', models.CharField(choices=[('agrees', 'agrees with the report'), ('open', 'waiting for an answer'), ('accepted', 'accepted'), ('rejected', 'rejected'), ('decided', 'decided by staff')], max_length=10, verbose_name='state')),
                ('answer_by', models.DateTimeField(blank=True, null=True, verbose_name='answer by')),
                ('answered_at', models.DateTimeField(blank=True, null=True, verbose_name='answered')),
                ('client_token', models.UUIDField(editable=False, null=True, unique=True)),
                ('result_digest', models.UUIDField(editable=False, null=True)),
                ('report_digest', models.UUIDField(editable=False, null=True)),
            ],
            options={
                'verbose_name': 'counter-report',
                'verbose_name_plural': 'counter-reports',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='MatchMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('text', models.TextField(max_length=2000, verbose_name='message')),
                ('link', models.URLField(blank=True, max_length=500, verbose_name='link to evidence')),
            ],
            options={
                'verbose_name': 'message about a match',
                'verbose_name_plural': 'messages about matches',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ReportChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField(verbose_name='revision')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('was', models.JSONField(verbose_name='places and scores before')),
            ],
            options={
                'verbose_name': 'change of a report',
                'verbose_name_plural': 'changes of reports',
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='match',
            name='began_live',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='match',
            name='lineup',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='match',
            name='report_digest',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='match',
            name='result_digest',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='match',
            name='revision',
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False, help_text='How often the result was reported and changed. Answers name it.', verbose_name='revision'),
        ),
        migrations.AlterField(
            model_name='match',
            name='settlement',
            field=models.CharField(blank=True, choices=[('captain', 'confirmed by the other side'), ('quorum', 'confirmed by enough of the other sides'), ('window', 'confirmed because nobody objected in time'), ('lapsed', 'nobody confirmed it in time'), ('server', 'reported by a game server'), ('staff', 'decided by staff'), ('import', 'imported'), ('season', 'not settled before its season was archived'), ('challenge', 'by the challenge rules'), ('decay', 'by rating decay'), ('withdrawn', 'withdrawn by its reporter')], max_length=10, verbose_name='settled by'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('status', 'reported')), fields=['arena', 'lineup'], name='match_same_game'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('reported_by__isnull', False)), fields=['reported_by', '-reported_at'], name='match_by_reporter'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('status', 'reported')), fields=['reported_by'], name='match_open_reports'),
        ),
        migrations.AddField(
            model_name='counterreport',
            name='against',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='counter_reports_received', to='league.player', verbose_name='in answer to'),
        ),
        migrations.AddField(
            model_name='counterreport',
            name='answered_by',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='counter_reports_answered', to='league.player', verbose_name='answered by'),
        ),
        migrations.AddField(
            model_name='counterreport',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counter_reports', to='league.match'),
        ),
        migrations.AddField(
            model_name='counterreport',
            name='reporter',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counter_reports', to='league.player', verbose_name='reported by'),
        ),
        migrations.AddField(
            model_name='matchmessage',
            name='author',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='match_messages', to=settings.AUTH_USER_MODEL, verbose_name='author'),
        ),
        migrations.AddField(
            model_name='matchmessage',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='league.match'),
        ),
        migrations.AddField(
            model_name='matchmessage',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='match_messages', to='league.player', verbose_name='player'),
        ),
        migrations.AddField(
            model_name='reportchange',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='report_changes', to='league.player', verbose_name='by'),
        ),
        migrations.AddField(
            model_name='reportchange',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='report_changes', to='league.match'),
        ),
        migrations.AddIndex(
            model_name='counterreport',
            index=models.Index(fields=['reporter', 'at'], name='counter_report_recent'),
        ),
        migrations.AddConstraint(
            model_name='counterreport',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('match',), name='one_open_counter_report'),
        ),
        migrations.AddConstraint(
            model_name='counterreport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'open'), _negated=True), ('answer_by__isnull', False), _connector='OR'), name='counter_report_open_has_its_deadline'),
        ),
        migrations.AddIndex(
            model_name='matchmessage',
            index=models.Index(fields=['author', 'at'], name='match_message_recent'),
        ),
        migrations.AddConstraint(
            model_name='reportchange',
            constraint=models.UniqueConstraint(fields=('match', 'revision'), name='report_revision_once'),
        ),
        migrations.RunSQL(FIND_EARLIER, "DROP FUNCTION league_earlier_reports"),
        *(
            migrations.RunSQL(
                GUARD.format(table=table), f"DROP TRIGGER {table}_is_append_only ON {table}"
            )
            for table in LEDGERS
        ),
        migrations.RunSQL(
            "UPDATE league_match SET began_live = true WHERE status = 'live'",
            migrations.RunSQL.noop,
        ),
    ]
