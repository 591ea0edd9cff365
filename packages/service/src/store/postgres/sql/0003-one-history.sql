-- The name of this history: made with the store, and anew wherever a host finds that what it folded is not in it. A dump
-- carries the epoch it was made under, so the last folded event is compared as well.
ALTER TABLE signalbox.head ADD COLUMN epoch uuid NOT NULL DEFAULT gen_random_uuid();

-- Whether no restore is under way: foreign keys are what a dump brings back last. What is written before that may come
-- twice, and then the restore cannot make its unique indexes.
CREATE FUNCTION signalbox.is_whole()
RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('signalbox.shared') AND contype = 'f'
  )
$$;

CREATE FUNCTION signalbox.require_whole()
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT signalbox.is_whole() THEN
    RAISE EXCEPTION 'the store is being restored' USING ERRCODE = 'cannot_connect_now';
  END IF;
END
$$;

-- Whether the log still holds what a host has folded. True for a host that has folded nothing.
CREATE FUNCTION signalbox.holds(known_epoch uuid, known_sequence bigint, known_id uuid)
RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT known_epoch IS NULL OR (
    EXISTS (SELECT FROM signalbox.head AS h WHERE h.epoch = known_epoch)
    AND (known_sequence = 0
      OR EXISTS (SELECT FROM signalbox.events AS e WHERE e.sequence = known_sequence AND e.id = known_id))
  )
$$;

-- Appends what several calls decided on what their host had folded, each whole or not at all and none because of another:
--   { at, expected: { stream: version }, key?: { key, fingerprint, token, seen }, events: [{ stream, version, ... }] }
-- replaced: the log does not hold what the host has folded, or is being restored. early, late: decided by a clock that is not this database's;
-- moved: a stream that was written or read has moved; known: another host wrote under the key since this one looked.
-- Each of these wrote nothing.
CREATE FUNCTION signalbox.append(calls jsonb, known_epoch uuid, known_sequence bigint, known_id uuid)
RETURNS TABLE (outcome text, first bigint, clock timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  call   jsonb;
  called timestamptz;
  before bigint;
  last   bigint;
  wrote  integer;
  same   boolean;
BEGIN
  -- What is answered must survive a crash, whatever the server is set to.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT sequence INTO before FROM signalbox.head FOR UPDATE;
  same := before IS NOT NULL AND signalbox.is_whole() AND signalbox.holds(known_epoch, known_sequence, known_id);
  last := before;
  FOR call IN SELECT value FROM jsonb_array_elements(calls) LOOP
    called := (call ->> 'at')::timestamptz;
    clock := clock_timestamp();
    first := last + 1;
    outcome := CASE
      WHEN NOT same THEN 'replaced'
      WHEN called > clock THEN 'early'
      WHEN called < clock - interval '5 seconds' THEN 'late'
      WHEN EXISTS (
        SELECT FROM jsonb_each_text(call -> 'expected') AS e (stream, version)
        WHERE e.version::integer <> (
          SELECT coalesce(max(v.version), 0) FROM signalbox.events AS v WHERE v.stream = e.stream
        )
      ) THEN 'moved'
      WHEN EXISTS (
        SELECT FROM signalbox.remembered AS k
        WHERE k.key = call #>> '{key,key}'
          AND k.at >= clock - interval '24 hours'
          AND k.token IS DISTINCT FROM (call #>> '{key,seen}')::uuid
      ) THEN 'known'
      ELSE 'written'
    END;
    IF outcome = 'written' THEN
      INSERT INTO signalbox.events (sequence, stream, version, topic, id, type, at, by, provenance, data)
      SELECT last + n, e ->> 'stream', (e ->> 'version')::integer, e ->> 'topic', (e ->> 'id')::uuid, e ->> 'type',
             called, e ->> 'by', e ->> 'provenance', (e ->> 'data')::json
      FROM jsonb_array_elements(call -> 'events') WITH ORDINALITY AS each (e, n);
      GET DIAGNOSTICS wrote = ROW_COUNT;
      last := last + wrote;
      IF call -> 'key' IS NOT NULL THEN
        INSERT INTO signalbox.remembered AS k (key, fingerprint, at, token)
        VALUES (call #>> '{key,key}', call #>> '{key,fingerprint}', called, (call #>> '{key,token}')::uuid)
        ON CONFLICT (key) DO UPDATE
        SET fingerprint = excluded.fingerprint, at = excluded.at, token = excluded.token, answer = NULL;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  IF last > before THEN
    UPDATE signalbox.head SET sequence = last;
    PERFORM pg_notify('signalbox_events', last::text);
  END IF;
END
$$;

-- Hosts of before there were epochs, which still run on this database, append without the check.
CREATE OR REPLACE FUNCTION signalbox.append(calls jsonb)
RETURNS TABLE (outcome text, first bigint, clock timestamptz)
LANGUAGE sql AS $$ SELECT * FROM signalbox.append(calls, NULL, 0, NULL) $$;

-- A sign of life, with what has changed; nothing is shared into a store that is being restored.
CREATE FUNCTION signalbox.share_whole(host_key text, host_life uuid, host_url text, news json)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM signalbox.require_whole();
  RETURN signalbox.share(host_key, host_life, host_url, news);
END
$$;
