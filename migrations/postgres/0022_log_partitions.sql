-- How far each partition of an event log in NATS JetStream is written: everything up to this message of its stream is in
-- ClickHouse. Moved on in the transaction that ends a batch. The rows are made once: their number is the number of partitions.
-- `appended_at` is the time that NATS gave the last message that was written: one behind it in time but not in number says that
-- the stream was made anew.
CREATE TABLE log_positions (
	partition integer PRIMARY KEY CHECK (partition > 0),
	seq bigint NOT NULL,
	appended_at timestamptz NOT NULL,
	-- The highest number that a collector was given, as of a second ago: a stream that ends before it has lost its end.
	acknowledged bigint NOT NULL DEFAULT 0
);

-- Partition 0 is the table event_log.
ALTER TABLE batches ADD COLUMN partition integer NOT NULL DEFAULT 0;
ALTER TABLE recent_events ADD COLUMN partition integer NOT NULL DEFAULT 0;

-- Messages that are missing in a stream, for whoever looks after it.
CREATE TABLE log_gaps (
	partition integer NOT NULL,
	first_seq bigint NOT NULL,
	last_seq bigint NOT NULL,
	found_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (partition, first_seq)
);

-- What could not be written is an event that ClickHouse refused, or a whole group of the log that nobody can read (`body`, of no website).
ALTER TABLE dead_letters
	DROP CONSTRAINT dead_letters_pkey,
	ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	ADD COLUMN body bytea,
	ALTER COLUMN website_id DROP NOT NULL,
	ALTER COLUMN event_id DROP NOT NULL;
CREATE UNIQUE INDEX dead_letters_of_event ON dead_letters (website_id, event_id);

-- Batches up to this one may have been taken before the tombstone was seen; set when the job finds it.
ALTER TABLE tombstones ADD COLUMN until_batch bigint;
