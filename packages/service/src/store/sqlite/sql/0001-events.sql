CREATE TABLE events (
  sequence   INTEGER PRIMARY KEY,
  stream     TEXT    NOT NULL,
  version    INTEGER NOT NULL,
  topic      TEXT    NOT NULL,
  id         TEXT    NOT NULL,
  type       TEXT    NOT NULL,
  at         TEXT    NOT NULL,
  by         TEXT    NOT NULL,
  provenance TEXT    NOT NULL CHECK (provenance IN ('observed', 'asserted')),
  data       TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_of_a_stream ON events (stream, version);
CREATE INDEX events_of_a_topic ON events (topic, sequence);

-- An answer is null when the process died, or failed, between writing the events and the answer.
CREATE TABLE remembered (
  key         TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  at          TEXT NOT NULL,
  answer      TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX remembered_by_age ON remembered (at);

-- One row, written to find out whether writing works.
CREATE TABLE probe (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  written INTEGER NOT NULL
) STRICT;
