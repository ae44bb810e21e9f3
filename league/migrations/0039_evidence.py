"""Keep images about disputes, and find reports of one game by captains of the same side."""
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


FIND_BY_OTHERS = """
CREATE OR REPLACE FUNCTION league_earlier_reports(
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
    -- The open reports of this line-up by other captains.
    SELECT coalesce(array_agg(m.id ORDER BY abs(extract(epoch FROM m.played_at - played)), m.id),
        '{}') INTO rivals
    FROM league_match AS m JOIN league_season AS s ON s.id = m.season_id
    WHERE m.arena_id = arena AND m.lineup = players AND m.status = 'reported'
        AND m.played_at > played - pairing_window AND m.played_at < played + pairing_window
        AND m.reported_by_id <> reporter AND s.archived_at IS NULL;
    SELECT count(*) INTO open_reports FROM league_match AS m
    WHERE m.reported_by_id = reporter AND m.status = 'reported';
    SELECT count(*), min(m.reported_at) INTO recent_reports, recent_since FROM league_match AS m
    WHERE m.reported_by_id = reporter
        AND m.reported_at > now - limit_window AND m.reported_at < now + limit_window;
    RETURN NEXT;
END $$;
"""

FIND_BY_OTHER_SIDES = """
CREATE OR REPLACE FUNCTION league_earlier_reports(
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

GUARD = """
CREATE TRIGGER league_evidenceimage_is_append_only BEFORE UPDATE OR DELETE ON league_evidenceimage
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
CREATE TRIGGER league_imageremoval_is_append_only BEFORE UPDATE OR DELETE ON league_imageremoval
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
CREATE TRIGGER league_evidencecontent_is_written_once BEFORE UPDATE ON league_evidencecontent
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""

DROP_GUARD = """
DROP TRIGGER league_imageremoval_is_append_only ON league_imageremoval;
DROP TRIGGER league_evidencecontent_is_written_once ON league_evidencecontent;
DROP TRIGGER league_evidenceimage_is_append_only ON league_evidenceimage;
"""

# Images are compressed already, so PostgreSQL need not try.
STORE_AS_IT_IS = "ALTER TABLE league_evidencecontent ALTER COLUMN webp SET STORAGE EXTERNAL"


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0038_objections'),
    ]

    operations = [
        migrations.CreateModel(
            name='EvidenceImage',
            fields=[
                ('message', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='image', serialize=False, to='league.matchmessage', verbose_name='message')),
                ('description', models.CharField(blank=True, max_length=200, verbose_name='what the image shows')),
                ('width', models.PositiveSmallIntegerField(verbose_name='width')),
                ('height', models.PositiveSmallIntegerField(verbose_name='height')),
                ('size', models.PositiveIntegerField(verbose_name='size in bytes')),
            ],
            options={
                'verbose_name': 'image about a match',
                'verbose_name_plural': 'images about matches',
                'ordering': ['message'],
            },
        ),
        migrations.CreateModel(
            name='EvidenceContent',
            fields=[
                ('image', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='content', serialize=False, to='league.evidenceimage', verbose_name='image')),
                ('webp', models.BinaryField(verbose_name='WebP file')),
            ],
            options={
                'verbose_name': 'content of an image',
                'verbose_name_plural': 'contents of images',
            },
        ),
        migrations.CreateModel(
            name='ImageRemoval',
            fields=[
                ('image', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='removal', serialize=False, to='league.evidenceimage', verbose_name='image')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('reason', models.TextField(max_length=500, verbose_name='reason')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='image_removals', to=settings.AUTH_USER_MODEL, verbose_name='removed by')),
            ],
            options={
                'verbose_name': 'removal of an image',
                'verbose_name_plural': 'removals of images',
            },
        ),
        migrations.RunSQL(STORE_AS_IT_IS, migrations.RunSQL.noop),
        migrations.RunSQL(GUARD, DROP_GUARD),
        migrations.RunSQL(FIND_BY_OTHERS, FIND_BY_OTHER_SIDES),
    ]
