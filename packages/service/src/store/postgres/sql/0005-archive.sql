-- What was told of plans that were archived long ago: moved here whole, so that no start reads it any more.
CREATE TABLE signalbox.archived_events (LIKE signalbox.events);

CREATE INDEX archived_events_of_a_topic ON signalbox.archived_events (topic, sequence);

-- Moves all that is told of a topic, where nothing was told of it since the caller read it, and puts one event into its
-- place. The log is another one then, so it gets a new epoch, which is returned, and every host reads it anew.
CREATE FUNCTION signalbox.move_topic(moved_topic text, last_read bigint, marker jsonb, known_epoch uuid)
RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  renewed uuid := gen_random_uuid();
BEGIN
  PERFORM signalbox.require_whole();
  PERFORM FROM signalbox.head WHERE epoch = known_epoch FOR UPDATE;
  IF NOT FOUND OR (SELECT max(sequence) FROM signalbox.events WHERE topic = moved_topic) IS DISTINCT FROM last_read THEN
    RETURN NULL;
  END IF;
  INSERT INTO signalbox.archived_events
  SELECT * FROM signalbox.events WHERE topic = moved_topic AND type <> marker ->> 'type';
  DELETE FROM signalbox.events WHERE topic = moved_topic;
  INSERT INTO signalbox.events (sequence, stream, version, topic, id, type, at, by, provenance, data)
  VALUES (last_read, marker ->> 'stream', (marker ->> 'version')::integer, marker ->> 'topic', (marker ->> 'id')::uuid,
          marker ->> 'type', (marker ->> 'at')::timestamptz, marker ->> 'by', marker ->> 'provenance',
          (marker ->> 'data')::json);
  UPDATE signalbox.head SET epoch = renewed;
  RETURN renewed;
END
$$;
