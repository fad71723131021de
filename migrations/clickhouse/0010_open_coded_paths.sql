-- The same of the days that are open.
ALTER TABLE open_visits
    MODIFY COLUMN paths Array(LowCardinality(String)) CODEC(LZ4),
    MODIFY COLUMN entry_path LowCardinality(String) CODEC(LZ4),
    MODIFY COLUMN exit_path LowCardinality(String) CODEC(LZ4)
