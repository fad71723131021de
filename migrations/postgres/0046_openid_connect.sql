-- Providers of OpenID Connect, which only the operator adds.
CREATE TABLE oidc_providers (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
	label text NOT NULL,
	issuer text NOT NULL,
	client_id text NOT NULL,
	-- Encrypted with the secret of the service; null for a public client.
	client_secret bytea,
	-- Empty: any address.
	allowed_domains text[] NOT NULL,
	groups_claim text NOT NULL,
	-- Who may sign in without an account: only people with an invitation, also those in a mapped group, or everyone.
	admits text NOT NULL CHECK (admits IN ('invited', 'groups', 'everyone')),
	-- The provider asks for a second factor, so the service does not.
	has_second_factor boolean NOT NULL,
	created_at timestamptz NOT NULL
);

-- A group of a provider, and the role that its members have on an account or a website.
CREATE TABLE oidc_group_roles (
	provider_id bigint NOT NULL REFERENCES oidc_providers ON DELETE CASCADE,
	group_name text NOT NULL,
	account_id bigint REFERENCES accounts ON DELETE CASCADE,
	website_id bigint REFERENCES websites ON DELETE CASCADE,
	role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
	CHECK (num_nonnulls(account_id, website_id) = 1),
	CHECK (role <> 'owner' OR account_id IS NOT NULL),
	UNIQUE NULLS NOT DISTINCT (provider_id, group_name, account_id, website_id)
);

-- Who a person is at a provider.
CREATE TABLE oidc_identities (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	provider_id bigint NOT NULL REFERENCES oidc_providers ON DELETE CASCADE,
	issuer text NOT NULL,
	subject text NOT NULL,
	person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
	created_at timestamptz NOT NULL,
	last_used_at timestamptz NOT NULL,
	UNIQUE (provider_id, issuer, subject),
	UNIQUE (provider_id, person_id)
);
CREATE INDEX oidc_identities_by_person ON oidc_identities (person_id);

-- A browser that was sent to a provider and has not come back.
CREATE TABLE oidc_requests (
	digest bytea PRIMARY KEY,
	provider_id bigint NOT NULL REFERENCES oidc_providers ON DELETE CASCADE,
	state text NOT NULL,
	nonce text NOT NULL,
	code_verifier text NOT NULL,
	return_to text,
	-- Set to link the identity to this person, in this session.
	session_id bigint REFERENCES sessions ON DELETE CASCADE,
	expires_at timestamptz NOT NULL
);
CREATE INDEX oidc_requests_by_end ON oidc_requests (expires_at);

-- Someone whose identity a provider has confirmed, and who must still prove to be the person.
CREATE TABLE oidc_proofs (
	digest bytea PRIMARY KEY,
	provider_id bigint NOT NULL REFERENCES oidc_providers ON DELETE CASCADE,
	person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
	issuer text NOT NULL,
	subject text NOT NULL,
	groups text[] NOT NULL,
	-- The address that found the person, which the provider has verified. NULL: the identity is linked to the person already.
	address text,
	return_to text,
	expires_at timestamptz NOT NULL
);
CREATE INDEX oidc_proofs_by_end ON oidc_proofs (expires_at);

-- A row: people sign in with a provider only.
CREATE TABLE oidc_required (
	only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
	since timestamptz NOT NULL
);

-- Roles that a group gave, which end with it.
ALTER TABLE members ADD COLUMN oidc_provider_id bigint REFERENCES oidc_providers ON DELETE SET NULL;
ALTER TABLE account_owners ADD COLUMN oidc_provider_id bigint REFERENCES oidc_providers ON DELETE SET NULL;
