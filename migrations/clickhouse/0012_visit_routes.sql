-- The same of each event of a visit. Visits of before have an empty list, which is read as one '' per event.
ALTER TABLE visits ADD COLUMN IF NOT EXISTS routes Array(LowCardinality(String)) CODEC(LZ4) AFTER paths
