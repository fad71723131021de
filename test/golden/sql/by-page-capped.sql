-- Top pages of days of which one had too many: that one is counted from its visits.

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
-- p2 = "2026-11-11"
-- p3 = "2026-11-13"
-- p4 = ["2026-11-11","2026-11-12","2026-11-13"]
-- p5 = ["1111","1112","1113"]
-- p6 = ["5","9"]
-- p7 = 4000

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
	SELECT toDate(0) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views AS views, t.events AS events, t.visits AS visits, t.visitors AS visitors
	FROM totals AS t
	WHERE website_id = {p2:UInt32} AND ((dimension IN {p3:Array(String)}
		AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)})))
		AND (dimension != 'goal' OR has({p8:Array(String)}, t.value))  UNION ALL
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors
	FROM (
	SELECT toDate(0) AS day, {p9:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, path AS value_0, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths
	FROM visits
	WHERE website_id = {p10:UInt32} AND date BETWEEN {p11:Date} AND {p12:Date}
		AND (date, generation) IN arrayZip({p13:Array(Date)}, {p14:Array(UInt64)}))
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
WHERE place = 1 OR place BETWEEN {p15:UInt64} AND {p16:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = ["page"]
-- p4 = "2026-11-11"
-- p5 = "2026-11-13"
-- p6 = ["2026-11-11","2026-11-13"]
-- p7 = ["1111","1113"]
-- p8 = ["5","9"]
-- p9 = "page"
-- p10 = 42
-- p11 = "2026-11-12"
-- p12 = "2026-11-12"
-- p13 = ["2026-11-12"]
-- p14 = ["1112"]
-- p15 = 1
-- p16 = 10
