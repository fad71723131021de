-- The template of the path that a framework sent (`/product/[id]`), or ''. It is the page group of the event, whatever the rules say.
ALTER TABLE events ADD COLUMN IF NOT EXISTS route LowCardinality(String) CODEC(ZSTD(1)) AFTER path
