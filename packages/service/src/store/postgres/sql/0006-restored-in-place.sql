-- Which file the events lay in when this history got its epoch. A dump that is restored in place brings back the epoch,
-- and all that a host has folded may be in it: then only the file tells that what others wrote since is lost. Whoever
-- goes on must read first, or it might give out a fence that was given out in what is lost.
ALTER TABLE signalbox.head ADD COLUMN lies_in bigint;
UPDATE signalbox.head SET lies_in = pg_relation_filenode('signalbox.events');

CREATE FUNCTION signalbox.is_in_place()
RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM signalbox.head AS h WHERE h.lies_in = pg_relation_filenode(to_regclass('signalbox.events'))
  )
$$;

-- Gives the log a new epoch where it still has the one that is known not to fit, or lies in another file.
CREATE FUNCTION signalbox.renew_epoch(known_epoch uuid)
RETURNS void
LANGUAGE sql AS $$
  UPDATE signalbox.head
  SET epoch = gen_random_uuid(), lies_in = pg_relation_filenode(to_regclass('signalbox.events'))
  WHERE signalbox.is_whole() AND (epoch = known_epoch OR NOT signalbox.is_in_place())
$$;

-- Whether the log still holds what a host has folded. True for a host that has folded nothing.
CREATE OR REPLACE FUNCTION signalbox.holds(known_epoch uuid, known_sequence bigint, known_id uuid)
RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT known_epoch IS NULL OR (
    signalbox.is_in_place()
    AND EXISTS (SELECT FROM signalbox.head AS h WHERE h.epoch = known_epoch)
    AND (known_sequence = 0
      OR EXISTS (SELECT FROM signalbox.events AS e WHERE e.sequence = known_sequence AND e.id = known_id))
  )
$$;
