-- A seal derives a day's visits and totals from its events as a new generation and then says here that it counts. Every
-- question reads the generations that are named here, so it sees a day as it was or as it is now, and nothing between.
CREATE SEQUENCE generations;

ALTER TABLE days
	-- About how many events it has: what a question over it would cost.
	ADD COLUMN size bigint NOT NULL DEFAULT 0,
	-- The instant as of which the generation was derived.
	ADD COLUMN sealed_at timestamptz,
	-- Dimensions that had more values than are stored one by one.
	ADD COLUMN capped text[] NOT NULL DEFAULT '{}',
	-- Goals with a revision up to this one are in the totals.
	ADD COLUMN goal_revision bigint NOT NULL DEFAULT 0,
	-- Totals alone, of a day that is too large to be counted at each question and not over yet. Those of a seal are the last.
	ADD COLUMN provisional_generation bigint NOT NULL DEFAULT 0,
	ADD COLUMN provisional_batch bigint NOT NULL DEFAULT 0,
	ADD COLUMN provisional_at timestamptz,
	ADD COLUMN provisional_capped text[] NOT NULL DEFAULT '{}',
	ADD COLUMN provisional_goal_revision bigint NOT NULL DEFAULT 0;
CREATE INDEX days_to_seal ON days (date) WHERE last_batch > sealed_batch;
CREATE INDEX days_large ON days (date) WHERE size > 200000;

-- Generations of a day that count no longer, or that a seal began and may never finish. They are deleted once no question
-- can still be reading them; one that is being deleted can no longer be finished.
CREATE TABLE dead_generations (
	website_id bigint NOT NULL,
	date date NOT NULL,
	generation bigint NOT NULL,
	died_at timestamptz NOT NULL,
	is_going boolean NOT NULL DEFAULT false,
	PRIMARY KEY (website_id, date, generation)
);
CREATE INDEX dead_generations_by_age ON dead_generations (died_at);

-- Generations up to this one were derived from what is dead.
ALTER TABLE tombstones ADD COLUMN until_generation bigint NOT NULL DEFAULT 0;

ALTER TABLE websites
	-- Events and visits are kept for so many months; NULL is 'for ever'.
	ADD COLUMN retention_months smallint CHECK (retention_months BETWEEN 1 AND 120),
	-- Those before this date are gone, or about to be.
	ADD COLUMN raw_from date,
	-- Those before this date are off the disk.
	ADD COLUMN raw_erased_to date;
