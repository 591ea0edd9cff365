-- Nothing reads a stream by its name but a check of one: the versions are in memory, and sequence keeps two writers apart.
-- Every claim wrote to a page of its own here, which was most of what a flush wrote.
DROP INDEX events_of_a_stream;
