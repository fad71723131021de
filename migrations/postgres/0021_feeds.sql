-- The secret address of a feed with a website's reports: its owner's, one a website. Whoever has it reads the reports.
CREATE TABLE feeds (
	website_id bigint PRIMARY KEY REFERENCES websites ON DELETE CASCADE,
	-- Whose address it is: of a website that was moved it opens nothing any more.
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	-- SHA-256 of the token; the token itself is shown once and not kept.
	digest bytea NOT NULL UNIQUE,
	created_at timestamptz NOT NULL
);
CREATE INDEX feeds_by_account ON feeds (account_id);
