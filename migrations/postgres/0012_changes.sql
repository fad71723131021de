-- Who changed what, and when. Rows are added and never touched again; they outlive what they tell of, and hold ids alone.
CREATE TABLE changes (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	at timestamptz NOT NULL,
	-- Who did it, and by which key; without one they were signed in.
	account_id bigint NOT NULL,
	key_id bigint,
	-- The operation, by its name in OpenAPI or in the list of what can be done about a session.
	what text NOT NULL,
	website_id bigint
);
CREATE INDEX changes_by_account ON changes (account_id, id);

CREATE FUNCTION refuse_to_change_the_past() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'What was written down stays as it is.';
END $$;
CREATE TRIGGER changes_stay BEFORE UPDATE OR DELETE ON changes
	FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_past();
