-- What new websites of an account begin with: settings, goals, funnels, segments, page groups and traffic rules, as JSON.
CREATE TABLE website_templates (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	name text COLLATE "C" NOT NULL,
	content jsonb NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	UNIQUE (account_id, name)
);
