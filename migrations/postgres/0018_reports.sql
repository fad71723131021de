-- What was told about a website, once a week or a month. A report is written with its mails in one transaction: whoever
-- writes the row first sends them, and nobody else does.
CREATE TABLE reports (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	kind text NOT NULL CHECK (kind IN ('week', 'month')),
	-- First and last day, on the clock of the website; both belong to it.
	from_day date NOT NULL,
	to_day date NOT NULL,
	-- The zone by whose clock it was due: a digest gathers what was due at the same time.
	zone text NOT NULL,
	-- Whether a day of it was not sealed yet.
	is_provisional boolean NOT NULL,
	-- As JSON: `Report` of server/reports/report.ts.
	content jsonb NOT NULL,
	-- It is mailed with the others of its account.
	awaits_digest boolean NOT NULL,
	made_at timestamptz NOT NULL,
	UNIQUE (account_id, website_id, kind, from_day)
);
CREATE INDEX reports_by_website ON reports (website_id, id);
CREATE INDEX reports_by_age ON reports (made_at);
CREATE INDEX reports_for_digests ON reports (account_id) WHERE awaits_digest;

ALTER TABLE accounts
	ADD COLUMN report_schedule text NOT NULL DEFAULT 'week' CHECK (report_schedule IN ('none', 'week', 'month', 'both')),
	-- All its websites in one mail.
	ADD COLUMN report_digest boolean NOT NULL DEFAULT false,
	-- What was due before is not told: a schedule holds for what is to come.
	ADD COLUMN reports_since timestamptz NOT NULL DEFAULT now();
