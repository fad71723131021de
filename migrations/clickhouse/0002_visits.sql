-- Runs of a day, derived from its events by server/derive/visits.ts: one row a visit, and one for each event of nobody
-- (visitor 0), which is no visit and is counted beside them. A seal inserts a new generation; which one counts is said by
-- `days` in PostgreSQL, and the others are invisible until they are deleted.
CREATE TABLE IF NOT EXISTS visits
(
    website_id UInt32 CODEC(Delta, ZSTD(1)),
    date Date CODEC(Delta, ZSTD(1)),
    generation UInt64 CODEC(Delta, ZSTD(1)),
    visitor_id UInt64 CODEC(ZSTD(1)),
    start DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    -- On the website's clock.
    hour UInt8 CODEC(ZSTD(1)),

    -- Sums over the run.
    seconds UInt32 CODEC(ZSTD(1)),
    views UInt32 CODEC(ZSTD(1)),
    events UInt32 CODEC(ZSTD(1)),
    is_bounce UInt8 CODEC(ZSTD(1)),
    engaged_ms UInt64 CODEC(ZSTD(1)),
    engaged_views UInt32 CODEC(ZSTD(1)),
    scroll UInt32 CODEC(ZSTD(1)),
    scroll_views UInt32 CODEC(ZSTD(1)),

    -- Its events in the order of time: milliseconds since the start, and what each was.
    offsets Array(UInt32) CODEC(ZSTD(1)),
    kinds Array(Enum8('pageview' = 1, 'custom' = 2, 'engagement' = 3, 'vital' = 4)) CODEC(ZSTD(1)),
    names Array(LowCardinality(String)) CODEC(ZSTD(1)),
    paths Array(String) CODEC(ZSTD(3)),
    hostnames Array(LowCardinality(String)) CODEC(ZSTD(1)),
    titles Array(String) CODEC(ZSTD(3)),
    properties Array(Map(LowCardinality(String), String)) CODEC(ZSTD(3)),
    engaged Array(UInt64) CODEC(ZSTD(1)),
    scrolls Array(UInt8) CODEC(ZSTD(1)),
    revenues Array(Decimal64(4)) CODEC(ZSTD(1)),
    currencies Array(LowCardinality(String)) CODEC(ZSTD(1)),

    -- Of its first and last page view.
    entry_path String CODEC(ZSTD(3)),
    exit_path String CODEC(ZSTD(3)),
    referrer String CODEC(ZSTD(3)),
    source LowCardinality(String) CODEC(ZSTD(1)),
    channel LowCardinality(String) CODEC(ZSTD(1)),
    utm_source LowCardinality(String) CODEC(ZSTD(1)),
    utm_medium LowCardinality(String) CODEC(ZSTD(1)),
    utm_campaign String CODEC(ZSTD(3)),
    utm_term String CODEC(ZSTD(3)),
    utm_content String CODEC(ZSTD(3)),
    country LowCardinality(String) CODEC(ZSTD(1)),
    region LowCardinality(String) CODEC(ZSTD(1)),
    city String CODEC(ZSTD(3)),
    language LowCardinality(String) CODEC(ZSTD(1)),
    browser LowCardinality(String) CODEC(ZSTD(1)),
    browser_version LowCardinality(String) CODEC(ZSTD(1)),
    os LowCardinality(String) CODEC(ZSTD(1)),
    os_version LowCardinality(String) CODEC(ZSTD(1)),
    device LowCardinality(String) CODEC(ZSTD(1)),
    screen LowCardinality(String) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(date)
ORDER BY (website_id, date, generation, visitor_id, start)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
