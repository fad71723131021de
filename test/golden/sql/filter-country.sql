-- Visits from two countries.

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor, active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, views, events, is_bounce, seconds, country
FROM visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE country IN {p6:Array(String)}) AS r
ARRAY JOIN [{p7:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = 42
-- p2 = "2026-11-01"
-- p3 = "2026-11-07"
-- p4 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p5 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p6 = ["DE","AT"]
-- p7 = ""
