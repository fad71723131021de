-- An event name or page that counts as success. The revision is new whenever the condition changes, so that what was counted
-- by another condition can be told. Whoever changes a goal holds the row of its website until the commit: within a website
-- a higher revision was committed later.
CREATE SEQUENCE goal_revisions CACHE 1;
CREATE TABLE goals (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	revision bigint NOT NULL,
	name text COLLATE "C" NOT NULL,
	kind text NOT NULL CHECK (kind IN ('page', 'event')),
	-- `*` stands for any characters.
	pattern text NOT NULL,
	property_name text,
	property_value text,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	CHECK ((property_name IS NULL) = (property_value IS NULL)),
	UNIQUE (website_id, name)
);

-- Steps that visitors should take in this order: [{"goal": 3}, {"page": "/thanks*"}].
CREATE TABLE funnels (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	name text COLLATE "C" NOT NULL,
	steps jsonb NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	UNIQUE (website_id, name)
);

-- A filter with a name: ["is", "country", ["DE"]].
CREATE TABLE segments (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	name text COLLATE "C" NOT NULL,
	filters jsonb NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	UNIQUE (website_id, name)
);

-- What happened on a date, in somebody's words.
CREATE TABLE notes (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	date date NOT NULL,
	text text NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL
);
CREATE INDEX notes_by_date ON notes (website_id, date, id);
