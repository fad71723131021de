-- Events are the only truth: visits and totals are derived from them and can be made again.
-- A column is never Nullable; '' and 0 mean 'not known'.
-- Codecs are what `bench/storage.ts` shows to be smallest at the same speed of merges: without one, ClickHouse takes LZ4,
-- which gains nothing on small dictionaries (3 bytes an event). Random ids cannot be compressed at all.
CREATE TABLE IF NOT EXISTS events
(
    -- Where and when. `date` is the day in the website's own zone at that time; `time` is UTC.
    website_id UInt32 CODEC(Delta, ZSTD(1)),
    date Date CODEC(Delta, ZSTD(1)),
    visitor_id UInt64 CODEC(ZSTD(1)),
    time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),

    -- What: `event_id` is random, made by the tracker and unique per website; `name` is that of a
    -- custom event, else its kind.
    event_id UInt64 CODEC(NONE),
    kind Enum8('pageview' = 1, 'custom' = 2, 'engagement' = 3, 'vital' = 4) CODEC(ZSTD(1)),
    name LowCardinality(String) CODEC(ZSTD(1)),

    -- The page, cleaned: no excluded, campaign or click-id parameters in `query`.
    hostname LowCardinality(String) CODEC(ZSTD(1)),
    path String CODEC(ZSTD(3)),
    query String CODEC(ZSTD(3)),
    title String CODEC(ZSTD(3)),

    -- Where it came from. A click id is kept by its kind (gclid, fbclid …), never by its value.
    referrer String CODEC(ZSTD(3)),
    source LowCardinality(String) CODEC(ZSTD(1)),
    channel LowCardinality(String) CODEC(ZSTD(1)),
    utm_source LowCardinality(String) CODEC(ZSTD(1)),
    utm_medium LowCardinality(String) CODEC(ZSTD(1)),
    utm_campaign String CODEC(ZSTD(3)),
    utm_term String CODEC(ZSTD(3)),
    utm_content String CODEC(ZSTD(3)),
    click_id LowCardinality(String) CODEC(ZSTD(1)),

    -- Where it was read: the country as two letters (not a FixedString: '' would become two zero bytes), the region by its
    -- ISO code or name as the database of places has it, the city by name.
    country LowCardinality(String) CODEC(ZSTD(1)),
    region LowCardinality(String) CODEC(ZSTD(1)),
    city String CODEC(ZSTD(3)),
    language LowCardinality(String) CODEC(ZSTD(1)),

    -- With what.
    browser LowCardinality(String) CODEC(ZSTD(1)),
    browser_version LowCardinality(String) CODEC(ZSTD(1)),
    os LowCardinality(String) CODEC(ZSTD(1)),
    os_version LowCardinality(String) CODEC(ZSTD(1)),
    device LowCardinality(String) CODEC(ZSTD(1)),
    screen LowCardinality(String) CODEC(ZSTD(1)),

    -- The visitor's salt was gone: told apart from other late ones, never joined with those already counted.
    late UInt8 CODEC(ZSTD(1)),

    -- Properties of the event, and money with its currency, which is never summed across currencies.
    properties Map(LowCardinality(String), String) CODEC(ZSTD(3)),
    revenue Decimal64(4) CODEC(ZSTD(1)),
    currency LowCardinality(String) CODEC(ZSTD(1)),

    -- Engagement and vitals belong to a page view and say which: visible milliseconds, deepest scroll in percent; the largest
    -- paint, the slowest answer, the layout's shifts. A vital whose browser does not measure shifts has a `cls` of -1.
    page_event_id UInt64 CODEC(ZSTD(3)),
    engaged_ms UInt32 CODEC(ZSTD(1)),
    scroll UInt8 CODEC(ZSTD(1)),
    lcp_ms UInt32 CODEC(ZSTD(1)),
    inp_ms UInt32 CODEC(ZSTD(1)),
    cls Float32 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(date)
ORDER BY (website_id, date, visitor_id, time)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1,
    -- Without it a power cut leaves merged parts broken: put aside by the engine, and out of reach of every deletion.
    min_rows_to_fsync_after_merge = 1
