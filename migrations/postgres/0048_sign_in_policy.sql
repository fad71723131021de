-- What an account, or with NULL the whole service, requires of people who work with its websites. NULL in a column: nothing.
CREATE TABLE sign_in_policies (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint REFERENCES accounts ON DELETE CASCADE,
	sign_in text NOT NULL CHECK (sign_in IN ('any', 'second_factor', 'provider')),
	idle_minutes integer CHECK (idle_minutes > 0),
	session_hours integer CHECK (session_hours > 0),
	-- IP addresses and networks of the dashboard and of API keys.
	networks text[] CHECK (cardinality(networks) > 0),
	changed_at timestamptz NOT NULL,
	UNIQUE NULLS NOT DISTINCT (account_id)
);

-- How a session was opened. NULL: by the version before, which asked everyone who has a second factor for it.
ALTER TABLE sessions ADD COLUMN second_factor boolean;
ALTER TABLE sessions ADD COLUMN provider_id bigint REFERENCES oidc_providers ON DELETE SET NULL;
