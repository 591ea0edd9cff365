-- Where each host runs, so that one that finds its own data path in use can tell whether that process is dead. Empty for
-- hosts that entered before there was this column.
ALTER TABLE signalbox.hosts ADD COLUMN machine text NOT NULL DEFAULT '', ADD COLUMN pid integer NOT NULL DEFAULT 0;
