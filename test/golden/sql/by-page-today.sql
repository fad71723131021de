-- Top pages of today.

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0)))] AS dimension,
	[''][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors
FROM (SELECT *, date AS value_0 FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, views, events
FROM (
SELECT website_id, date, visitor_id , is_only, views, events
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
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors
FROM (
SELECT toDate(0) AS day, {p0:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors
FROM (
	SELECT *, start_ms AS event_ms, kind, path, path AS value_0, nth_0 AS nth
	FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths
FROM (
SELECT website_id, date, visitor_id , is_only, kinds, paths
FROM open_visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE true)
	ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
) AS r
WHERE true AND (true)
GROUP BY  value_0))
LIMIT {p6:UInt64} BY day, bucket, dimension
-- p0 = "page"
-- p1 = 42
-- p2 = "2026-11-15"
-- p3 = "2026-11-15"
-- p4 = ["2026-11-15"]
-- p5 = ["318767104"]
-- p6 = 4000
