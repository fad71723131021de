-- Visits that never saw any page of the blog.

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
SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met) AS views, arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met) AS events, r.is_bounce AS is_bounce, r.seconds AS seconds
FROM (
	SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, is_only, kinds, is_bounce, seconds, arrayMap((path) -> NOT ((true AND multiSearchAny(path, {p3:Array(String)}))), paths) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, kinds, is_bounce, seconds, paths
FROM visits
WHERE website_id = {p4:UInt32} AND date BETWEEN {p5:Date} AND {p6:Date}
	AND (date, generation) IN arrayZip({p7:Array(Date)}, {p8:Array(UInt64)}))
	WHERE NOT (arrayExists((path) -> (true AND multiSearchAny(path, {p9:Array(String)})), paths))
) AS r)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0))))
LIMIT {p10:UInt64} BY day, bucket, dimension
-- p0 = [""]
-- p1 = ["0"]
-- p2 = ["0"]
-- p3 = ["/blog"]
-- p4 = 42
-- p5 = "2026-11-01"
-- p6 = "2026-11-07"
-- p7 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p8 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p9 = ["/blog"]
-- p10 = 4000
