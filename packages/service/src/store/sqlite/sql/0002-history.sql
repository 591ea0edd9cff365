-- The name of this history, a UUID: made with the store, and anew when a backup is restored into its place.
CREATE TABLE history (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  epoch TEXT    NOT NULL
) STRICT;

INSERT INTO history
SELECT 1, substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 14, 3) || '-8' || substr(h, 18, 3) || '-' || substr(h, 21)
FROM (SELECT lower(hex(randomblob(16))) AS h);
