-- Visits that saw a page: only what happened on it counts as page views.

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS dimension,
	['', toString(value_1)][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(active_visitor)), active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (SELECT *, date AS value_0, source AS value_1 FROM (
SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, r.source AS source, arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met) AS views, arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met) AS events, r.is_bounce AS is_bounce, r.seconds AS seconds
FROM (
	SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, is_only, source, kinds, is_bounce, seconds, arrayMap((path) -> (true AND has({p3:Array(String)}, path)), paths) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, source, kinds, is_bounce, seconds, paths
FROM visits
WHERE website_id = {p4:UInt32} AND date BETWEEN {p5:Date} AND {p6:Date}
	AND (date, generation) IN arrayZip({p7:Array(Date)}, {p8:Array(UInt64)}))
	WHERE hasAny(paths, {p9:Array(String)})
) AS r)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0), (value_1))))
LIMIT {p10:UInt64} BY day, bucket, dimension
-- p0 = ["","source"]
-- p1 = ["1","2"]
-- p2 = ["1","2"]
-- p3 = ["/pricing"]
-- p4 = 42
-- p5 = "2026-11-01"
-- p6 = "2026-11-07"
-- p7 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p8 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p9 = ["/pricing"]
-- p10 = 1000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT toDate(0) AS day, dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
FROM (
	SELECT *, start_ms AS event_ms, kind, path, nth_0
	FROM (
SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, arrayFilter((element, met) -> met, r.kinds, is_met) AS kinds, arrayFilter((element, met) -> met, r.paths, is_met) AS paths, r.is_bounce AS is_bounce, r.seconds AS seconds
FROM (
	SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, is_only, kinds, paths, is_bounce, seconds, arrayMap((path) -> (true AND has({p0:Array(String)}, path)), paths) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, kinds, paths, is_bounce, seconds
FROM visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
	WHERE hasAny(paths, {p6:Array(String)})
) AS r)
	ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
) AS r
ARRAY JOIN
	[{p7:String}] AS dimension,
	[path] AS value,
	[true] AS has_value,
	[nth_0] AS nth
WHERE has_value AND (true)
GROUP BY  dimension, value))
LIMIT {p8:UInt64} BY day, bucket, dimension
-- p0 = ["/pricing"]
-- p1 = 42
-- p2 = "2026-11-01"
-- p3 = "2026-11-07"
-- p4 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p5 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p6 = ["/pricing"]
-- p7 = "page"
-- p8 = 1000
