-- The link that confirms the e-mail address of an account, one an account. Only the digest of its token is here.
CREATE TABLE address_confirmations (
	account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
	digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);
-- Of the second token of an invitation, which only the mail contains: who uses it has proven the address. NULL is 'not mailed'.
ALTER TABLE invitations ADD COLUMN mailed_digest bytea;
CREATE UNIQUE INDEX invitations_by_mailed_digest ON invitations (mailed_digest);
-- Whether the link went out by mail alone: who uses it has proven the address.
ALTER TABLE one_time_links ADD COLUMN is_mailed boolean NOT NULL DEFAULT false;
