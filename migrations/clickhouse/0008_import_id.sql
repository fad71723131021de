-- The import that brought an event; 0 is one of our own. An import is undone by it.
ALTER TABLE events ADD COLUMN IF NOT EXISTS import_id UInt64 CODEC(ZSTD(1))
