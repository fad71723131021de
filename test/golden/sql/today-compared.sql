-- Today by hour, and yesterday up to the same time of day.

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
-- p2 = "2026-11-15"
-- p3 = "2026-11-15"
-- p4 = ["2026-11-15"]
-- p5 = ["318767104"]
-- p6 = ""

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
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
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p6:String}] AS dimension, [''] AS value
WHERE true AND start_ms < {p7:Int64}
GROUP BY website_id, date, bucket, dimension, value UNION ALL
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sumIf(kind = 'pageview', true AND event_ms < {p8:Int64})) AS views, toUInt64(sumIf(kind = 'custom', true AND event_ms < {p9:Int64})) AS events, toUInt64(0) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true AND event_ms < {p10:Int64}) AS visitors, toUInt64(0) AS bounces, toUInt64(0) AS seconds
FROM (
	SELECT *, start_ms + offset AS event_ms, kind, offset, nth_0
	FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM visits
WHERE website_id = {p11:UInt32} AND date BETWEEN {p12:Date} AND {p13:Date}
	AND (date, generation) IN arrayZip({p14:Array(Date)}, {p15:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, offsets AS offset, arrayWithConstant(length(kinds), 0) AS nth_0
) AS r
ARRAY JOIN
	[{p16:String}] AS dimension,
	[''] AS value,
	[true] AS has_value,
	[nth_0] AS nth
WHERE has_value AND (true AND event_ms < {p17:Int64})
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 1
-- p1 = 42
-- p2 = "2026-11-14"
-- p3 = "2026-11-14"
-- p4 = ["2026-11-14"]
-- p5 = ["1114"]
-- p6 = ""
-- p7 = 1794652200000
-- p8 = 1794652200000
-- p9 = 1794652200000
-- p10 = 1794652200000
-- p11 = 42
-- p12 = "2026-11-14"
-- p13 = "2026-11-14"
-- p14 = ["2026-11-14"]
-- p15 = ["1114"]
-- p16 = ""
-- p17 = 1794652200000

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, roundDown(start_ms, {p1:Array(Int64)}) AS bucket, dimension, value, toUInt64(0) AS views, toUInt64(0) AS events, toUInt64(sum(visitor_id != 0)) AS visits, toUInt64(0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM open_visits
WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p7:String}] AS dimension, [''] AS value
WHERE true AND start_ms >= {p8:Int64} AND start_ms < {p9:Int64}
GROUP BY website_id, date, bucket, dimension, value UNION ALL
SELECT website_id, date, roundDown(event_ms, {p10:Array(Int64)}) AS bucket, dimension, value, toUInt64(sumIf(kind = 'pageview', true AND event_ms >= {p11:Int64} AND event_ms < {p12:Int64})) AS views, toUInt64(sumIf(kind = 'custom', true AND event_ms >= {p13:Int64} AND event_ms < {p14:Int64})) AS events, toUInt64(0) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true AND event_ms >= {p15:Int64} AND event_ms < {p16:Int64}) AS visitors, toUInt64(0) AS bounces, toUInt64(0) AS seconds
FROM (
	SELECT *, start_ms + offset AS event_ms, kind, offset, nth_0
	FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM open_visits
WHERE website_id = {p17:UInt32} AND date BETWEEN {p18:Date} AND {p19:Date}
	AND (date, generation) IN arrayZip({p20:Array(Date)}, {p21:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, offsets AS offset, arrayWithConstant(length(kinds), 0) AS nth_0
) AS r
ARRAY JOIN
	[{p22:String}] AS dimension,
	[''] AS value,
	[true] AS has_value,
	[nth_0] AS nth
WHERE has_value AND (true AND event_ms >= {p23:Int64} AND event_ms < {p24:Int64})
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = [1794697200000,1794700800000,1794704400000,1794708000000,1794711600000,1794715200000,1794718800000,1794722400000,1794726000000,1794729600000,1794733200000,1794736800000]
-- p2 = 42
-- p3 = "2026-11-15"
-- p4 = "2026-11-15"
-- p5 = ["2026-11-15"]
-- p6 = ["318767104"]
-- p7 = ""
-- p8 = 1794697200000
-- p9 = 1794740400000
-- p10 = [1794697200000,1794700800000,1794704400000,1794708000000,1794711600000,1794715200000,1794718800000,1794722400000,1794726000000,1794729600000,1794733200000,1794736800000]
-- p11 = 1794697200000
-- p12 = 1794740400000
-- p13 = 1794697200000
-- p14 = 1794740400000
-- p15 = 1794697200000
-- p16 = 1794740400000
-- p17 = 42
-- p18 = "2026-11-15"
-- p19 = "2026-11-15"
-- p20 = ["2026-11-15"]
-- p21 = ["318767104"]
-- p22 = ""
-- p23 = 1794697200000
-- p24 = 1794740400000

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, roundDown(start_ms, {p1:Array(Int64)}) AS bucket, dimension, value, toUInt64(0) AS views, toUInt64(0) AS events, toUInt64(sum(visitor_id != 0)) AS visits, toUInt64(0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM visits
WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p7:String}] AS dimension, [''] AS value
WHERE true AND start_ms >= {p8:Int64} AND start_ms < {p9:Int64}
GROUP BY website_id, date, bucket, dimension, value UNION ALL
SELECT website_id, date, roundDown(event_ms, {p10:Array(Int64)}) AS bucket, dimension, value, toUInt64(sumIf(kind = 'pageview', true AND event_ms >= {p11:Int64} AND event_ms < {p12:Int64})) AS views, toUInt64(sumIf(kind = 'custom', true AND event_ms >= {p13:Int64} AND event_ms < {p14:Int64})) AS events, toUInt64(0) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true AND event_ms >= {p15:Int64} AND event_ms < {p16:Int64}) AS visitors, toUInt64(0) AS bounces, toUInt64(0) AS seconds
FROM (
	SELECT *, start_ms + offset AS event_ms, kind, offset, nth_0
	FROM (
SELECT
	website_id, date, visitor_id,
	toUnixTimestamp64Milli(start) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_bounce, seconds, kinds, offsets
FROM (
SELECT website_id, date, visitor_id , is_bounce, seconds, kinds, offsets, start
FROM visits
WHERE website_id = {p17:UInt32} AND date BETWEEN {p18:Date} AND {p19:Date}
	AND (date, generation) IN arrayZip({p20:Array(Date)}, {p21:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, offsets AS offset, arrayWithConstant(length(kinds), 0) AS nth_0
) AS r
ARRAY JOIN
	[{p22:String}] AS dimension,
	[''] AS value,
	[true] AS has_value,
	[nth_0] AS nth
WHERE has_value AND (true AND event_ms >= {p23:Int64} AND event_ms < {p24:Int64})
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 1
-- p1 = [1794610800000,1794614400000,1794618000000,1794621600000,1794625200000,1794628800000,1794632400000,1794636000000,1794639600000,1794643200000,1794646800000,1794650400000]
-- p2 = 42
-- p3 = "2026-11-14"
-- p4 = "2026-11-14"
-- p5 = ["2026-11-14"]
-- p6 = ["1114"]
-- p7 = ""
-- p8 = 1794610800000
-- p9 = 1794652200000
-- p10 = [1794610800000,1794614400000,1794618000000,1794621600000,1794625200000,1794628800000,1794632400000,1794636000000,1794639600000,1794643200000,1794646800000,1794650400000]
-- p11 = 1794610800000
-- p12 = 1794652200000
-- p13 = 1794610800000
-- p14 = 1794652200000
-- p15 = 1794610800000
-- p16 = 1794652200000
-- p17 = 42
-- p18 = "2026-11-14"
-- p19 = "2026-11-14"
-- p20 = ["2026-11-14"]
-- p21 = ["1114"]
-- p22 = ""
-- p23 = 1794610800000
-- p24 = 1794652200000
