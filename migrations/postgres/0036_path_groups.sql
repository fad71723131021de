-- The rules that group the pages of a website, as a list in their order, and the list before the last change, which undo restores.
CREATE TABLE path_groups (
	website_id bigint PRIMARY KEY REFERENCES websites ON DELETE CASCADE,
	rules jsonb NOT NULL,
	previous jsonb NOT NULL,
	updated_at timestamptz NOT NULL
);
