-- Rules that drop hits of a website by a value. New hits only: what is stored stays.
CREATE TABLE traffic_rules (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	name text COLLATE "C" NOT NULL,
	kind text NOT NULL CHECK (kind IN ('path', 'hostname', 'country', 'referrer', 'campaign', 'user_agent', 'network')),
	test text NOT NULL CHECK (test IN ('is', 'contains', 'starts_with', 'ends_with', 'wildcard', 'domain')),
	entries text[] NOT NULL,
	enabled boolean NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	UNIQUE (website_id, name)
);

-- Hits that each rule dropped, by day, for 90 days.
CREATE TABLE rule_drops (
	rule_id bigint NOT NULL REFERENCES traffic_rules ON DELETE CASCADE,
	date date NOT NULL,
	count bigint NOT NULL,
	PRIMARY KEY (rule_id, date)
);
