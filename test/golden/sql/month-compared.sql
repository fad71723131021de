-- This month and the one before up to the same time of its fifteenth.

SELECT
	if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
	is_other, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits, sum(t.visitors) AS visitors, sum(t.bounces) AS bounces, sum(t.seconds) AS seconds
FROM totals AS t
WHERE website_id = {p0:UInt32} AND ((dimension IN {p1:Array(String)}
	AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)})) OR (dimension IN {p6:Array(String)}
	AND date BETWEEN {p7:Date} AND {p8:Date}
	AND (date, generation) IN arrayZip({p9:Array(Date)}, {p10:Array(UInt64)})))
	AND (dimension != 'goal' OR has({p11:Array(String)}, t.value))
GROUP BY day, dimension, value, is_other
LIMIT {p12:UInt64} BY day, dimension
-- p0 = 42
-- p1 = [""]
-- p2 = "2026-11-01"
-- p3 = "2026-11-14"
-- p4 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07","2026-11-08","2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p5 = ["1101","1102","1103","1104","1105","1106","1107","1108","1109","1111","1112","1113","1114"]
-- p6 = [""]
-- p7 = "2026-10-01"
-- p8 = "2026-10-14"
-- p9 = ["2026-10-01","2026-10-02","2026-10-03","2026-10-04","2026-10-05","2026-10-06","2026-10-07","2026-10-08","2026-10-09","2026-10-10","2026-10-11","2026-10-12","2026-10-13","2026-10-14"]
-- p10 = ["1001","1002","1003","1004","1005","1006","1007","1008","1009","1010","1011","1012","1013","1014"]
-- p11 = ["5","9"]
-- p12 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0)))] AS dimension,
	[''][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (SELECT *, date AS value_0 FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, views, events, is_bounce, seconds
FROM open_visits
WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
	AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
WHERE true)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0))))
LIMIT {p8:UInt64} BY day, bucket, dimension
-- p0 = [""]
-- p1 = ["0"]
-- p2 = ["0"]
-- p3 = 42
-- p4 = "2026-11-10"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-10","2026-11-15"]
-- p7 = ["297795584","318767104"]
-- p8 = 4000

SELECT * FROM (
SELECT
	date AS day, bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(0) AS views, toUInt64(0) AS events, toUInt64(sum(visitor_id != 0)) AS visits, toUInt64(0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM visits
WHERE website_id = {p0:UInt32} AND date BETWEEN {p1:Date} AND {p2:Date}
	AND (date, generation) IN arrayZip({p3:Array(Date)}, {p4:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p5:String}] AS dimension, [{p6:String}] AS value
WHERE true AND start_ms < {p7:Int64}
GROUP BY website_id, date, bucket, dimension, value UNION ALL
SELECT website_id, date, toInt64(0) AS bucket, {p8:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true AND event_ms < {p9:Int64})) AS views, toUInt64(sumIf(kind = 'custom', true AND event_ms < {p10:Int64})) AS events, toUInt64(0) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true AND event_ms < {p11:Int64}) AS visitors, toUInt64(0) AS bounces, toUInt64(0) AS seconds
FROM (
	SELECT *, start_ms + offset AS event_ms, kind, offset, '' AS value_0, nth_0 AS nth
	FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM visits
WHERE website_id = {p12:UInt32} AND date BETWEEN {p13:Date} AND {p14:Date}
	AND (date, generation) IN arrayZip({p15:Array(Date)}, {p16:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, offsets AS offset, arrayWithConstant(length(kinds), 0) AS nth_0
) AS r
WHERE true AND (true AND event_ms < {p17:Int64})
GROUP BY website_id, date, bucket, value_0))
LIMIT {p18:UInt64} BY day, bucket, dimension
-- p0 = 42
-- p1 = "2026-10-15"
-- p2 = "2026-10-15"
-- p3 = ["2026-10-15"]
-- p4 = ["1015"]
-- p5 = ""
-- p6 = ""
-- p7 = 1792056600000
-- p8 = ""
-- p9 = 1792056600000
-- p10 = 1792056600000
-- p11 = 1792056600000
-- p12 = 42
-- p13 = "2026-10-15"
-- p14 = "2026-10-15"
-- p15 = ["2026-10-15"]
-- p16 = ["1015"]
-- p17 = 1792056600000
-- p18 = 4000
