-- A statistics page: the whole, a series, what it is compared with and eleven tables.

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

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces, t.seconds
FROM totals AS t
WHERE website_id = {p1:UInt32}
	AND dimension IN {p2:Array(String)}
	AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)})
	AND (dimension != 'goal' OR has({p7:Array(String)}, value)))
-- p0 = 1
-- p1 = 42
-- p2 = [""]
-- p3 = "2026-11-02"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1102","1103","1104","1105","1106","1107"]
-- p7 = ["5","9"]

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
-- p2 = "2026-11-08"
-- p3 = "2026-11-08"
-- p4 = ["2026-11-08"]
-- p5 = ["1108"]
-- p6 = ""
-- p7 = 1794133800000
-- p8 = 1794133800000
-- p9 = 1794133800000
-- p10 = 1794133800000
-- p11 = 42
-- p12 = "2026-11-08"
-- p13 = "2026-11-08"
-- p14 = ["2026-11-08"]
-- p15 = ["1108"]
-- p16 = ""
-- p17 = 1794133800000

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT  toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces, t.seconds
	FROM totals AS t
	WHERE website_id = {p2:UInt32}
		AND dimension IN {p3:Array(String)}
		AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)})
		AND (dimension != 'goal' OR has({p8:Array(String)}, value)) UNION ALL
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, name, nth_0, nth_1
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, names, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, names, is_bounce, seconds
	FROM open_visits
	WHERE website_id = {p9:UInt32} AND date BETWEEN {p10:Date} AND {p11:Date}
		AND (date, generation) IN arrayZip({p12:Array(Date)}, {p13:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, names AS name, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_1
	) AS r
	ARRAY JOIN
		[{p14:String}, {p15:String}] AS dimension,
		[path, toString(name)] AS value,
		[true, kind = 'custom'] AS has_value,
		[nth_0, nth_1] AS nth
	WHERE has_value AND (true)
	GROUP BY  dimension, value) UNION ALL
	SELECT  toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces, t.seconds
	FROM totals AS t
	WHERE website_id = {p16:UInt32}
		AND dimension IN {p17:Array(String)}
		AND date BETWEEN {p18:Date} AND {p19:Date}
		AND (date, generation) IN arrayZip({p20:Array(Date)}, {p21:Array(UInt64)})
		AND (dimension != 'goal' OR has({p22:Array(String)}, value)) UNION ALL
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, nth_0
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, is_bounce, seconds
	FROM visits
	WHERE website_id = {p23:UInt32} AND date BETWEEN {p24:Date} AND {p25:Date}
		AND (date, generation) IN arrayZip({p26:Array(Date)}, {p27:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0
	) AS r
	ARRAY JOIN
		[{p28:String}] AS dimension,
		[path] AS value,
		[true] AS has_value,
		[nth_0] AS nth
	WHERE has_value AND (true)
	GROUP BY  dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p29:UInt64} AND {p30:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = ["event"]
-- p4 = "2026-11-09"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1109","1111","1112","1113","1114"]
-- p8 = ["5","9"]
-- p9 = 42
-- p10 = "2026-11-10"
-- p11 = "2026-11-15"
-- p12 = ["2026-11-10","2026-11-15"]
-- p13 = ["297795584","318767104"]
-- p14 = "page"
-- p15 = "event"
-- p16 = 42
-- p17 = ["page"]
-- p18 = "2026-11-09"
-- p19 = "2026-11-14"
-- p20 = ["2026-11-09","2026-11-11","2026-11-13","2026-11-14"]
-- p21 = ["1109","1111","1113","1114"]
-- p22 = ["5","9"]
-- p23 = 42
-- p24 = "2026-11-12"
-- p25 = "2026-11-12"
-- p26 = ["2026-11-12"]
-- p27 = ["1112"]
-- p28 = "page"
-- p29 = 1
-- p30 = 10

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT  toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces, t.seconds
	FROM totals AS t
	WHERE website_id = {p2:UInt32}
		AND dimension IN {p3:Array(String)}
		AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)})
		AND (dimension != 'goal' OR has({p8:Array(String)}, value)) UNION ALL
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT
		{p9:Array(String)}[indexOf({p10:Array(UInt64)}, toUInt64(grouping(value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8)))] AS dimension,
		[toString(value_0), toString(value_1), toString(value_2), toString(value_3), toString(value_4), toString(value_5), toString(value_6), toString(value_7), toString(value_8)][indexOf({p11:Array(UInt64)}, toUInt64(grouping(value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8)))] AS value,
		toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(active_visitor)), active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
	FROM (SELECT *, entry_path AS value_0, exit_path AS value_1, source AS value_2, channel AS value_3, utm_campaign AS value_4, country AS value_5, browser AS value_6, os AS value_7, device AS value_8 FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, entry_path, exit_path, source, channel, utm_campaign, country, browser, os, device, views, events, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, entry_path, exit_path, source, channel, utm_campaign, country, browser, os, device, views, events, is_bounce, seconds
	FROM open_visits
	WHERE website_id = {p12:UInt32} AND date BETWEEN {p13:Date} AND {p14:Date}
		AND (date, generation) IN arrayZip({p15:Array(Date)}, {p16:Array(UInt64)}))
	WHERE true)) AS r
	WHERE true
	GROUP BY GROUPING SETS ((value_0), (value_1), (value_2), (value_3), (value_4), (value_5), (value_6), (value_7), (value_8)))) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p17:UInt64} AND {p18:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = ["entry_page","exit_page","source","channel","utm_campaign","country","browser","os","device"]
-- p4 = "2026-11-09"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1109","1111","1112","1113","1114"]
-- p8 = ["5","9"]
-- p9 = ["entry_page","exit_page","source","channel","utm_campaign","country","browser","os","device"]
-- p10 = ["255","383","447","479","495","503","507","509","510"]
-- p11 = ["255","383","447","479","495","503","507","509","510"]
-- p12 = 42
-- p13 = "2026-11-10"
-- p14 = "2026-11-15"
-- p15 = ["2026-11-10","2026-11-15"]
-- p16 = ["297795584","318767104"]
-- p17 = 1
-- p18 = 10
