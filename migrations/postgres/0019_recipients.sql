-- Whom an account's reports and alerts are mailed to besides itself. Nobody is until they have said so themselves.
CREATE TABLE report_recipients (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	-- NULL is 'all websites of the account, also those to come'.
	website_id bigint REFERENCES websites ON DELETE CASCADE,
	address text NOT NULL,
	-- The language that they were asked in.
	locale text NOT NULL,
	-- Of the token in the mail that asked them; NULL once it was used or they said no.
	digest bytea UNIQUE CHECK (length(digest) = 32),
	expires_at timestamptz NOT NULL,
	confirmed_at timestamptz,
	unsubscribed_at timestamptz,
	created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX report_recipients_once ON report_recipients (account_id, coalesce(website_id, 0), lower(address));
CREATE INDEX report_recipients_by_website ON report_recipients (website_id) WHERE website_id IS NOT NULL;

-- How often an account had an address asked, and whether it said no. It outlives the recipient, so that deleting one does not
-- let the account ask anew. The address is a keyed hash: whoever said no is not kept by name.
CREATE TABLE asked_addresses (
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	digest bytea NOT NULL CHECK (length(digest) = 32),
	asked integer NOT NULL,
	asked_at timestamptz NOT NULL,
	refused_at timestamptz,
	PRIMARY KEY (account_id, digest)
);

-- Mails of a day (of UTC), by the account in whose name they go; 0 is all of them together.
CREATE TABLE mail_counts (
	day date NOT NULL,
	account_id bigint NOT NULL,
	mails integer NOT NULL DEFAULT 0,
	-- Those that were one too many.
	refused integer NOT NULL DEFAULT 0,
	PRIMARY KEY (day, account_id)
);
