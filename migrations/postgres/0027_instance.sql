-- Which installation this is. A backup carries it, so that a restored one is the same; an archive is known by it.
CREATE TABLE instance (
	id uuid NOT NULL DEFAULT gen_random_uuid(),
	is_the_only_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_only_one)
);
INSERT INTO instance DEFAULT VALUES;

-- Accounts and websites that came from other installations, by what they were there. A website is taken once: the row is
-- written with the id that it will have here before its events are, and is done when all of it is there.
CREATE TABLE merged_accounts (
	origin uuid NOT NULL,
	origin_id bigint NOT NULL,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	-- False where the operator gave their websites to somebody else.
	is_same_person boolean NOT NULL,
	PRIMARY KEY (origin, origin_id)
);
CREATE TABLE merged_websites (
	origin uuid NOT NULL,
	origin_id bigint NOT NULL,
	website_id bigint NOT NULL UNIQUE,
	done_at timestamptz,
	PRIMARY KEY (origin, origin_id)
);
