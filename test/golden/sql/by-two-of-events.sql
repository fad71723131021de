-- Pages and events of a sealed week and today.

SELECT
	if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
	is_other, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits, sum(t.visitors) AS visitors
FROM totals AS t
WHERE website_id = {p0:UInt32} AND ((dimension IN {p1:Array(String)}
	AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)})))
	AND (dimension != 'goal' OR has({p6:Array(String)}, t.value))
GROUP BY day, dimension, value, is_other
LIMIT {p7:UInt64} BY day, dimension
-- p0 = 42
-- p1 = [""]
-- p2 = "2026-11-09"
-- p3 = "2026-11-14"
-- p4 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p5 = ["1109","1111","1112","1113","1114"]
-- p6 = ["5","9"]
-- p7 = 4000

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
-- p4 = "2026-11-10"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-10","2026-11-15"]
-- p7 = ["297795584","318767104"]
-- p8 = 4000

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
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors
		FROM (
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors
	FROM (
	SELECT toDate(0) AS day, {p2:String} AS dimension, concat(toString(value_0), char(0), toString(value_1)) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, name, path AS value_0, toString(name) AS value_1, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, names
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, names
	FROM open_visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, names AS name, arrayEnumerateUniq(arrayMap((path, name, kind) -> (true AND kind = 'custom', path, toString(name)), paths, names, kinds)) AS nth_0
	) AS r
	WHERE true AND kind = 'custom' AND (true)
	GROUP BY  value_0, value_1) UNION ALL
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors
	FROM (
	SELECT toDate(0) AS day, {p8:String} AS dimension, concat(toString(value_0), char(0), toString(value_1)) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, name, path AS value_0, toString(name) AS value_1, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, names
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, names
	FROM visits
	WHERE website_id = {p9:UInt32} AND date BETWEEN {p10:Date} AND {p11:Date}
		AND (date, generation) IN arrayZip({p12:Array(Date)}, {p13:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, names AS name, arrayEnumerateUniq(arrayMap((path, name, kind) -> (true AND kind = 'custom', path, toString(name)), paths, names, kinds)) AS nth_0
	) AS r
	WHERE true AND kind = 'custom' AND (true)
	GROUP BY  value_0, value_1)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p14:UInt64} AND {p15:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = "[\"page\",\"event\"]"
-- p3 = 42
-- p4 = "2026-11-10"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-10","2026-11-15"]
-- p7 = ["297795584","318767104"]
-- p8 = "[\"page\",\"event\"]"
-- p9 = 42
-- p10 = "2026-11-09"
-- p11 = "2026-11-14"
-- p12 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p13 = ["1109","1111","1112","1113","1114"]
-- p14 = 1
-- p15 = 10
