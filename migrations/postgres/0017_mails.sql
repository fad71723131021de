-- Mails on their way. A mail is written down with what made it due, in one transaction, and sent once.
CREATE TABLE mails (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	-- What it is: the same thing is never mailed twice.
	key text NOT NULL UNIQUE,
	recipient text NOT NULL,
	-- As JSON: subject, text, html, headers. Emptied once it is sent or given up: it may hold a link that opens something.
	content jsonb,
	-- waiting → sending → handed → sent. Handed: the server has all of it but the last line, or has it whole.
	-- unknown: nobody can say whether it was taken; it is not sent again. failed: refused, or tried too often.
	state text NOT NULL DEFAULT 'waiting'
		CHECK (state IN ('waiting', 'sending', 'handed', 'sent', 'unknown', 'failed')),
	-- Whoever sends it just now.
	claim uuid,
	attempts integer NOT NULL DEFAULT 0,
	next_at timestamptz NOT NULL,
	created_at timestamptz NOT NULL,
	ended_at timestamptz,
	-- What the server said last.
	reason text
);

CREATE INDEX mails_due ON mails (next_at) WHERE state = 'waiting';
CREATE INDEX mails_under_way ON mails (state) WHERE state IN ('sending', 'handed');
CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL;
