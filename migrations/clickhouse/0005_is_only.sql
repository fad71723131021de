-- Whether it is the only run of its visitor that day. Such a visitor is counted by adding; of the others every count keeps
-- a list of who was counted already. Runs of before have 0, which is never wrong, only slower.
ALTER TABLE visits ADD COLUMN IF NOT EXISTS is_only UInt8 CODEC(ZSTD(1)) AFTER visitor_id
