-- Ledgers only grow. A trigger named after its table refuses every change but the few below.

CREATE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Rows of a player follow them into the player that they are merged into. The argument names the
-- column.
CREATE FUNCTION league_only_merge() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- A correction supersedes a row once.
CREATE FUNCTION league_only_supersede() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    without record := NEW;
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

-- An undo ends an amnesty once.
CREATE FUNCTION league_only_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    without record := NEW;
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

-- Division changes go with their season.
CREATE FUNCTION league_division_changes_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM league_season WHERE id = OLD.season_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;

DO $$
DECLARE
    ledger text;
BEGIN
    FOREACH ledger IN ARRAY ARRAY['award', 'casenote', 'correctedmatch', 'correction', 'erratum',
        'erratumline', 'evidenceimage', 'finalpoints', 'finalstanding', 'imageremoval', 'letter',
        'matchevent', 'rulesversion', 'staffaction', 'undoing']
    LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I
            FOR EACH ROW EXECUTE FUNCTION league_refuse_change()',
            'league_' || ledger || '_is_append_only', 'league_' || ledger);
    END LOOP;
END $$;

CREATE TRIGGER league_staffaction_is_not_emptied BEFORE TRUNCATE ON league_staffaction
    FOR EACH STATEMENT EXECUTE FUNCTION league_refuse_change();
CREATE TRIGGER league_evidencecontent_is_written_once BEFORE UPDATE ON league_evidencecontent
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();

CREATE TRIGGER league_dishonoraward_is_append_only BEFORE UPDATE OR DELETE ON league_dishonoraward
    FOR EACH ROW EXECUTE FUNCTION league_only_merge('player_id');
CREATE TRIGGER league_matchmessage_is_append_only BEFORE UPDATE OR DELETE ON league_matchmessage
    FOR EACH ROW EXECUTE FUNCTION league_only_merge('player_id');
CREATE TRIGGER league_reportchange_is_append_only BEFORE UPDATE OR DELETE ON league_reportchange
    FOR EACH ROW EXECUTE FUNCTION league_only_merge('by_id');

CREATE TRIGGER league_ratingevent_is_append_only BEFORE UPDATE ON league_ratingevent
    FOR EACH ROW EXECUTE FUNCTION league_only_supersede();
CREATE TRIGGER league_ratingevent_is_kept BEFORE DELETE ON league_ratingevent
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
CREATE TRIGGER league_pointentry_is_append_only BEFORE UPDATE ON league_pointentry
    FOR EACH ROW EXECUTE FUNCTION league_only_supersede();
CREATE TRIGGER league_pointentry_is_kept BEFORE DELETE ON league_pointentry
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();

CREATE TRIGGER league_amnesty_is_append_only BEFORE UPDATE ON league_amnesty
    FOR EACH ROW EXECUTE FUNCTION league_only_end();
CREATE TRIGGER league_amnesty_is_kept BEFORE DELETE ON league_amnesty
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();

CREATE TRIGGER league_divisionchange_is_append_only BEFORE UPDATE OR DELETE
    ON league_divisionchange FOR EACH ROW EXECUTE FUNCTION league_division_changes_are_kept();
