-- Links to the statistics of a website, or to a board, for people without an account. The digest finds a link; the token is
-- encrypted, so that the dashboard can show the link again.
CREATE TABLE share_links (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint REFERENCES websites ON DELETE CASCADE,
	board_id bigint REFERENCES boards ON DELETE CASCADE,
	name text COLLATE "C" NOT NULL,
	digest bytea NOT NULL UNIQUE,
	token bytea NOT NULL,
	-- The fixed filter, as JSON.
	filters jsonb,
	-- Null: all of them.
	panels text[],
	first_date date,
	last_date date,
	last_days integer CHECK (last_days > 0),
	password_hash text,
	expires_at timestamptz,
	used_count bigint NOT NULL DEFAULT 0,
	last_used_at timestamptz,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	CHECK (num_nonnulls(website_id, board_id) = 1),
	UNIQUE (website_id, name),
	UNIQUE (board_id, name)
);
