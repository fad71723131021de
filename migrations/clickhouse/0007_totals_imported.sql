-- What days came to elsewhere, as an import found it: the columns of `totals`, so that both are read alike. A count that the
-- source does not give is 0 here and null in an answer: `imports` in PostgreSQL says which it gives, and `imported_days` which
-- rows count.
CREATE TABLE IF NOT EXISTS totals_imported
(
    website_id UInt32 CODEC(Delta, ZSTD(1)),
    dimension LowCardinality(String) CODEC(ZSTD(1)),
    date Date CODEC(Delta, ZSTD(1)),
    import_id UInt64 CODEC(Delta, ZSTD(1)),
    value String CODEC(ZSTD(3)),
    is_other UInt8 CODEC(ZSTD(1)),
    visitors UInt64 CODEC(T64, ZSTD(1)),
    visits UInt64 CODEC(T64, ZSTD(1)),
    bounces UInt64 CODEC(T64, ZSTD(1)),
    seconds UInt64 CODEC(T64, ZSTD(1)),
    views UInt64 CODEC(T64, ZSTD(1)),
    visit_views UInt64 CODEC(T64, ZSTD(1)),
    events UInt64 CODEC(T64, ZSTD(1)),
    engaged_ms UInt64 CODEC(T64, ZSTD(1)),
    engaged_views UInt64 CODEC(T64, ZSTD(1)),
    scroll UInt64 CODEC(T64, ZSTD(1)),
    scroll_views UInt64 CODEC(T64, ZSTD(1)),
    revenue Map(LowCardinality(String), Decimal(38, 4)) CODEC(ZSTD(1))
)
ENGINE = MergeTree
-- Not by month: an import has ten years in one block.
PARTITION BY toYear(date)
ORDER BY (website_id, dimension, date, import_id, value)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1,
    min_rows_to_fsync_after_merge = 1
