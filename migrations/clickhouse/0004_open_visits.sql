-- Runs of days that are not sealed, found when somebody asks and used until more has come: a question reads runs from a
-- table, whichever day they are of. One partition a generation; they live for minutes and are dropped whole. Nothing is
-- lost with them, so nothing is synced.
CREATE TABLE IF NOT EXISTS open_visits AS visits
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (website_id, date, visitor_id, start)
SETTINGS min_bytes_for_wide_part = 1000000000
