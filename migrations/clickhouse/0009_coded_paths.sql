-- Pages repeat: as codes of a dictionary they are read and compared 3 to 7 times as fast, and take less space. Existing parts
-- are rewritten in the background, and read as they are until then.
ALTER TABLE visits
    MODIFY COLUMN paths Array(LowCardinality(String)) CODEC(LZ4),
    MODIFY COLUMN entry_path LowCardinality(String) CODEC(LZ4),
    MODIFY COLUMN exit_path LowCardinality(String) CODEC(LZ4)
