-- A statistics page: the whole, a series, what it is compared with and eleven tables.

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
-- p1 = ["","entry_page","exit_page","source","channel","utm_campaign","country","browser","os","device","event"]
-- p2 = "2026-11-09"
-- p3 = "2026-11-14"
-- p4 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p5 = ["1109","1111","1112","1113","1114"]
-- p6 = [""]
-- p7 = "2026-11-02"
-- p8 = "2026-11-07"
-- p9 = ["2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p10 = ["1102","1103","1104","1105","1106","1107"]
-- p11 = ["5","9"]
-- p12 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8, value_9)))] AS dimension,
	['', toString(value_1), toString(value_2), toString(value_3), toString(value_4), toString(value_5), toString(value_6), toString(value_7), toString(value_8), toString(value_9)][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8, value_9)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (SELECT *, date AS value_0, entry_path AS value_1, exit_path AS value_2, source AS value_3, channel AS value_4, utm_campaign AS value_5, country AS value_6, browser AS value_7, os AS value_8, device AS value_9 FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, entry_path, exit_path, source, channel, utm_campaign, country, browser, os, device, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, entry_path, exit_path, source, channel, utm_campaign, country, browser, os, device, views, events, is_bounce, seconds
FROM open_visits
WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
	AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
WHERE true)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0), (value_1), (value_2), (value_3), (value_4), (value_5), (value_6), (value_7), (value_8), (value_9))))
LIMIT {p8:UInt64} BY day, bucket, dimension
-- p0 = ["","entry_page","exit_page","source","channel","utm_campaign","country","browser","os","device"]
-- p1 = ["511","767","895","959","991","1007","1015","1019","1021","1022"]
-- p2 = ["511","767","895","959","991","1007","1015","1019","1021","1022"]
-- p3 = 42
-- p4 = "2026-11-10"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-10","2026-11-15"]
-- p7 = ["297795584","318767104"]
-- p8 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT toDate(0) AS day, {p0:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
FROM (
	SELECT *, start_ms AS event_ms, kind, name, toString(name) AS value_0, nth_0 AS nth
	FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, names, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, kinds, names, is_bounce, seconds
FROM open_visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, names AS name, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_0
) AS r
WHERE kind = 'custom' AND (true)
GROUP BY  value_0))
LIMIT {p6:UInt64} BY day, bucket, dimension
-- p0 = "event"
-- p1 = 42
-- p2 = "2026-11-10"
-- p3 = "2026-11-15"
-- p4 = ["2026-11-10","2026-11-15"]
-- p5 = ["297795584","318767104"]
-- p6 = 4000

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
-- p1 = "2026-11-08"
-- p2 = "2026-11-08"
-- p3 = ["2026-11-08"]
-- p4 = ["1108"]
-- p5 = ""
-- p6 = ""
-- p7 = 1794133800000
-- p8 = ""
-- p9 = 1794133800000
-- p10 = 1794133800000
-- p11 = 1794133800000
-- p12 = 42
-- p13 = "2026-11-08"
-- p14 = "2026-11-08"
-- p15 = ["2026-11-08"]
-- p16 = ["1108"]
-- p17 = 1794133800000
-- p18 = 4000

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other,  visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT toDate(0) AS day, {p2:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, path AS value_0, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, is_bounce, seconds
	FROM open_visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
	) AS r
	WHERE true AND (true)
	GROUP BY  value_0) UNION ALL
	SELECT toDate(0) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views AS views, t.events AS events, t.visits AS visits, t.visitors AS visitors, t.bounces AS bounces, t.seconds AS seconds
	FROM totals AS t
	WHERE website_id = {p8:UInt32} AND ((dimension IN {p9:Array(String)}
		AND date BETWEEN {p10:Date} AND {p11:Date}
		AND (date, generation) IN arrayZip({p12:Array(Date)}, {p13:Array(UInt64)})))
		AND (dimension != 'goal' OR has({p14:Array(String)}, t.value))  UNION ALL
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT toDate(0) AS day, {p15:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, path AS value_0, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, is_bounce, seconds
	FROM visits
	WHERE website_id = {p16:UInt32} AND date BETWEEN {p17:Date} AND {p18:Date}
		AND (date, generation) IN arrayZip({p19:Array(Date)}, {p20:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
	) AS r
	WHERE true AND (true)
	GROUP BY  value_0)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p21:UInt64} AND {p22:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = "page"
-- p3 = 42
-- p4 = "2026-11-10"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-10","2026-11-15"]
-- p7 = ["297795584","318767104"]
-- p8 = 42
-- p9 = ["page"]
-- p10 = "2026-11-09"
-- p11 = "2026-11-14"
-- p12 = ["2026-11-09","2026-11-11","2026-11-13","2026-11-14"]
-- p13 = ["1109","1111","1113","1114"]
-- p14 = ["5","9"]
-- p15 = "page"
-- p16 = 42
-- p17 = "2026-11-12"
-- p18 = "2026-11-12"
-- p19 = ["2026-11-12"]
-- p20 = ["1112"]
-- p21 = 1
-- p22 = 10
