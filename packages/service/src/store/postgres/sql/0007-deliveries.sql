-- What is to be sent to webhooks, shared by all hosts: each derives the same from the log, and one has the duty to send.
CREATE TABLE signalbox.deliveries (
  number bigserial PRIMARY KEY,
  receiver text NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  at text NOT NULL,
  content text NOT NULL,
  state text NOT NULL,
  queued_at text NOT NULL,
  attempts integer NOT NULL,
  next_at text,
  last_at text,
  last_status integer,
  last_error text,
  UNIQUE (receiver, id)
);
CREATE INDEX waiting_deliveries ON signalbox.deliveries (receiver, subject, number) WHERE state = 'waiting';

CREATE TABLE signalbox.delivery_mark (
  id integer PRIMARY KEY CHECK (id = 1),
  sequence bigint NOT NULL,
  event text NOT NULL
);

CREATE TABLE signalbox.delivery_duties (
  receiver text PRIMARY KEY,
  host text NOT NULL,
  until text NOT NULL
);
