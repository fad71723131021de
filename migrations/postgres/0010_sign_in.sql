-- How people sign in. An account without a password is used by its keys alone.
ALTER TABLE accounts
	-- argon2id.
	ADD COLUMN password_hash text,
	-- Sealed with a key that is not in the database; NULL is 'no second factor'.
	ADD COLUMN totp_secret bytea,
	-- One that was shown and not yet proven by a code.
	ADD COLUMN totp_pending bytea,
	-- The step of the last code that was taken: no code is good twice.
	ADD COLUMN totp_step bigint NOT NULL DEFAULT 0;

-- Each stands in for the second factor once. 80 random bits: a fast hash is enough.
CREATE TABLE recovery_codes (
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	digest bytea NOT NULL CHECK (length(digest) = 32),
	PRIMARY KEY (account_id, digest)
);

-- A signed-in browser. The cookie holds 256 random bits; here is their SHA-256.
CREATE TABLE sessions (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	-- Words of closed lists, for people to know their browsers by. No user agent, no address.
	browser text NOT NULL,
	os text NOT NULL,
	created_at timestamptz NOT NULL,
	last_used_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id, id);

-- A link that lets whoever has it set a password, once.
CREATE TABLE one_time_links (
	digest bytea PRIMARY KEY CHECK (length(digest) = 32),
	purpose text NOT NULL CHECK (purpose IN ('reset', 'invitation')),
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);
CREATE INDEX one_time_links_by_account ON one_time_links (account_id);

-- How often a password was tried, by account and by network. The name is a keyed hash: no address is stored. It may be
-- lost in a crash, and is forgotten after an hour.
CREATE UNLOGGED TABLE attempts (
	name bytea PRIMARY KEY,
	used integer NOT NULL,
	-- Until then nobody may try.
	free_at timestamptz NOT NULL,
	forgotten_at timestamptz NOT NULL
);

-- The public address that was given when the first account was made; TIDEMARK_BASE_URL wins over it.
CREATE TABLE public_address (
	only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
	url text NOT NULL
);
