-- The durable queue between collect and write. A row is a group of events that shared one commit: what the writer must
-- know of them (`header`), and the events themselves as lines that ClickHouse reads (`lines`).
CREATE TABLE event_log (
	seq bigint PRIMARY KEY,
	appended_at timestamptz NOT NULL,
	header text NOT NULL,
	lines text NOT NULL,
	bytes integer NOT NULL
) WITH (
	-- Rows live for a second: what is dead must be taken away as fast as it dies.
	autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0,
	autovacuum_vacuum_insert_threshold = -1, toast.autovacuum_vacuum_threshold = 1000,
	toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_cost_delay = 0
);
-- Lines are written once, read once and deleted: compressing them costs more than it saves.
ALTER TABLE event_log ALTER COLUMN lines SET STORAGE EXTERNAL;
CREATE SEQUENCE event_log_seq CACHE 1;

-- The order of `seq` must be the order of commits: a reader that asks for 'after the last one I saw' would otherwise miss
-- a row that was numbered early and committed late. The lock is held until the commit, so numbers are given one by one.
CREATE FUNCTION append_to_event_log(new_header text, new_lines text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	given bigint;
BEGIN
	PERFORM pg_advisory_xact_lock(7461003);
	INSERT INTO event_log (seq, appended_at, header, lines, bytes)
	VALUES (nextval('event_log_seq'), clock_timestamp(), new_header, new_lines, octet_length(new_lines))
	RETURNING seq INTO given;
	RETURN given;
END
$$;

-- A run of log rows that the writer has taken and not yet released. Its number is the name of the insert in ClickHouse.
CREATE TABLE batches (
	number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	first_seq bigint NOT NULL,
	last_seq bigint NOT NULL,
	taken_at timestamptz NOT NULL DEFAULT now()
);

-- The ids of events of the last minutes, one row a batch: a retry that comes after its event was written is known by them.
CREATE TABLE recent_events (
	batch bigint PRIMARY KEY,
	appended_until timestamptz NOT NULL,
	-- Twelve bytes an event: website and event id.
	keys bytea NOT NULL
);

-- A day of a website that has events. `last_batch` rises with every batch that touches it; a day is dirty while that is
-- ahead of what was sealed.
CREATE TABLE days (
	website_id bigint NOT NULL,
	date date NOT NULL,
	last_batch bigint NOT NULL,
	sealed_batch bigint NOT NULL DEFAULT 0,
	generation bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (website_id, date)
);

-- Hits that were not kept, for the owner to see.
CREATE TABLE drops (
	website_id bigint NOT NULL,
	date date NOT NULL,
	reason text NOT NULL,
	count bigint NOT NULL,
	PRIMARY KEY (website_id, date, reason)
);

-- Events that ClickHouse could not read, with its reason, until somebody looks.
CREATE TABLE dead_letters (
	website_id bigint NOT NULL,
	event_id numeric(20) NOT NULL,
	line text NOT NULL,
	reason text NOT NULL,
	put_aside_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (website_id, event_id)
);
