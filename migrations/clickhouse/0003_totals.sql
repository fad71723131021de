-- What a day comes to, derived from its runs by server/derive/totals.ts: one row a dimension and value; the dimension ''
-- is the whole day. All counts can be summed over days and over nothing else. Kept for ever.
CREATE TABLE IF NOT EXISTS totals
(
    website_id UInt32 CODEC(Delta, ZSTD(1)),
    dimension LowCardinality(String) CODEC(ZSTD(1)),
    date Date CODEC(Delta, ZSTD(1)),
    generation UInt64 CODEC(Delta, ZSTD(1)),
    value String CODEC(ZSTD(3)),
    -- All values beyond the most frequent ones of the day, counted together.
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
PARTITION BY toYYYYMM(date)
ORDER BY (website_id, dimension, date, generation, value)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
