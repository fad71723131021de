-- Parts of ClickHouse tables that were found damaged. The files may be deleted by an erasure; the row stays until the data is restored
-- or the operator accepts the loss.
CREATE TABLE damaged_parts (
	table_name text NOT NULL,
	part text NOT NULL,
	found_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (table_name, part)
);
