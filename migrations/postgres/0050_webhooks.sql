-- Webhooks of an account: URLs that get its events, signed with a secret. The URL and the secret are encrypted.
CREATE TABLE webhooks (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	name text COLLATE "C" NOT NULL,
	url bytea NOT NULL,
	url_shown text NOT NULL,
	secret bytea NOT NULL,
	-- Null: all of them, also those of later versions.
	events text[],
	-- Null: all websites of the account.
	website_ids bigint[],
	enabled boolean NOT NULL DEFAULT true,
	-- Why Tidemark disabled it.
	disabled_reason text,
	-- The first failed call since the last one that was accepted. Until `retry_at`, no further call is made.
	failing_since timestamptz,
	retry_at timestamptz,
	-- Webhooks take turns: the one whose last call is the oldest is next.
	called_at timestamptz,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL
);
CREATE INDEX webhooks_by_account ON webhooks (account_id);

-- Calls of these webhooks have a kind of their own, which the previous version does not send. They keep their content.
ALTER TABLE outbox ADD COLUMN webhook_id bigint REFERENCES webhooks ON DELETE CASCADE;
-- The status of the last response.
ALTER TABLE outbox ADD COLUMN status smallint;
ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_kinds CHECK (kind IN ('mail', 'webhook', 'event')) NOT VALID;
ALTER TABLE outbox ADD CONSTRAINT outbox_of_webhooks CHECK ((kind = 'event') = (webhook_id IS NOT NULL)) NOT VALID;
CREATE INDEX outbox_by_webhook ON outbox (webhook_id, id) WHERE webhook_id IS NOT NULL;
CREATE INDEX outbox_waiting_by_webhook ON outbox (webhook_id, next_at) WHERE webhook_id IS NOT NULL AND state = 'waiting';

-- Up to when reached goals were counted for webhooks.
ALTER TABLE watching ADD COLUMN goals_until timestamptz;
