-- What was counted elsewhere and brought here. An import is seen once `imported_days` names its days; undone, it is out of that
-- list at once, and its row goes when everything of it is off the disk.
CREATE TABLE imports (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL,
	-- Who brought it; not known of an operator.
	account_id bigint,
	source text NOT NULL,
	kind text NOT NULL CHECK (kind IN ('totals', 'events')),
	state text NOT NULL CHECK (state IN ('previewed', 'waiting', 'running', 'done', 'failed', 'undone')),
	-- Why it failed.
	fault text,
	-- As it was called where it came from, and what it is called here until it is no longer needed.
	file_name text NOT NULL,
	upload text,
	-- Of times in the file that do not say theirs.
	zone text NOT NULL,
	-- By dimension: the counts that the file gives.
	given jsonb NOT NULL,
	-- What was found in the file, and what of it is left out.
	preview jsonb NOT NULL,
	done_rows bigint NOT NULL DEFAULT 0,
	total_rows bigint NOT NULL,
	from_date date,
	to_date date,
	created_at timestamptz NOT NULL,
	ended_at timestamptz,
	undone_at timestamptz
);
CREATE INDEX imports_by_website ON imports (website_id, id);
CREATE INDEX imports_to_do ON imports (id) WHERE state <> 'done';

-- One source a day.
CREATE TABLE imported_days (
	website_id bigint NOT NULL,
	date date NOT NULL,
	import_id bigint NOT NULL REFERENCES imports ON DELETE CASCADE,
	PRIMARY KEY (website_id, date)
);
CREATE INDEX imported_days_by_import ON imported_days (import_id);
