-- The same of the days that are open.
ALTER TABLE open_visits ADD COLUMN IF NOT EXISTS routes Array(LowCardinality(String)) CODEC(LZ4) AFTER paths
