-- Passkeys: public keys of authenticators. A public key gives no access, so it is stored as it is.
CREATE TABLE passkeys (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
	credential_id bytea NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1023),
	-- The host name that it was created for. It works with no other.
	rp_id text NOT NULL,
	-- What the authenticator knows the person by: bytes that say nothing about them.
	user_handle bytea NOT NULL,
	-- As COSE encodes it.
	public_key bytea NOT NULL,
	-- Signatures so far, as the authenticator counts them; 0 where it does not count.
	counter bigint NOT NULL,
	transports text[] NOT NULL,
	is_backed_up boolean NOT NULL,
	name text NOT NULL,
	created_at timestamptz NOT NULL,
	last_used_at timestamptz
);
CREATE INDEX passkeys_by_person ON passkeys (person_id, id);

-- Random bytes that a passkey has to sign, once. They may be lost in a crash, and expire after minutes.
CREATE UNLOGGED TABLE passkey_challenges (
	digest bytea PRIMARY KEY CHECK (length(digest) = 32),
	purpose text NOT NULL CHECK (purpose IN ('signIn', 'proof', 'register')),
	-- SHA-256 of the cookie of the browser that asked for it.
	browser bytea NOT NULL CHECK (length(browser) = 32),
	-- NULL before sign-in.
	person_id bigint REFERENCES people ON DELETE CASCADE,
	expires_at timestamptz NOT NULL
);

-- Whether signing in with the password also needs a passkey, without an authenticator app.
ALTER TABLE people ADD COLUMN passkey_second_factor boolean NOT NULL DEFAULT false;
