-- The name, color and logos that an account's pages and mails have instead of those of the service. The checks also hold for rows that
-- a merge copies from another installation.
CREATE TABLE brandings (
	account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
	name text COLLATE "C" CHECK (char_length(name) BETWEEN 1 AND 60),
	accent text COLLATE "C" CHECK (accent ~ '^#[0-9a-f]{6}$'),
	powered_by boolean NOT NULL DEFAULT true,
	updated_at timestamptz NOT NULL
);
CREATE TABLE brand_logos (
	account_id bigint NOT NULL REFERENCES brandings ON DELETE CASCADE,
	background text COLLATE "C" NOT NULL CHECK (background IN ('light', 'dark')),
	type text COLLATE "C" NOT NULL CHECK (type IN ('png', 'jpeg')),
	width integer NOT NULL CHECK (width BETWEEN 1 AND 1024),
	height integer NOT NULL CHECK (height BETWEEN 1 AND 512),
	content bytea NOT NULL CHECK (octet_length(content) <= 204800),
	-- The URL of a logo contains it.
	digest bytea NOT NULL CHECK (digest = sha256(content)),
	PRIMARY KEY (account_id, background)
);
CREATE INDEX brand_logos_digest ON brand_logos (digest);
