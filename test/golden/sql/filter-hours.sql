-- A filter, by hour, over a change of the clock.

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
SELECT website_id, date, visitor_id , is_only, views, events, is_bounce, seconds, device
FROM visits
WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
	AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
WHERE device IN {p8:Array(String)})) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0))))
LIMIT {p9:UInt64} BY day, bucket, dimension
-- p0 = [""]
-- p1 = ["0"]
-- p2 = ["0"]
-- p3 = 42
-- p4 = "2026-10-25"
-- p5 = "2026-10-25"
-- p6 = ["2026-10-25"]
-- p7 = ["1025"]
-- p8 = ["mobile"]
-- p9 = 4000

SELECT * FROM (
SELECT
	date AS day, bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, roundDown(start_ms, {p0:Array(Int64)}) AS bucket, dimension, value, toUInt64(0) AS views, toUInt64(0) AS events, toUInt64(sum(visitor_id != 0)) AS visits, toUInt64(0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, device, start
FROM visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE device IN {p6:Array(String)}) AS r
ARRAY JOIN [{p7:String}] AS dimension, [{p8:String}] AS value
WHERE true AND start_ms >= {p9:Int64} AND start_ms < {p10:Int64}
GROUP BY website_id, date, bucket, dimension, value UNION ALL
SELECT website_id, date, roundDown(event_ms, {p11:Array(Int64)}) AS bucket, {p12:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true AND event_ms >= {p13:Int64} AND event_ms < {p14:Int64})) AS views, toUInt64(sumIf(kind = 'custom', true AND event_ms >= {p15:Int64} AND event_ms < {p16:Int64})) AS events, toUInt64(0) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true AND event_ms >= {p17:Int64} AND event_ms < {p18:Int64}) AS visitors, toUInt64(0) AS bounces, toUInt64(0) AS seconds
FROM (
	SELECT *, start_ms + offset AS event_ms, kind, offset, '' AS value_0, nth_0 AS nth
	FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, device, start
FROM visits
WHERE website_id = {p19:UInt32} AND date BETWEEN {p20:Date} AND {p21:Date}
	AND (date, generation) IN arrayZip({p22:Array(Date)}, {p23:Array(UInt64)}))
WHERE device IN {p24:Array(String)})
	ARRAY JOIN kinds AS kind, offsets AS offset, arrayWithConstant(length(kinds), 0) AS nth_0
) AS r
WHERE true AND (true AND event_ms >= {p25:Int64} AND event_ms < {p26:Int64})
GROUP BY website_id, date, bucket, value_0))
LIMIT {p27:UInt64} BY day, bucket, dimension
-- p0 = [1792879200000,1792882800000,1792886400000,1792890000000,1792893600000,1792897200000,1792900800000,1792904400000,1792908000000,1792911600000,1792915200000,1792918800000,1792922400000,1792926000000,1792929600000,1792933200000,1792936800000,1792940400000,1792944000000,1792947600000,1792951200000,1792954800000,1792958400000,1792962000000,1792965600000]
-- p1 = 42
-- p2 = "2026-10-25"
-- p3 = "2026-10-25"
-- p4 = ["2026-10-25"]
-- p5 = ["1025"]
-- p6 = ["mobile"]
-- p7 = ""
-- p8 = ""
-- p9 = 1792879200000
-- p10 = 1792969200000
-- p11 = [1792879200000,1792882800000,1792886400000,1792890000000,1792893600000,1792897200000,1792900800000,1792904400000,1792908000000,1792911600000,1792915200000,1792918800000,1792922400000,1792926000000,1792929600000,1792933200000,1792936800000,1792940400000,1792944000000,1792947600000,1792951200000,1792954800000,1792958400000,1792962000000,1792965600000]
-- p12 = ""
-- p13 = 1792879200000
-- p14 = 1792969200000
-- p15 = 1792879200000
-- p16 = 1792969200000
-- p17 = 1792879200000
-- p18 = 1792969200000
-- p19 = 42
-- p20 = "2026-10-25"
-- p21 = "2026-10-25"
-- p22 = ["2026-10-25"]
-- p23 = ["1025"]
-- p24 = ["mobile"]
-- p25 = 1792879200000
-- p26 = 1792969200000
-- p27 = 4000
