-- What operators did: a person, an operator key, or with neither someone on the command line. Rows are only added, and hold ids alone.
CREATE TABLE operator_log (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	at timestamptz NOT NULL,
	person_id bigint,
	key_id bigint,
	what text NOT NULL,
	-- What it was done to.
	account_id bigint,
	subject_id bigint,
	website_id bigint,
	CHECK (person_id IS NULL OR key_id IS NULL)
);
CREATE INDEX operator_log_by_account ON operator_log (account_id, id);
CREATE TRIGGER operator_log_stays BEFORE UPDATE OR DELETE ON operator_log
	FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_past();

-- Keys of the service itself, for the operator's programs. A revoked one stays, because the log names it.
CREATE TABLE operator_keys (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text NOT NULL,
	digest bytea NOT NULL UNIQUE,
	ending text NOT NULL,
	access text NOT NULL CHECK (access IN ('full', 'read')),
	expires_at timestamptz,
	networks text[],
	created_at timestamptz NOT NULL,
	last_used_at timestamptz,
	revoked_at timestamptz
);

-- Who may create an account without an invitation. No row: nobody.
CREATE TABLE sign_up_policy (
	only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
	mode text NOT NULL CHECK (mode IN ('closed', 'domains', 'open')),
	domains text[] NOT NULL,
	-- Limits of the new accounts; null: none.
	website_limit integer CHECK (website_limit >= 0),
	pageview_limit bigint CHECK (pageview_limit >= 0),
	CHECK (mode <> 'domains' OR cardinality(domains) > 0)
);

-- A mailed link that creates an account.
CREATE TABLE sign_up_links (
	digest bytea PRIMARY KEY,
	email text NOT NULL,
	expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX sign_up_links_by_email ON sign_up_links (lower(email));
CREATE INDEX sign_up_links_by_end ON sign_up_links (expires_at);
