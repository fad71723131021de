-- Today by hour, and yesterday up to the same time of day.

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
-- p4 = "2026-11-15"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-15"]
-- p7 = ["318767104"]
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
-- p1 = "2026-11-14"
-- p2 = "2026-11-14"
-- p3 = ["2026-11-14"]
-- p4 = ["1114"]
-- p5 = ""
-- p6 = ""
-- p7 = 1794652200000
-- p8 = ""
-- p9 = 1794652200000
-- p10 = 1794652200000
-- p11 = 1794652200000
-- p12 = 42
-- p13 = "2026-11-14"
-- p14 = "2026-11-14"
-- p15 = ["2026-11-14"]
-- p16 = ["1114"]
-- p17 = 1794652200000
-- p18 = 4000

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
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM open_visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p6:String}] AS dimension, [{p7:String}] AS value
WHERE true AND start_ms >= {p8:Int64} AND start_ms < {p9:Int64}
GROUP BY website_id, date, bucket, dimension, value UNION ALL
SELECT website_id, date, roundDown(event_ms, {p10:Array(Int64)}) AS bucket, {p11:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true AND event_ms >= {p12:Int64} AND event_ms < {p13:Int64})) AS views, toUInt64(sumIf(kind = 'custom', true AND event_ms >= {p14:Int64} AND event_ms < {p15:Int64})) AS events, toUInt64(0) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true AND event_ms >= {p16:Int64} AND event_ms < {p17:Int64}) AS visitors, toUInt64(0) AS bounces, toUInt64(0) AS seconds
FROM (
	SELECT *, start_ms + offset AS event_ms, kind, offset, '' AS value_0, nth_0 AS nth
	FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM open_visits
WHERE website_id = {p18:UInt32} AND date BETWEEN {p19:Date} AND {p20:Date}
	AND (date, generation) IN arrayZip({p21:Array(Date)}, {p22:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, offsets AS offset, arrayWithConstant(length(kinds), 0) AS nth_0
) AS r
WHERE true AND (true AND event_ms >= {p23:Int64} AND event_ms < {p24:Int64})
GROUP BY website_id, date, bucket, value_0))
LIMIT {p25:UInt64} BY day, bucket, dimension
-- p0 = [1794697200000,1794700800000,1794704400000,1794708000000,1794711600000,1794715200000,1794718800000,1794722400000,1794726000000,1794729600000,1794733200000,1794736800000]
-- p1 = 42
-- p2 = "2026-11-15"
-- p3 = "2026-11-15"
-- p4 = ["2026-11-15"]
-- p5 = ["318767104"]
-- p6 = ""
-- p7 = ""
-- p8 = 1794697200000
-- p9 = 1794740400000
-- p10 = [1794697200000,1794700800000,1794704400000,1794708000000,1794711600000,1794715200000,1794718800000,1794722400000,1794726000000,1794729600000,1794733200000,1794736800000]
-- p11 = ""
-- p12 = 1794697200000
-- p13 = 1794740400000
-- p14 = 1794697200000
-- p15 = 1794740400000
-- p16 = 1794697200000
-- p17 = 1794740400000
-- p18 = 42
-- p19 = "2026-11-15"
-- p20 = "2026-11-15"
-- p21 = ["2026-11-15"]
-- p22 = ["318767104"]
-- p23 = 1794697200000
-- p24 = 1794740400000
-- p25 = 4000

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
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p6:String}] AS dimension, [{p7:String}] AS value
WHERE true AND start_ms >= {p8:Int64} AND start_ms < {p9:Int64}
GROUP BY website_id, date, bucket, dimension, value UNION ALL
SELECT website_id, date, roundDown(event_ms, {p10:Array(Int64)}) AS bucket, {p11:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true AND event_ms >= {p12:Int64} AND event_ms < {p13:Int64})) AS views, toUInt64(sumIf(kind = 'custom', true AND event_ms >= {p14:Int64} AND event_ms < {p15:Int64})) AS events, toUInt64(0) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true AND event_ms >= {p16:Int64} AND event_ms < {p17:Int64}) AS visitors, toUInt64(0) AS bounces, toUInt64(0) AS seconds
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
WHERE website_id = {p18:UInt32} AND date BETWEEN {p19:Date} AND {p20:Date}
	AND (date, generation) IN arrayZip({p21:Array(Date)}, {p22:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, offsets AS offset, arrayWithConstant(length(kinds), 0) AS nth_0
) AS r
WHERE true AND (true AND event_ms >= {p23:Int64} AND event_ms < {p24:Int64})
GROUP BY website_id, date, bucket, value_0))
LIMIT {p25:UInt64} BY day, bucket, dimension
-- p0 = [1794610800000,1794614400000,1794618000000,1794621600000,1794625200000,1794628800000,1794632400000,1794636000000,1794639600000,1794643200000,1794646800000,1794650400000]
-- p1 = 42
-- p2 = "2026-11-14"
-- p3 = "2026-11-14"
-- p4 = ["2026-11-14"]
-- p5 = ["1114"]
-- p6 = ""
-- p7 = ""
-- p8 = 1794610800000
-- p9 = 1794652200000
-- p10 = [1794610800000,1794614400000,1794618000000,1794621600000,1794625200000,1794628800000,1794632400000,1794636000000,1794639600000,1794643200000,1794646800000,1794650400000]
-- p11 = ""
-- p12 = 1794610800000
-- p13 = 1794652200000
-- p14 = 1794610800000
-- p15 = 1794652200000
-- p16 = 1794610800000
-- p17 = 1794652200000
-- p18 = 42
-- p19 = "2026-11-14"
-- p20 = "2026-11-14"
-- p21 = ["2026-11-14"]
-- p22 = ["1114"]
-- p23 = 1794610800000
-- p24 = 1794652200000
-- p25 = 4000
