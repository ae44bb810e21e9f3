-- Whatever webhooks may want to know becomes an event, in the transaction that caused it.

CREATE FUNCTION league_note_event(_type text, _arena bigint, _subject bigint, _facts jsonb) RETURNS void LANGUAGE sql AS $$
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

CREATE FUNCTION league_note_match() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION league_note_corrected_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event('result.corrected', m.arena_id, m.id, '{}')
    FROM league_match AS m JOIN league_correction AS c ON c.id = NEW.correction_id
    WHERE m.id = NEW.match_id AND m.kind = 'game' AND m.status = 'rated'
        AND c.kind IN ('result', 'undo');
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_objection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event(
        CASE NEW.state WHEN 'open' THEN 'dispute.opened' ELSE 'dispute.decided' END,
        m.arena_id, m.id, jsonb_build_object('objection', NEW.state))
    FROM league_match AS m WHERE m.id = NEW.match_id;
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_fixture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event('fixture.decided', s.arena_id, NEW.id,
        jsonb_build_object('result', NEW.result, 'decided_by', NEW.decided_by))
    FROM league_competition AS c JOIN league_season AS s ON s.id = c.season_id
    WHERE c.id = NEW.competition_id;
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_competition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event(
        CASE NEW.state WHEN 'running' THEN 'competition.started' ELSE 'competition.ended' END,
        s.arena_id, NEW.id, jsonb_build_object('state', NEW.state))
    FROM league_season AS s WHERE s.id = NEW.season_id;
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_season() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.archived_at IS NOT NULL THEN
        PERFORM league_note_event('season.ended', NEW.arena_id, NEW.id, '{}');
    ELSE
        PERFORM league_note_event('season.started', NEW.arena_id, NEW.id, '{}');
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER note_new_match AFTER INSERT ON league_match
    FOR EACH ROW WHEN (NEW.kind = 'game' AND NEW.status <> 'void' AND NEW.settlement <> 'import')
    EXECUTE FUNCTION league_note_match();
CREATE TRIGGER note_changed_match AFTER UPDATE OF status, revision ON league_match
    FOR EACH ROW WHEN (NEW.kind = 'game' AND (OLD.status <> NEW.status
        OR NEW.status = 'reported' AND OLD.revision <> NEW.revision))
    EXECUTE FUNCTION league_note_match();
CREATE TRIGGER note_corrected_match AFTER INSERT ON league_correctedmatch
    FOR EACH ROW EXECUTE FUNCTION league_note_corrected_match();
CREATE TRIGGER note_new_objection AFTER INSERT ON league_objection
    FOR EACH ROW WHEN (NEW.state = 'open') EXECUTE FUNCTION league_note_objection();
CREATE TRIGGER note_changed_objection AFTER UPDATE OF state ON league_objection
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION league_note_objection();
CREATE TRIGGER note_decided_fixture AFTER UPDATE OF result ON league_fixture
    FOR EACH ROW WHEN (OLD.result = '' AND NEW.result <> '' AND NEW.decided_by <> 'bye')
    EXECUTE FUNCTION league_note_fixture();
CREATE TRIGGER note_changed_competition AFTER UPDATE OF state ON league_competition
    FOR EACH ROW WHEN (OLD.state <> NEW.state AND NEW.state IN ('running', 'over'))
    EXECUTE FUNCTION league_note_competition();
CREATE TRIGGER note_new_season AFTER INSERT ON league_season
    FOR EACH ROW WHEN (NEW.opened_at IS NOT NULL AND NEW.archived_at IS NULL)
    EXECUTE FUNCTION league_note_season();
CREATE TRIGGER note_changed_season AFTER UPDATE OF opened_at, archived_at ON league_season
    FOR EACH ROW WHEN (OLD.opened_at IS NULL AND NEW.opened_at IS NOT NULL
        OR OLD.archived_at IS NULL AND NEW.archived_at IS NOT NULL)
    EXECUTE FUNCTION league_note_season();
