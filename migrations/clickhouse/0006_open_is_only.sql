-- The same of the days that are open.
ALTER TABLE open_visits ADD COLUMN IF NOT EXISTS is_only UInt8 CODEC(ZSTD(1)) AFTER visitor_id
