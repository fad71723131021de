-- Boards: pages of pinned views, private to the account that made them. The cards are JSON: their order is the order on the board,
-- and a card may name a website that its owner can no longer read, so there is no foreign key.
CREATE TABLE boards (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	name text NOT NULL,
	period text NOT NULL,
	cards jsonb NOT NULL,
	created_at timestamptz NOT NULL,
	updated_at timestamptz NOT NULL
);
CREATE INDEX boards_by_account ON boards (account_id, id);
