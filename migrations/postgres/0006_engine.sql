-- Which ClickHouse holds the events of these websites: the id that it keeps itself. A service with another one is refused,
-- or two of them would each hold a part of the events. To change over for good: DELETE FROM engine.
CREATE TABLE engine (
	id uuid NOT NULL,
	is_the_only_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_only_one)
);
