-- A property measured under one domain. Ids are never given out twice: an identity column does not go back.
CREATE TABLE websites (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	-- As in DNS: lower case, punycode.
	domain text COLLATE "C" NOT NULL,
	-- As people read it; NULL where that is the same.
	domain_unicode text COLLATE "C",
	-- 0 public, 1 private, 2 by password.
	privacy smallint NOT NULL CHECK (privacy IN (0, 1, 2)),
	password_hash text,
	email boolean NOT NULL,
	exclude_bots boolean NOT NULL,
	-- One entry a line, or NULL.
	exclude_params text,
	exclude_ips text,
	favorite boolean NOT NULL DEFAULT false,
	timezone text NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	CHECK (privacy <> 2 OR password_hash IS NOT NULL)
);
-- The two orders a list can have; with the columns that a list filters by, so that it reads the index alone.
CREATE UNIQUE INDEX websites_by_domain ON websites (account_id, domain) INCLUDE (id, domain_unicode, favorite);
CREATE UNIQUE INDEX websites_by_id ON websites (account_id, id) INCLUDE (favorite);

-- A search is for any part of a domain, in either spelling.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX websites_by_text ON websites USING gin (domain gin_trgm_ops, domain_unicode gin_trgm_ops);

-- An account with a role on another's website, or on all of them when website_id is NULL.
CREATE TABLE members (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	owner_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	website_id bigint REFERENCES websites ON DELETE CASCADE,
	member_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
	created_at timestamptz NOT NULL,
	UNIQUE NULLS NOT DISTINCT (owner_id, website_id, member_id)
);
CREATE INDEX members_by_member ON members (member_id);
