-- What 173 migrations leave behind: `make schema` writes it again.
-- Digest of the league's own: 50240d59a38689f6

CREATE FUNCTION public.league_add_name_starts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO league_namestart (start, player_id)
    SELECT s.start, n.id FROM added AS n CROSS JOIN LATERAL league_name_starts(n.search_name)
        AS s(start);
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_arrangement_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT proposer_id FROM added UNION SELECT opponent_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT proposer_id FROM added UNION SELECT opponent_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_challenge_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT challenger_id FROM added UNION SELECT challenged_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT challenger_id FROM added UNION SELECT challenged_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_change_name_starts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM league_namestart AS k USING league_name_starts(OLD.search_name) AS s(start)
    WHERE k.start = s.start AND k.player_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO league_namestart (start, player_id)
        SELECT start, NEW.id FROM league_name_starts(NEW.search_name) AS s(start);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_connections_go_with_their_season() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM league_standingconnections WHERE season_id = OLD.id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_dishonoraward_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT player_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT player_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_division_changes_are_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM league_season WHERE id = OLD.season_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE FUNCTION public.league_divisions_go_with_their_season() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM league_standingcuts WHERE season_id = OLD.id;
    DELETE FROM league_divisionchange WHERE season_id = OLD.id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_earlier_reports(arena bigint, players uuid, result uuid, reporter bigint, played timestamp with time zone, now timestamp with time zone, has_token boolean, pairing_window interval, repeat_window interval, just_now interval, limit_window interval) RETURNS TABLE(repeated bigint, rivals bigint[], open_reports bigint, recent_reports bigint, recent_since timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.league_link_rating_partition(season bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    partition text := 'league_rating_' || season;
BEGIN
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id, season_id),
        ADD UNIQUE (player_id, season_id)', partition);
    EXECUTE format('ALTER TABLE league_rating ATTACH PARTITION %I FOR VALUES IN (%s)',
        partition, season);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT of_season', partition);
END $$;
CREATE FUNCTION public.league_make_rating_partition(season bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I (
        LIKE league_rating INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
        CONSTRAINT of_season CHECK (season_id = %s)
    ) WITH (fillfactor = 80)', 'league_rating_' || season, season);
END $$;
CREATE FUNCTION public.league_meetings(arena bigint, opponents bigint[], since timestamp with time zone, latest bigint, settled boolean) RETURNS json
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- Matches that at least two of the opponents were in, oldest first, with the side of each.
    RETURN (
        WITH recent AS (
            SELECT one.match_id, one.player_id, one.side_id
            FROM unnest(opponents) AS u(player)
            CROSS JOIN LATERAL (
                SELECT p.match_id, p.player_id, p.side_id FROM league_participant AS p
                JOIN league_match AS g ON g.id = p.match_id
                WHERE p.player_id = u.player AND g.arena_id = arena AND g.kind = 'game'
                    AND g.status IN ('reported', 'disputed', 'rated')
                ORDER BY p.match_id DESC LIMIT latest
            ) AS one
        ), common AS (
            SELECT r.match_id, array_agg(r.player_id) AS players, array_agg(r.side_id) AS sides
            FROM recent AS r GROUP BY r.match_id HAVING count(*) > 1
        ), dated AS (
            SELECT c.*, CASE WHEN settled THEN m.settled_at ELSE m.reported_at END AS at
            FROM common AS c JOIN league_match AS m ON m.id = c.match_id
            WHERE NOT settled OR (m.status = 'rated' AND m.settlement <> 'import')
        )
        SELECT json_agg(json_build_array(
            (extract(epoch FROM d.at) * 1000000)::bigint, d.players, d.sides
        ) ORDER BY d.at, d.match_id)
        FROM dated AS d WHERE d.at > since
    );
END $$;
CREATE FUNCTION public.league_name_starts(name text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    SELECT DISTINCT substr(name, n) FROM generate_series(1, length(name)) AS n
    WHERE n = 1 OR (
        strpos(E' -_.,:;\'"/|()[]', substr(name, n - 1, 1)) > 0
        AND strpos(E' -_.,:;\'"/|()[]', substr(name, n, 1)) = 0
    )
$$;
CREATE FUNCTION public.league_note_competition() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM league_note_event(
        CASE NEW.state WHEN 'running' THEN 'competition.started' ELSE 'competition.ended' END,
        s.arena_id, NEW.id, jsonb_build_object('state', NEW.state))
    FROM league_season AS s WHERE s.id = NEW.season_id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_note_corrected_match() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM league_note_event('result.corrected', m.arena_id, m.id, '{}')
    FROM league_match AS m JOIN league_correction AS c ON c.id = NEW.correction_id
    WHERE m.id = NEW.match_id AND m.kind = 'game' AND m.status = 'rated'
        AND c.kind IN ('result', 'undo');
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_note_discord_messages() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO league_discordmessage (notice_id, state, attempts, next_attempt_at, error)
    SELECT fresh.id, 'waiting', 0,
        clock_timestamp() + CASE WHEN fresh.kind IN ('found', 'queued')
            THEN interval '0' ELSE interval '1 minute' END,
        ''
    FROM fresh JOIN league_discordpreference AS wanted ON wanted.player_id = fresh.player_id
    WHERE wanted.is_on AND fresh.kind = ANY(wanted.kinds);
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_note_event(_type text, _arena bigint, _subject bigint, _facts jsonb) RETURNS void
    LANGUAGE sql
    AS $$
    WITH told AS (
        SELECT id FROM league_webhook
        WHERE (arena_id IS NULL OR arena_id = _arena) AND _type = ANY(events)
        FOR KEY SHARE SKIP LOCKED
    ), noted AS (
        INSERT INTO league_webhookevent (uid, type, subject, facts, at)
        SELECT gen_random_uuid(), _type, _subject, _facts, clock_timestamp()
        WHERE EXISTS (SELECT FROM told)
        RETURNING id, at
    )
    INSERT INTO league_webhookdelivery
        (webhook_id, event_id, state, created_at, next_attempt_at, attempts)
    SELECT told.id, noted.id, 'waiting', noted.at, noted.at, 0 FROM told, noted
$$;
CREATE FUNCTION public.league_note_fixture() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM league_note_event('fixture.decided', s.arena_id, NEW.id,
        jsonb_build_object('result', NEW.result, 'decided_by', NEW.decided_by))
    FROM league_competition AS c JOIN league_season AS s ON s.id = c.season_id
    WHERE c.id = NEW.competition_id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_note_match() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    was text := CASE WHEN TG_OP = 'UPDATE' THEN OLD.status ELSE '' END;
    facts jsonb := jsonb_build_object('status', NEW.status, 'revision', NEW.revision,
        'settlement', NEW.settlement);
BEGIN
    IF was = 'disputed' AND NEW.status <> 'disputed' THEN
        PERFORM league_note_event('dispute.decided', NEW.arena_id, NEW.id, facts);
    END IF;
    PERFORM league_note_event(CASE NEW.status
        WHEN 'live' THEN CASE was WHEN '' THEN 'match.started' ELSE 'result.reopened' END
        WHEN 'reported' THEN CASE was WHEN 'void' THEN 'result.reopened' ELSE 'result.reported' END
        WHEN 'disputed' THEN 'dispute.opened'
        WHEN 'rated' THEN 'result.confirmed'
        WHEN 'void' THEN 'result.voided'
    END, NEW.arena_id, NEW.id, facts);
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_note_objection() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM league_note_event(
        CASE NEW.state WHEN 'open' THEN 'dispute.opened' ELSE 'dispute.decided' END,
        m.arena_id, m.id, jsonb_build_object('objection', NEW.state))
    FROM league_match AS m WHERE m.id = NEW.match_id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_note_rating_changes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO league_standingchange (season_id, player_id)
    SELECT season_id, player_id FROM changed WHERE TG_OP <> 'INSERT' OR games > 0;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_note_season() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.archived_at IS NOT NULL THEN
        PERFORM league_note_event('season.ended', NEW.arena_id, NEW.id, '{}');
    ELSE
        PERFORM league_note_event('season.started', NEW.arena_id, NEW.id, '{}');
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_only_end() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    without league_amnesty := NEW;
BEGIN
    without.ended_by_id := NULL;
    IF OLD.ended_by_id IS NULL AND NEW.ended_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'decision that ends them', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE FUNCTION public.league_only_merge() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    was jsonb := to_jsonb(OLD);
    becomes jsonb;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        becomes := to_jsonb(NEW);
        IF was - TG_ARGV[0] = becomes - TG_ARGV[0] AND EXISTS (
            SELECT FROM league_player WHERE id = (was->>TG_ARGV[0])::bigint
                AND merged_into_id = (becomes->>TG_ARGV[0])::bigint
        ) THEN
            RETURN NEW;
        END IF;
        -- Messages lose their words with a former player.
        IF TG_TABLE_NAME = 'league_matchmessage'
            AND becomes->>'text' = '' AND becomes->>'link' = ''
            AND was - 'text' - 'link' = becomes - 'text' - 'link' AND EXISTS (
                SELECT FROM league_player WHERE id = (was->>'player_id')::bigint
                    AND left_at IS NOT NULL
            ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'player that theirs is merged into', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE FUNCTION public.league_only_supersede() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    without league_ratingevent := NEW;
BEGIN
    without.superseded_by_id := NULL;
    IF OLD.superseded_by_id IS NULL AND NEW.superseded_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'correction that supersedes them', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE FUNCTION public.league_only_supersede_points() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    without league_pointentry := NEW;
BEGIN
    without.superseded_by_id := NULL;
    IF OLD.superseded_by_id IS NULL AND NEW.superseded_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'correction that supersedes them', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE FUNCTION public.league_open_rating_partition(season bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    partition text := 'league_rating_' || season;
BEGIN
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE league_rating INCLUDING ALL EXCLUDING IDENTITY)
        WITH (fillfactor = 80)', partition);
    EXECUTE format('ALTER TABLE league_rating ATTACH PARTITION %I FOR VALUES IN (%s)',
        partition, season);
END $$;
CREATE FUNCTION public.league_participant_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT player_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT player_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    was jsonb;
    becomes jsonb;
BEGIN
    IF TG_LEVEL = 'ROW' AND TG_OP = 'UPDATE' THEN
        was := to_jsonb(OLD);
        becomes := to_jsonb(NEW);
        -- Archives take the name of a former player.
        IF TG_TABLE_NAME IN ('league_award', 'league_erratumline', 'league_finalpoints',
                'league_finalstanding')
            AND was - 'name' = becomes - 'name' AND EXISTS (
                SELECT FROM league_player WHERE id = (was->>'player_id')::bigint
                    AND left_at IS NOT NULL AND name = becomes->>'name'
            ) THEN
            RETURN NEW;
        END IF;
        -- Images lose what a former player wrote about them.
        IF TG_TABLE_NAME = 'league_evidenceimage' AND becomes->>'description' = ''
            AND was - 'description' = becomes - 'description' AND EXISTS (
                SELECT FROM league_matchmessage AS m JOIN league_player AS p ON p.id = m.player_id
                WHERE m.id = (was->>'message_id')::bigint AND p.left_at IS NOT NULL
            ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE FUNCTION public.league_rosterinvitation_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT player_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT player_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_rostermember_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT player_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT player_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_season_goes_on() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO league_standingchange (season_id, player_id)
    SELECT season_id, player_id FROM league_standing WHERE season_id = NEW.id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_season_has_a_partition() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        PERFORM league_open_rating_partition(NEW.id);
    ELSE
        EXECUTE format('DROP TABLE IF EXISTS %I', 'league_rating_' || OLD.id);
    END IF;
    RETURN NULL;
EXCEPTION WHEN object_in_use THEN
    -- Rows that this transaction wrote wait for their checks: it goes when migrations run next.
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_standings_go_with_their_season() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM league_standing WHERE season_id = OLD.id;
    DELETE FROM league_standinghistogram WHERE season_id = OLD.id;
    DELETE FROM league_standingchange WHERE season_id = OLD.id;
    DELETE FROM league_standingday WHERE season_id = OLD.id;
    DELETE FROM league_standingdayranks WHERE season_id = OLD.id;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_teammember_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT player_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT player_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_ticketmember_is_current() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT player_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT player_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION public.league_trigrams(name text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT COST 500 PARALLEL SAFE
    AS $$
    SELECT coalesce(array_agg(DISTINCT substr(name, n, 3)), '{}')
    FROM generate_series(1, length(name) - 2) AS n
$$;
CREATE FUNCTION public.league_waits_or_plays() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM FROM league_player WHERE id = NEW.player_id FOR NO KEY UPDATE;
    IF TG_TABLE_NAME <> 'league_ticketmember' AND EXISTS (
        SELECT FROM league_ticketmember WHERE player_id = NEW.player_id AND open
    ) OR TG_TABLE_NAME <> 'league_participant' AND EXISTS (
        SELECT FROM league_participant WHERE player_id = NEW.player_id AND live
    ) OR EXISTS (
        SELECT FROM league_fillin AS f JOIN league_match AS m ON m.id = f.match_id
        WHERE f.player_id = NEW.player_id AND f.left_at IS NULL AND m.status = 'live'
            AND (TG_TABLE_NAME <> 'league_fillin' OR f.id <> NEW.id)
    ) THEN
        RAISE EXCEPTION 'player % would wait in a queue and play at the same time', NEW.player_id
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'player_waits_or_plays';
    END IF;
    RETURN NEW;
END $$;
CREATE TABLE public.account_emailaddress (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    verified boolean NOT NULL,
    "primary" boolean NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.account_emailaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_emailconfirmation (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    sent timestamp with time zone,
    key character varying(64) NOT NULL,
    email_address_id integer NOT NULL
);
ALTER TABLE public.account_emailconfirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailconfirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.allauth_idp_oidc_client (
    id character varying(100) NOT NULL,
    name character varying(100) NOT NULL,
    secret character varying(200) NOT NULL,
    scopes text NOT NULL,
    type character varying(20) NOT NULL,
    grant_types text NOT NULL,
    redirect_uris text NOT NULL,
    cors_origins text NOT NULL,
    response_types text NOT NULL,
    skip_consent boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    data jsonb,
    owner_id bigint,
    default_scopes text NOT NULL,
    allow_uri_wildcards boolean NOT NULL
);
CREATE TABLE public.allauth_idp_oidc_token (
    id bigint NOT NULL,
    type character varying(2) NOT NULL,
    hash character varying(255) NOT NULL,
    data jsonb,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    scopes text NOT NULL,
    client_id character varying(100),
    user_id bigint
);
ALTER TABLE public.allauth_idp_oidc_token ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.allauth_idp_oidc_token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);
ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);
ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.axes_accessattempt (
    id integer NOT NULL,
    user_agent character varying(255) NOT NULL,
    ip_address inet,
    username character varying(255),
    http_accept character varying(1025) NOT NULL,
    path_info character varying(255) NOT NULL,
    attempt_time timestamp with time zone NOT NULL,
    get_data text NOT NULL,
    post_data text NOT NULL,
    failures_since_start integer NOT NULL,
    CONSTRAINT axes_accessattempt_failures_since_start_check CHECK ((failures_since_start >= 0))
);
ALTER TABLE public.axes_accessattempt ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.axes_accessattempt_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.axes_accessattemptexpiration (
    access_attempt_id integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.axes_accessfailurelog (
    id integer NOT NULL,
    user_agent character varying(255) NOT NULL,
    ip_address inet,
    username character varying(255),
    http_accept character varying(1025) NOT NULL,
    path_info character varying(255) NOT NULL,
    attempt_time timestamp with time zone NOT NULL,
    locked_out boolean NOT NULL
);
ALTER TABLE public.axes_accessfailurelog ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.axes_accessfailurelog_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.axes_accesslog (
    id integer NOT NULL,
    user_agent character varying(255) NOT NULL,
    ip_address inet,
    username character varying(255),
    http_accept character varying(1025) NOT NULL,
    path_info character varying(255) NOT NULL,
    attempt_time timestamp with time zone NOT NULL,
    logout_time timestamp with time zone,
    session_hash character varying(64) NOT NULL
);
ALTER TABLE public.axes_accesslog ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.axes_accesslog_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_admin_log (
    id integer NOT NULL,
    action_time timestamp with time zone NOT NULL,
    object_id text,
    object_repr character varying(200) NOT NULL,
    action_flag smallint NOT NULL,
    change_message text NOT NULL,
    content_type_id integer,
    user_id bigint NOT NULL,
    CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0))
);
ALTER TABLE public.django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_admin_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);
ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);
ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);
CREATE TABLE public.knox_authtoken (
    digest character varying(128) NOT NULL,
    created timestamp with time zone NOT NULL,
    user_id bigint NOT NULL,
    expiry timestamp with time zone,
    token_key character varying(25) NOT NULL
);
CREATE TABLE public.league_accesstoken (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    scopes character varying(10)[] NOT NULL,
    start character varying(15) NOT NULL,
    digest character varying(128) NOT NULL,
    made_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    used_at timestamp with time zone,
    user_id bigint NOT NULL,
    is_bound boolean DEFAULT false NOT NULL,
    signs boolean DEFAULT false NOT NULL
);
CREATE TABLE public.league_accesstoken_arenas (
    id bigint NOT NULL,
    accesstoken_id bigint NOT NULL,
    arena_id bigint NOT NULL
);
ALTER TABLE public.league_accesstoken_arenas ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_accesstoken_arenas_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.league_accesstoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_accesstoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_accountdeletion (
    user_id bigint NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL
);
CREATE TABLE public.league_amnesty (
    id bigint NOT NULL,
    action_id bigint NOT NULL,
    award_id bigint NOT NULL,
    ended_by_id bigint
);
ALTER TABLE public.league_amnesty ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_amnesty_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_anchor (
    id bigint NOT NULL,
    rating double precision NOT NULL,
    arena_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_anchor ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_anchor_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_announcement (
    id bigint NOT NULL,
    text text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    arena_id bigint,
    by_id bigint NOT NULL,
    CONSTRAINT announcement_ends_later CHECK (((ends_at IS NULL) OR (ends_at > starts_at)))
);
ALTER TABLE public.league_announcement ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_announcement_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_appeal (
    id bigint NOT NULL,
    text text NOT NULL,
    at timestamp with time zone NOT NULL,
    state character varying(10) NOT NULL,
    action_id bigint,
    award_id bigint NOT NULL,
    CONSTRAINT appeal_answered_has_its_answer CHECK ((((action_id IS NULL) AND ((state)::text = 'open'::text)) OR ((NOT ((state)::text = 'open'::text)) AND (action_id IS NOT NULL))))
);
ALTER TABLE public.league_appeal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_appeal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arena (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    slug character varying(60) NOT NULL,
    description text NOT NULL,
    is_open boolean NOT NULL,
    format character varying(20) NOT NULL,
    sides_min smallint NOT NULL,
    sides_max smallint NOT NULL,
    team_size_min smallint NOT NULL,
    team_size_max smallint NOT NULL,
    draws_allowed boolean NOT NULL,
    confirmation_window interval NOT NULL,
    rating_system character varying(30) NOT NULL,
    rating_parameters jsonb NOT NULL,
    season_rules jsonb NOT NULL,
    time_zone character varying(60) NOT NULL,
    result_rules jsonb NOT NULL,
    limits jsonb NOT NULL,
    modes character varying(40)[] DEFAULT '{}'::character varying(40)[] NOT NULL,
    regions character varying(40)[] DEFAULT '{}'::character varying(40)[] NOT NULL,
    display jsonb DEFAULT '{}'::jsonb NOT NULL,
    figures jsonb DEFAULT '[]'::jsonb NOT NULL,
    is_draft boolean DEFAULT false NOT NULL,
    copied_from bigint,
    map_choice character varying(10) DEFAULT 'none'::character varying NOT NULL,
    maps character varying(40)[] DEFAULT '{}'::character varying(40)[] NOT NULL,
    veto_turn interval DEFAULT '00:00:30'::interval NOT NULL,
    CONSTRAINT arena_confirmation_window_in_range CHECK (((confirmation_window >= '00:01:00'::interval) AND (confirmation_window <= '30 days'::interval))),
    CONSTRAINT arena_free_for_all_has_sides_of_one CHECK (((NOT ((format)::text = 'free-for-all'::text)) OR (team_size_max = 1))),
    CONSTRAINT arena_has_an_address CHECK ((NOT ((slug)::text = ''::text))),
    CONSTRAINT arena_sides_in_order CHECK (((sides_max <= 10000) AND (sides_min >= 2) AND (sides_min <= sides_max))),
    CONSTRAINT arena_team_sizes_in_order CHECK (((team_size_max <= 100) AND (team_size_min >= 1) AND (team_size_min <= team_size_max))),
    CONSTRAINT league_arena_sides_max_check CHECK ((sides_max >= 0)),
    CONSTRAINT league_arena_sides_min_check CHECK ((sides_min >= 0)),
    CONSTRAINT league_arena_team_size_max_check CHECK ((team_size_max >= 0)),
    CONSTRAINT league_arena_team_size_min_check CHECK ((team_size_min >= 0))
);
ALTER TABLE public.league_arena ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arena_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arenaday (
    id bigint NOT NULL,
    day date NOT NULL,
    matches integer NOT NULL,
    waits integer[] NOT NULL,
    forecasts integer[] NOT NULL,
    chances double precision[] NOT NULL,
    wins double precision[] NOT NULL,
    arena_id bigint NOT NULL,
    CONSTRAINT league_arenaday_matches_check CHECK ((matches >= 0))
);
ALTER TABLE public.league_arenaday ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arenaday_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arenaorganiser (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    arena_id bigint NOT NULL
);
ALTER TABLE public.league_arenaorganiser ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arenaorganiser_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arenaqueue (
    id bigint NOT NULL,
    is_open boolean NOT NULL,
    matcher character varying(20) NOT NULL,
    rules jsonb NOT NULL,
    ready_window interval NOT NULL,
    bars_timeouts boolean NOT NULL,
    arena_id bigint NOT NULL,
    configuration text NOT NULL,
    modes character varying(40)[] DEFAULT '{}'::character varying[] NOT NULL,
    ticks_kept interval DEFAULT '7 days'::interval NOT NULL,
    rank_source character varying(10) DEFAULT 'arena'::character varying NOT NULL,
    prediction jsonb,
    fills_seats boolean DEFAULT false NOT NULL,
    pools character varying(10) DEFAULT 'mixed'::character varying NOT NULL,
    CONSTRAINT queue_ready_window_in_range CHECK (((ready_window >= '00:00:05'::interval) AND (ready_window <= '00:10:00'::interval))),
    CONSTRAINT queue_ticks_kept_in_range CHECK (((ticks_kept >= '01:00:00'::interval) AND (ticks_kept <= '365 days'::interval)))
);
ALTER TABLE public.league_arenaqueue ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arenaqueue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arenatext (
    id bigint NOT NULL,
    rules text NOT NULL,
    arena_id bigint NOT NULL
);
ALTER TABLE public.league_arenatext ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arenatext_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arrangement (
    id bigint NOT NULL,
    play_at timestamp with time zone NOT NULL,
    revision integer NOT NULL,
    state character varying(10) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    accepted_at timestamp with time zone,
    claimed_at timestamp with time zone,
    uid uuid NOT NULL,
    arena_id bigint NOT NULL,
    asked_id bigint NOT NULL,
    claimed_by_id bigint,
    match_id bigint,
    opponent_id bigint NOT NULL,
    opponent_roster_id bigint,
    proposer_id bigint NOT NULL,
    proposer_roster_id bigint,
    changed_at timestamp with time zone,
    request_id bigint,
    request_until timestamp with time zone,
    moves_left smallint,
    play_until timestamp with time zone,
    CONSTRAINT arrangement_accepted_has_its_time CHECK ((((accepted_at IS NOT NULL) AND ((state)::text = ANY ((ARRAY['accepted'::character varying, 'played'::character varying, 'called_off'::character varying])::text[]))) OR ((state)::text = 'lapsed'::text) OR ((accepted_at IS NULL) AND ((state)::text = ANY ((ARRAY['proposed'::character varying, 'declined'::character varying, 'withdrawn'::character varying])::text[]))))),
    CONSTRAINT arrangement_answered_has_its_time CHECK ((((answered_at IS NULL) AND ((state)::text = 'proposed'::text)) OR ((NOT ((state)::text = 'proposed'::text)) AND (answered_at IS NOT NULL)))),
    CONSTRAINT arrangement_asks_a_captain CHECK (((asked_id = proposer_id) OR (asked_id = opponent_id))),
    CONSTRAINT arrangement_claim_has_its_time CHECK ((((claimed_at IS NULL) AND (claimed_by_id IS NULL)) OR ((accepted_at IS NOT NULL) AND (claimed_at IS NOT NULL) AND (claimed_by_id IS NOT NULL)))),
    CONSTRAINT arrangement_played_has_its_match CHECK ((((match_id IS NOT NULL) AND ((state)::text = 'played'::text)) OR ((NOT ((state)::text = 'played'::text)) AND (match_id IS NULL)))),
    CONSTRAINT arrangement_request_is_about_a_date CHECK ((((request_id IS NULL) AND (request_until IS NULL)) OR ((claimed_by_id IS NULL) AND (request_id IS NOT NULL) AND (request_until IS NOT NULL) AND ((state)::text = 'accepted'::text)))),
    CONSTRAINT arrangement_with_another CHECK ((NOT (proposer_id = opponent_id))),
    CONSTRAINT league_arrangement_moves_left_check CHECK ((moves_left >= 0)),
    CONSTRAINT league_arrangement_revision_check CHECK ((revision >= 0))
);
ALTER TABLE public.league_arrangement ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arrangement_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arrangementmessage (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    text text NOT NULL,
    arrangement_id bigint NOT NULL,
    author_id bigint,
    player_id bigint
);
ALTER TABLE public.league_arrangementmessage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arrangementmessage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_arrangementstep (
    id bigint NOT NULL,
    kind character varying(10) NOT NULL,
    at timestamp with time zone NOT NULL,
    play_at timestamp with time zone,
    arrangement_id bigint NOT NULL,
    by_id bigint,
    reason text NOT NULL
);
ALTER TABLE public.league_arrangementstep ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_arrangementstep_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_award (
    id bigint NOT NULL,
    kind character varying(10) NOT NULL,
    name character varying(60) NOT NULL,
    value double precision NOT NULL,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL
);
ALTER TABLE public.league_award ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_award_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_backup (
    id bigint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    name character varying(255) NOT NULL,
    size bigint NOT NULL,
    seconds double precision NOT NULL,
    proven_at timestamp with time zone,
    problem text NOT NULL
);
ALTER TABLE public.league_backup ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_backup_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_barredaddress (
    id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    until timestamp with time zone
);
ALTER TABLE public.league_barredaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_barredaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_block (
    id bigint NOT NULL,
    since timestamp with time zone NOT NULL,
    blocked_id bigint NOT NULL,
    player_id bigint NOT NULL,
    CONSTRAINT blocks_another CHECK ((NOT (blocked_id = player_id)))
);
ALTER TABLE public.league_block ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_block_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_bouncingaddress (
    id bigint NOT NULL,
    address character varying(320) NOT NULL,
    since timestamp with time zone NOT NULL,
    error text NOT NULL
);
ALTER TABLE public.league_bouncingaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_bouncingaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_calendaraddress (
    id bigint NOT NULL,
    renewals integer NOT NULL,
    player_id bigint NOT NULL,
    CONSTRAINT league_calendaraddress_renewals_check CHECK ((renewals >= 0))
);
ALTER TABLE public.league_calendaraddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_calendaraddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_case (
    id bigint NOT NULL,
    title character varying(200) NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    state character varying(10) NOT NULL,
    closed_at timestamp with time zone,
    outcome text NOT NULL,
    assignee_id bigint,
    opened_by_id bigint NOT NULL,
    CONSTRAINT case_closed_has_its_outcome CHECK ((((closed_at IS NULL) AND ((state)::text = 'open'::text)) OR ((closed_at IS NOT NULL) AND ((state)::text = 'closed'::text) AND (NOT (outcome = ''::text)))))
);
CREATE TABLE public.league_case_flags (
    id bigint NOT NULL,
    case_id bigint NOT NULL,
    flag_id bigint NOT NULL
);
ALTER TABLE public.league_case_flags ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_case_flags_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.league_case ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_case_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_case_matches (
    id bigint NOT NULL,
    case_id bigint NOT NULL,
    match_id bigint NOT NULL
);
ALTER TABLE public.league_case_matches ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_case_matches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_casenote (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    text text NOT NULL,
    author_id bigint NOT NULL,
    case_id bigint NOT NULL
);
ALTER TABLE public.league_casenote ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_casenote_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_caseplayer (
    id bigint NOT NULL,
    case_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_caseplayer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_caseplayer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_challenge (
    id bigint NOT NULL,
    state character varying(10) NOT NULL,
    made_at timestamp with time zone NOT NULL,
    answer_by timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    play_by timestamp with time zone,
    closed_at timestamp with time zone,
    action_id bigint,
    challenged_id bigint NOT NULL,
    challenger_id bigint NOT NULL,
    match_id bigint,
    season_id bigint NOT NULL,
    drawn_from integer,
    CONSTRAINT challenge_called_off_by_an_action CHECK ((((action_id IS NOT NULL) AND ((state)::text = 'cancelled'::text)) OR ((NOT ((state)::text = 'cancelled'::text)) AND (action_id IS NULL)))),
    CONSTRAINT challenge_closed_has_its_time CHECK ((((closed_at IS NULL) AND ((state)::text = ANY ((ARRAY['open'::character varying, 'accepted'::character varying])::text[]))) OR ((NOT ((state)::text = ANY ((ARRAY['open'::character varying, 'accepted'::character varying])::text[]))) AND (closed_at IS NOT NULL)))),
    CONSTRAINT challenge_match_fits_its_state CHECK ((((accepted_at IS NOT NULL) AND (play_by IS NOT NULL) AND ((state)::text = 'accepted'::text)) OR ((state)::text = ANY ((ARRAY['declined'::character varying, 'ignored'::character varying, 'lapsed'::character varying])::text[])) OR ((match_id IS NULL) AND ((state)::text = ANY ((ARRAY['open'::character varying, 'withdrawn'::character varying, 'cancelled'::character varying])::text[]))))),
    CONSTRAINT challenge_of_another CHECK ((NOT (challenger_id = challenged_id))),
    CONSTRAINT league_challenge_drawn_from_check CHECK ((drawn_from >= 0))
);
ALTER TABLE public.league_challenge ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_challenge_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_competition (
    id bigint NOT NULL,
    name character varying(80) NOT NULL,
    format character varying(20) NOT NULL,
    rules jsonb NOT NULL,
    state character varying(12) NOT NULL,
    level smallint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    opened_at timestamp with time zone,
    drawn_at timestamp with time zone,
    seed bigint,
    over_at timestamp with time zone,
    final jsonb,
    season_id bigint NOT NULL,
    CONSTRAINT competition_drawn_has_its_seed CHECK (((NOT ((state)::text = ANY ((ARRAY['running'::character varying, 'over'::character varying])::text[]))) OR ((drawn_at IS NOT NULL) AND (seed IS NOT NULL)))),
    CONSTRAINT competition_level CHECK (((level >= 1) AND (level <= 100))),
    CONSTRAINT competition_over_has_its_table CHECK ((((final IS NOT NULL) AND (over_at IS NOT NULL) AND ((state)::text = 'over'::text)) OR ((NOT ((state)::text = 'over'::text)) AND (final = 'null'::jsonb) AND (over_at IS NULL)))),
    CONSTRAINT league_competition_level_check CHECK ((level >= 0))
);
ALTER TABLE public.league_competition ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_competition_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_confirmation (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    match_id bigint NOT NULL,
    player_id bigint NOT NULL,
    side_id bigint NOT NULL,
    sent_from uuid
);
ALTER TABLE public.league_confirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_confirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_connectedapp (
    id bigint NOT NULL,
    scopes character varying(20)[] NOT NULL,
    made_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    client_id character varying(100) NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.league_connectedapp ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_connectedapp_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_correctedmatch (
    id bigint NOT NULL,
    was jsonb NOT NULL,
    correction_id bigint NOT NULL,
    match_id bigint NOT NULL
);
ALTER TABLE public.league_correctedmatch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_correctedmatch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_correction (
    id bigint NOT NULL,
    kind character varying(10) NOT NULL,
    details jsonb NOT NULL,
    reason text NOT NULL,
    at timestamp with time zone NOT NULL,
    rated_order bigint NOT NULL,
    digest character varying(64) NOT NULL,
    matches integer NOT NULL,
    events integer NOT NULL,
    players integer NOT NULL,
    largest_change double precision NOT NULL,
    by_id bigint NOT NULL,
    match_id bigint NOT NULL,
    season_id bigint NOT NULL,
    CONSTRAINT league_correction_events_check CHECK ((events >= 0)),
    CONSTRAINT league_correction_matches_check CHECK ((matches >= 0)),
    CONSTRAINT league_correction_players_check CHECK ((players >= 0))
);
ALTER TABLE public.league_correction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_correction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_correctionrequest (
    id bigint NOT NULL,
    kind character varying(10) NOT NULL,
    placings jsonb,
    reason text NOT NULL,
    at timestamp with time zone NOT NULL,
    digest character varying(64) NOT NULL,
    horizon bigint NOT NULL,
    state character varying(10) NOT NULL,
    refusal text NOT NULL,
    finished_at timestamp with time zone,
    by_id bigint NOT NULL,
    correction_id bigint,
    match_id bigint NOT NULL,
    mode character varying(40) DEFAULT ''::character varying NOT NULL,
    undoes_id bigint,
    CONSTRAINT correction_request_done_has_its_correction CHECK ((((correction_id IS NOT NULL) AND ((state)::text = 'done'::text)) OR ((NOT ((state)::text = 'done'::text)) AND (correction_id IS NULL))))
);
ALTER TABLE public.league_correctionrequest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_correctionrequest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_counterreport (
    id bigint NOT NULL,
    side smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    played_at timestamp with time zone NOT NULL,
    placings jsonb NOT NULL,
    comment text NOT NULL,
    state character varying(10) NOT NULL,
    answer_by timestamp with time zone,
    answered_at timestamp with time zone,
    client_token uuid,
    result_digest uuid,
    report_digest uuid,
    against_id bigint NOT NULL,
    answered_by_id bigint,
    match_id bigint NOT NULL,
    reporter_id bigint NOT NULL,
    sent_from uuid,
    mode character varying(40) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT counter_report_open_has_its_deadline CHECK (((NOT ((state)::text = 'open'::text)) OR (answer_by IS NOT NULL))),
    CONSTRAINT league_counterreport_side_check CHECK ((side >= 0))
);
ALTER TABLE public.league_counterreport ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_counterreport_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_dataexport (
    user_id bigint NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    made_at timestamp with time zone,
    content bytea
);
CREATE TABLE public.league_dayone (
    season_id bigint NOT NULL,
    seed bigint NOT NULL,
    players bigint[] NOT NULL,
    CONSTRAINT day_one_has_a_seed CHECK ((seed >= 0))
);
CREATE TABLE public.league_demorequest (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    state character varying(10) NOT NULL,
    finished_at timestamp with time zone,
    by_id bigint NOT NULL
);
ALTER TABLE public.league_demorequest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_demorequest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_discipline (
    id smallint NOT NULL,
    rules jsonb NOT NULL,
    decay character varying(20) DEFAULT 'sequential'::character varying NOT NULL,
    rounding character varying(20) DEFAULT 'half_up'::character varying NOT NULL,
    CONSTRAINT discipline_is_one CHECK ((id = 1)),
    CONSTRAINT league_discipline_id_check CHECK ((id >= 0))
);
CREATE TABLE public.league_discordboard (
    id bigint NOT NULL,
    channel character varying(20) NOT NULL,
    tells_results boolean NOT NULL,
    message character varying(20) NOT NULL,
    shown character varying(64) NOT NULL,
    told_order bigint NOT NULL,
    shown_at timestamp with time zone,
    next_attempt_at timestamp with time zone,
    stopped_at timestamp with time zone,
    failures integer NOT NULL,
    error character varying(200) NOT NULL,
    arena_id bigint NOT NULL,
    CONSTRAINT board_works_or_is_stopped CHECK (((next_attempt_at IS NULL) OR (stopped_at IS NULL))),
    CONSTRAINT league_discordboard_failures_check CHECK ((failures >= 0))
);
ALTER TABLE public.league_discordboard ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_discordboard_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_discordinteraction (
    number character varying(20) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.league_discordmessage (
    notice_id bigint NOT NULL,
    state character varying(10) NOT NULL,
    attempts integer NOT NULL,
    next_attempt_at timestamp with time zone,
    error character varying(200) NOT NULL,
    CONSTRAINT discord_message_waits CHECK ((((next_attempt_at IS NOT NULL) AND ((state)::text = 'waiting'::text)) OR ((NOT ((state)::text = 'waiting'::text)) AND (next_attempt_at IS NULL)))),
    CONSTRAINT league_discordmessage_attempts_check CHECK ((attempts >= 0))
);
CREATE TABLE public.league_discordpreference (
    id bigint NOT NULL,
    is_on boolean NOT NULL,
    kinds character varying(12)[] NOT NULL,
    refused_at timestamp with time zone,
    channel character varying(20) NOT NULL,
    channel_of character varying(20) NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_discordpreference ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_discordpreference_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_dishonoraward (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    offence character varying(100) NOT NULL,
    stacks integer NOT NULL,
    arena_id bigint NOT NULL,
    match_id bigint,
    player_id bigint NOT NULL,
    proposal_id bigint,
    action_id bigint,
    ends_at timestamp with time zone,
    CONSTRAINT further_penalties_are_given_by_somebody CHECK ((((offence)::text = 'Banned'::text) OR ((action_id IS NULL) AND (ends_at IS NULL) AND ((offence)::text = ANY ((ARRAY['Abandon'::character varying, 'QueueDodge'::character varying])::text[]))) OR ((NOT ((offence)::text = ANY ((ARRAY['Banned'::character varying, 'Abandon'::character varying, 'QueueDodge'::character varying])::text[]))) AND (action_id IS NOT NULL) AND (ends_at IS NULL)))),
    CONSTRAINT league_dishonoraward_stacks_check CHECK ((stacks >= 0))
);
ALTER TABLE public.league_dishonoraward ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_dishonoraward_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_divisionchange (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    was character varying(60) NOT NULL,
    becomes character varying(60) NOT NULL,
    told boolean NOT NULL,
    match_id bigint,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL
);
ALTER TABLE public.league_divisionchange ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_divisionchange_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_divisionnews (
    player_id bigint NOT NULL,
    upto bigint NOT NULL
);
CREATE TABLE public.league_email (
    id bigint NOT NULL,
    recipient character varying(320) NOT NULL,
    sender character varying(320) NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    html text NOT NULL,
    headers jsonb NOT NULL,
    state character varying(10) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone,
    attempts smallint NOT NULL,
    closed_at timestamp with time zone,
    error text NOT NULL,
    CONSTRAINT email_waits_or_is_closed CHECK ((((closed_at IS NULL) AND (next_attempt_at IS NOT NULL) AND ((state)::text = 'waiting'::text)) OR ((next_attempt_at IS NULL) AND ((state)::text = ANY ((ARRAY['sent'::character varying, 'failed'::character varying])::text[])) AND (closed_at IS NOT NULL)))),
    CONSTRAINT league_email_attempts_check CHECK ((attempts >= 0))
);
ALTER TABLE public.league_email ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_email_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_entrant (
    id bigint NOT NULL,
    name character varying(200) NOT NULL,
    state character varying(12) NOT NULL,
    entered_at timestamp with time zone NOT NULL,
    seed smallint,
    rating double precision,
    "group" smallint,
    joined_round smallint NOT NULL,
    withdrawn_at timestamp with time zone,
    annulled boolean NOT NULL,
    competition_id bigint NOT NULL,
    player_id bigint NOT NULL,
    roster_id bigint,
    place smallint,
    CONSTRAINT entrant_seed_in_range CHECK (((seed IS NULL) OR ((seed >= 1) AND (seed <= 513)))),
    CONSTRAINT entrant_withdrawn_has_its_time CHECK (((((state)::text = 'withdrawn'::text) AND (withdrawn_at IS NOT NULL)) OR ((NOT ((state)::text = 'withdrawn'::text)) AND (NOT annulled) AND (withdrawn_at IS NULL)))),
    CONSTRAINT league_entrant_group_check CHECK (("group" >= 0)),
    CONSTRAINT league_entrant_joined_round_check CHECK ((joined_round >= 0)),
    CONSTRAINT league_entrant_place_check CHECK ((place >= 0)),
    CONSTRAINT league_entrant_seed_check CHECK ((seed >= 0))
);
ALTER TABLE public.league_entrant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_entrant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_erratum (
    id bigint NOT NULL,
    kind character varying(10) NOT NULL,
    placings jsonb,
    mode character varying(40) NOT NULL,
    reason text NOT NULL,
    at timestamp with time zone NOT NULL,
    by_id bigint NOT NULL,
    match_id bigint NOT NULL,
    season_id bigint NOT NULL
);
ALTER TABLE public.league_erratum ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_erratum_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_erratumline (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    rank_was integer,
    rank_is integer,
    rating_was double precision,
    rating_is double precision,
    points_was integer,
    points_is integer,
    awards_was character varying(10)[] NOT NULL,
    awards_is character varying(10)[] NOT NULL,
    erratum_id bigint NOT NULL,
    player_id bigint NOT NULL,
    CONSTRAINT league_erratumline_rank_is_check CHECK ((rank_is >= 0)),
    CONSTRAINT league_erratumline_rank_was_check CHECK ((rank_was >= 0))
);
ALTER TABLE public.league_erratumline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_erratumline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_evidencecontent (
    image_id bigint NOT NULL,
    webp bytea NOT NULL
);
ALTER TABLE ONLY public.league_evidencecontent ALTER COLUMN webp SET STORAGE EXTERNAL;
CREATE TABLE public.league_evidenceimage (
    message_id bigint NOT NULL,
    description character varying(200) NOT NULL,
    width smallint NOT NULL,
    height smallint NOT NULL,
    size integer NOT NULL,
    CONSTRAINT league_evidenceimage_height_check CHECK ((height >= 0)),
    CONSTRAINT league_evidenceimage_size_check CHECK ((size >= 0)),
    CONSTRAINT league_evidenceimage_width_check CHECK ((width >= 0))
);
CREATE TABLE public.league_filecontent (
    file_id bigint NOT NULL,
    content bytea NOT NULL
);
CREATE TABLE public.league_fileimport (
    id bigint NOT NULL,
    what character varying(10) NOT NULL,
    state character varying(10) NOT NULL,
    file_name character varying(200) NOT NULL,
    digest character varying(64) NOT NULL,
    mapping jsonb NOT NULL,
    header jsonb NOT NULL,
    season jsonb,
    report jsonb,
    matches bigint[] NOT NULL,
    players bigint[] NOT NULL,
    changed jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    imported_at timestamp with time zone,
    undone_at timestamp with time zone,
    arena_id bigint NOT NULL,
    by_id bigint NOT NULL
);
ALTER TABLE public.league_fileimport ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_fileimport_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_fillin (
    id bigint NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    left_at timestamp with time zone,
    match_id bigint NOT NULL,
    player_id bigint NOT NULL,
    replaces_id bigint NOT NULL
);
ALTER TABLE public.league_fillin ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_fillin_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_finalpoints (
    id bigint NOT NULL,
    "position" integer NOT NULL,
    name character varying(60) NOT NULL,
    rank integer,
    points integer NOT NULL,
    matches integer NOT NULL,
    wins integer NOT NULL,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL,
    CONSTRAINT league_finalpoints_matches_check CHECK ((matches >= 0)),
    CONSTRAINT league_finalpoints_position_check CHECK (("position" >= 0)),
    CONSTRAINT league_finalpoints_rank_check CHECK ((rank >= 0)),
    CONSTRAINT league_finalpoints_wins_check CHECK ((wins >= 0))
);
ALTER TABLE public.league_finalpoints ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_finalpoints_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_finalstanding (
    id bigint NOT NULL,
    "position" integer NOT NULL,
    name character varying(60) NOT NULL,
    rank integer,
    percentile smallint,
    division character varying(60) NOT NULL,
    rating double precision NOT NULL,
    deviation double precision,
    games integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    losses integer NOT NULL,
    streak integer NOT NULL,
    gain double precision,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL,
    CONSTRAINT final_rank_has_a_percentile CHECK ((((percentile IS NULL) AND (rank IS NULL)) OR ((percentile IS NOT NULL) AND (rank IS NOT NULL)))),
    CONSTRAINT league_finalstanding_draws_check CHECK ((draws >= 0)),
    CONSTRAINT league_finalstanding_games_check CHECK ((games >= 0)),
    CONSTRAINT league_finalstanding_losses_check CHECK ((losses >= 0)),
    CONSTRAINT league_finalstanding_percentile_check CHECK ((percentile >= 0)),
    CONSTRAINT league_finalstanding_position_check CHECK (("position" >= 0)),
    CONSTRAINT league_finalstanding_rank_check CHECK ((rank >= 0)),
    CONSTRAINT league_finalstanding_streak_check CHECK ((streak >= 0)),
    CONSTRAINT league_finalstanding_wins_check CHECK ((wins >= 0))
);
ALTER TABLE public.league_finalstanding ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_finalstanding_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_fixture (
    id bigint NOT NULL,
    number integer NOT NULL,
    home_source character varying(6) NOT NULL,
    home_source_number integer,
    away_source character varying(6) NOT NULL,
    away_source_number integer,
    best_of smallint NOT NULL,
    result character varying(7) NOT NULL,
    decided_by character varying(10) NOT NULL,
    decided_at timestamp with time zone,
    attention character varying(8) NOT NULL,
    action_id bigint,
    away_id bigint,
    competition_id bigint NOT NULL,
    home_id bigint,
    round_id bigint NOT NULL,
    CONSTRAINT fixture_best_of_in_range CHECK (((best_of >= 1) AND (best_of <= 9))),
    CONSTRAINT fixture_decided_has_its_reason CHECK ((((decided_at IS NULL) AND ((decided_by)::text = ''::text) AND ((result)::text = ''::text)) OR ((NOT ((result)::text = ''::text)) AND (NOT ((decided_by)::text = ''::text)) AND (decided_at IS NOT NULL)))),
    CONSTRAINT fixture_of_two_entrants CHECK (((home_id IS NULL) OR (away_id IS NULL) OR (NOT ((home_id = away_id) AND (home_id IS NOT NULL) AND (away_id IS NOT NULL))))),
    CONSTRAINT league_fixture_away_source_number_check CHECK ((away_source_number >= 0)),
    CONSTRAINT league_fixture_best_of_check CHECK ((best_of >= 0)),
    CONSTRAINT league_fixture_home_source_number_check CHECK ((home_source_number >= 0)),
    CONSTRAINT league_fixture_number_check CHECK ((number >= 0))
);
ALTER TABLE public.league_fixture ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_fixture_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_fixturegame (
    id bigint NOT NULL,
    number smallint NOT NULL,
    arrangement_id bigint NOT NULL,
    fixture_id bigint NOT NULL,
    CONSTRAINT league_fixturegame_number_check CHECK ((number >= 0))
);
ALTER TABLE public.league_fixturegame ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_fixturegame_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_flag (
    id bigint NOT NULL,
    kind character varying(20) NOT NULL,
    evidence jsonb NOT NULL,
    raised_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    note text NOT NULL,
    other_id bigint,
    player_id bigint NOT NULL,
    resolved_by_id bigint,
    season_id bigint NOT NULL,
    CONSTRAINT flag_resolved_by_somebody CHECK ((((resolved_at IS NULL) AND (resolved_by_id IS NULL)) OR ((resolved_at IS NOT NULL) AND (resolved_by_id IS NOT NULL))))
);
ALTER TABLE public.league_flag ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_flag_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_follow (
    id bigint NOT NULL,
    since timestamp with time zone NOT NULL,
    followed_id bigint,
    player_id bigint NOT NULL,
    team_id bigint,
    CONSTRAINT follows_a_player_or_a_team CHECK ((((followed_id IS NULL) OR (team_id IS NULL)) AND (1 = (
CASE
    WHEN (followed_id IS NULL) THEN 1
    ELSE 0
END +
CASE
    WHEN (team_id IS NULL) THEN 1
    ELSE 0
END)))),
    CONSTRAINT follows_another CHECK ((NOT ((followed_id = player_id) AND (followed_id IS NOT NULL))))
);
ALTER TABLE public.league_follow ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_follow_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_formername (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    skeleton text NOT NULL,
    given_up_at timestamp with time zone NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_formername ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_formername_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_formerteamname (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    skeleton text NOT NULL,
    given_up_at timestamp with time zone NOT NULL,
    team_id bigint NOT NULL
);
ALTER TABLE public.league_formerteamname ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_formerteamname_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_hindsightcurve (
    id bigint NOT NULL,
    days integer[] NOT NULL,
    ratings double precision[] NOT NULL,
    deviations double precision[] NOT NULL,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL
);
ALTER TABLE public.league_hindsightcurve ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_hindsightcurve_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_historicalarena (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    slug character varying(60) NOT NULL,
    description text NOT NULL,
    is_open boolean NOT NULL,
    format character varying(20) NOT NULL,
    sides_min smallint NOT NULL,
    sides_max smallint NOT NULL,
    team_size_min smallint NOT NULL,
    team_size_max smallint NOT NULL,
    draws_allowed boolean NOT NULL,
    confirmation_window interval NOT NULL,
    rating_system character varying(30) NOT NULL,
    rating_parameters jsonb NOT NULL,
    history_id integer NOT NULL,
    history_date timestamp with time zone NOT NULL,
    history_change_reason text,
    history_type character varying(1) NOT NULL,
    history_user_id bigint,
    season_rules jsonb NOT NULL,
    time_zone character varying(60) NOT NULL,
    result_rules jsonb NOT NULL,
    limits jsonb NOT NULL,
    modes character varying(40)[] DEFAULT '{}'::character varying(40)[] NOT NULL,
    regions character varying(40)[] DEFAULT '{}'::character varying(40)[] NOT NULL,
    display jsonb DEFAULT '{}'::jsonb NOT NULL,
    figures jsonb DEFAULT '[]'::jsonb NOT NULL,
    is_draft boolean DEFAULT false NOT NULL,
    copied_from bigint,
    map_choice character varying(10) DEFAULT 'none'::character varying NOT NULL,
    maps character varying(40)[] DEFAULT '{}'::character varying(40)[] NOT NULL,
    veto_turn interval DEFAULT '00:00:30'::interval NOT NULL,
    CONSTRAINT league_historicalarena_sides_max_check CHECK ((sides_max >= 0)),
    CONSTRAINT league_historicalarena_sides_min_check CHECK ((sides_min >= 0)),
    CONSTRAINT league_historicalarena_team_size_max_check CHECK ((team_size_max >= 0)),
    CONSTRAINT league_historicalarena_team_size_min_check CHECK ((team_size_min >= 0))
);
ALTER TABLE public.league_historicalarena ALTER COLUMN history_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_historicalarena_history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_historicalarenaqueue (
    id bigint NOT NULL,
    is_open boolean NOT NULL,
    matcher character varying(20) NOT NULL,
    rules jsonb NOT NULL,
    ready_window interval NOT NULL,
    bars_timeouts boolean NOT NULL,
    history_id integer NOT NULL,
    history_date timestamp with time zone NOT NULL,
    history_change_reason text,
    history_type character varying(1) NOT NULL,
    arena_id bigint,
    history_user_id bigint,
    configuration text NOT NULL,
    modes character varying(40)[] DEFAULT '{}'::character varying[] NOT NULL,
    ticks_kept interval DEFAULT '7 days'::interval NOT NULL,
    rank_source character varying(10) DEFAULT 'arena'::character varying NOT NULL,
    prediction jsonb,
    fills_seats boolean DEFAULT false NOT NULL,
    pools character varying(10) DEFAULT 'mixed'::character varying NOT NULL
);
ALTER TABLE public.league_historicalarenaqueue ALTER COLUMN history_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_historicalarenaqueue_history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_historicaldiscipline (
    id smallint NOT NULL,
    rules jsonb NOT NULL,
    history_id integer NOT NULL,
    history_date timestamp with time zone NOT NULL,
    history_change_reason text,
    history_type character varying(1) NOT NULL,
    history_user_id bigint,
    decay character varying(20) DEFAULT 'sequential'::character varying NOT NULL,
    rounding character varying(20) DEFAULT 'half_up'::character varying NOT NULL,
    CONSTRAINT league_historicaldiscipline_id_check CHECK ((id >= 0))
);
ALTER TABLE public.league_historicaldiscipline ALTER COLUMN history_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_historicaldiscipline_history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_imageremoval (
    image_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    reason text NOT NULL,
    by_id bigint NOT NULL
);
CREATE TABLE public.league_invitationday (
    id bigint NOT NULL,
    day date NOT NULL,
    sent integer NOT NULL,
    captain_id bigint NOT NULL,
    CONSTRAINT league_invitationday_sent_check CHECK ((sent >= 0))
);
ALTER TABLE public.league_invitationday ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_invitationday_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_job (
    id bigint NOT NULL,
    kind character varying(30) NOT NULL,
    title character varying(200) NOT NULL,
    given jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    state character varying(10) NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    cancelled_at timestamp with time zone,
    finished_at timestamp with time zone,
    refusal text NOT NULL,
    result jsonb,
    arena_id bigint,
    by_id bigint NOT NULL,
    season_id bigint,
    CONSTRAINT league_job_attempts_check CHECK ((attempts >= 0))
);
ALTER TABLE public.league_job ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_job_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_leaguelogo (
    digest character varying(32) NOT NULL,
    webp bytea NOT NULL,
    width smallint NOT NULL,
    height smallint NOT NULL,
    CONSTRAINT league_leaguelogo_height_check CHECK ((height >= 0)),
    CONSTRAINT league_leaguelogo_width_check CHECK ((width >= 0))
);
CREATE TABLE public.league_leaguesettings (
    id smallint NOT NULL,
    name character varying(60) NOT NULL,
    time_zone character varying(60) NOT NULL,
    accent character varying(7) NOT NULL,
    dark_accent character varying(7) NOT NULL,
    logo_id character varying(32),
    CONSTRAINT league_leaguesettings_id_check CHECK ((id >= 0)),
    CONSTRAINT league_settings_are_one CHECK ((id = 1))
);
CREATE TABLE public.league_letter (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    text text NOT NULL,
    by_id bigint NOT NULL
);
ALTER TABLE public.league_letter ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_letter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_mailpreference (
    id bigint NOT NULL,
    pace character varying(10) NOT NULL,
    muted character varying(12)[] NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_mailpreference ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_mailpreference_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_maintenance (
    id smallint NOT NULL,
    since timestamp with time zone,
    until timestamp with time zone,
    message text NOT NULL,
    CONSTRAINT league_maintenance_id_check CHECK ((id >= 0)),
    CONSTRAINT maintenance_is_one CHECK ((id = 1))
);
CREATE TABLE public.league_mapban (
    id bigint NOT NULL,
    number smallint NOT NULL,
    map character varying(40) NOT NULL,
    side smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    by_id bigint,
    choice_id bigint NOT NULL,
    CONSTRAINT league_mapban_number_check CHECK ((number >= 0)),
    CONSTRAINT league_mapban_side_check CHECK ((side >= 0))
);
ALTER TABLE public.league_mapban ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_mapban_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_match (
    id bigint NOT NULL,
    status character varying(10) NOT NULL,
    played_at timestamp with time zone NOT NULL,
    weight double precision NOT NULL,
    perf_ceiling double precision,
    information jsonb NOT NULL,
    external_id character varying(200),
    client_token uuid,
    reported_at timestamp with time zone,
    reported_by_side smallint,
    confirm_deadline timestamp with time zone,
    disputed_at timestamp with time zone,
    dispute_reason text NOT NULL,
    settled_at timestamp with time zone,
    settlement character varying(10) NOT NULL,
    confirmed_by_side smallint,
    rated_order bigint,
    arena_id bigint NOT NULL,
    confirmed_by_id bigint,
    disputed_by_id bigint,
    reported_by_id bigint,
    season_id bigint NOT NULL,
    kind character varying(10) DEFAULT 'game'::character varying NOT NULL,
    started_by_id bigint,
    began_live boolean DEFAULT false NOT NULL,
    lineup uuid,
    report_digest uuid,
    result_digest uuid,
    revision smallint DEFAULT 1 NOT NULL,
    one_sided double precision,
    confirmed_from uuid,
    reported_from uuid,
    forecast double precision[],
    mode character varying(40) DEFAULT ''::character varying NOT NULL,
    region character varying(40) DEFAULT ''::character varying NOT NULL,
    contest_weight double precision DEFAULT 1.0 NOT NULL,
    event_count integer DEFAULT 0 NOT NULL,
    mode_fixed boolean DEFAULT false NOT NULL,
    first_side smallint,
    CONSTRAINT league_match_confirmed_by_side_check CHECK ((confirmed_by_side >= 0)),
    CONSTRAINT league_match_event_count_check CHECK ((event_count >= 0)),
    CONSTRAINT league_match_first_side_check CHECK ((first_side >= 0)),
    CONSTRAINT league_match_reported_by_side_check CHECK ((reported_by_side >= 0)),
    CONSTRAINT league_match_revision_check CHECK ((revision >= 0)),
    CONSTRAINT match_confirmed_by_another_side CHECK ((NOT ((confirmed_by_side = reported_by_side) AND (confirmed_by_side IS NOT NULL) AND (reported_by_side IS NOT NULL)))),
    CONSTRAINT match_rated_has_its_order CHECK ((((rated_order IS NOT NULL) AND ((status)::text = 'rated'::text)) OR ((NOT ((status)::text = 'rated'::text)) AND (rated_order IS NULL)))),
    CONSTRAINT match_reported_has_reporter_and_deadline CHECK (((NOT ((status)::text = ANY ((ARRAY['reported'::character varying, 'disputed'::character varying])::text[]))) OR ((confirm_deadline IS NOT NULL) AND (reported_by_side IS NOT NULL)))),
    CONSTRAINT match_weight_positive CHECK ((weight > (0.0)::double precision))
);
ALTER TABLE public.league_match ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_match_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE SEQUENCE public.league_match_rated_order
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.league_matchevent (
    number integer NOT NULL,
    winner smallint NOT NULL,
    loser smallint NOT NULL,
    match_id bigint NOT NULL,
    CONSTRAINT event_between_two CHECK ((NOT (winner = loser))),
    CONSTRAINT event_number_in_range CHECK (((number >= 1) AND (number <= 20000))),
    CONSTRAINT league_matchevent_loser_check CHECK ((loser >= 0)),
    CONSTRAINT league_matchevent_number_check CHECK ((number >= 0)),
    CONSTRAINT league_matchevent_winner_check CHECK ((winner >= 0))
);
CREATE TABLE public.league_matchmap (
    match_id bigint NOT NULL,
    maps character varying(40)[] NOT NULL,
    seed character varying(32) NOT NULL,
    turn interval,
    first smallint NOT NULL,
    began_at timestamp with time zone NOT NULL,
    chosen character varying(40) NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT league_matchmap_first_check CHECK ((first >= 0))
);
CREATE TABLE public.league_matchmessage (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    text text NOT NULL,
    link character varying(500) NOT NULL,
    author_id bigint NOT NULL,
    match_id bigint NOT NULL,
    player_id bigint
);
ALTER TABLE public.league_matchmessage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_matchmessage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_memorycheckpoint (
    id bigint NOT NULL,
    rated_order bigint NOT NULL,
    memory double precision[] NOT NULL,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL
);
ALTER TABLE public.league_memorycheckpoint ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_memorycheckpoint_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_mergerequest (
    id bigint NOT NULL,
    reason text NOT NULL,
    at timestamp with time zone NOT NULL,
    state character varying(10) NOT NULL,
    refusal text NOT NULL,
    finished_at timestamp with time zone,
    account_id bigint,
    by_id bigint NOT NULL,
    kept_id bigint NOT NULL,
    merged_id bigint NOT NULL
);
ALTER TABLE public.league_mergerequest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_mergerequest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_namestart (
    start text NOT NULL COLLATE pg_catalog."C",
    player_id bigint NOT NULL
);
CREATE TABLE public.league_noshowplayer (
    id bigint NOT NULL,
    came boolean NOT NULL,
    arrangement_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_noshowplayer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_noshowplayer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_notice (
    id bigint NOT NULL,
    kind character varying(12) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone,
    mail_at timestamp with time zone,
    emailed_at timestamp with time zone,
    actor_id bigint,
    arena_id bigint,
    award_id bigint,
    challenge_id bigint,
    match_id bigint,
    player_id bigint NOT NULL,
    roster_id bigint,
    arrangement_id bigint,
    letter_id bigint,
    competition_id bigint,
    team_id bigint
);
ALTER TABLE public.league_notice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_notice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_objection (
    id bigint NOT NULL,
    side smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    reason text NOT NULL,
    state character varying(10) NOT NULL,
    closed_at timestamp with time zone,
    action_id bigint,
    match_id bigint NOT NULL,
    player_id bigint NOT NULL,
    CONSTRAINT league_objection_side_check CHECK ((side >= 0)),
    CONSTRAINT objection_closed_has_its_time CHECK ((((closed_at IS NULL) AND ((state)::text = 'open'::text)) OR ((NOT ((state)::text = 'open'::text)) AND (closed_at IS NOT NULL)))),
    CONSTRAINT objection_decided_has_its_decision CHECK ((((action_id IS NOT NULL) AND ((state)::text = ANY ((ARRAY['rejected'::character varying, 'corrected'::character varying])::text[]))) OR ((action_id IS NULL) AND ((state)::text = ANY ((ARRAY['open'::character varying, 'lapsed'::character varying, 'withdrawn'::character varying])::text[])))))
);
ALTER TABLE public.league_objection ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_objection_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_participant (
    id bigint NOT NULL,
    "position" smallint NOT NULL,
    seconds double precision,
    quit boolean NOT NULL,
    profession character varying(40) NOT NULL,
    live boolean NOT NULL,
    match_id bigint NOT NULL,
    player_id bigint NOT NULL,
    side_id bigint NOT NULL,
    stand_in boolean DEFAULT false NOT NULL,
    CONSTRAINT league_participant_position_check CHECK (("position" >= 0)),
    CONSTRAINT seconds_not_negative CHECK (((seconds IS NULL) OR (seconds >= (0.0)::double precision)))
);
ALTER TABLE public.league_participant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_participant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_penaltyreason (
    id bigint NOT NULL,
    name character varying(100) NOT NULL,
    stacks integer NOT NULL,
    arena_id bigint NOT NULL,
    CONSTRAINT league_penaltyreason_stacks_check CHECK ((stacks >= 0))
);
ALTER TABLE public.league_penaltyreason ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_penaltyreason_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_player (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    folded_name character varying(240) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    user_id bigint,
    may_resemble boolean NOT NULL,
    skeleton text NOT NULL,
    search_name text NOT NULL,
    merged_into_id bigint,
    level integer,
    hides_history boolean DEFAULT false NOT NULL,
    is_unlisted boolean DEFAULT false NOT NULL,
    left_at timestamp with time zone,
    CONSTRAINT merged_player_has_no_account CHECK (((merged_into_id IS NULL) OR (user_id IS NULL))),
    CONSTRAINT player_has_a_folded_name CHECK ((NOT ((folded_name)::text = ''::text))),
    CONSTRAINT player_merged_into_another CHECK ((NOT ((merged_into_id = id) AND (merged_into_id IS NOT NULL))))
);
ALTER TABLE public.league_player ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_player_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_playerclaim (
    id bigint NOT NULL,
    evidence text NOT NULL,
    state character varying(10) NOT NULL,
    made_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    answer text NOT NULL,
    account_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_playerclaim ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_playerclaim_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_playerfigures (
    id bigint NOT NULL,
    "values" jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    by_id bigint,
    match_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_playerfigures ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_playerfigures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_playerpicture (
    player_id bigint NOT NULL,
    digest character varying(32) NOT NULL,
    webp bytea NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.league_playerreport (
    id bigint NOT NULL,
    reason character varying(20) NOT NULL,
    text text NOT NULL,
    at timestamp with time zone NOT NULL,
    latest_at timestamp with time zone NOT NULL,
    times smallint DEFAULT 1 NOT NULL,
    resolved_at timestamp with time zone,
    note text NOT NULL,
    case_id bigint,
    match_id bigint,
    reported_id bigint NOT NULL,
    reporter_id bigint NOT NULL,
    resolved_by_id bigint,
    CONSTRAINT league_playerreport_times_check CHECK ((times >= 0)),
    CONSTRAINT player_report_resolved_by_somebody CHECK ((((resolved_at IS NULL) AND (resolved_by_id IS NULL)) OR ((resolved_at IS NOT NULL) AND (resolved_by_id IS NOT NULL))))
);
ALTER TABLE public.league_playerreport ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_playerreport_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_pointentry (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    odds double precision NOT NULL,
    score_ratio double precision NOT NULL,
    victory boolean NOT NULL,
    deserted boolean NOT NULL,
    points integer NOT NULL,
    match_id bigint NOT NULL,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL,
    superseded_by_id bigint,
    CONSTRAINT points_by_shares CHECK (((odds >= (0.0)::double precision) AND (odds <= (1.0)::double precision) AND (score_ratio >= (0.0)::double precision) AND (score_ratio <= (1.0)::double precision)))
);
ALTER TABLE public.league_pointentry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_pointentry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_pointtally (
    id bigint NOT NULL,
    season_id bigint NOT NULL,
    points integer NOT NULL,
    players integer NOT NULL
);
ALTER TABLE public.league_pointtally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_pointtally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_pointtotal (
    points integer NOT NULL,
    matches integer NOT NULL,
    wins integer NOT NULL,
    listed boolean NOT NULL,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL,
    CONSTRAINT league_pointtotal_matches_check CHECK ((matches >= 0)),
    CONSTRAINT league_pointtotal_wins_check CHECK ((wins >= 0))
);
CREATE TABLE public.league_profile (
    player_id bigint NOT NULL,
    picture character varying(32) NOT NULL,
    country character varying(2) NOT NULL,
    links character varying(200)[] NOT NULL
);
CREATE TABLE public.league_proposal (
    id bigint NOT NULL,
    state character varying(10) NOT NULL,
    proposed_at timestamp with time zone NOT NULL,
    deadline timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    seats jsonb NOT NULL,
    missed bigint[] NOT NULL,
    arena_id bigint NOT NULL,
    match_id bigint,
    forecast double precision,
    mode character varying(40) DEFAULT ''::character varying NOT NULL,
    region character varying(40) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT proposal_accepted_is_a_match CHECK ((((match_id IS NOT NULL) AND ((state)::text = 'accepted'::text)) OR ((NOT ((state)::text = 'accepted'::text)) AND (match_id IS NULL))))
);
ALTER TABLE public.league_proposal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_proposal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_rankpreference (
    id bigint NOT NULL,
    percentiles double precision NOT NULL,
    strict boolean NOT NULL,
    arena_id bigint NOT NULL,
    player_id bigint NOT NULL,
    CONSTRAINT rank_filter_in_range CHECK (((percentiles > (0.0)::double precision) AND (percentiles < (100.0)::double precision)))
);
ALTER TABLE public.league_rankpreference ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_rankpreference_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_rating (
    id bigint CONSTRAINT league_rating_id_not_null1 NOT NULL,
    season_id bigint CONSTRAINT league_rating_season_id_not_null1 NOT NULL,
    player_id bigint CONSTRAINT league_rating_player_id_not_null1 NOT NULL,
    rating double precision CONSTRAINT league_rating_rating_not_null1 NOT NULL,
    deviation double precision,
    volatility double precision,
    games integer CONSTRAINT league_rating_games_not_null1 NOT NULL,
    last_played_at timestamp with time zone,
    memory double precision[] CONSTRAINT league_rating_memory_not_null1 NOT NULL,
    opening double precision[],
    played_before timestamp with time zone,
    draws integer DEFAULT 0 NOT NULL,
    outcome smallint,
    streak integer DEFAULT 0 NOT NULL,
    wins integer DEFAULT 0 NOT NULL,
    connected boolean DEFAULT false NOT NULL,
    joined boolean DEFAULT false NOT NULL,
    proven boolean DEFAULT false NOT NULL,
    ignored integer DEFAULT 0 NOT NULL,
    CONSTRAINT deviation_not_negative CHECK (((deviation IS NULL) OR (deviation >= (0)::double precision))),
    CONSTRAINT league_rating_draws_check CHECK ((draws >= 0)),
    CONSTRAINT league_rating_games_check CHECK ((games >= 0)),
    CONSTRAINT league_rating_ignored_check CHECK ((ignored >= 0)),
    CONSTRAINT league_rating_streak_check CHECK ((streak >= 0)),
    CONSTRAINT league_rating_wins_check CHECK ((wins >= 0))
)
PARTITION BY LIST (season_id);
ALTER TABLE public.league_rating ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_rating_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_ratingevent (
    id bigint NOT NULL,
    rated_at timestamp with time zone NOT NULL,
    games integer NOT NULL,
    rating_before double precision NOT NULL,
    rating_after double precision NOT NULL,
    deviation_before double precision,
    deviation_after double precision,
    volatility_before double precision,
    volatility_after double precision,
    why jsonb NOT NULL,
    match_id bigint NOT NULL,
    player_id bigint NOT NULL,
    season_id bigint NOT NULL,
    last_played_before timestamp with time zone,
    superseded_by_id bigint,
    ignored boolean DEFAULT false NOT NULL,
    CONSTRAINT league_ratingevent_games_check CHECK ((games >= 0))
);
ALTER TABLE public.league_ratingevent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_ratingevent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_regionpreference (
    id bigint NOT NULL,
    regions character varying(40)[] NOT NULL,
    strict boolean NOT NULL,
    latencies jsonb NOT NULL,
    measured_at timestamp with time zone,
    arena_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_regionpreference ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_regionpreference_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_reportchange (
    id bigint NOT NULL,
    revision smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    was jsonb NOT NULL,
    by_id bigint NOT NULL,
    match_id bigint NOT NULL,
    CONSTRAINT league_reportchange_revision_check CHECK ((revision >= 0))
);
ALTER TABLE public.league_reportchange ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_reportchange_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_reservedword (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    kind character varying(10) NOT NULL,
    skeleton text NOT NULL
);
ALTER TABLE public.league_reservedword ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_reservedword_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_role (
    id bigint NOT NULL,
    key character varying(20) NOT NULL,
    given jsonb NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE public.league_role ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_role_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_roster (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    folded_name character varying(240) NOT NULL,
    arena_id bigint NOT NULL,
    captain_id bigint NOT NULL,
    may_resemble boolean NOT NULL,
    skeleton text NOT NULL,
    search_name text NOT NULL,
    team_id bigint,
    CONSTRAINT roster_has_a_folded_name CHECK ((NOT ((folded_name)::text = ''::text)))
);
ALTER TABLE public.league_roster ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_roster_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_rosterinvitation (
    id bigint NOT NULL,
    invited_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    accepted boolean NOT NULL,
    player_id bigint NOT NULL,
    roster_id bigint NOT NULL,
    CONSTRAINT invitation_accepted_is_answered CHECK (((NOT accepted) OR (answered_at IS NOT NULL)))
);
ALTER TABLE public.league_rosterinvitation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_rosterinvitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_rostermember (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    roster_id bigint NOT NULL
);
ALTER TABLE public.league_rostermember ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_rostermember_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_round (
    id bigint NOT NULL,
    stage character varying(10) NOT NULL,
    number smallint NOT NULL,
    opens_at timestamp with time zone NOT NULL,
    closes_at timestamp with time zone NOT NULL,
    play_at timestamp with time zone NOT NULL,
    opened_at timestamp with time zone,
    closed_at timestamp with time zone,
    competition_id bigint NOT NULL,
    CONSTRAINT league_round_number_check CHECK ((number >= 0)),
    CONSTRAINT round_is_played_within_its_window CHECK (((opens_at <= play_at) AND (play_at < closes_at)))
);
ALTER TABLE public.league_round ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_round_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_rulesversion (
    id bigint NOT NULL,
    number smallint NOT NULL,
    since bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    rating_system character varying(30) NOT NULL,
    rating_parameters jsonb NOT NULL,
    rules jsonb NOT NULL,
    changes jsonb NOT NULL,
    reason text NOT NULL,
    by_id bigint,
    season_id bigint NOT NULL,
    CONSTRAINT league_rulesversion_number_check CHECK ((number >= 0))
);
ALTER TABLE public.league_rulesversion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_rulesversion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_savedfilter (
    id bigint NOT NULL,
    page character varying(100) NOT NULL,
    name character varying(60) NOT NULL,
    query character varying(2000) NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.league_savedfilter ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_savedfilter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_season (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    rating_system character varying(30) NOT NULL,
    rating_parameters jsonb NOT NULL,
    arena_id bigint NOT NULL,
    archived_at timestamp with time zone,
    opened_at timestamp with time zone,
    rules jsonb NOT NULL,
    decayed_until timestamp with time zone,
    shown_mean double precision,
    shown_width double precision,
    anchors bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    months_from timestamp with time zone,
    rules_version smallint DEFAULT 1 NOT NULL,
    kept_open_until timestamp with time zone,
    CONSTRAINT league_season_rules_version_check CHECK ((rules_version >= 0)),
    CONSTRAINT season_ends_after_it_starts CHECK (((ends_at IS NULL) OR (ends_at > starts_at)))
);
ALTER TABLE public.league_season ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_season_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_seasonaccuracy (
    season_id bigint NOT NULL,
    matches integer NOT NULL,
    loss double precision NOT NULL,
    even_loss double precision NOT NULL,
    decided integer NOT NULL,
    favourites double precision NOT NULL,
    even_favourites double precision NOT NULL,
    seen character varying(60) NOT NULL,
    measured_at timestamp with time zone,
    asked_at timestamp with time zone,
    gains jsonb,
    gains_at timestamp with time zone,
    calibration jsonb,
    CONSTRAINT league_seasonaccuracy_decided_check CHECK ((decided >= 0)),
    CONSTRAINT league_seasonaccuracy_matches_check CHECK ((matches >= 0))
);
CREATE TABLE public.league_seasonhindsight (
    season_id bigint NOT NULL,
    seen character varying(80) NOT NULL,
    tried_at timestamp with time zone NOT NULL,
    at timestamp with time zone,
    players integer NOT NULL,
    CONSTRAINT league_seasonhindsight_players_check CHECK ((players >= 0))
);
CREATE TABLE public.league_sentrequest (
    id bigint NOT NULL,
    key character varying(255) NOT NULL,
    digest character varying(64) NOT NULL,
    status smallint NOT NULL,
    media_type character varying(60) NOT NULL,
    body text NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT league_sentrequest_status_check CHECK ((status >= 0))
);
ALTER TABLE public.league_sentrequest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_sentrequest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_setupcode (
    is_only boolean NOT NULL,
    code character varying(20) NOT NULL,
    CONSTRAINT one_setup_code CHECK (is_only)
);
CREATE TABLE public.league_side (
    id bigint NOT NULL,
    index smallint NOT NULL,
    place integer,
    score double precision,
    captain_id bigint NOT NULL,
    match_id bigint NOT NULL,
    roster_id bigint,
    agreed_at timestamp with time zone,
    agreed_by character varying(20) DEFAULT ''::character varying NOT NULL,
    notified_at timestamp with time zone,
    CONSTRAINT league_side_index_check CHECK ((index >= 0)),
    CONSTRAINT league_side_place_check CHECK ((place >= 0)),
    CONSTRAINT side_agreed_somehow CHECK ((((agreed_at IS NULL) AND ((agreed_by)::text = ''::text)) OR ((agreed_at IS NOT NULL) AND (NOT ((agreed_by)::text = ''::text)))))
);
ALTER TABLE public.league_side ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_side_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_signingkey (
    id bigint NOT NULL,
    pem text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    signs_from timestamp with time zone NOT NULL,
    ends_at timestamp with time zone
);
ALTER TABLE public.league_signingkey ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_signingkey_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_spentgrant (
    id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    spent_at timestamp with time zone NOT NULL,
    app_id bigint NOT NULL
);
ALTER TABLE public.league_spentgrant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_spentgrant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_staffaction (
    id bigint NOT NULL,
    kind character varying(20) NOT NULL,
    reason text NOT NULL,
    details jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    actor_id bigint NOT NULL,
    match_id bigint,
    after jsonb,
    before jsonb,
    CONSTRAINT staff_action_has_its_match CHECK (((NOT ((kind)::text = ANY ((ARRAY['upheld'::character varying, 'corrected'::character varying, 'voided'::character varying, 'entered'::character varying, 'rejected'::character varying, 'undone'::character varying])::text[]))) OR (match_id IS NOT NULL)))
);
ALTER TABLE public.league_staffaction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_staffaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_standin (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    arena_id bigint NOT NULL,
    player_id bigint NOT NULL
);
ALTER TABLE public.league_standin ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_standin_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_standing (
    season_id bigint NOT NULL,
    player_id bigint NOT NULL,
    key double precision NOT NULL,
    active boolean NOT NULL,
    decaying double precision NOT NULL,
    due bigint,
    division smallint
)
WITH (fillfactor='85');
CREATE SEQUENCE public.league_standing_version
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.league_standingchange (
    id bigint NOT NULL,
    season_id bigint NOT NULL,
    player_id bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
ALTER TABLE public.league_standingchange ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_standingchange_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_standingconnections (
    season_id bigint NOT NULL,
    changed bigint NOT NULL,
    computed bigint NOT NULL,
    computed_at timestamp with time zone,
    seconds double precision NOT NULL,
    needed smallint NOT NULL,
    CONSTRAINT league_standingconnections_needed_check CHECK ((needed >= 0))
);
CREATE TABLE public.league_standingcuts (
    season_id bigint NOT NULL,
    reached double precision[] NOT NULL,
    kept double precision[] NOT NULL
);
CREATE TABLE public.league_standingday (
    season_id bigint NOT NULL,
    day date NOT NULL,
    noted_at timestamp with time zone NOT NULL
);
CREATE TABLE public.league_standingdayranks (
    season_id bigint NOT NULL,
    day date NOT NULL,
    chunk bigint NOT NULL,
    ranks bytea NOT NULL
);
CREATE TABLE public.league_standinghistogram (
    season_id bigint NOT NULL,
    version bigint NOT NULL,
    bounds_version bigint NOT NULL,
    total integer NOT NULL,
    low_keys bytea NOT NULL,
    low_players bytea NOT NULL,
    counts bytea NOT NULL
);
CREATE TABLE public.league_team (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    folded_name character varying(240) NOT NULL,
    skeleton text NOT NULL,
    search_name text NOT NULL,
    may_resemble boolean NOT NULL,
    tag character varying(5) NOT NULL,
    folded_tag character varying(20) NOT NULL,
    colour character varying(7) NOT NULL,
    second_colour character varying(7) NOT NULL,
    picture character varying(32) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disbanded_at timestamp with time zone,
    successor_id bigint,
    CONSTRAINT team_has_a_folded_name CHECK ((NOT ((folded_name)::text = ''::text)))
);
ALTER TABLE public.league_team ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_team_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_teaminvitation (
    id bigint NOT NULL,
    invited_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    places smallint NOT NULL,
    used smallint NOT NULL,
    closed_at timestamp with time zone,
    invited_by_id bigint NOT NULL,
    player_id bigint,
    team_id bigint NOT NULL,
    CONSTRAINT league_teaminvitation_places_check CHECK ((places >= 0)),
    CONSTRAINT league_teaminvitation_used_check CHECK ((used >= 0)),
    CONSTRAINT team_invitation_has_places CHECK ((used <= places))
);
ALTER TABLE public.league_teaminvitation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_teaminvitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_teammember (
    id bigint NOT NULL,
    role character varying(10) NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    left_at timestamp with time zone,
    player_id bigint NOT NULL,
    team_id bigint NOT NULL,
    CONSTRAINT team_member_left_after_joining CHECK (((left_at IS NULL) OR (left_at >= joined_at)))
);
ALTER TABLE public.league_teammember ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_teammember_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_teampicture (
    team_id bigint NOT NULL,
    digest character varying(32) NOT NULL,
    webp bytea NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.league_teamrating (
    id bigint NOT NULL,
    rating double precision NOT NULL,
    deviation double precision,
    volatility double precision,
    games integer NOT NULL,
    wins integer NOT NULL,
    draws integer NOT NULL,
    last_played_at timestamp with time zone,
    season_id bigint NOT NULL,
    team_id bigint NOT NULL,
    CONSTRAINT league_teamrating_draws_check CHECK ((draws >= 0)),
    CONSTRAINT league_teamrating_games_check CHECK ((games >= 0)),
    CONSTRAINT league_teamrating_wins_check CHECK ((wins >= 0))
);
ALTER TABLE public.league_teamrating ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_teamrating_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_teamreplay (
    season_id bigint NOT NULL,
    seen text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.league_tick (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    seed bigint NOT NULL,
    matcher character varying(20) NOT NULL,
    rules jsonb,
    queue bytea NOT NULL,
    found jsonb NOT NULL,
    tickets integer NOT NULL,
    matches integer NOT NULL,
    proposed integer NOT NULL,
    seconds double precision NOT NULL,
    arena_id bigint NOT NULL,
    base_id bigint,
    CONSTRAINT full_tick_has_rules CHECK ((((base_id IS NULL) AND (rules IS NOT NULL)) OR ((base_id IS NOT NULL) AND (rules IS NULL)))),
    CONSTRAINT league_tick_matches_check CHECK ((matches >= 0)),
    CONSTRAINT league_tick_proposed_check CHECK ((proposed >= 0)),
    CONSTRAINT league_tick_tickets_check CHECK ((tickets >= 0))
);
ALTER TABLE public.league_tick ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_tick_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_ticket (
    id bigint NOT NULL,
    modes character varying(40)[] NOT NULL,
    state character varying(10) NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    place bigint NOT NULL,
    closed_at timestamp with time zone,
    team smallint,
    arena_id bigint NOT NULL,
    captain_id bigint NOT NULL,
    proposal_id bigint,
    roster_id bigint,
    fills_seat boolean DEFAULT false NOT NULL,
    CONSTRAINT league_ticket_team_check CHECK ((team >= 0)),
    CONSTRAINT ticket_proposed_has_its_team CHECK (((NOT ((state)::text = 'proposed'::text)) OR ((proposal_id IS NOT NULL) AND (team = ANY (ARRAY[1, 2]))))),
    CONSTRAINT ticket_waiting_has_no_team CHECK (((NOT ((state)::text = 'waiting'::text)) OR ((proposal_id IS NULL) AND (team IS NULL))))
);
ALTER TABLE public.league_ticket ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_ticket_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE SEQUENCE public.league_ticket_place
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.league_ticketarena (
    id bigint NOT NULL,
    modes character varying(40)[] NOT NULL,
    place bigint NOT NULL,
    arena_id bigint NOT NULL,
    ticket_id bigint NOT NULL
);
ALTER TABLE public.league_ticketarena ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_ticketarena_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_ticketmember (
    id bigint NOT NULL,
    profession character varying(40) NOT NULL,
    open boolean NOT NULL,
    seen_at timestamp with time zone,
    accepted_at timestamp with time zone,
    player_id bigint NOT NULL,
    ticket_id bigint NOT NULL
);
ALTER TABLE public.league_ticketmember ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_ticketmember_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_trial (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    rating_system character varying(30) NOT NULL,
    rating_parameters jsonb NOT NULL,
    rules jsonb NOT NULL,
    changes jsonb NOT NULL,
    version smallint NOT NULL,
    horizon bigint NOT NULL,
    corrections bigint NOT NULL,
    report jsonb,
    outcome character varying(10) NOT NULL,
    by_id bigint NOT NULL,
    season_id bigint NOT NULL,
    CONSTRAINT league_trial_version_check CHECK ((version >= 0))
);
ALTER TABLE public.league_trial ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_trial_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_trialmove (
    id bigint NOT NULL,
    rating_before double precision,
    rating_after double precision,
    rank_before integer,
    rank_after integer,
    division_before character varying(60) DEFAULT ''::character varying NOT NULL,
    division_after character varying(60) DEFAULT ''::character varying NOT NULL,
    points_before integer,
    points_after integer,
    player_id bigint NOT NULL,
    trial_id bigint NOT NULL,
    CONSTRAINT league_trialmove_rank_after_check CHECK ((rank_after >= 0)),
    CONSTRAINT league_trialmove_rank_before_check CHECK ((rank_before >= 0))
);
ALTER TABLE public.league_trialmove ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_trialmove_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_undoing (
    id bigint NOT NULL,
    correction_id bigint NOT NULL,
    undone_id bigint NOT NULL
);
ALTER TABLE public.league_undoing ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_undoing_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_usednonce (
    id bigint NOT NULL,
    nonce character varying(64) NOT NULL,
    used_at timestamp with time zone NOT NULL,
    token_id bigint NOT NULL
);
ALTER TABLE public.league_usednonce ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_usednonce_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_user (
    id bigint NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    username character varying(150) NOT NULL,
    first_name character varying(150) NOT NULL,
    last_name character varying(150) NOT NULL,
    email character varying(254) NOT NULL,
    is_staff boolean NOT NULL,
    is_active boolean NOT NULL,
    date_joined timestamp with time zone NOT NULL,
    theme character varying(5) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.league_user_groups (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE public.league_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_user_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.league_user ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_user_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_user_user_permissions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.league_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_user_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_visit (
    player_id bigint NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    seen_places jsonb NOT NULL,
    before timestamp with time zone,
    places jsonb NOT NULL
);
CREATE TABLE public.league_webhook (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    address character varying(500) NOT NULL,
    events character varying(30)[] NOT NULL,
    secret_seed character varying(64) NOT NULL,
    old_secret_seed character varying(64) NOT NULL,
    old_until timestamp with time zone,
    paused character varying(10) NOT NULL,
    paused_at timestamp with time zone,
    failures integer NOT NULL,
    failing_since timestamp with time zone,
    waits_until timestamp with time zone,
    claimed_until timestamp with time zone,
    made_at timestamp with time zone NOT NULL,
    arena_id bigint,
    made_by_id bigint NOT NULL,
    CONSTRAINT league_webhook_failures_check CHECK ((failures >= 0)),
    CONSTRAINT webhook_paused_since CHECK (((((paused)::text = ''::text) AND (paused_at IS NULL)) OR ((NOT ((paused)::text = ''::text)) AND (paused_at IS NOT NULL))))
);
ALTER TABLE public.league_webhook ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_webhook_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_webhookattempt (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    status smallint,
    milliseconds integer NOT NULL,
    problem character varying(200) NOT NULL,
    answer character varying(500) NOT NULL,
    delivery_id bigint NOT NULL,
    CONSTRAINT league_webhookattempt_milliseconds_check CHECK ((milliseconds >= 0)),
    CONSTRAINT league_webhookattempt_status_check CHECK ((status >= 0))
);
ALTER TABLE public.league_webhookattempt ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_webhookattempt_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_webhookdelivery (
    id bigint NOT NULL,
    state character varying(10) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone,
    attempts smallint NOT NULL,
    closed_at timestamp with time zone,
    webhook_id bigint NOT NULL,
    event_id bigint NOT NULL,
    CONSTRAINT league_webhookdelivery_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhook_delivery_closed_later CHECK (((closed_at IS NULL) OR (closed_at >= created_at))),
    CONSTRAINT webhook_delivery_waits_or_is_closed CHECK ((((closed_at IS NULL) AND (next_attempt_at IS NOT NULL) AND ((state)::text = 'waiting'::text)) OR ((next_attempt_at IS NULL) AND ((state)::text = ANY ((ARRAY['delivered'::character varying, 'failed'::character varying])::text[])) AND (closed_at IS NOT NULL))))
);
ALTER TABLE public.league_webhookdelivery ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_webhookdelivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.league_webhookevent (
    id bigint NOT NULL,
    uid uuid NOT NULL,
    type character varying(30) NOT NULL,
    subject bigint,
    facts jsonb NOT NULL,
    at timestamp with time zone NOT NULL
);
ALTER TABLE public.league_webhookevent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.league_webhookevent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mfa_authenticator (
    id bigint NOT NULL,
    type character varying(20) NOT NULL,
    data jsonb NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);
ALTER TABLE public.mfa_authenticator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mfa_authenticator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialaccount (
    id integer NOT NULL,
    provider character varying(200) NOT NULL,
    uid character varying(191) NOT NULL,
    last_login timestamp with time zone NOT NULL,
    date_joined timestamp with time zone NOT NULL,
    extra_data jsonb NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.socialaccount_socialaccount ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialaccount_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialapp (
    id integer NOT NULL,
    provider character varying(30) NOT NULL,
    name character varying(40) NOT NULL,
    client_id character varying(191) NOT NULL,
    secret character varying(191) NOT NULL,
    key character varying(191) NOT NULL,
    provider_id character varying(200) NOT NULL,
    settings jsonb NOT NULL
);
ALTER TABLE public.socialaccount_socialapp ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialapp_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialtoken (
    id integer NOT NULL,
    token text NOT NULL,
    token_secret text NOT NULL,
    expires_at timestamp with time zone,
    account_id integer NOT NULL,
    app_id integer
);
ALTER TABLE public.socialaccount_socialtoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialtoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_email_987c8728_uniq UNIQUE (user_id, email);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_key_key UNIQUE (key);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.allauth_idp_oidc_client
    ADD CONSTRAINT allauth_idp_oidc_client_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.allauth_idp_oidc_token
    ADD CONSTRAINT allauth_idp_oidc_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.allauth_idp_oidc_token
    ADD CONSTRAINT allauth_idp_oidc_token_type_hash_cca00f1c_uniq UNIQUE (type, hash);
ALTER TABLE ONLY public.league_anchor
    ADD CONSTRAINT anchor_once_an_arena UNIQUE (arena_id, player_id);
ALTER TABLE ONLY public.league_connectedapp
    ADD CONSTRAINT app_connected_once UNIQUE (user_id, client_id);
ALTER TABLE ONLY public.league_arenaday
    ADD CONSTRAINT arena_day_once UNIQUE (day, arena_id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_award
    ADD CONSTRAINT award_once UNIQUE (season_id, kind, player_id);
ALTER TABLE ONLY public.axes_accessattempt
    ADD CONSTRAINT axes_accessattempt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.axes_accessattempt
    ADD CONSTRAINT axes_accessattempt_username_ip_address_user_agent_8ea22282_uniq UNIQUE (username, ip_address, user_agent);
ALTER TABLE ONLY public.axes_accessattemptexpiration
    ADD CONSTRAINT axes_accessattemptexpiration_pkey PRIMARY KEY (access_attempt_id);
ALTER TABLE ONLY public.axes_accessfailurelog
    ADD CONSTRAINT axes_accessfailurelog_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.axes_accesslog
    ADD CONSTRAINT axes_accesslog_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_block
    ADD CONSTRAINT blocks_a_player_once UNIQUE (player_id, blocked_id);
ALTER TABLE ONLY public.league_caseplayer
    ADD CONSTRAINT case_player_once UNIQUE (case_id, player_id);
ALTER TABLE ONLY public.league_memorycheckpoint
    ADD CONSTRAINT checkpoint_once UNIQUE (season_id, player_id, rated_order);
ALTER TABLE ONLY public.league_competition
    ADD CONSTRAINT competition_name_once_a_season UNIQUE (season_id, name);
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);
ALTER TABLE ONLY public.league_entrant
    ADD CONSTRAINT entrant_seed_once UNIQUE (competition_id, seed);
ALTER TABLE ONLY public.league_playerfigures
    ADD CONSTRAINT figures_once_a_match UNIQUE (player_id, match_id);
ALTER TABLE ONLY public.league_fillin
    ADD CONSTRAINT fills_in_once_a_match UNIQUE (player_id, match_id);
ALTER TABLE ONLY public.league_savedfilter
    ADD CONSTRAINT filter_name_once UNIQUE (user_id, page, name);
ALTER TABLE ONLY public.league_finalpoints
    ADD CONSTRAINT final_points_once UNIQUE (player_id, season_id);
ALTER TABLE ONLY public.league_finalpoints
    ADD CONSTRAINT final_points_order UNIQUE (season_id, "position");
ALTER TABLE ONLY public.league_finalstanding
    ADD CONSTRAINT final_standing_once UNIQUE (player_id, season_id);
ALTER TABLE ONLY public.league_finalstanding
    ADD CONSTRAINT final_standing_order UNIQUE (season_id, "position");
ALTER TABLE ONLY public.league_fixture
    ADD CONSTRAINT fixture_number_once_a_competition UNIQUE (competition_id, number);
ALTER TABLE ONLY public.league_follow
    ADD CONSTRAINT follows_a_player_once UNIQUE (player_id, followed_id);
ALTER TABLE ONLY public.league_follow
    ADD CONSTRAINT follows_a_team_once UNIQUE (player_id, team_id);
ALTER TABLE ONLY public.league_fixturegame
    ADD CONSTRAINT game_once_a_fixture UNIQUE (fixture_id, number);
ALTER TABLE ONLY public.league_hindsightcurve
    ADD CONSTRAINT hindsight_curve_once UNIQUE (season_id, player_id);
ALTER TABLE ONLY public.knox_authtoken
    ADD CONSTRAINT knox_authtoken_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.league_accesstoken_arenas
    ADD CONSTRAINT league_accesstoken_arenas_accesstoken_id_arena_id_e3246ec8_uniq UNIQUE (accesstoken_id, arena_id);
ALTER TABLE ONLY public.league_accesstoken_arenas
    ADD CONSTRAINT league_accesstoken_arenas_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_accesstoken
    ADD CONSTRAINT league_accesstoken_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.league_accesstoken
    ADD CONSTRAINT league_accesstoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_accountdeletion
    ADD CONSTRAINT league_accountdeletion_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.league_amnesty
    ADD CONSTRAINT league_amnesty_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_anchor
    ADD CONSTRAINT league_anchor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_announcement
    ADD CONSTRAINT league_announcement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_appeal
    ADD CONSTRAINT league_appeal_action_id_key UNIQUE (action_id);
ALTER TABLE ONLY public.league_appeal
    ADD CONSTRAINT league_appeal_award_id_key UNIQUE (award_id);
ALTER TABLE ONLY public.league_appeal
    ADD CONSTRAINT league_appeal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arena
    ADD CONSTRAINT league_arena_name_key UNIQUE (name);
ALTER TABLE ONLY public.league_arena
    ADD CONSTRAINT league_arena_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arena
    ADD CONSTRAINT league_arena_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.league_arenaday
    ADD CONSTRAINT league_arenaday_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arenaorganiser
    ADD CONSTRAINT league_arenaorganiser_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arenaqueue
    ADD CONSTRAINT league_arenaqueue_arena_id_key UNIQUE (arena_id);
ALTER TABLE ONLY public.league_arenaqueue
    ADD CONSTRAINT league_arenaqueue_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arenatext
    ADD CONSTRAINT league_arenatext_arena_id_key UNIQUE (arena_id);
ALTER TABLE ONLY public.league_arenatext
    ADD CONSTRAINT league_arenatext_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_match_id_key UNIQUE (match_id);
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_request_id_key UNIQUE (request_id);
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_uid_key UNIQUE (uid);
ALTER TABLE ONLY public.league_arrangementmessage
    ADD CONSTRAINT league_arrangementmessage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_arrangementstep
    ADD CONSTRAINT league_arrangementstep_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_award
    ADD CONSTRAINT league_award_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_backup
    ADD CONSTRAINT league_backup_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_barredaddress
    ADD CONSTRAINT league_barredaddress_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.league_barredaddress
    ADD CONSTRAINT league_barredaddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_block
    ADD CONSTRAINT league_block_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_bouncingaddress
    ADD CONSTRAINT league_bouncingaddress_address_key UNIQUE (address);
ALTER TABLE ONLY public.league_bouncingaddress
    ADD CONSTRAINT league_bouncingaddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_calendaraddress
    ADD CONSTRAINT league_calendaraddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_calendaraddress
    ADD CONSTRAINT league_calendaraddress_player_id_key UNIQUE (player_id);
ALTER TABLE ONLY public.league_case_flags
    ADD CONSTRAINT league_case_flags_case_id_flag_id_9a6e3d50_uniq UNIQUE (case_id, flag_id);
ALTER TABLE ONLY public.league_case_flags
    ADD CONSTRAINT league_case_flags_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_case_matches
    ADD CONSTRAINT league_case_matches_case_id_match_id_3819dce5_uniq UNIQUE (case_id, match_id);
ALTER TABLE ONLY public.league_case_matches
    ADD CONSTRAINT league_case_matches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_case
    ADD CONSTRAINT league_case_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_casenote
    ADD CONSTRAINT league_casenote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_caseplayer
    ADD CONSTRAINT league_caseplayer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_action_id_key UNIQUE (action_id);
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_match_id_key UNIQUE (match_id);
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_competition
    ADD CONSTRAINT league_competition_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_confirmation
    ADD CONSTRAINT league_confirmation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_confirmation
    ADD CONSTRAINT league_confirmation_side_id_key UNIQUE (side_id);
ALTER TABLE ONLY public.league_connectedapp
    ADD CONSTRAINT league_connectedapp_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_correctedmatch
    ADD CONSTRAINT league_correctedmatch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_correction
    ADD CONSTRAINT league_correction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_correctionrequest
    ADD CONSTRAINT league_correctionrequest_correction_id_key UNIQUE (correction_id);
ALTER TABLE ONLY public.league_correctionrequest
    ADD CONSTRAINT league_correctionrequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_counterreport
    ADD CONSTRAINT league_counterreport_client_token_key UNIQUE (client_token);
ALTER TABLE ONLY public.league_counterreport
    ADD CONSTRAINT league_counterreport_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_dataexport
    ADD CONSTRAINT league_dataexport_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.league_dayone
    ADD CONSTRAINT league_dayone_pkey PRIMARY KEY (season_id);
ALTER TABLE ONLY public.league_demorequest
    ADD CONSTRAINT league_demorequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_discipline
    ADD CONSTRAINT league_discipline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_discordboard
    ADD CONSTRAINT league_discordboard_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_discordinteraction
    ADD CONSTRAINT league_discordinteraction_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.league_discordmessage
    ADD CONSTRAINT league_discordmessage_pkey PRIMARY KEY (notice_id);
ALTER TABLE ONLY public.league_discordpreference
    ADD CONSTRAINT league_discordpreference_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_discordpreference
    ADD CONSTRAINT league_discordpreference_player_id_key UNIQUE (player_id);
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT league_dishonoraward_action_id_key UNIQUE (action_id);
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT league_dishonoraward_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_divisionchange
    ADD CONSTRAINT league_divisionchange_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_divisionnews
    ADD CONSTRAINT league_divisionnews_pkey PRIMARY KEY (player_id);
ALTER TABLE ONLY public.league_email
    ADD CONSTRAINT league_email_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_entrant
    ADD CONSTRAINT league_entrant_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_erratum
    ADD CONSTRAINT league_erratum_match_id_key UNIQUE (match_id);
ALTER TABLE ONLY public.league_erratum
    ADD CONSTRAINT league_erratum_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_erratumline
    ADD CONSTRAINT league_erratumline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_evidencecontent
    ADD CONSTRAINT league_evidencecontent_pkey PRIMARY KEY (image_id);
ALTER TABLE ONLY public.league_evidenceimage
    ADD CONSTRAINT league_evidenceimage_pkey PRIMARY KEY (message_id);
ALTER TABLE ONLY public.league_filecontent
    ADD CONSTRAINT league_filecontent_pkey PRIMARY KEY (file_id);
ALTER TABLE ONLY public.league_fileimport
    ADD CONSTRAINT league_fileimport_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_fillin
    ADD CONSTRAINT league_fillin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_finalpoints
    ADD CONSTRAINT league_finalpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_finalstanding
    ADD CONSTRAINT league_finalstanding_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_fixture
    ADD CONSTRAINT league_fixture_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_fixturegame
    ADD CONSTRAINT league_fixturegame_arrangement_id_key UNIQUE (arrangement_id);
ALTER TABLE ONLY public.league_fixturegame
    ADD CONSTRAINT league_fixturegame_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_flag
    ADD CONSTRAINT league_flag_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_follow
    ADD CONSTRAINT league_follow_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_formername
    ADD CONSTRAINT league_formername_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_formerteamname
    ADD CONSTRAINT league_formerteamname_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_hindsightcurve
    ADD CONSTRAINT league_hindsightcurve_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_historicalarena
    ADD CONSTRAINT league_historicalarena_pkey PRIMARY KEY (history_id);
ALTER TABLE ONLY public.league_historicalarenaqueue
    ADD CONSTRAINT league_historicalarenaqueue_pkey PRIMARY KEY (history_id);
ALTER TABLE ONLY public.league_historicaldiscipline
    ADD CONSTRAINT league_historicaldiscipline_pkey PRIMARY KEY (history_id);
ALTER TABLE ONLY public.league_imageremoval
    ADD CONSTRAINT league_imageremoval_pkey PRIMARY KEY (image_id);
ALTER TABLE ONLY public.league_invitationday
    ADD CONSTRAINT league_invitationday_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_job
    ADD CONSTRAINT league_job_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_leaguelogo
    ADD CONSTRAINT league_leaguelogo_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.league_leaguesettings
    ADD CONSTRAINT league_leaguesettings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_letter
    ADD CONSTRAINT league_letter_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_mailpreference
    ADD CONSTRAINT league_mailpreference_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_mailpreference
    ADD CONSTRAINT league_mailpreference_player_id_key UNIQUE (player_id);
ALTER TABLE ONLY public.league_maintenance
    ADD CONSTRAINT league_maintenance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_mapban
    ADD CONSTRAINT league_mapban_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_client_token_key UNIQUE (client_token);
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_rated_order_key UNIQUE (rated_order);
ALTER TABLE ONLY public.league_matchevent
    ADD CONSTRAINT league_matchevent_pkey PRIMARY KEY (match_id, number);
ALTER TABLE ONLY public.league_matchmap
    ADD CONSTRAINT league_matchmap_pkey PRIMARY KEY (match_id);
ALTER TABLE ONLY public.league_matchmessage
    ADD CONSTRAINT league_matchmessage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_memorycheckpoint
    ADD CONSTRAINT league_memorycheckpoint_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_mergerequest
    ADD CONSTRAINT league_mergerequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_namestart
    ADD CONSTRAINT league_namestart_pkey PRIMARY KEY (start, player_id);
ALTER TABLE ONLY public.league_noshowplayer
    ADD CONSTRAINT league_noshowplayer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_objection
    ADD CONSTRAINT league_objection_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_participant
    ADD CONSTRAINT league_participant_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_penaltyreason
    ADD CONSTRAINT league_penaltyreason_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_player
    ADD CONSTRAINT league_player_folded_name_key UNIQUE (folded_name);
ALTER TABLE ONLY public.league_player
    ADD CONSTRAINT league_player_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_player
    ADD CONSTRAINT league_player_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.league_playerclaim
    ADD CONSTRAINT league_playerclaim_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_playerfigures
    ADD CONSTRAINT league_playerfigures_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_playerpicture
    ADD CONSTRAINT league_playerpicture_pkey PRIMARY KEY (player_id);
ALTER TABLE ONLY public.league_playerreport
    ADD CONSTRAINT league_playerreport_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_pointentry
    ADD CONSTRAINT league_pointentry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_pointtally
    ADD CONSTRAINT league_pointtally_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_pointtotal
    ADD CONSTRAINT league_pointtotal_pkey PRIMARY KEY (season_id, player_id);
ALTER TABLE ONLY public.league_profile
    ADD CONSTRAINT league_profile_pkey PRIMARY KEY (player_id);
ALTER TABLE ONLY public.league_proposal
    ADD CONSTRAINT league_proposal_match_id_key UNIQUE (match_id);
ALTER TABLE ONLY public.league_proposal
    ADD CONSTRAINT league_proposal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_rankpreference
    ADD CONSTRAINT league_rankpreference_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_rating
    ADD CONSTRAINT league_rating_pkey PRIMARY KEY (id, season_id);
ALTER TABLE ONLY public.league_ratingevent
    ADD CONSTRAINT league_ratingevent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_regionpreference
    ADD CONSTRAINT league_regionpreference_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_reportchange
    ADD CONSTRAINT league_reportchange_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_reservedword
    ADD CONSTRAINT league_reservedword_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_reservedword
    ADD CONSTRAINT league_reservedword_skeleton_key UNIQUE (skeleton);
ALTER TABLE ONLY public.league_role
    ADD CONSTRAINT league_role_group_id_key UNIQUE (group_id);
ALTER TABLE ONLY public.league_role
    ADD CONSTRAINT league_role_key_key UNIQUE (key);
ALTER TABLE ONLY public.league_role
    ADD CONSTRAINT league_role_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_roster
    ADD CONSTRAINT league_roster_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_rosterinvitation
    ADD CONSTRAINT league_rosterinvitation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_rostermember
    ADD CONSTRAINT league_rostermember_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_round
    ADD CONSTRAINT league_round_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_rulesversion
    ADD CONSTRAINT league_rulesversion_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_savedfilter
    ADD CONSTRAINT league_savedfilter_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_season
    ADD CONSTRAINT league_season_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_seasonaccuracy
    ADD CONSTRAINT league_seasonaccuracy_pkey PRIMARY KEY (season_id);
ALTER TABLE ONLY public.league_seasonhindsight
    ADD CONSTRAINT league_seasonhindsight_pkey PRIMARY KEY (season_id);
ALTER TABLE ONLY public.league_sentrequest
    ADD CONSTRAINT league_sentrequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_setupcode
    ADD CONSTRAINT league_setupcode_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.league_side
    ADD CONSTRAINT league_side_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_signingkey
    ADD CONSTRAINT league_signingkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_spentgrant
    ADD CONSTRAINT league_spentgrant_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.league_spentgrant
    ADD CONSTRAINT league_spentgrant_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_staffaction
    ADD CONSTRAINT league_staffaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_standin
    ADD CONSTRAINT league_standin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_standing
    ADD CONSTRAINT league_standing_pkey PRIMARY KEY (season_id, player_id);
ALTER TABLE ONLY public.league_standingchange
    ADD CONSTRAINT league_standingchange_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_standingconnections
    ADD CONSTRAINT league_standingconnections_pkey PRIMARY KEY (season_id);
ALTER TABLE ONLY public.league_standingcuts
    ADD CONSTRAINT league_standingcuts_pkey PRIMARY KEY (season_id);
ALTER TABLE ONLY public.league_standingday
    ADD CONSTRAINT league_standingday_pkey PRIMARY KEY (season_id, day);
ALTER TABLE ONLY public.league_standingdayranks
    ADD CONSTRAINT league_standingdayranks_pkey PRIMARY KEY (season_id, day, chunk);
ALTER TABLE ONLY public.league_standinghistogram
    ADD CONSTRAINT league_standinghistogram_pkey PRIMARY KEY (season_id);
ALTER TABLE ONLY public.league_team
    ADD CONSTRAINT league_team_folded_name_key UNIQUE (folded_name);
ALTER TABLE ONLY public.league_team
    ADD CONSTRAINT league_team_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_teaminvitation
    ADD CONSTRAINT league_teaminvitation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_teammember
    ADD CONSTRAINT league_teammember_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_teampicture
    ADD CONSTRAINT league_teampicture_pkey PRIMARY KEY (team_id);
ALTER TABLE ONLY public.league_teamrating
    ADD CONSTRAINT league_teamrating_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_teamreplay
    ADD CONSTRAINT league_teamreplay_pkey PRIMARY KEY (season_id);
ALTER TABLE ONLY public.league_tick
    ADD CONSTRAINT league_tick_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_ticket
    ADD CONSTRAINT league_ticket_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_ticketarena
    ADD CONSTRAINT league_ticketarena_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_ticketmember
    ADD CONSTRAINT league_ticketmember_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_trial
    ADD CONSTRAINT league_trial_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_trialmove
    ADD CONSTRAINT league_trialmove_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_undoing
    ADD CONSTRAINT league_undoing_correction_id_key UNIQUE (correction_id);
ALTER TABLE ONLY public.league_undoing
    ADD CONSTRAINT league_undoing_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_undoing
    ADD CONSTRAINT league_undoing_undone_id_key UNIQUE (undone_id);
ALTER TABLE ONLY public.league_usednonce
    ADD CONSTRAINT league_usednonce_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_user_groups
    ADD CONSTRAINT league_user_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_user_groups
    ADD CONSTRAINT league_user_groups_user_id_group_id_3cb12ae2_uniq UNIQUE (user_id, group_id);
ALTER TABLE ONLY public.league_user
    ADD CONSTRAINT league_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_user_user_permissions
    ADD CONSTRAINT league_user_user_permiss_user_id_permission_id_8a55edc7_uniq UNIQUE (user_id, permission_id);
ALTER TABLE ONLY public.league_user_user_permissions
    ADD CONSTRAINT league_user_user_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_user
    ADD CONSTRAINT league_user_username_key UNIQUE (username);
ALTER TABLE ONLY public.league_visit
    ADD CONSTRAINT league_visit_pkey PRIMARY KEY (player_id);
ALTER TABLE ONLY public.league_webhook
    ADD CONSTRAINT league_webhook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_webhookattempt
    ADD CONSTRAINT league_webhookattempt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_webhookdelivery
    ADD CONSTRAINT league_webhookdelivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_webhookevent
    ADD CONSTRAINT league_webhookevent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_webhookevent
    ADD CONSTRAINT league_webhookevent_uid_key UNIQUE (uid);
ALTER TABLE ONLY public.league_mapban
    ADD CONSTRAINT map_banned_once UNIQUE (choice_id, map);
ALTER TABLE public.league_match
    ADD CONSTRAINT match_first_side_is_one CHECK (((first_side IS NULL) OR (first_side <= 1))) NOT VALID;
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT match_once_from_its_source UNIQUE (arena_id, external_id);
ALTER TABLE ONLY public.league_correctedmatch
    ADD CONSTRAINT match_once_in_a_correction UNIQUE (correction_id, match_id);
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_noshowplayer
    ADD CONSTRAINT no_show_player_once UNIQUE (arrangement_id, player_id);
ALTER TABLE ONLY public.league_usednonce
    ADD CONSTRAINT nonce_used_once UNIQUE (token_id, nonce);
ALTER TABLE ONLY public.league_mapban
    ADD CONSTRAINT one_ban_a_turn UNIQUE (choice_id, number);
ALTER TABLE ONLY public.league_discordboard
    ADD CONSTRAINT one_board_a_channel UNIQUE (arena_id, channel);
ALTER TABLE ONLY public.league_regionpreference
    ADD CONSTRAINT one_choice_of_regions_an_arena UNIQUE (arena_id, player_id);
ALTER TABLE ONLY public.league_invitationday
    ADD CONSTRAINT one_count_a_captain_and_day UNIQUE (captain_id, day);
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT one_penalty_for_a_match UNIQUE (player_id, match_id, offence);
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT one_penalty_for_a_ready_check UNIQUE (player_id, proposal_id);
ALTER TABLE ONLY public.league_rankpreference
    ADD CONSTRAINT one_rank_filter_an_arena UNIQUE (arena_id, player_id);
ALTER TABLE ONLY public.league_rating
    ADD CONSTRAINT one_rating_a_season UNIQUE (player_id, season_id);
ALTER TABLE ONLY public.league_arenaorganiser
    ADD CONSTRAINT organiser_of_arena_once UNIQUE (account_id, arena_id);
ALTER TABLE ONLY public.league_penaltyreason
    ADD CONSTRAINT penalty_reason_once_an_arena UNIQUE (arena_id, name);
ALTER TABLE ONLY public.league_entrant
    ADD CONSTRAINT player_enters_a_competition_once UNIQUE (competition_id, player_id);
ALTER TABLE ONLY public.league_rosterinvitation
    ADD CONSTRAINT player_invited_once UNIQUE (roster_id, player_id);
ALTER TABLE ONLY public.league_participant
    ADD CONSTRAINT player_once_a_match UNIQUE (match_id, player_id);
ALTER TABLE ONLY public.league_rostermember
    ADD CONSTRAINT player_once_a_roster UNIQUE (roster_id, player_id);
ALTER TABLE ONLY public.league_ticketmember
    ADD CONSTRAINT player_once_a_ticket UNIQUE (ticket_id, player_id);
ALTER TABLE ONLY public.league_erratumline
    ADD CONSTRAINT player_once_an_erratum UNIQUE (erratum_id, player_id);
ALTER TABLE ONLY public.league_reportchange
    ADD CONSTRAINT report_revision_once UNIQUE (match_id, revision);
ALTER TABLE ONLY public.league_sentrequest
    ADD CONSTRAINT request_sent_once UNIQUE (user_id, key);
ALTER TABLE ONLY public.league_entrant
    ADD CONSTRAINT roster_enters_a_competition_once UNIQUE (competition_id, roster_id);
ALTER TABLE ONLY public.league_roster
    ADD CONSTRAINT roster_name_once_an_arena UNIQUE (arena_id, folded_name);
ALTER TABLE ONLY public.league_round
    ADD CONSTRAINT round_once_a_competition UNIQUE (competition_id, stage, number);
ALTER TABLE ONLY public.league_rulesversion
    ADD CONSTRAINT rules_version_once UNIQUE (season_id, number);
ALTER TABLE ONLY public.league_season
    ADD CONSTRAINT season_name_once_an_arena UNIQUE (arena_id, name);
ALTER TABLE ONLY public.league_season
    ADD CONSTRAINT seasons_of_an_arena_do_not_overlap EXCLUDE USING gist (int8range(arena_id, arena_id, '[]'::text) WITH &&, tstzrange(starts_at, ends_at, '[)'::text) WITH &&);
ALTER TABLE ONLY public.league_confirmation
    ADD CONSTRAINT side_confirms_once UNIQUE (match_id, side_id);
ALTER TABLE ONLY public.league_side
    ADD CONSTRAINT side_of_its_match UNIQUE (match_id, id);
ALTER TABLE ONLY public.league_side
    ADD CONSTRAINT side_once_a_match UNIQUE (match_id, index);
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_provider_uid_fc810c6e_uniq UNIQUE (provider, uid);
ALTER TABLE ONLY public.socialaccount_socialapp
    ADD CONSTRAINT socialaccount_socialapp_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_socialtoken_app_id_account_id_fca4e0ac_uniq UNIQUE (app_id, account_id);
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_socialtoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.league_standin
    ADD CONSTRAINT stand_in_once_an_arena UNIQUE (arena_id, player_id);
ALTER TABLE ONLY public.league_teamrating
    ADD CONSTRAINT team_rated_once_a_season UNIQUE (season_id, team_id);
ALTER TABLE ONLY public.league_ticketarena
    ADD CONSTRAINT ticket_once_an_arena UNIQUE (ticket_id, arena_id);
ALTER TABLE ONLY public.league_trialmove
    ADD CONSTRAINT trial_moves_a_player_once UNIQUE (trial_id, player_id);
CREATE UNIQUE INDEX a_result_gives_points_once ON public.league_pointentry USING btree (match_id, player_id) WHERE (superseded_by_id IS NULL);
CREATE UNIQUE INDEX a_result_is_rated_once ON public.league_ratingevent USING btree (match_id, player_id) WHERE (superseded_by_id IS NULL);
CREATE INDEX account_emailaddress_email_03be32b2 ON public.account_emailaddress USING btree (email);
CREATE INDEX account_emailaddress_email_03be32b2_like ON public.account_emailaddress USING btree (email varchar_pattern_ops);
CREATE INDEX account_emailaddress_user_id_2c513194 ON public.account_emailaddress USING btree (user_id);
CREATE INDEX account_emailconfirmation_email_address_id_5b7f8c58 ON public.account_emailconfirmation USING btree (email_address_id);
CREATE INDEX account_emailconfirmation_key_f43612bd_like ON public.account_emailconfirmation USING btree (key varchar_pattern_ops);
CREATE INDEX account_joined ON public.league_user USING brin (date_joined) WITH (autosummarize='on');
CREATE INDEX allauth_idp_oidc_client_id_973c9a60_like ON public.allauth_idp_oidc_client USING btree (id varchar_pattern_ops);
CREATE INDEX allauth_idp_oidc_client_owner_id_1f1eb0f1 ON public.allauth_idp_oidc_client USING btree (owner_id);
CREATE INDEX allauth_idp_oidc_token_client_id_cad2cd57 ON public.allauth_idp_oidc_token USING btree (client_id);
CREATE INDEX allauth_idp_oidc_token_client_id_cad2cd57_like ON public.allauth_idp_oidc_token USING btree (client_id varchar_pattern_ops);
CREATE INDEX allauth_idp_oidc_token_expires_at_f6e6261a ON public.allauth_idp_oidc_token USING btree (expires_at);
CREATE INDEX allauth_idp_oidc_token_user_id_3e9a005f ON public.allauth_idp_oidc_token USING btree (user_id);
CREATE INDEX announcement_start ON public.league_announcement USING btree (starts_at);
CREATE INDEX appeal_open ON public.league_appeal USING btree (id) WHERE ((state)::text = 'open'::text);
CREATE INDEX arrangement_lapsing ON public.league_arrangement USING btree (play_at) WHERE ((state)::text = ANY ((ARRAY['proposed'::character varying, 'accepted'::character varying])::text[]));
CREATE INDEX arrangement_made_by ON public.league_arrangement USING btree (proposer_id, id DESC);
CREATE INDEX arrangement_of_arena ON public.league_arrangement USING btree (arena_id, play_at DESC);
CREATE INDEX arrangement_play_at ON public.league_arrangement USING btree (play_at);
CREATE INDEX arrangement_received_by ON public.league_arrangement USING btree (opponent_id, id DESC);
CREATE INDEX arrangement_request_due ON public.league_arrangement USING btree (request_until) WHERE (request_until IS NOT NULL);
CREATE INDEX arrangement_requested ON public.league_arrangement USING btree (asked_id) WHERE (request_until IS NOT NULL);
CREATE INDEX arrangement_unanswered ON public.league_arrangement USING btree (asked_id) WHERE ((state)::text = 'proposed'::text);
CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);
CREATE INDEX axes_accessattempt_ip_address_10922d9c ON public.axes_accessattempt USING btree (ip_address);
CREATE INDEX axes_accessattempt_user_agent_ad89678b ON public.axes_accessattempt USING btree (user_agent);
CREATE INDEX axes_accessattempt_user_agent_ad89678b_like ON public.axes_accessattempt USING btree (user_agent varchar_pattern_ops);
CREATE INDEX axes_accessattempt_username_3f2d4ca0 ON public.axes_accessattempt USING btree (username);
CREATE INDEX axes_accessattempt_username_3f2d4ca0_like ON public.axes_accessattempt USING btree (username varchar_pattern_ops);
CREATE INDEX axes_accessfailurelog_ip_address_2e9f5a7f ON public.axes_accessfailurelog USING btree (ip_address);
CREATE INDEX axes_accessfailurelog_user_agent_ea145dda ON public.axes_accessfailurelog USING btree (user_agent);
CREATE INDEX axes_accessfailurelog_user_agent_ea145dda_like ON public.axes_accessfailurelog USING btree (user_agent varchar_pattern_ops);
CREATE INDEX axes_accessfailurelog_username_a8b7e8a4 ON public.axes_accessfailurelog USING btree (username);
CREATE INDEX axes_accessfailurelog_username_a8b7e8a4_like ON public.axes_accessfailurelog USING btree (username varchar_pattern_ops);
CREATE INDEX axes_accesslog_ip_address_86b417e5 ON public.axes_accesslog USING btree (ip_address);
CREATE INDEX axes_accesslog_user_agent_0e659004 ON public.axes_accesslog USING btree (user_agent);
CREATE INDEX axes_accesslog_user_agent_0e659004_like ON public.axes_accesslog USING btree (user_agent varchar_pattern_ops);
CREATE INDEX axes_accesslog_username_df93064b ON public.axes_accesslog USING btree (username);
CREATE INDEX axes_accesslog_username_df93064b_like ON public.axes_accesslog USING btree (username varchar_pattern_ops);
CREATE INDEX case_open ON public.league_case USING btree (id) WHERE ((state)::text = 'open'::text);
CREATE UNIQUE INDEX challenge_asked_once ON public.league_challenge USING btree (season_id, challenger_id, challenged_id) WHERE ((state)::text = 'open'::text);
CREATE INDEX challenge_made_by ON public.league_challenge USING btree (challenger_id, id DESC);
CREATE INDEX challenge_of_season ON public.league_challenge USING btree (season_id, id DESC);
CREATE INDEX challenge_received_by ON public.league_challenge USING btree (challenged_id, id DESC);
CREATE INDEX challenge_unanswered ON public.league_challenge USING btree (answer_by) WHERE ((state)::text = 'open'::text);
CREATE INDEX challenge_unplayed ON public.league_challenge USING btree (play_by) WHERE ((state)::text = 'accepted'::text);
CREATE INDEX checkpoint_newest ON public.league_memorycheckpoint USING btree (season_id, rated_order);
CREATE INDEX competition_current ON public.league_competition USING btree (starts_at) WHERE ((state)::text = ANY ((ARRAY['registration'::character varying, 'running'::character varying])::text[]));
CREATE INDEX confirmation_with_address ON public.league_confirmation USING btree (at) WHERE (sent_from IS NOT NULL);
CREATE INDEX counter_report_recent ON public.league_counterreport USING btree (reporter_id, at);
CREATE INDEX counter_report_with_address ON public.league_counterreport USING btree (at) WHERE (sent_from IS NOT NULL);
CREATE INDEX data_exports_to_make ON public.league_dataexport USING btree (asked_at) WHERE (made_at IS NULL);
CREATE INDEX date_message_recent ON public.league_arrangementmessage USING btree (author_id, at);
CREATE INDEX discord_board_due ON public.league_discordboard USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX discord_message_due ON public.league_discordmessage USING btree (next_attempt_at, notice_id) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX dishonor_of_player ON public.league_dishonoraward USING btree (player_id, at);
CREATE INDEX division_change_of_match ON public.league_divisionchange USING btree (match_id) WHERE (match_id IS NOT NULL);
CREATE INDEX division_change_of_player ON public.league_divisionchange USING btree (season_id, player_id, id);
CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON public.django_admin_log USING btree (content_type_id);
CREATE INDEX django_admin_log_user_id_c564eba6 ON public.django_admin_log USING btree (user_id);
CREATE INDEX django_session_expire_date_a5c62663 ON public.django_session USING btree (expire_date);
CREATE INDEX django_session_session_key_c0390e0f_like ON public.django_session USING btree (session_key varchar_pattern_ops);
CREATE INDEX email_closed ON public.league_email USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX email_due ON public.league_email USING btree (next_attempt_at, id) WHERE ((state)::text = 'waiting'::text);
CREATE INDEX event_of_player ON public.league_ratingevent USING btree (season_id, player_id, games) WHERE (superseded_by_id IS NULL);
CREATE INDEX event_superseded ON public.league_ratingevent USING btree (match_id, player_id) WHERE (superseded_by_id IS NOT NULL);
CREATE INDEX fills_in_now ON public.league_fillin USING btree (player_id) WHERE (left_at IS NULL);
CREATE INDEX fixture_needing_attention ON public.league_fixture USING btree (competition_id) WHERE ((attention)::text = ANY ((ARRAY['unplayed'::character varying, 'followed'::character varying, 'drawn'::character varying])::text[]));
CREATE UNIQUE INDEX flag_once_while_open ON public.league_flag USING btree (kind, season_id, player_id, other_id) NULLS NOT DISTINCT WHERE (resolved_at IS NULL);
CREATE INDEX jobs_waiting ON public.league_job USING btree (id) WHERE ((state)::text = 'waiting'::text);
CREATE INDEX knox_authtoken_digest_188c7e77_like ON public.knox_authtoken USING btree (digest varchar_pattern_ops);
CREATE INDEX knox_authtoken_token_key_8f4f7d47 ON public.knox_authtoken USING btree (token_key);
CREATE INDEX knox_authtoken_token_key_8f4f7d47_like ON public.knox_authtoken USING btree (token_key varchar_pattern_ops);
CREATE INDEX knox_authtoken_user_id_e5a5d899 ON public.knox_authtoken USING btree (user_id);
CREATE INDEX league_accesstoken_arenas_accesstoken_id_66bb9e5d ON public.league_accesstoken_arenas USING btree (accesstoken_id);
CREATE INDEX league_accesstoken_arenas_arena_id_4af7d455 ON public.league_accesstoken_arenas USING btree (arena_id);
CREATE INDEX league_accesstoken_digest_d9c562e9_like ON public.league_accesstoken USING btree (digest varchar_pattern_ops);
CREATE INDEX league_accesstoken_user_id_af22f77a ON public.league_accesstoken USING btree (user_id);
CREATE INDEX league_accountdeletion_due_at_3d7fd3ae ON public.league_accountdeletion USING btree (due_at);
CREATE INDEX league_amnesty_action_id_68cf1ff2 ON public.league_amnesty USING btree (action_id);
CREATE INDEX league_amnesty_award_id_7e0484a3 ON public.league_amnesty USING btree (award_id);
CREATE INDEX league_anchor_arena_id_d52e18a4 ON public.league_anchor USING btree (arena_id);
CREATE INDEX league_anchor_player_id_2754632c ON public.league_anchor USING btree (player_id);
CREATE INDEX league_announcement_arena_id_1b139d2f ON public.league_announcement USING btree (arena_id);
CREATE INDEX league_arena_name_4dbb3293_like ON public.league_arena USING btree (name varchar_pattern_ops);
CREATE INDEX league_arena_slug_aec6b184_like ON public.league_arena USING btree (slug varchar_pattern_ops);
CREATE INDEX league_arenaorganiser_account_id_85ce214b ON public.league_arenaorganiser USING btree (account_id);
CREATE INDEX league_arenaorganiser_arena_id_f592515d ON public.league_arenaorganiser USING btree (arena_id);
CREATE INDEX league_arrangement_opponent_roster_id_d41dfe27 ON public.league_arrangement USING btree (opponent_roster_id);
CREATE INDEX league_arrangement_proposer_roster_id_b58b6c73 ON public.league_arrangement USING btree (proposer_roster_id);
CREATE INDEX league_arrangementmessage_arrangement_id_d16bdb95 ON public.league_arrangementmessage USING btree (arrangement_id);
CREATE INDEX league_arrangementmessage_player_id_71250e8f ON public.league_arrangementmessage USING btree (player_id);
CREATE INDEX league_arrangementstep_arrangement_id_972784d4 ON public.league_arrangementstep USING btree (arrangement_id);
CREATE INDEX league_award_player_id_09c20fe6 ON public.league_award USING btree (player_id);
CREATE INDEX league_award_season_id_a1dd77ea ON public.league_award USING btree (season_id);
CREATE INDEX league_backup_made_at_41f0218b ON public.league_backup USING btree (made_at);
CREATE INDEX league_barredaddress_digest_0f41460c_like ON public.league_barredaddress USING btree (digest varchar_pattern_ops);
CREATE INDEX league_block_blocked_id_4916cfb8 ON public.league_block USING btree (blocked_id);
CREATE INDEX league_bouncingaddress_address_ff350f30_like ON public.league_bouncingaddress USING btree (address varchar_pattern_ops);
CREATE INDEX league_case_assignee_id_9f38eac3 ON public.league_case USING btree (assignee_id);
CREATE INDEX league_case_flags_case_id_e51fdec6 ON public.league_case_flags USING btree (case_id);
CREATE INDEX league_case_flags_flag_id_4a39a6a5 ON public.league_case_flags USING btree (flag_id);
CREATE INDEX league_case_matches_case_id_d7e3bb56 ON public.league_case_matches USING btree (case_id);
CREATE INDEX league_case_matches_match_id_06b41be7 ON public.league_case_matches USING btree (match_id);
CREATE INDEX league_casenote_case_id_b6ffdcc7 ON public.league_casenote USING btree (case_id);
CREATE INDEX league_caseplayer_player_id_7562b381 ON public.league_caseplayer USING btree (player_id);
CREATE INDEX league_competition_season_id_5eb899a1 ON public.league_competition USING btree (season_id);
CREATE INDEX league_connectedapp_client_id_ffad93ba ON public.league_connectedapp USING btree (client_id);
CREATE INDEX league_connectedapp_client_id_ffad93ba_like ON public.league_connectedapp USING btree (client_id varchar_pattern_ops);
CREATE INDEX league_connectedapp_user_id_67bb419b ON public.league_connectedapp USING btree (user_id);
CREATE INDEX league_correctedmatch_correction_id_7473eef6 ON public.league_correctedmatch USING btree (correction_id);
CREATE INDEX league_correctedmatch_match_id_e27e2225 ON public.league_correctedmatch USING btree (match_id);
CREATE INDEX league_correction_by_id_bd4db1b0 ON public.league_correction USING btree (by_id);
CREATE INDEX league_correction_match_id_e41f5200 ON public.league_correction USING btree (match_id);
CREATE INDEX league_correction_season_id_5c13d7a9 ON public.league_correction USING btree (season_id);
CREATE INDEX league_correctionrequest_by_id_accc8387 ON public.league_correctionrequest USING btree (by_id);
CREATE INDEX league_correctionrequest_match_id_40ca582f ON public.league_correctionrequest USING btree (match_id);
CREATE INDEX league_counterreport_match_id_6b506974 ON public.league_counterreport USING btree (match_id);
CREATE INDEX league_counterreport_reporter_id_e3e82213 ON public.league_counterreport USING btree (reporter_id);
CREATE INDEX league_demorequest_by_id_47d636b4 ON public.league_demorequest USING btree (by_id);
CREATE INDEX league_discordboard_arena_id_16f8c897 ON public.league_discordboard USING btree (arena_id);
CREATE INDEX league_discordinteraction_at_96020ce2 ON public.league_discordinteraction USING btree (at);
CREATE INDEX league_discordinteraction_number_2725d10b_like ON public.league_discordinteraction USING btree (number varchar_pattern_ops);
CREATE INDEX league_dishonoraward_arena_id_df7c1b15 ON public.league_dishonoraward USING btree (arena_id);
CREATE INDEX league_dishonoraward_match_id_90af4e41 ON public.league_dishonoraward USING btree (match_id);
CREATE INDEX league_dishonoraward_proposal_id_506c456b ON public.league_dishonoraward USING btree (proposal_id);
CREATE INDEX league_entrant_player_id_c241a933 ON public.league_entrant USING btree (player_id);
CREATE INDEX league_entrant_roster_id_0937b010 ON public.league_entrant USING btree (roster_id);
CREATE INDEX league_erratum_by_id_6ae9bf97 ON public.league_erratum USING btree (by_id);
CREATE INDEX league_erratum_season_id_6de69700 ON public.league_erratum USING btree (season_id);
CREATE INDEX league_erratumline_erratum_id_290ff323 ON public.league_erratumline USING btree (erratum_id);
CREATE INDEX league_erratumline_player_id_ab1af2c8 ON public.league_erratumline USING btree (player_id);
CREATE INDEX league_fileimport_arena_id_1d36cfdf ON public.league_fileimport USING btree (arena_id);
CREATE INDEX league_fileimport_by_id_1d031823 ON public.league_fileimport USING btree (by_id);
CREATE INDEX league_fillin_match_id_78690c63 ON public.league_fillin USING btree (match_id);
CREATE INDEX league_fixture_action_id_bd1a8d5f ON public.league_fixture USING btree (action_id);
CREATE INDEX league_fixture_away_id_0a243eee ON public.league_fixture USING btree (away_id);
CREATE INDEX league_fixture_home_id_30ebde0f ON public.league_fixture USING btree (home_id);
CREATE INDEX league_fixture_round_id_ab7d2ef8 ON public.league_fixture USING btree (round_id);
CREATE INDEX league_flag_other_id_efd4b7f9 ON public.league_flag USING btree (other_id);
CREATE INDEX league_flag_player_id_b7fb50e5 ON public.league_flag USING btree (player_id);
CREATE INDEX league_flag_resolved_by_id_a400348a ON public.league_flag USING btree (resolved_by_id);
CREATE INDEX league_flag_season_id_39ab0f8d ON public.league_flag USING btree (season_id);
CREATE INDEX league_follow_followed_id_3500b285 ON public.league_follow USING btree (followed_id);
CREATE INDEX league_follow_team_id_7bc4f966 ON public.league_follow USING btree (team_id);
CREATE INDEX league_formername_player_id_5290d472 ON public.league_formername USING btree (player_id);
CREATE INDEX league_formername_skeleton_34724dff ON public.league_formername USING btree (skeleton);
CREATE INDEX league_formername_skeleton_34724dff_like ON public.league_formername USING btree (skeleton text_pattern_ops);
CREATE INDEX league_formerteamname_skeleton_66a6856c ON public.league_formerteamname USING btree (skeleton);
CREATE INDEX league_formerteamname_skeleton_66a6856c_like ON public.league_formerteamname USING btree (skeleton text_pattern_ops);
CREATE INDEX league_formerteamname_team_id_7dc8b310 ON public.league_formerteamname USING btree (team_id);
CREATE INDEX league_hindsightcurve_player_id_a668a5f7 ON public.league_hindsightcurve USING btree (player_id);
CREATE INDEX league_historicalarena_history_date_67e3d572 ON public.league_historicalarena USING btree (history_date);
CREATE INDEX league_historicalarena_history_user_id_a5a15ec8 ON public.league_historicalarena USING btree (history_user_id);
CREATE INDEX league_historicalarena_id_4753df1d ON public.league_historicalarena USING btree (id);
CREATE INDEX league_historicalarena_name_82412fb6 ON public.league_historicalarena USING btree (name);
CREATE INDEX league_historicalarena_name_82412fb6_like ON public.league_historicalarena USING btree (name varchar_pattern_ops);
CREATE INDEX league_historicalarena_slug_de46bda3 ON public.league_historicalarena USING btree (slug);
CREATE INDEX league_historicalarena_slug_de46bda3_like ON public.league_historicalarena USING btree (slug varchar_pattern_ops);
CREATE INDEX league_historicalarenaqueue_arena_id_3b428ab8 ON public.league_historicalarenaqueue USING btree (arena_id);
CREATE INDEX league_historicalarenaqueue_history_date_bb26f91b ON public.league_historicalarenaqueue USING btree (history_date);
CREATE INDEX league_historicalarenaqueue_history_user_id_0fa0d61f ON public.league_historicalarenaqueue USING btree (history_user_id);
CREATE INDEX league_historicalarenaqueue_id_7c235eda ON public.league_historicalarenaqueue USING btree (id);
CREATE INDEX league_historicaldiscipline_history_date_16f6b145 ON public.league_historicaldiscipline USING btree (history_date);
CREATE INDEX league_historicaldiscipline_history_user_id_94cddde3 ON public.league_historicaldiscipline USING btree (history_user_id);
CREATE INDEX league_historicaldiscipline_id_164c9b39 ON public.league_historicaldiscipline USING btree (id);
CREATE INDEX league_imageremoval_by_id_404eed76 ON public.league_imageremoval USING btree (by_id);
CREATE INDEX league_job_arena_id_4d5ccc94 ON public.league_job USING btree (arena_id);
CREATE INDEX league_job_by_id_8b51613c ON public.league_job USING btree (by_id);
CREATE INDEX league_leaguelogo_digest_aef2b0be_like ON public.league_leaguelogo USING btree (digest varchar_pattern_ops);
CREATE INDEX league_mapban_by_id_a312f6be ON public.league_mapban USING btree (by_id);
CREATE INDEX league_matchmessage_match_id_76deab6d ON public.league_matchmessage USING btree (match_id);
CREATE INDEX league_matchmessage_player_id_87700445 ON public.league_matchmessage USING btree (player_id);
CREATE INDEX league_mergerequest_account_id_799c825b ON public.league_mergerequest USING btree (account_id);
CREATE INDEX league_mergerequest_by_id_50205eca ON public.league_mergerequest USING btree (by_id);
CREATE INDEX league_noshowplayer_player_id_3d874d8a ON public.league_noshowplayer USING btree (player_id);
CREATE INDEX league_participant_side_id_6a29da39 ON public.league_participant USING btree (side_id);
CREATE INDEX league_penaltyreason_arena_id_7b46f723 ON public.league_penaltyreason USING btree (arena_id);
CREATE INDEX league_player_folded_name_fd6246e8_like ON public.league_player USING btree (folded_name varchar_pattern_ops);
CREATE INDEX league_player_skeleton ON public.league_player USING btree (skeleton);
CREATE INDEX league_player_trigrams ON public.league_player USING gin (public.league_trigrams(search_name)) WITH (fastupdate=off);
CREATE INDEX league_playerclaim_account_id_663e441b ON public.league_playerclaim USING btree (account_id);
CREATE INDEX league_playerclaim_player_id_8711447b ON public.league_playerclaim USING btree (player_id);
CREATE INDEX league_playerfigures_match_id_826eb636 ON public.league_playerfigures USING btree (match_id);
CREATE INDEX league_playerreport_case_id_01639d48 ON public.league_playerreport USING btree (case_id);
CREATE INDEX league_playerreport_reported_id_3fae2a51 ON public.league_playerreport USING btree (reported_id);
CREATE INDEX league_proposal_arena_id_0835121d ON public.league_proposal USING btree (arena_id);
CREATE INDEX league_rankpreference_player_id_deb82393 ON public.league_rankpreference USING btree (player_id);
CREATE INDEX league_regionpreference_player_id_21c84782 ON public.league_regionpreference USING btree (player_id);
CREATE INDEX league_reportchange_by_id_d8696e05 ON public.league_reportchange USING btree (by_id);
CREATE INDEX league_reportchange_match_id_2311333b ON public.league_reportchange USING btree (match_id);
CREATE INDEX league_reservedword_skeleton_1d94e5a5_like ON public.league_reservedword USING btree (skeleton text_pattern_ops);
CREATE INDEX league_role_key_75a920a5_like ON public.league_role USING btree (key varchar_pattern_ops);
CREATE INDEX league_roster_arena_id_bb3848b6 ON public.league_roster USING btree (arena_id);
CREATE INDEX league_roster_captain_id_aca8bee4 ON public.league_roster USING btree (captain_id);
CREATE INDEX league_roster_skeleton ON public.league_roster USING btree (skeleton);
CREATE INDEX league_roster_team_id_d4b492cd ON public.league_roster USING btree (team_id);
CREATE INDEX league_rosterinvitation_player_id_16fcaf3c ON public.league_rosterinvitation USING btree (player_id);
CREATE INDEX league_rostermember_player_id_f989d5df ON public.league_rostermember USING btree (player_id);
CREATE INDEX league_rostermember_roster_id_300fe7c9 ON public.league_rostermember USING btree (roster_id);
CREATE INDEX league_rulesversion_by_id_8396d622 ON public.league_rulesversion USING btree (by_id);
CREATE INDEX league_rulesversion_season_id_9424c560 ON public.league_rulesversion USING btree (season_id);
CREATE INDEX league_season_arena_id_7bab9358 ON public.league_season USING btree (arena_id);
CREATE INDEX league_sentrequest_at_69682a86 ON public.league_sentrequest USING btree (at);
CREATE INDEX league_sentrequest_user_id_5a18b268 ON public.league_sentrequest USING btree (user_id);
CREATE INDEX league_side_captain_id_0e723ac8 ON public.league_side USING btree (captain_id);
CREATE INDEX league_side_roster_id_ac289f7b ON public.league_side USING btree (roster_id);
CREATE INDEX league_spentgrant_app_id_d5bb33a5 ON public.league_spentgrant USING btree (app_id);
CREATE INDEX league_spentgrant_digest_a6765574_like ON public.league_spentgrant USING btree (digest varchar_pattern_ops);
CREATE INDEX league_spentgrant_spent_at_53ae2ef5 ON public.league_spentgrant USING btree (spent_at);
CREATE INDEX league_staffaction_actor_id_b2a78a19 ON public.league_staffaction USING btree (actor_id);
CREATE INDEX league_staffaction_match_id_0e9183e0 ON public.league_staffaction USING btree (match_id);
CREATE INDEX league_standin_arena_id_e6ebc268 ON public.league_standin USING btree (arena_id);
CREATE INDEX league_standin_player_id_ae256fe7 ON public.league_standin USING btree (player_id);
CREATE INDEX league_team_folded_name_dd1167b4_like ON public.league_team USING btree (folded_name varchar_pattern_ops);
CREATE INDEX league_team_skeleton_38d1f1ba ON public.league_team USING btree (skeleton);
CREATE INDEX league_team_skeleton_38d1f1ba_like ON public.league_team USING btree (skeleton text_pattern_ops);
CREATE INDEX league_team_successor_id_8f5e79c1 ON public.league_team USING btree (successor_id);
CREATE INDEX league_teaminvitation_invited_by_id_74d9d0b7 ON public.league_teaminvitation USING btree (invited_by_id);
CREATE INDEX league_teaminvitation_player_id_329eac05 ON public.league_teaminvitation USING btree (player_id);
CREATE INDEX league_teaminvitation_team_id_da3d92ff ON public.league_teaminvitation USING btree (team_id);
CREATE INDEX league_teammember_player_id_ce4729ee ON public.league_teammember USING btree (player_id);
CREATE INDEX league_teammember_team_id_3e1b799a ON public.league_teammember USING btree (team_id);
CREATE INDEX league_teamrating_team_id_7fb52f0d ON public.league_teamrating USING btree (team_id);
CREATE INDEX league_ticket_captain_id_6af41128 ON public.league_ticket USING btree (captain_id);
CREATE INDEX league_ticket_proposal_id_362ca47d ON public.league_ticket USING btree (proposal_id);
CREATE INDEX league_ticket_roster_id_d6ae4ff6 ON public.league_ticket USING btree (roster_id);
CREATE INDEX league_ticketmember_ticket_id_9d227dc0 ON public.league_ticketmember USING btree (ticket_id);
CREATE INDEX league_trial_by_id_e7977447 ON public.league_trial USING btree (by_id);
CREATE INDEX league_trial_season_id_60b2cd39 ON public.league_trial USING btree (season_id);
CREATE INDEX league_usednonce_token_id_6c3953e2 ON public.league_usednonce USING btree (token_id);
CREATE INDEX league_usednonce_used_at_b8eef4cf ON public.league_usednonce USING btree (used_at);
CREATE INDEX league_user_groups_group_id_65cd7bb1 ON public.league_user_groups USING btree (group_id);
CREATE INDEX league_user_groups_user_id_e0ccc034 ON public.league_user_groups USING btree (user_id);
CREATE INDEX league_user_user_permissions_permission_id_ceaec3ba ON public.league_user_user_permissions USING btree (permission_id);
CREATE INDEX league_user_user_permissions_user_id_c400a472 ON public.league_user_user_permissions USING btree (user_id);
CREATE INDEX league_user_username_776eab50_like ON public.league_user USING btree (username varchar_pattern_ops);
CREATE INDEX league_webhook_arena_id_3b90a9b0 ON public.league_webhook USING btree (arena_id);
CREATE INDEX league_webhook_made_by_id_5d72516d ON public.league_webhook USING btree (made_by_id);
CREATE INDEX league_webhookattempt_delivery_id_c1f83529 ON public.league_webhookattempt USING btree (delivery_id);
CREATE INDEX league_webhookdelivery_event_id_b8f18a55 ON public.league_webhookdelivery USING btree (event_id);
CREATE INDEX map_vetoes_going_on ON public.league_matchmap USING btree (match_id) WHERE (ended_at IS NULL);
CREATE INDEX match_by_address ON public.league_match USING btree (reported_from) WHERE (reported_from IS NOT NULL);
CREATE INDEX match_by_reporter ON public.league_match USING btree (reported_by_id, reported_at DESC) WHERE (reported_by_id IS NOT NULL);
CREATE INDEX match_confirmed_by ON public.league_match USING btree (confirmed_by_id) WHERE (confirmed_by_id IS NOT NULL);
CREATE INDEX match_disputed_by ON public.league_match USING btree (disputed_by_id) WHERE (disputed_by_id IS NOT NULL);
CREATE INDEX match_expiring ON public.league_match USING btree (confirm_deadline) WHERE ((status)::text = 'reported'::text);
CREATE INDEX match_latest ON public.league_match USING btree (played_at DESC, id DESC);
CREATE INDEX match_message_recent ON public.league_matchmessage USING btree (author_id, at);
CREATE INDEX match_of_mode ON public.league_match USING btree (arena_id, mode, played_at DESC, id DESC) WHERE (NOT ((mode)::text = ''::text));
CREATE INDEX match_open ON public.league_match USING btree (id) WHERE ((status)::text = ANY ((ARRAY['live'::character varying, 'reported'::character varying, 'disputed'::character varying])::text[]));
CREATE INDEX match_open_reports ON public.league_match USING btree (reported_by_id) WHERE ((status)::text = 'reported'::text);
CREATE INDEX match_recent ON public.league_match USING btree (arena_id, played_at DESC, id DESC);
CREATE INDEX match_replay ON public.league_match USING btree (season_id, rated_order);
CREATE INDEX match_same_game ON public.league_match USING btree (arena_id, lineup) WHERE ((status)::text = 'reported'::text);
CREATE INDEX match_started_by ON public.league_match USING btree (started_by_id) WHERE (started_by_id IS NOT NULL);
CREATE INDEX match_unplayed ON public.league_match USING btree (season_id) WHERE (NOT ((kind)::text = 'game'::text));
CREATE INDEX match_with_address ON public.league_match USING btree (reported_at) WHERE (reported_from IS NOT NULL);
CREATE INDEX mfa_authenticator_user_id_0c3a50c0 ON public.mfa_authenticator USING btree (user_id);
CREATE INDEX notice_mailed ON public.league_notice USING btree (player_id, emailed_at) WHERE (emailed_at IS NOT NULL);
CREATE INDEX notice_of_player ON public.league_notice USING btree (player_id, id DESC);
CREATE INDEX notice_of_roster ON public.league_notice USING btree (roster_id) WHERE (roster_id IS NOT NULL);
CREATE INDEX notice_to_mail ON public.league_notice USING btree (mail_at, id) WHERE (mail_at IS NOT NULL);
CREATE INDEX notice_unseen ON public.league_notice USING btree (player_id) WHERE (seen_at IS NULL);
CREATE INDEX objection_recent ON public.league_objection USING btree (player_id, at);
CREATE UNIQUE INDEX one_amnesty_in_force ON public.league_amnesty USING btree (award_id) WHERE (ended_by_id IS NULL);
CREATE UNIQUE INDEX one_correction_at_a_time ON public.league_correctionrequest USING btree (match_id) WHERE ((state)::text = 'waiting'::text);
CREATE UNIQUE INDEX one_demo_at_a_time ON public.league_demorequest USING btree (state) WHERE ((state)::text = 'waiting'::text);
CREATE UNIQUE INDEX one_fill_in_a_seat ON public.league_fillin USING btree (replaces_id) WHERE (left_at IS NULL);
CREATE UNIQUE INDEX one_merge_at_a_time ON public.league_mergerequest USING btree (merged_id) WHERE ((state)::text = 'waiting'::text);
CREATE UNIQUE INDEX one_open_claim_an_account ON public.league_playerclaim USING btree (account_id) WHERE ((state)::text = 'open'::text);
CREATE UNIQUE INDEX one_open_counter_report ON public.league_counterreport USING btree (match_id) WHERE ((state)::text = 'open'::text);
CREATE UNIQUE INDEX one_open_objection ON public.league_objection USING btree (match_id) WHERE ((state)::text = 'open'::text);
CREATE INDEX participant_of_player ON public.league_participant USING btree (player_id, match_id DESC);
CREATE INDEX player_created ON public.league_player USING brin (created_at) WITH (autosummarize='on');
CREATE UNIQUE INDEX player_in_one_live_match ON public.league_participant USING btree (player_id) WHERE live;
CREATE UNIQUE INDEX player_in_one_open_ticket ON public.league_ticketmember USING btree (player_id) WHERE open;
CREATE UNIQUE INDEX player_invited_to_team_once ON public.league_teaminvitation USING btree (team_id, player_id) WHERE ((closed_at IS NULL) AND (player_id IS NOT NULL));
CREATE UNIQUE INDEX player_looks_like_no_other ON public.league_player USING btree (skeleton) WHERE (NOT may_resemble);
CREATE INDEX player_merged_into ON public.league_player USING btree (merged_into_id) WHERE (merged_into_id IS NOT NULL);
CREATE UNIQUE INDEX player_once_a_team ON public.league_teammember USING btree (team_id, player_id) WHERE (left_at IS NULL);
CREATE INDEX player_report_latest ON public.league_playerreport USING btree (latest_at DESC, id DESC);
CREATE INDEX player_report_recent ON public.league_playerreport USING btree (reporter_id, latest_at);
CREATE INDEX points_at ON public.league_pointentry USING brin (at) WITH (autosummarize='on');
CREATE INDEX points_of_player ON public.league_pointentry USING btree (season_id, player_id, match_id) WHERE (superseded_by_id IS NULL);
CREATE INDEX points_order ON public.league_pointtotal USING btree (season_id, ((points * '-1'::integer)), matches, player_id) WHERE listed;
CREATE INDEX points_tally ON public.league_pointtally USING btree (season_id, points);
CREATE INDEX proposal_open_deadline ON public.league_proposal USING btree (deadline) WHERE ((state)::text = 'open'::text);
CREATE UNIQUE INDEX roster_looks_like_no_other ON public.league_roster USING btree (arena_id, skeleton) WHERE (NOT may_resemble);
CREATE INDEX round_to_close ON public.league_round USING btree (closes_at) WHERE ((closed_at IS NULL) AND (opened_at IS NOT NULL));
CREATE INDEX round_to_open ON public.league_round USING btree (opens_at) WHERE (opened_at IS NULL);
CREATE UNIQUE INDEX side_objects_once ON public.league_objection USING btree (match_id, side) WHERE (NOT ((state)::text = 'withdrawn'::text));
CREATE INDEX socialaccount_socialaccount_user_id_8146e70c ON public.socialaccount_socialaccount USING btree (user_id);
CREATE INDEX socialaccount_socialtoken_account_id_951f210e ON public.socialaccount_socialtoken USING btree (account_id);
CREATE INDEX socialaccount_socialtoken_app_id_636a42d7 ON public.socialaccount_socialtoken USING btree (app_id);
CREATE INDEX staff_accounts ON public.league_user USING btree (id) WHERE is_staff;
CREATE INDEX staff_action_at ON public.league_staffaction USING brin (at) WITH (autosummarize='on');
CREATE INDEX staff_action_details ON public.league_staffaction USING gin (details jsonb_path_ops);
CREATE INDEX staff_action_of_case ON public.league_staffaction USING btree (id) WHERE ((kind)::text = 'case'::text);
CREATE INDEX standing_due ON public.league_standing USING btree (season_id, due) WHERE (due IS NOT NULL);
CREATE INDEX standing_inactive ON public.league_standing USING btree (season_id, key, player_id) WHERE (NOT active);
CREATE INDEX standing_order ON public.league_standing USING btree (season_id, key, player_id) WHERE active;
CREATE UNIQUE INDEX team_has_one_captain ON public.league_teammember USING btree (team_id) WHERE ((left_at IS NULL) AND ((role)::text = 'captain'::text));
CREATE UNIQUE INDEX team_looks_like_no_other ON public.league_team USING btree (skeleton) WHERE (NOT may_resemble);
CREATE UNIQUE INDEX team_tag_once ON public.league_team USING btree (folded_tag) WHERE (disbanded_at IS NULL);
CREATE INDEX tick_latest ON public.league_tick USING btree (arena_id, at DESC);
CREATE INDEX ticket_also_waits ON public.league_ticketarena USING btree (arena_id, place);
CREATE INDEX ticket_closed ON public.league_ticket USING btree (arena_id, closed_at DESC);
CREATE INDEX ticket_waiting ON public.league_ticket USING btree (arena_id, place) WHERE ((state)::text = 'waiting'::text);
CREATE UNIQUE INDEX unique_authenticator_type ON public.mfa_authenticator USING btree (user_id, type) WHERE ((type)::text = ANY ((ARRAY['totp'::character varying, 'recovery_codes'::character varying])::text[]));
CREATE UNIQUE INDEX unique_primary_email ON public.account_emailaddress USING btree (user_id, "primary") WHERE "primary";
CREATE UNIQUE INDEX unique_verified_email ON public.account_emailaddress USING btree (email) WHERE verified;
CREATE INDEX webhook_delivery_created ON public.league_webhookdelivery USING btree (created_at);
CREATE INDEX webhook_delivery_due ON public.league_webhookdelivery USING btree (webhook_id, next_attempt_at, id) WHERE ((state)::text = 'waiting'::text);
CREATE INDEX webhook_delivery_log ON public.league_webhookdelivery USING btree (webhook_id, id DESC);
CREATE INDEX webhook_event_at ON public.league_webhookevent USING btree (at);
CREATE TRIGGER add_name_starts AFTER INSERT ON public.league_player REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_add_name_starts();
CREATE TRIGGER change_name_starts AFTER UPDATE OF search_name ON public.league_player FOR EACH ROW WHEN ((old.search_name <> new.search_name)) EXECUTE FUNCTION public.league_change_name_starts();
CREATE TRIGGER connections_go_with_their_season AFTER DELETE ON public.league_season FOR EACH ROW EXECUTE FUNCTION public.league_connections_go_with_their_season();
CREATE TRIGGER divisions_go_with_their_season AFTER DELETE ON public.league_season FOR EACH ROW EXECUTE FUNCTION public.league_divisions_go_with_their_season();
CREATE TRIGGER league_amnesty_is_append_only BEFORE UPDATE ON public.league_amnesty FOR EACH ROW EXECUTE FUNCTION public.league_only_end();
CREATE TRIGGER league_amnesty_is_kept BEFORE DELETE ON public.league_amnesty FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_arrangement_is_current AFTER INSERT ON public.league_arrangement REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_arrangement_is_current();
CREATE TRIGGER league_award_is_append_only BEFORE DELETE OR UPDATE ON public.league_award FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_casenote_is_append_only BEFORE DELETE OR UPDATE ON public.league_casenote FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_challenge_is_current AFTER INSERT ON public.league_challenge REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_challenge_is_current();
CREATE TRIGGER league_correctedmatch_is_append_only BEFORE DELETE OR UPDATE ON public.league_correctedmatch FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_correction_is_append_only BEFORE DELETE OR UPDATE ON public.league_correction FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_dishonoraward_is_append_only BEFORE DELETE OR UPDATE ON public.league_dishonoraward FOR EACH ROW EXECUTE FUNCTION public.league_only_merge('player_id');
CREATE TRIGGER league_dishonoraward_is_current AFTER INSERT ON public.league_dishonoraward REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_dishonoraward_is_current();
CREATE TRIGGER league_divisionchange_is_append_only BEFORE DELETE OR UPDATE ON public.league_divisionchange FOR EACH ROW EXECUTE FUNCTION public.league_division_changes_are_kept();
CREATE TRIGGER league_erratum_is_append_only BEFORE DELETE OR UPDATE ON public.league_erratum FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_erratumline_is_append_only BEFORE DELETE OR UPDATE ON public.league_erratumline FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_evidencecontent_is_written_once BEFORE UPDATE ON public.league_evidencecontent FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_evidenceimage_is_append_only BEFORE DELETE OR UPDATE ON public.league_evidenceimage FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_fillin_waits_or_plays BEFORE INSERT OR UPDATE OF left_at ON public.league_fillin FOR EACH ROW WHEN ((new.left_at IS NULL)) EXECUTE FUNCTION public.league_waits_or_plays();
CREATE TRIGGER league_finalpoints_is_append_only BEFORE DELETE OR UPDATE ON public.league_finalpoints FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_finalstanding_is_append_only BEFORE DELETE OR UPDATE ON public.league_finalstanding FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_imageremoval_is_append_only BEFORE DELETE OR UPDATE ON public.league_imageremoval FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_letter_is_append_only BEFORE DELETE OR UPDATE ON public.league_letter FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_matchevent_is_append_only BEFORE DELETE OR UPDATE ON public.league_matchevent FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_matchmessage_is_append_only BEFORE DELETE OR UPDATE ON public.league_matchmessage FOR EACH ROW EXECUTE FUNCTION public.league_only_merge('player_id');
CREATE TRIGGER league_participant_is_current AFTER INSERT ON public.league_participant REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_participant_is_current();
CREATE TRIGGER league_participant_waits_or_plays BEFORE INSERT OR UPDATE OF live ON public.league_participant FOR EACH ROW WHEN (new.live) EXECUTE FUNCTION public.league_waits_or_plays();
CREATE TRIGGER league_pointentry_is_append_only BEFORE UPDATE ON public.league_pointentry FOR EACH ROW EXECUTE FUNCTION public.league_only_supersede_points();
CREATE TRIGGER league_pointentry_is_kept BEFORE DELETE ON public.league_pointentry FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_ratingevent_is_append_only BEFORE UPDATE ON public.league_ratingevent FOR EACH ROW EXECUTE FUNCTION public.league_only_supersede();
CREATE TRIGGER league_ratingevent_is_kept BEFORE DELETE ON public.league_ratingevent FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_reportchange_is_append_only BEFORE DELETE OR UPDATE ON public.league_reportchange FOR EACH ROW EXECUTE FUNCTION public.league_only_merge('by_id');
CREATE TRIGGER league_rosterinvitation_is_current AFTER INSERT ON public.league_rosterinvitation REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_rosterinvitation_is_current();
CREATE TRIGGER league_rostermember_is_current AFTER INSERT ON public.league_rostermember REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_rostermember_is_current();
CREATE TRIGGER league_rulesversion_is_append_only BEFORE DELETE OR UPDATE ON public.league_rulesversion FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_staffaction_is_append_only BEFORE DELETE OR UPDATE ON public.league_staffaction FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_staffaction_is_not_emptied BEFORE TRUNCATE ON public.league_staffaction FOR EACH STATEMENT EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER league_teammember_is_current AFTER INSERT ON public.league_teammember REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_teammember_is_current();
CREATE TRIGGER league_ticketmember_is_current AFTER INSERT ON public.league_ticketmember REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.league_ticketmember_is_current();
CREATE TRIGGER league_ticketmember_waits_or_plays BEFORE INSERT OR UPDATE OF open ON public.league_ticketmember FOR EACH ROW WHEN (new.open) EXECUTE FUNCTION public.league_waits_or_plays();
CREATE TRIGGER league_undoing_is_append_only BEFORE DELETE OR UPDATE ON public.league_undoing FOR EACH ROW EXECUTE FUNCTION public.league_refuse_change();
CREATE TRIGGER note_changed_competition AFTER UPDATE OF state ON public.league_competition FOR EACH ROW WHEN ((((old.state)::text <> (new.state)::text) AND ((new.state)::text = ANY ((ARRAY['running'::character varying, 'over'::character varying])::text[])))) EXECUTE FUNCTION public.league_note_competition();
CREATE TRIGGER note_changed_match AFTER UPDATE OF status, revision ON public.league_match FOR EACH ROW WHEN ((((new.kind)::text = 'game'::text) AND (((old.status)::text <> (new.status)::text) OR (((new.status)::text = 'reported'::text) AND (old.revision <> new.revision))))) EXECUTE FUNCTION public.league_note_match();
CREATE TRIGGER note_changed_objection AFTER UPDATE OF state ON public.league_objection FOR EACH ROW WHEN (((old.state)::text <> (new.state)::text)) EXECUTE FUNCTION public.league_note_objection();
CREATE TRIGGER note_changed_season AFTER UPDATE OF opened_at, archived_at ON public.league_season FOR EACH ROW WHEN ((((old.opened_at IS NULL) AND (new.opened_at IS NOT NULL)) OR ((old.archived_at IS NULL) AND (new.archived_at IS NOT NULL)))) EXECUTE FUNCTION public.league_note_season();
CREATE TRIGGER note_corrected_match AFTER INSERT ON public.league_correctedmatch FOR EACH ROW EXECUTE FUNCTION public.league_note_corrected_match();
CREATE TRIGGER note_decided_fixture AFTER UPDATE OF result ON public.league_fixture FOR EACH ROW WHEN ((((old.result)::text = ''::text) AND ((new.result)::text <> ''::text) AND ((new.decided_by)::text <> 'bye'::text))) EXECUTE FUNCTION public.league_note_fixture();
CREATE TRIGGER note_deleted_ratings AFTER DELETE ON public.league_rating REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.league_note_rating_changes();
CREATE TRIGGER note_discord_messages AFTER INSERT ON public.league_notice REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.league_note_discord_messages();
CREATE TRIGGER note_inserted_ratings AFTER INSERT ON public.league_rating REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.league_note_rating_changes();
CREATE TRIGGER note_new_match AFTER INSERT ON public.league_match FOR EACH ROW WHEN ((((new.kind)::text = 'game'::text) AND ((new.status)::text <> 'void'::text) AND ((new.settlement)::text <> 'import'::text))) EXECUTE FUNCTION public.league_note_match();
CREATE TRIGGER note_new_objection AFTER INSERT ON public.league_objection FOR EACH ROW WHEN (((new.state)::text = 'open'::text)) EXECUTE FUNCTION public.league_note_objection();
CREATE TRIGGER note_new_season AFTER INSERT ON public.league_season FOR EACH ROW WHEN (((new.opened_at IS NOT NULL) AND (new.archived_at IS NULL))) EXECUTE FUNCTION public.league_note_season();
CREATE TRIGGER note_updated_ratings AFTER UPDATE ON public.league_rating REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.league_note_rating_changes();
CREATE TRIGGER opened_season_has_a_partition AFTER INSERT OR UPDATE OF opened_at ON public.league_season FOR EACH ROW WHEN ((new.opened_at IS NOT NULL)) EXECUTE FUNCTION public.league_season_has_a_partition();
CREATE TRIGGER partition_goes_with_its_season AFTER DELETE ON public.league_season FOR EACH ROW EXECUTE FUNCTION public.league_season_has_a_partition();
CREATE TRIGGER remove_name_starts AFTER DELETE ON public.league_player FOR EACH ROW EXECUTE FUNCTION public.league_change_name_starts();
CREATE TRIGGER season_goes_on AFTER UPDATE OF ends_at ON public.league_season FOR EACH ROW WHEN (((old.ends_at IS NOT NULL) AND ((new.ends_at IS NULL) OR (new.ends_at > old.ends_at)))) EXECUTE FUNCTION public.league_season_goes_on();
CREATE TRIGGER standings_go_with_their_season AFTER DELETE ON public.league_season FOR EACH ROW EXECUTE FUNCTION public.league_standings_go_with_their_season();
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_2c513194_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirm_email_address_id_5b7f8c58_fk_account_e FOREIGN KEY (email_address_id) REFERENCES public.account_emailaddress(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.allauth_idp_oidc_client
    ADD CONSTRAINT allauth_idp_oidc_client_owner_id_1f1eb0f1_fk_league_user_id FOREIGN KEY (owner_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.allauth_idp_oidc_token
    ADD CONSTRAINT allauth_idp_oidc_tok_client_id_cad2cd57_fk_allauth_i FOREIGN KEY (client_id) REFERENCES public.allauth_idp_oidc_client(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.allauth_idp_oidc_token
    ADD CONSTRAINT allauth_idp_oidc_token_user_id_3e9a005f_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.axes_accessattemptexpiration
    ADD CONSTRAINT axes_accessattemptex_access_attempt_id_6b73a47a_fk_axes_acce FOREIGN KEY (access_attempt_id) REFERENCES public.axes_accessattempt(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.knox_authtoken
    ADD CONSTRAINT knox_authtoken_user_id_e5a5d899_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_accesstoken_arenas
    ADD CONSTRAINT league_accesstoken_a_accesstoken_id_66bb9e5d_fk_league_ac FOREIGN KEY (accesstoken_id) REFERENCES public.league_accesstoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_accesstoken_arenas
    ADD CONSTRAINT league_accesstoken_arenas_arena_id_4af7d455_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_accesstoken
    ADD CONSTRAINT league_accesstoken_user_id_af22f77a_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_accountdeletion
    ADD CONSTRAINT league_accountdeletion_user_id_a32fdb24_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_amnesty
    ADD CONSTRAINT league_amnesty_action_id_68cf1ff2_fk_league_staffaction_id FOREIGN KEY (action_id) REFERENCES public.league_staffaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_amnesty
    ADD CONSTRAINT league_amnesty_award_id_7e0484a3_fk_league_dishonoraward_id FOREIGN KEY (award_id) REFERENCES public.league_dishonoraward(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_anchor
    ADD CONSTRAINT league_anchor_arena_id_d52e18a4_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_anchor
    ADD CONSTRAINT league_anchor_player_id_2754632c_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_announcement
    ADD CONSTRAINT league_announcement_arena_id_1b139d2f_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_announcement
    ADD CONSTRAINT league_announcement_by_id_3a5db822_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_appeal
    ADD CONSTRAINT league_appeal_action_id_df4bfa06_fk_league_staffaction_id FOREIGN KEY (action_id) REFERENCES public.league_staffaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_appeal
    ADD CONSTRAINT league_appeal_award_id_d9a32e93_fk_league_dishonoraward_id FOREIGN KEY (award_id) REFERENCES public.league_dishonoraward(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arenaday
    ADD CONSTRAINT league_arenaday_arena_id_30fbefe3_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arenaorganiser
    ADD CONSTRAINT league_arenaorganiser_account_id_85ce214b_fk_league_user_id FOREIGN KEY (account_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arenaorganiser
    ADD CONSTRAINT league_arenaorganiser_arena_id_f592515d_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arenaqueue
    ADD CONSTRAINT league_arenaqueue_arena_id_ce6ed3cd_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arenatext
    ADD CONSTRAINT league_arenatext_arena_id_a4cc3a35_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_arena_id_c18bf404_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_asked_id_26b34bd3_fk_league_player_id FOREIGN KEY (asked_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_claimed_by_id_e9ebca1e_fk_league_player_id FOREIGN KEY (claimed_by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_match_id_e9095be4_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_opponent_id_668be303_fk_league_player_id FOREIGN KEY (opponent_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_opponent_roster_id_d41dfe27_fk_league_ro FOREIGN KEY (opponent_roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_proposer_id_0e3e9f70_fk_league_player_id FOREIGN KEY (proposer_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_proposer_roster_id_b58b6c73_fk_league_ro FOREIGN KEY (proposer_roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangement
    ADD CONSTRAINT league_arrangement_request_id_06a51d67_fk_league_ar FOREIGN KEY (request_id) REFERENCES public.league_arrangementstep(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangementmessage
    ADD CONSTRAINT league_arrangementme_arrangement_id_d16bdb95_fk_league_ar FOREIGN KEY (arrangement_id) REFERENCES public.league_arrangement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangementmessage
    ADD CONSTRAINT league_arrangementme_player_id_71250e8f_fk_league_pl FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangementmessage
    ADD CONSTRAINT league_arrangementmessage_author_id_b3669acd_fk_league_user_id FOREIGN KEY (author_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangementstep
    ADD CONSTRAINT league_arrangementst_arrangement_id_972784d4_fk_league_ar FOREIGN KEY (arrangement_id) REFERENCES public.league_arrangement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_arrangementstep
    ADD CONSTRAINT league_arrangementstep_by_id_2e44cf02_fk_league_player_id FOREIGN KEY (by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_award
    ADD CONSTRAINT league_award_player_id_09c20fe6_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_award
    ADD CONSTRAINT league_award_season_id_a1dd77ea_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_block
    ADD CONSTRAINT league_block_blocked_id_4916cfb8_fk_league_player_id FOREIGN KEY (blocked_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_block
    ADD CONSTRAINT league_block_player_id_4be98dd1_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_calendaraddress
    ADD CONSTRAINT league_calendaraddress_player_id_bf007c35_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_case
    ADD CONSTRAINT league_case_assignee_id_9f38eac3_fk_league_user_id FOREIGN KEY (assignee_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_case_flags
    ADD CONSTRAINT league_case_flags_case_id_e51fdec6_fk_league_case_id FOREIGN KEY (case_id) REFERENCES public.league_case(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_case_flags
    ADD CONSTRAINT league_case_flags_flag_id_4a39a6a5_fk_league_flag_id FOREIGN KEY (flag_id) REFERENCES public.league_flag(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_case_matches
    ADD CONSTRAINT league_case_matches_case_id_d7e3bb56_fk_league_case_id FOREIGN KEY (case_id) REFERENCES public.league_case(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_case_matches
    ADD CONSTRAINT league_case_matches_match_id_06b41be7_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_case
    ADD CONSTRAINT league_case_opened_by_id_2613e710_fk_league_user_id FOREIGN KEY (opened_by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_casenote
    ADD CONSTRAINT league_casenote_author_id_6321a6b4_fk_league_user_id FOREIGN KEY (author_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_casenote
    ADD CONSTRAINT league_casenote_case_id_b6ffdcc7_fk_league_case_id FOREIGN KEY (case_id) REFERENCES public.league_case(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_caseplayer
    ADD CONSTRAINT league_caseplayer_case_id_6cfa8c23_fk_league_case_id FOREIGN KEY (case_id) REFERENCES public.league_case(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_caseplayer
    ADD CONSTRAINT league_caseplayer_player_id_7562b381_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_action_id_afc06d52_fk_league_staffaction_id FOREIGN KEY (action_id) REFERENCES public.league_staffaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_challenged_id_827fd17f_fk_league_player_id FOREIGN KEY (challenged_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_challenger_id_3808230a_fk_league_player_id FOREIGN KEY (challenger_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_match_id_af1a7324_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_challenge
    ADD CONSTRAINT league_challenge_season_id_2b5a8c7d_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_competition
    ADD CONSTRAINT league_competition_season_id_5eb899a1_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_confirmation
    ADD CONSTRAINT league_confirmation_match_id_952fd297_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_confirmation
    ADD CONSTRAINT league_confirmation_player_id_405646a5_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_confirmation
    ADD CONSTRAINT league_confirmation_side_id_32d4fe34_fk_league_side_id FOREIGN KEY (side_id) REFERENCES public.league_side(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_connectedapp
    ADD CONSTRAINT league_connectedapp_client_id_ffad93ba_fk_allauth_i FOREIGN KEY (client_id) REFERENCES public.allauth_idp_oidc_client(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_connectedapp
    ADD CONSTRAINT league_connectedapp_user_id_67bb419b_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correctedmatch
    ADD CONSTRAINT league_correctedmatc_correction_id_7473eef6_fk_league_co FOREIGN KEY (correction_id) REFERENCES public.league_correction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correctedmatch
    ADD CONSTRAINT league_correctedmatch_match_id_e27e2225_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correction
    ADD CONSTRAINT league_correction_by_id_bd4db1b0_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correction
    ADD CONSTRAINT league_correction_match_id_e41f5200_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correction
    ADD CONSTRAINT league_correction_season_id_5c13d7a9_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correctionrequest
    ADD CONSTRAINT league_correctionreq_correction_id_f32ea227_fk_league_co FOREIGN KEY (correction_id) REFERENCES public.league_correction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correctionrequest
    ADD CONSTRAINT league_correctionrequest_by_id_accc8387_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_correctionrequest
    ADD CONSTRAINT league_correctionrequest_match_id_40ca582f_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_counterreport
    ADD CONSTRAINT league_counterreport_against_id_89c461a6_fk_league_player_id FOREIGN KEY (against_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_counterreport
    ADD CONSTRAINT league_counterreport_answered_by_id_0f4737e4_fk_league_pl FOREIGN KEY (answered_by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_counterreport
    ADD CONSTRAINT league_counterreport_match_id_6b506974_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_counterreport
    ADD CONSTRAINT league_counterreport_reporter_id_e3e82213_fk_league_player_id FOREIGN KEY (reporter_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_dataexport
    ADD CONSTRAINT league_dataexport_user_id_fac2e019_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_dayone
    ADD CONSTRAINT league_dayone_season_id_f329373e_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_demorequest
    ADD CONSTRAINT league_demorequest_by_id_47d636b4_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_discordboard
    ADD CONSTRAINT league_discordboard_arena_id_16f8c897_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_discordpreference
    ADD CONSTRAINT league_discordpreference_player_id_6efa17a2_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT league_dishonoraward_action_id_1f659765_fk_league_st FOREIGN KEY (action_id) REFERENCES public.league_staffaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT league_dishonoraward_arena_id_df7c1b15_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT league_dishonoraward_match_id_90af4e41_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT league_dishonoraward_player_id_238c891b_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_dishonoraward
    ADD CONSTRAINT league_dishonoraward_proposal_id_506c456b_fk_league_proposal_id FOREIGN KEY (proposal_id) REFERENCES public.league_proposal(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_divisionnews
    ADD CONSTRAINT league_divisionnews_player_id_fa5ada1a_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_entrant
    ADD CONSTRAINT league_entrant_competition_id_bcf0c3f8_fk_league_competition_id FOREIGN KEY (competition_id) REFERENCES public.league_competition(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_entrant
    ADD CONSTRAINT league_entrant_player_id_c241a933_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_entrant
    ADD CONSTRAINT league_entrant_roster_id_0937b010_fk_league_roster_id FOREIGN KEY (roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_erratum
    ADD CONSTRAINT league_erratum_by_id_6ae9bf97_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_erratum
    ADD CONSTRAINT league_erratum_match_id_4cdbe271_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_erratum
    ADD CONSTRAINT league_erratum_season_id_6de69700_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_erratumline
    ADD CONSTRAINT league_erratumline_erratum_id_290ff323_fk_league_erratum_id FOREIGN KEY (erratum_id) REFERENCES public.league_erratum(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_erratumline
    ADD CONSTRAINT league_erratumline_player_id_ab1af2c8_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_evidencecontent
    ADD CONSTRAINT league_evidenceconte_image_id_5b24797b_fk_league_ev FOREIGN KEY (image_id) REFERENCES public.league_evidenceimage(message_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_evidenceimage
    ADD CONSTRAINT league_evidenceimage_message_id_28bb6948_fk_league_ma FOREIGN KEY (message_id) REFERENCES public.league_matchmessage(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_filecontent
    ADD CONSTRAINT league_filecontent_file_id_306aa6d2_fk_league_fileimport_id FOREIGN KEY (file_id) REFERENCES public.league_fileimport(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fileimport
    ADD CONSTRAINT league_fileimport_arena_id_1d36cfdf_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fileimport
    ADD CONSTRAINT league_fileimport_by_id_1d031823_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fillin
    ADD CONSTRAINT league_fillin_match_id_78690c63_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fillin
    ADD CONSTRAINT league_fillin_player_id_d597a40f_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fillin
    ADD CONSTRAINT league_fillin_replaces_id_22335b2c_fk_league_participant_id FOREIGN KEY (replaces_id) REFERENCES public.league_participant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_finalpoints
    ADD CONSTRAINT league_finalpoints_player_id_ee928ab7_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_finalpoints
    ADD CONSTRAINT league_finalpoints_season_id_660ff705_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_finalstanding
    ADD CONSTRAINT league_finalstanding_player_id_361524ad_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_finalstanding
    ADD CONSTRAINT league_finalstanding_season_id_96a6ce6e_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fixture
    ADD CONSTRAINT league_fixture_action_id_bd1a8d5f_fk_league_staffaction_id FOREIGN KEY (action_id) REFERENCES public.league_staffaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fixture
    ADD CONSTRAINT league_fixture_away_id_0a243eee_fk_league_entrant_id FOREIGN KEY (away_id) REFERENCES public.league_entrant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fixture
    ADD CONSTRAINT league_fixture_competition_id_c1e80ff0_fk_league_competition_id FOREIGN KEY (competition_id) REFERENCES public.league_competition(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fixture
    ADD CONSTRAINT league_fixture_home_id_30ebde0f_fk_league_entrant_id FOREIGN KEY (home_id) REFERENCES public.league_entrant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fixture
    ADD CONSTRAINT league_fixture_round_id_ab7d2ef8_fk_league_round_id FOREIGN KEY (round_id) REFERENCES public.league_round(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fixturegame
    ADD CONSTRAINT league_fixturegame_arrangement_id_4fd571aa_fk_league_ar FOREIGN KEY (arrangement_id) REFERENCES public.league_arrangement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_fixturegame
    ADD CONSTRAINT league_fixturegame_fixture_id_32720afe_fk_league_fixture_id FOREIGN KEY (fixture_id) REFERENCES public.league_fixture(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_flag
    ADD CONSTRAINT league_flag_other_id_efd4b7f9_fk_league_player_id FOREIGN KEY (other_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_flag
    ADD CONSTRAINT league_flag_player_id_b7fb50e5_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_flag
    ADD CONSTRAINT league_flag_resolved_by_id_a400348a_fk_league_user_id FOREIGN KEY (resolved_by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_flag
    ADD CONSTRAINT league_flag_season_id_39ab0f8d_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_follow
    ADD CONSTRAINT league_follow_followed_id_3500b285_fk_league_player_id FOREIGN KEY (followed_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_follow
    ADD CONSTRAINT league_follow_player_id_74073d57_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_follow
    ADD CONSTRAINT league_follow_team_id_7bc4f966_fk_league_team_id FOREIGN KEY (team_id) REFERENCES public.league_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_formername
    ADD CONSTRAINT league_formername_player_id_5290d472_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_formerteamname
    ADD CONSTRAINT league_formerteamname_team_id_7dc8b310_fk_league_team_id FOREIGN KEY (team_id) REFERENCES public.league_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_hindsightcurve
    ADD CONSTRAINT league_hindsightcurve_player_id_a668a5f7_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_hindsightcurve
    ADD CONSTRAINT league_hindsightcurve_season_id_ec520fc3_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_historicalarenaqueue
    ADD CONSTRAINT league_historicalare_history_user_id_0fa0d61f_fk_league_us FOREIGN KEY (history_user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_historicalarena
    ADD CONSTRAINT league_historicalare_history_user_id_a5a15ec8_fk_league_us FOREIGN KEY (history_user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_historicaldiscipline
    ADD CONSTRAINT league_historicaldis_history_user_id_94cddde3_fk_league_us FOREIGN KEY (history_user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_imageremoval
    ADD CONSTRAINT league_imageremoval_by_id_404eed76_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_imageremoval
    ADD CONSTRAINT league_imageremoval_image_id_7947fe20_fk_league_ev FOREIGN KEY (image_id) REFERENCES public.league_evidenceimage(message_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_invitationday
    ADD CONSTRAINT league_invitationday_captain_id_10cbbf45_fk_league_player_id FOREIGN KEY (captain_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_job
    ADD CONSTRAINT league_job_arena_id_4d5ccc94_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_job
    ADD CONSTRAINT league_job_by_id_8b51613c_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_job
    ADD CONSTRAINT league_job_season_id_209f303e_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_leaguesettings
    ADD CONSTRAINT league_leaguesetting_logo_id_86333a46_fk_league_le FOREIGN KEY (logo_id) REFERENCES public.league_leaguelogo(digest) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_letter
    ADD CONSTRAINT league_letter_by_id_ca897ff8_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_mailpreference
    ADD CONSTRAINT league_mailpreference_player_id_6a25b615_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_mapban
    ADD CONSTRAINT league_mapban_by_id_a312f6be_fk_league_player_id FOREIGN KEY (by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_mapban
    ADD CONSTRAINT league_mapban_choice_id_0798d0e2_fk_league_matchmap_match_id FOREIGN KEY (choice_id) REFERENCES public.league_matchmap(match_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_arena_id_a40f7864_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_confirmed_by_id_3c2a9e24_fk_league_player_id FOREIGN KEY (confirmed_by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_disputed_by_id_2a82ecda_fk_league_player_id FOREIGN KEY (disputed_by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_reported_by_id_fc71dca0_fk_league_player_id FOREIGN KEY (reported_by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_season_id_5ce06b61_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_match
    ADD CONSTRAINT league_match_started_by_id_57f366d6_fk_league_user_id FOREIGN KEY (started_by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_matchevent
    ADD CONSTRAINT league_matchevent_match_id_92191853_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_matchmap
    ADD CONSTRAINT league_matchmap_match_id_4b90fe96_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_matchmessage
    ADD CONSTRAINT league_matchmessage_author_id_ff96ce57_fk_league_user_id FOREIGN KEY (author_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_matchmessage
    ADD CONSTRAINT league_matchmessage_match_id_76deab6d_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_matchmessage
    ADD CONSTRAINT league_matchmessage_player_id_87700445_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_memorycheckpoint
    ADD CONSTRAINT league_memorycheckpoint_player_id_0ecbcef1_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_memorycheckpoint
    ADD CONSTRAINT league_memorycheckpoint_season_id_304bcf8c_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_mergerequest
    ADD CONSTRAINT league_mergerequest_account_id_799c825b_fk_league_user_id FOREIGN KEY (account_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_mergerequest
    ADD CONSTRAINT league_mergerequest_by_id_50205eca_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_mergerequest
    ADD CONSTRAINT league_mergerequest_kept_id_5791f268_fk_league_player_id FOREIGN KEY (kept_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_mergerequest
    ADD CONSTRAINT league_mergerequest_merged_id_538b77c8_fk_league_player_id FOREIGN KEY (merged_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_noshowplayer
    ADD CONSTRAINT league_noshowplayer_arrangement_id_b8374343_fk_league_ar FOREIGN KEY (arrangement_id) REFERENCES public.league_arrangement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_noshowplayer
    ADD CONSTRAINT league_noshowplayer_player_id_3d874d8a_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_actor_id_cc72ef67_fk_league_player_id FOREIGN KEY (actor_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_arena_id_eec7ad4c_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_arrangement_id_0b30d0b8_fk_league_arrangement_id FOREIGN KEY (arrangement_id) REFERENCES public.league_arrangement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_award_id_16397d96_fk_league_dishonoraward_id FOREIGN KEY (award_id) REFERENCES public.league_dishonoraward(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_challenge_id_e844e996_fk_league_challenge_id FOREIGN KEY (challenge_id) REFERENCES public.league_challenge(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_match_id_bf7a6044_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_player_id_9b6a24b1_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_notice
    ADD CONSTRAINT league_notice_roster_id_d0376a80_fk_league_roster_id FOREIGN KEY (roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_objection
    ADD CONSTRAINT league_objection_action_id_4476266c_fk_league_staffaction_id FOREIGN KEY (action_id) REFERENCES public.league_staffaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_objection
    ADD CONSTRAINT league_objection_match_id_7a98090d_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_objection
    ADD CONSTRAINT league_objection_player_id_088c809d_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_participant
    ADD CONSTRAINT league_participant_match_id_c9fbb5b7_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_participant
    ADD CONSTRAINT league_participant_player_id_b484885a_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_participant
    ADD CONSTRAINT league_participant_side_id_6a29da39_fk_league_side_id FOREIGN KEY (side_id) REFERENCES public.league_side(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_penaltyreason
    ADD CONSTRAINT league_penaltyreason_arena_id_7b46f723_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_player
    ADD CONSTRAINT league_player_merged_into_id_0855535c_fk_league_player_id FOREIGN KEY (merged_into_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_player
    ADD CONSTRAINT league_player_user_id_31a5ad9e_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerclaim
    ADD CONSTRAINT league_playerclaim_account_id_663e441b_fk_league_user_id FOREIGN KEY (account_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerclaim
    ADD CONSTRAINT league_playerclaim_player_id_8711447b_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerfigures
    ADD CONSTRAINT league_playerfigures_by_id_d05e3c7f_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerfigures
    ADD CONSTRAINT league_playerfigures_match_id_826eb636_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerfigures
    ADD CONSTRAINT league_playerfigures_player_id_a0300007_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerpicture
    ADD CONSTRAINT league_playerpicture_player_id_8973c4a4_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerreport
    ADD CONSTRAINT league_playerreport_case_id_01639d48_fk_league_case_id FOREIGN KEY (case_id) REFERENCES public.league_case(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerreport
    ADD CONSTRAINT league_playerreport_match_id_8cc19f96_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerreport
    ADD CONSTRAINT league_playerreport_reported_id_3fae2a51_fk_league_player_id FOREIGN KEY (reported_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerreport
    ADD CONSTRAINT league_playerreport_reporter_id_0377e16a_fk_league_player_id FOREIGN KEY (reporter_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_playerreport
    ADD CONSTRAINT league_playerreport_resolved_by_id_dfe25516_fk_league_user_id FOREIGN KEY (resolved_by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_pointentry
    ADD CONSTRAINT league_pointentry_match_id_b7e10a28_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_pointentry
    ADD CONSTRAINT league_pointentry_player_id_8d0830f8_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_pointentry
    ADD CONSTRAINT league_pointentry_season_id_e41d42b7_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_pointentry
    ADD CONSTRAINT league_pointentry_superseded_by_id_1a24cf71_fk_league_co FOREIGN KEY (superseded_by_id) REFERENCES public.league_correction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_pointtotal
    ADD CONSTRAINT league_pointtotal_player_id_6d499166_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_pointtotal
    ADD CONSTRAINT league_pointtotal_season_id_f6ca8e62_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_profile
    ADD CONSTRAINT league_profile_player_id_2d95f4a5_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_proposal
    ADD CONSTRAINT league_proposal_arena_id_0835121d_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_proposal
    ADD CONSTRAINT league_proposal_match_id_063183b3_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rankpreference
    ADD CONSTRAINT league_rankpreference_arena_id_c54b4513_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rankpreference
    ADD CONSTRAINT league_rankpreference_player_id_deb82393_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE public.league_rating
    ADD CONSTRAINT league_rating_player_id_fk FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE public.league_rating
    ADD CONSTRAINT league_rating_season_id_fk FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ratingevent
    ADD CONSTRAINT league_ratingevent_match_id_e2ef4b8f_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ratingevent
    ADD CONSTRAINT league_ratingevent_player_id_0d31d20c_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ratingevent
    ADD CONSTRAINT league_ratingevent_season_id_c6a071d4_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ratingevent
    ADD CONSTRAINT league_ratingevent_superseded_by_id_50983792_fk_league_co FOREIGN KEY (superseded_by_id) REFERENCES public.league_correction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_regionpreference
    ADD CONSTRAINT league_regionpreference_arena_id_798153a4_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_regionpreference
    ADD CONSTRAINT league_regionpreference_player_id_21c84782_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_reportchange
    ADD CONSTRAINT league_reportchange_by_id_d8696e05_fk_league_player_id FOREIGN KEY (by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_reportchange
    ADD CONSTRAINT league_reportchange_match_id_2311333b_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_role
    ADD CONSTRAINT league_role_group_id_7e84facc_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_roster
    ADD CONSTRAINT league_roster_arena_id_bb3848b6_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_roster
    ADD CONSTRAINT league_roster_captain_id_aca8bee4_fk_league_player_id FOREIGN KEY (captain_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_roster
    ADD CONSTRAINT league_roster_team_id_d4b492cd_fk_league_team_id FOREIGN KEY (team_id) REFERENCES public.league_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rosterinvitation
    ADD CONSTRAINT league_rosterinvitation_player_id_16fcaf3c_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rosterinvitation
    ADD CONSTRAINT league_rosterinvitation_roster_id_f6504d4a_fk_league_roster_id FOREIGN KEY (roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rostermember
    ADD CONSTRAINT league_rostermember_player_id_f989d5df_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rostermember
    ADD CONSTRAINT league_rostermember_roster_id_300fe7c9_fk_league_roster_id FOREIGN KEY (roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_round
    ADD CONSTRAINT league_round_competition_id_78c1c9a4_fk_league_competition_id FOREIGN KEY (competition_id) REFERENCES public.league_competition(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rulesversion
    ADD CONSTRAINT league_rulesversion_by_id_8396d622_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_rulesversion
    ADD CONSTRAINT league_rulesversion_season_id_9424c560_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_savedfilter
    ADD CONSTRAINT league_savedfilter_user_id_398bef94_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_season
    ADD CONSTRAINT league_season_arena_id_7bab9358_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_seasonaccuracy
    ADD CONSTRAINT league_seasonaccuracy_season_id_a5301af0_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_seasonhindsight
    ADD CONSTRAINT league_seasonhindsight_season_id_34ed2b12_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_sentrequest
    ADD CONSTRAINT league_sentrequest_user_id_5a18b268_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_side
    ADD CONSTRAINT league_side_captain_id_0e723ac8_fk_league_player_id FOREIGN KEY (captain_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_side
    ADD CONSTRAINT league_side_match_id_0423b734_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_side
    ADD CONSTRAINT league_side_roster_id_ac289f7b_fk_league_roster_id FOREIGN KEY (roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_spentgrant
    ADD CONSTRAINT league_spentgrant_app_id_d5bb33a5_fk_league_connectedapp_id FOREIGN KEY (app_id) REFERENCES public.league_connectedapp(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_staffaction
    ADD CONSTRAINT league_staffaction_actor_id_b2a78a19_fk_league_user_id FOREIGN KEY (actor_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_staffaction
    ADD CONSTRAINT league_staffaction_match_id_0e9183e0_fk_league_match_id FOREIGN KEY (match_id) REFERENCES public.league_match(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_standin
    ADD CONSTRAINT league_standin_arena_id_e6ebc268_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_standin
    ADD CONSTRAINT league_standin_player_id_ae256fe7_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_team
    ADD CONSTRAINT league_team_successor_id_8f5e79c1_fk_league_player_id FOREIGN KEY (successor_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teaminvitation
    ADD CONSTRAINT league_teaminvitatio_invited_by_id_74d9d0b7_fk_league_pl FOREIGN KEY (invited_by_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teaminvitation
    ADD CONSTRAINT league_teaminvitation_player_id_329eac05_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teaminvitation
    ADD CONSTRAINT league_teaminvitation_team_id_da3d92ff_fk_league_team_id FOREIGN KEY (team_id) REFERENCES public.league_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teammember
    ADD CONSTRAINT league_teammember_player_id_ce4729ee_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teammember
    ADD CONSTRAINT league_teammember_team_id_3e1b799a_fk_league_team_id FOREIGN KEY (team_id) REFERENCES public.league_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teampicture
    ADD CONSTRAINT league_teampicture_team_id_45b05d76_fk_league_team_id FOREIGN KEY (team_id) REFERENCES public.league_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teamrating
    ADD CONSTRAINT league_teamrating_season_id_ffb10b55_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teamrating
    ADD CONSTRAINT league_teamrating_team_id_7fb52f0d_fk_league_team_id FOREIGN KEY (team_id) REFERENCES public.league_team(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_teamreplay
    ADD CONSTRAINT league_teamreplay_season_id_794bb2ef_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_tick
    ADD CONSTRAINT league_tick_arena_id_1c51d4ea_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticket
    ADD CONSTRAINT league_ticket_arena_id_ea4f67ad_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticket
    ADD CONSTRAINT league_ticket_captain_id_6af41128_fk_league_player_id FOREIGN KEY (captain_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticket
    ADD CONSTRAINT league_ticket_proposal_id_362ca47d_fk_league_proposal_id FOREIGN KEY (proposal_id) REFERENCES public.league_proposal(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticket
    ADD CONSTRAINT league_ticket_roster_id_d6ae4ff6_fk_league_roster_id FOREIGN KEY (roster_id) REFERENCES public.league_roster(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticketarena
    ADD CONSTRAINT league_ticketarena_arena_id_5f40a776_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticketarena
    ADD CONSTRAINT league_ticketarena_ticket_id_2a8dc8e3_fk_league_ticket_id FOREIGN KEY (ticket_id) REFERENCES public.league_ticket(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticketmember
    ADD CONSTRAINT league_ticketmember_player_id_302f764d_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_ticketmember
    ADD CONSTRAINT league_ticketmember_ticket_id_9d227dc0_fk_league_ticket_id FOREIGN KEY (ticket_id) REFERENCES public.league_ticket(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_trial
    ADD CONSTRAINT league_trial_by_id_e7977447_fk_league_user_id FOREIGN KEY (by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_trial
    ADD CONSTRAINT league_trial_season_id_60b2cd39_fk_league_season_id FOREIGN KEY (season_id) REFERENCES public.league_season(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_trialmove
    ADD CONSTRAINT league_trialmove_trial_id_6f3b3fd6_fk_league_trial_id FOREIGN KEY (trial_id) REFERENCES public.league_trial(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_undoing
    ADD CONSTRAINT league_undoing_correction_id_bbb343ec_fk_league_correction_id FOREIGN KEY (correction_id) REFERENCES public.league_correction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_undoing
    ADD CONSTRAINT league_undoing_undone_id_c6eee96c_fk_league_correction_id FOREIGN KEY (undone_id) REFERENCES public.league_correction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_usednonce
    ADD CONSTRAINT league_usednonce_token_id_6c3953e2_fk_league_accesstoken_id FOREIGN KEY (token_id) REFERENCES public.league_accesstoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_user_groups
    ADD CONSTRAINT league_user_groups_group_id_65cd7bb1_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_user_groups
    ADD CONSTRAINT league_user_groups_user_id_e0ccc034_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_user_user_permissions
    ADD CONSTRAINT league_user_user_per_permission_id_ceaec3ba_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_user_user_permissions
    ADD CONSTRAINT league_user_user_permissions_user_id_c400a472_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_visit
    ADD CONSTRAINT league_visit_player_id_eab8d5e7_fk_league_player_id FOREIGN KEY (player_id) REFERENCES public.league_player(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_webhook
    ADD CONSTRAINT league_webhook_arena_id_3b90a9b0_fk_league_arena_id FOREIGN KEY (arena_id) REFERENCES public.league_arena(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_webhook
    ADD CONSTRAINT league_webhook_made_by_id_5d72516d_fk_league_user_id FOREIGN KEY (made_by_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_webhookattempt
    ADD CONSTRAINT league_webhookattemp_delivery_id_c1f83529_fk_league_we FOREIGN KEY (delivery_id) REFERENCES public.league_webhookdelivery(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_webhookdelivery
    ADD CONSTRAINT league_webhookdelive_event_id_b8f18a55_fk_league_we FOREIGN KEY (event_id) REFERENCES public.league_webhookevent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_webhookdelivery
    ADD CONSTRAINT league_webhookdelivery_webhook_id_66949cf1_fk_league_webhook_id FOREIGN KEY (webhook_id) REFERENCES public.league_webhook(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_user_id_0c3a50c0_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.league_participant
    ADD CONSTRAINT participant_on_a_side_of_its_match FOREIGN KEY (match_id, side_id) REFERENCES public.league_side(match_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_social_account_id_951f210e_fk_socialacc FOREIGN KEY (account_id) REFERENCES public.socialaccount_socialaccount(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_social_app_id_636a42d7_fk_socialacc FOREIGN KEY (app_id) REFERENCES public.socialaccount_socialapp(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_user_id_8146e70c_fk_league_user_id FOREIGN KEY (user_id) REFERENCES public.league_user(id) DEFERRABLE INITIALLY DEFERRED;
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (1, 'admin', 'reserved', 'adrnln');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (2, 'administrator', 'reserved', 'adrnlnlstrator');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (3, 'administrators', 'reserved', 'adrnlnlstrators');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (4, 'admins', 'reserved', 'adrnlns');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (5, 'deleted', 'reserved', 'deleted');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (6, 'laurel', 'reserved', 'laurel');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (7, 'moderator', 'reserved', 'rnoderator');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (8, 'moderators', 'reserved', 'rnoderators');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (9, 'official', 'reserved', 'offlclal');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (10, 'referee', 'reserved', 'referee');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (11, 'staff', 'reserved', 'staff');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (12, 'support', 'reserved', 'support');
INSERT INTO public.league_reservedword (id, name, kind, skeleton) VALUES (13, 'system', 'reserved', 'systern');
SELECT pg_catalog.setval('public.league_reservedword_id_seq', 13, true);
INSERT INTO public.django_migrations (app, name, applied) VALUES ('contenttypes', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('contenttypes', '0002_remove_content_type_name', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0002_alter_permission_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0003_alter_user_email_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0004_alter_user_username_opts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0005_alter_user_last_login_null', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0006_require_contenttypes_0002', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0007_alter_validators_add_error_messages', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0008_alter_user_username_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0009_alter_user_last_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0010_alter_group_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0011_update_proxy_permissions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0012_alter_user_first_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0002_email_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0003_alter_emailaddress_create_unique_verified_email', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0004_alter_emailaddress_drop_unique_email', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0005_emailaddress_idx_upper_email', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0006_emailaddress_lower', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0007_emailaddress_idx_email', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0008_emailaddress_unique_primary_email_fixup', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('account', '0009_emailaddress_unique_primary_email', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('admin', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('admin', '0002_logentry_remove_auto_add', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('admin', '0003_logentry_add_action_flag_choices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('allauth_idp_oidc', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('allauth_idp_oidc', '0002_client_default_scopes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('allauth_idp_oidc', '0003_client_allow_uri_wildcards', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0002_auto_20151217_2044', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0003_auto_20160322_0929', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0004_auto_20181024_1538', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0005_remove_accessattempt_trusted', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0006_remove_accesslog_trusted', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0007_alter_accessattempt_unique_together', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0008_accessfailurelog', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0009_add_session_hash', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('axes', '0010_accessattemptexpiration', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0002_auto_20150916_1425', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0003_auto_20150916_1526', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0004_authtoken_expires', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0005_authtoken_token_key', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0006_auto_20160818_0932', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0007_auto_20190111_0542', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0008_remove_authtoken_salt', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('knox', '0009_extend_authtoken_field', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0002_laws', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0003_queue', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0004_tickets', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0005_ticket_laws', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0006_ticks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0007_dishonor', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0008_dishonor_laws', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0009_laurel_matcher', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0010_imported_configuration', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0011_wait_or_play_by_row', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0012_rank_preferences', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0013_season_life', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0014_roster_invitations', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0015_corrections', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0016_correction_laws', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0017_rating_partitions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0018_standings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0019_season_archive', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0020_divisions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0021_ladder_points', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0022_records_and_days', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0023_challenges', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0024_partitions_when_opened', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0025_name_starts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0026_decay_steps', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0027_decayed_until', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0028_bans', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0029_match_kind', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0030_plain_words', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0031_when_results_count', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0032_answers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0033_names_and_lookalikes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0034_former_names_and_claims', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0035_notices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0036_farming', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0037_arrangements', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0038_objections', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0039_evidence', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0040_changed_dates', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0041_merged_players', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0042_one_sided', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0044_addresses', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0045_limits', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0046_withdrawals_and_merges', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0047_backups', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0048_first_run', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0049_match_lists', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0050_joined', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0051_ticks_as_differences', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0052_checked_ticks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0053_empty_configurations', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0054_ranks_and_levels', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0055_readings_of_dishonor', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0056_meetings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0057_forecasts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0058_season_accuracy', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0059_modes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0060_mode_lists', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0061_regions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0062_contest_weight', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0063_display', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0064_day_one', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0065_drawn_challenges', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0066_anchors', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0067_figures', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0068_ignored', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0069_penalty_reasons', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0070_checked_penalties', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0071_match_events', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0072_draw_reach', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0073_fixed_modes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0074_staff_and_jobs', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0075_checked_staff', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0079_months', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0080_drafts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0083_roles', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0084_separate_permissions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0085_staff_log_stays', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0088_undoing', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0089_one_amnesty', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0090_errata', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0092_rules_versions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0096_moderation', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0097_site', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0098_files', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0101_file_imports', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0108_front_page', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0112_rules_versions_stay', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0120_competitions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0150_teams', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0170_every_day', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0180_calendars_and_places', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0190_private_players', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0191_deleted_accounts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0192_profiles', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0200_maps_of_matches', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0201_more_arenas_a_ticket', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0202_pools_and_seats', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0230_access_tokens', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0231_server_tokens', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0232_sent_requests', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0240_first_side', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0250_imports_of_fixtures', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0255_lists_by_date', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0256_steps_of_new_captains', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0257_rows_of_accounts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0258_what_account_tokens_allow', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0260_webhooks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0265_season_calibration', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0270_connected_apps', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0275_discord_interactions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0276_discord_messages', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0277_discord_boards', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('league', '0278_ratings_in_hindsight', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('mfa', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('mfa', '0002_authenticator_timestamps', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('mfa', '0003_authenticator_type_uniq', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('sessions', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('socialaccount', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('socialaccount', '0002_token_max_lengths', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('socialaccount', '0003_extra_data_default_dict', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('socialaccount', '0004_app_provider_id_settings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('socialaccount', '0005_socialtoken_nullable_app', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('socialaccount', '0006_alter_socialaccount_extra_data', now());
