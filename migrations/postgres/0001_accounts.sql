-- Someone who owns or views websites. Signing in comes with the dashboard; until then an account is used by its keys.
CREATE TABLE accounts (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text NOT NULL,
	email text NOT NULL,
	locale text NOT NULL,
	timezone text NOT NULL,
	created_at timestamptz NOT NULL,
	disabled_at timestamptz,
	-- Kept by whoever adds or removes a website, in the same transaction: the limit and the length of an unfiltered
	-- list are asked for far more often than they change.
	website_count integer NOT NULL DEFAULT 0 CHECK (website_count >= 0),
	-- NULL is 'no limit'.
	website_limit integer CHECK (website_limit >= 0),
	pageview_limit bigint CHECK (pageview_limit >= 0)
);
CREATE UNIQUE INDEX accounts_by_email ON accounts (lower(email));

-- A secret that lets a program call the API for an account. Only its digest is here: it cannot be shown again.
CREATE TABLE api_keys (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	name text NOT NULL,
	digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
	-- The last characters, so that a person can tell two keys apart.
	ending text NOT NULL,
	access text NOT NULL CHECK (access IN ('full', 'read')),
	-- NULL is 'every website of the account'.
	website_ids bigint[],
	created_at timestamptz NOT NULL,
	last_used_at timestamptz
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, id);

-- Page views an account received in a month, by the calendar of UTC.
CREATE TABLE account_usage (
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	month date NOT NULL,
	pageviews bigint NOT NULL,
	PRIMARY KEY (account_id, month)
);

-- The one-time link that creates the first account. At most one row; used or replaced, it is gone.
CREATE TABLE setup_links (
	only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
	digest bytea NOT NULL CHECK (length(digest) = 32),
	created_at timestamptz NOT NULL
);
