-- A link that makes whoever opens it a member, once. Only the digest of its token is here.
CREATE TABLE invitations (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
	owner_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	-- NULL is 'all websites of the owner, also those to come'.
	website_id bigint REFERENCES websites ON DELETE CASCADE,
	role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
	-- The only address that may use it; NULL is 'whoever has the link'.
	email text,
	invited_by bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	created_at timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);
CREATE INDEX invitations_by_owner ON invitations (owner_id, id);
CREATE INDEX members_by_owner ON members (owner_id, website_id);

-- A website that its owner would give to somebody. Until they accept nothing has changed.
CREATE TABLE offers (
	website_id bigint PRIMARY KEY REFERENCES websites ON DELETE CASCADE,
	-- As the owner wrote it, and whose it was then. Without an account it can be accepted by nobody.
	email text NOT NULL,
	receiver_id bigint REFERENCES accounts ON DELETE CASCADE,
	offered_at timestamptz NOT NULL
);
CREATE INDEX offers_by_receiver ON offers (receiver_id);
