CREATE SCHEMA IF NOT EXISTS signalbox;

CREATE TABLE signalbox.migrations (
  version    integer     PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE signalbox.events (
  sequence   bigint         PRIMARY KEY,
  stream     text           NOT NULL,
  version    integer        NOT NULL,
  topic      text           NOT NULL,
  id         uuid           NOT NULL,
  type       text           NOT NULL,
  at         timestamptz(3) NOT NULL,
  by         text           NOT NULL,
  provenance text           NOT NULL CHECK (provenance IN ('observed', 'asserted')),
  data       json           NOT NULL,
  UNIQUE (stream, version)
);

CREATE INDEX events_of_a_topic ON signalbox.events (topic, sequence);

-- One row. Whoever appends holds it until COMMIT, so sequences become visible in order and without a gap.
CREATE TABLE signalbox.head (
  id       integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  sequence bigint  NOT NULL
);
INSERT INTO signalbox.head (sequence) VALUES (0);

-- The token tells one writing of a key from the next. The answer is null until its host has saved it.
CREATE TABLE signalbox.remembered (
  key         text           PRIMARY KEY,
  fingerprint text           NOT NULL,
  at          timestamptz(3) NOT NULL,
  token       uuid           NOT NULL,
  answer      text
);

CREATE INDEX remembered_by_age ON signalbox.remembered (at);

-- Appends what several calls decided, each whole or not at all and none because of another:
--   { at, expected: { stream: version }, key?: { key, fingerprint, token, seen }, events: [{ stream, version, ... }] }
-- early, late: decided by a clock that is not this database's; moved: a stream that was written or read has moved;
-- known: another host wrote under the key since this one looked. Each of these wrote nothing.
CREATE FUNCTION signalbox.append(calls jsonb)
RETURNS TABLE (outcome text, first bigint, clock timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  call   jsonb;
  called timestamptz;
  before bigint;
  last   bigint;
  wrote  integer;
BEGIN
  -- What is answered must survive a crash, whatever the server is set to.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT sequence INTO before FROM signalbox.head FOR UPDATE;
  last := before;
  FOR call IN SELECT value FROM jsonb_array_elements(calls) LOOP
    called := (call ->> 'at')::timestamptz;
    clock := clock_timestamp();
    first := last + 1;
    outcome := CASE
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
