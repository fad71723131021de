-- The link that gives a person another email address, one a person. It is mailed to the new address, so using it proves the address.
-- Only the digest of its token is here.
CREATE TABLE address_changes (
	person_id bigint PRIMARY KEY REFERENCES people ON DELETE CASCADE,
	email text NOT NULL,
	digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);
