-- The last seven days: sealed ones, a late one and today.

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces, t.seconds
FROM totals AS t
WHERE website_id = {p1:UInt32}
	AND dimension IN {p2:Array(String)}
	AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)})
	AND (dimension != 'goal' OR has({p7:Array(String)}, value)))
-- p0 = 0
-- p1 = 42
-- p2 = [""]
-- p3 = "2026-11-09"
-- p4 = "2026-11-14"
-- p5 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p6 = ["1109","1111","1112","1113","1114"]
-- p7 = ["5","9"]

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
SELECT website_id, date, visitor_id , is_only, views, events, is_bounce, seconds
FROM open_visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p6:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = 42
-- p2 = "2026-11-10"
-- p3 = "2026-11-15"
-- p4 = ["2026-11-10","2026-11-15"]
-- p5 = ["297795584","318767104"]
-- p6 = ""
