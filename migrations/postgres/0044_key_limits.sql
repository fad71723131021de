-- Scopes, an expiry and networks of an API key. The version before does not know them and would ignore them, so it must not find
-- such a key: `digest`, which that version looks up, is then the SHA-256 of `restricted_digest`, the digest of the secret.
ALTER TABLE api_keys ADD COLUMN scopes text[];
ALTER TABLE api_keys ADD COLUMN expires_at timestamptz;
ALTER TABLE api_keys ADD COLUMN networks text[];
ALTER TABLE api_keys ADD COLUMN restricted_digest bytea;
-- The last warning about the expiry: so many days before. NULL: none.
ALTER TABLE api_keys ADD COLUMN expiry_warned_days smallint;
-- Also refuses the version before when it rotates such a key, which would otherwise make the key's new secret unrestricted there.
ALTER TABLE api_keys ADD CONSTRAINT restricted_keys_are_hidden CHECK (
	CASE WHEN scopes IS NULL AND expires_at IS NULL AND networks IS NULL THEN restricted_digest IS NULL
	ELSE restricted_digest IS NOT NULL AND digest = sha256(restricted_digest) END
) NOT VALID;
-- What the version before lists for a key with scopes.
ALTER TABLE api_keys ADD CONSTRAINT keys_with_scopes_read CHECK (
	scopes IS NULL OR (cardinality(scopes) > 0 AND access = 'read')
) NOT VALID;
