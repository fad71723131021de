-- Top pages of today.

SELECT is_compared, date, bucket, views, events, visits, visitors
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor, active_visitor != 0 AND NOT is_only) AS visitors
FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, views, events
FROM (
SELECT website_id, date, visitor_id , is_only, views, events
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
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors
		FROM (
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors
	FROM (
	SELECT  dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, nth_0
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths
	FROM open_visits
	WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
		AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0
	) AS r
	ARRAY JOIN
		[{p7:String}] AS dimension,
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
WHERE place = 1 OR place BETWEEN {p8:UInt64} AND {p9:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = "2026-11-15"
-- p4 = "2026-11-15"
-- p5 = ["2026-11-15"]
-- p6 = ["318767104"]
-- p7 = "page"
-- p8 = 1
-- p9 = 10
