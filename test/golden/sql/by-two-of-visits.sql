-- Sources and countries of a sealed week.

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
-- p2 = "2026-11-01"
-- p3 = "2026-11-07"
-- p4 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p5 = ["1101","1102","1103","1104","1105","1106","1107"]
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
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors
	FROM (
	SELECT toDate(0) AS day, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors
	FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, source, country, views, events
	FROM (
	SELECT website_id, date, visitor_id , is_only, source, country, views, events
	FROM visits
	WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
		AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE true) AS r
	ARRAY JOIN [{p7:String}] AS dimension, [concat(toString(source), char(0), toString(country))] AS value
	WHERE true
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
-- p3 = "2026-11-01"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p7 = "[\"source\",\"country\"]"
-- p8 = 1
-- p9 = 10
