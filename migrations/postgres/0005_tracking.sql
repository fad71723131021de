-- What collection must know of a website beyond its record.
ALTER TABLE websites
	ADD COLUMN hostnames text,
	ADD COLUMN honour_signals boolean NOT NULL DEFAULT true;

-- From which local date on which zone holds. Days that were counted keep the zone they were counted in.
CREATE TABLE website_zones (
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	from_date date NOT NULL,
	zone text NOT NULL,
	PRIMARY KEY (website_id, from_date)
);
INSERT INTO website_zones (website_id, from_date, zone) SELECT id, '0001-01-01', timezone FROM websites;

-- A website whose statistics must go, or that must go whole. It outlives the website: its events may still be on their way.
CREATE TABLE tombstones (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL,
	-- Events appended up to this row of the log are dead.
	until_seq bigint NOT NULL,
	-- A reset keeps the website; what comes later is counted again.
	is_reset boolean NOT NULL,
	created_at timestamptz NOT NULL,
	erased_at timestamptz
);
CREATE INDEX tombstones_to_do ON tombstones (website_id) WHERE erased_at IS NULL;
