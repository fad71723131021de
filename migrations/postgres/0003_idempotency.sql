-- The answer that a create with an Idempotency-Key got, kept for 24 hours. The body is here only as a keyed hash:
-- it may hold a password, and a plain hash of a short password can be guessed.
CREATE TABLE idempotent_answers (
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	key text NOT NULL,
	body_hash bytea NOT NULL,
	status smallint NOT NULL,
	headers jsonb NOT NULL,
	body text NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotent_answers_by_age ON idempotent_answers (created_at);
