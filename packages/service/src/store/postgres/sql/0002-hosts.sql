-- The hosts that share this store, each with its last sign of life by this database's clock. `revision` grows with all
-- that a host shares, `items` counts it: a reader that holds more than that many has missed a removal.
CREATE TABLE signalbox.hosts (
  key      text        PRIMARY KEY,
  name     text        NOT NULL,
  life     uuid        NOT NULL,
  home     uuid        NOT NULL,
  place    text        NOT NULL,
  url      text,
  began_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  revision bigint      NOT NULL DEFAULT 0,
  items    integer     NOT NULL DEFAULT 0
);

-- What each host observes, for the others to show. Only its own host writes it.
CREATE TABLE signalbox.shared (
  host     text   NOT NULL REFERENCES signalbox.hosts ON DELETE CASCADE,
  kind     text   NOT NULL,
  id       text   NOT NULL,
  revision bigint NOT NULL,
  body     json   NOT NULL,
  PRIMARY KEY (host, kind, id)
);

CREATE INDEX shared_since ON signalbox.shared (host, revision);

-- A sign of life, with what has changed: { changed: [{ kind, id, body }], gone: [{ kind, id }] }. False: the name belongs
-- to another life by now. None of this is an answer to anybody, so it need not wait for the disk.
CREATE FUNCTION signalbox.share(host_key text, host_life uuid, host_url text, news json)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  moved boolean := json_array_length(news -> 'changed') + json_array_length(news -> 'gone') > 0;
  grown bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  -- A host that came back, or is reached elsewhere now, is news as well.
  PERFORM pg_notify('signalbox_hosts', host_key) FROM signalbox.hosts
  WHERE key = host_key AND life = host_life AND (moved OR url IS DISTINCT FROM host_url);
  UPDATE signalbox.hosts
  SET seen_at = clock_timestamp(), url = host_url, revision = revision + moved::integer
  WHERE key = host_key AND life = host_life
  RETURNING revision INTO grown;
  IF grown IS NULL OR NOT moved THEN
    RETURN grown IS NOT NULL;
  END IF;
  DELETE FROM signalbox.shared AS s
  USING json_to_recordset(news -> 'gone') AS g (kind text, id text)
  WHERE s.host = host_key AND s.kind = g.kind AND s.id = g.id;
  INSERT INTO signalbox.shared (host, kind, id, revision, body)
  SELECT host_key, c.kind, c.id, grown, c.body
  FROM json_to_recordset(news -> 'changed') AS c (kind text, id text, body json)
  ON CONFLICT (host, kind, id) DO UPDATE SET revision = excluded.revision, body = excluded.body;
  UPDATE signalbox.hosts
  SET items = (SELECT count(*) FROM signalbox.shared WHERE host = host_key)
  WHERE key = host_key;
  RETURN true;
END
$$;
