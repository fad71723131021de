-- Emails and webhook calls that wait to be sent. A row is inserted in the transaction that makes it due.
CREATE TABLE outbox (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	kind text NOT NULL CHECK (kind IN ('mail', 'webhook')),
	-- Identifies the message: the same message is never queued twice.
	key text NOT NULL,
	-- Of a mail.
	recipient text,
	-- Of a webhook call. The URL and the secret stay in the alert.
	alert_id bigint REFERENCES alerts ON DELETE CASCADE,
	-- As JSON. Emptied when the message is sent or given up: it may contain a link with a token.
	content jsonb,
	-- waiting → sending → handed → sent. handed: the mail server may accept the mail from now on. Webhook calls skip this state.
	-- unknown: the mail may have been accepted, and is not sent again. failed: rejected, or tried too often.
	state text NOT NULL DEFAULT 'waiting'
		CHECK (state IN ('waiting', 'sending', 'handed', 'sent', 'unknown', 'failed')),
	-- The run that sends it.
	claim uuid,
	attempts integer NOT NULL DEFAULT 0,
	-- The next attempt. While a message is sent: when another run may take it over.
	next_at timestamptz NOT NULL,
	created_at timestamptz NOT NULL,
	ended_at timestamptz,
	-- The last error.
	reason text,
	UNIQUE (kind, key),
	CHECK ((kind = 'mail') = (recipient IS NOT NULL)),
	CHECK ((kind = 'webhook') = (alert_id IS NOT NULL))
);
CREATE INDEX outbox_due ON outbox (kind, next_at) WHERE state = 'waiting';
CREATE INDEX outbox_in_progress ON outbox (kind, state) WHERE state IN ('sending', 'handed');
CREATE INDEX outbox_ended ON outbox (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX outbox_by_alert ON outbox (alert_id, created_at DESC) WHERE alert_id IS NOT NULL;

-- The outbox replaces `mails` and `alert_deliveries`. A process of the previous version that is sending a mail cannot hand it over
-- without its row. Both tables are dropped in a later release.
--
-- The previous version looks in `mails` for a key that is not used yet, and finds none used. So these two kinds of keys get a suffix.
CREATE FUNCTION move_to_outbox() RETURNS void LANGUAGE sql AS $$
	WITH moved AS (DELETE FROM mails RETURNING *)
	INSERT INTO outbox (kind, key, recipient, content, state, attempts, next_at, created_at, ended_at, reason)
	SELECT 'mail', CASE WHEN (key LIKE 'unconfirmed %' OR key LIKE 'digest:%')
			AND EXISTS (SELECT 1 FROM outbox WHERE kind = 'mail' AND outbox.key = moved.key) THEN key || ' ' || id ELSE key END, recipient, content, CASE state WHEN 'sending' THEN 'waiting' ELSE state END, attempts, next_at, created_at,
		ended_at, reason
	FROM moved ORDER BY id
	ON CONFLICT (kind, key) DO NOTHING;

	WITH moved AS (DELETE FROM alert_deliveries RETURNING *)
	INSERT INTO outbox (kind, key, alert_id, content, state, attempts, next_at, created_at, ended_at, reason)
	SELECT 'webhook', key, alert_id, CASE WHEN ended_at IS NULL THEN content END, state, attempts, next_at, created_at, ended_at, reason
	FROM moved ORDER BY created_at
	ON CONFLICT (kind, key) DO NOTHING;
$$;

LOCK TABLE mails, alert_deliveries IN SHARE ROW EXCLUSIVE MODE;
SELECT move_to_outbox();

-- During a rolling upgrade, processes of the previous version still insert into both tables. The rows move at the commit, because the
-- previous version deletes a mail again, in the same transaction, when it exceeds a quota.
CREATE FUNCTION move_inserted_to_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM move_to_outbox();
	RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER move_mails AFTER INSERT ON mails DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION move_inserted_to_outbox();
CREATE CONSTRAINT TRIGGER move_alert_deliveries AFTER INSERT ON alert_deliveries DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION move_inserted_to_outbox();
