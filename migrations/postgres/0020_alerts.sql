-- What somebody wants to be told of a website when it happens, and where.
CREATE TABLE alerts (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	kind text NOT NULL CHECK (kind IN ('spike', 'silence', 'goal')),
	-- Of a goal: which.
	goal_id bigint REFERENCES goals ON DELETE CASCADE,
	-- Of silence: for how long.
	hours smallint CHECK (hours BETWEEN 1 AND 72),
	channel text NOT NULL CHECK (channel IN ('mail', 'webhook', 'ntfy', 'slack')),
	-- Where to, and the secret that a webhook is signed with: sealed with a key that is not in the database. Whoever has the
	-- address of a Slack webhook can write there.
	url bytea,
	secret bytea,
	-- Its scheme and host, for people to know it by.
	url_shown text,
	enabled boolean NOT NULL DEFAULT true,
	-- When it last happened; a goal is told once. Since when it is silent.
	fired_at timestamptz,
	silent_since timestamptz,
	-- From then on it watches: made, switched on, or changed.
	armed_at timestamptz NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL,
	CHECK ((kind = 'goal') = (goal_id IS NOT NULL)),
	CHECK ((kind = 'silence') = (hours IS NOT NULL)),
	CHECK ((channel = 'mail') = (url IS NULL)),
	CHECK ((channel = 'webhook') = (secret IS NOT NULL))
);
CREATE INDEX alerts_by_website ON alerts (website_id, id);

-- What is to be told to an address on the net. Written with what made it due, in one transaction, and sent until it was taken.
CREATE TABLE alert_deliveries (
	id uuid PRIMARY KEY,
	alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
	-- What it tells: the same is never told twice.
	key text NOT NULL UNIQUE,
	-- What happened, and how it is said.
	content jsonb NOT NULL,
	state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
	attempts integer NOT NULL DEFAULT 0,
	next_at timestamptz NOT NULL,
	created_at timestamptz NOT NULL,
	ended_at timestamptz,
	-- What was answered last.
	reason text
);
CREATE INDEX alert_deliveries_due ON alert_deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX alert_deliveries_by_alert ON alert_deliveries (alert_id, created_at DESC);
CREATE INDEX alert_deliveries_ended ON alert_deliveries (ended_at) WHERE ended_at IS NOT NULL;

-- Since when websites have been watched without a gap: while nobody ran there were no hits either, and that is no silence.
CREATE TABLE watching (
	only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
	since timestamptz NOT NULL,
	last_at timestamptz NOT NULL
);
