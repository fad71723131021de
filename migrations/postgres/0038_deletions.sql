-- Events that are hidden from all statistics, and later deleted from disk.
CREATE TABLE deletions (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	rule_id bigint REFERENCES traffic_rules ON DELETE SET NULL,
	-- Of the rule at the time.
	name text,
	-- Which events, as JSON: `EventSelection` of server/derive/hidden-events.ts.
	selection jsonb NOT NULL,
	state text NOT NULL CHECK (state IN ('hidden', 'deleting', 'deleted', 'undone')),
	-- Increases per website with each deletion that is made or undone.
	revision bigint NOT NULL,
	-- The local dates with selected events.
	dates date[] NOT NULL,
	events bigint NOT NULL,
	pageviews bigint NOT NULL,
	-- Values of totals without events.
	earlier_values bigint NOT NULL,
	-- The last batch when the events were looked for: later ones may contain selected events too.
	since_batch bigint NOT NULL,
	-- The last batch that may contain events from before; set when the events are due.
	until_batch bigint,
	delete_at timestamptz NOT NULL,
	created_at timestamptz NOT NULL,
	ended_at timestamptz
);
CREATE INDEX deletions_by_website ON deletions (website_id, id);
CREATE INDEX deletions_due ON deletions (delete_at) WHERE state IN ('hidden', 'deleting');

-- The revision from which a day must be sealed, and the one that its seal knew.
ALTER TABLE days
	ADD COLUMN deletions_revision bigint NOT NULL DEFAULT 0,
	ADD COLUMN sealed_revision bigint NOT NULL DEFAULT 0;
