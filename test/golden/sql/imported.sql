-- A week whose first days were counted elsewhere: those from the import, the others from totals.

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
-- p3 = "2026-11-04"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1104","1105","1106","1107"]
-- p7 = ["5","9"]

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces, t.seconds
FROM totals_imported AS t
WHERE website_id = {p1:UInt32}
	AND dimension IN {p2:Array(String)}
	AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, import_id) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)})
	AND (dimension != 'goal' OR has({p7:Array(String)}, value)))
-- p0 = 0
-- p1 = 42
-- p2 = [""]
-- p3 = "2026-11-01"
-- p4 = "2026-11-03"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03"]
-- p6 = ["8","8","8"]
-- p7 = ["5","9"]

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
	SELECT  toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces, t.seconds
	FROM totals_imported AS t
	WHERE website_id = {p9:UInt32}
		AND dimension IN {p10:Array(String)}
		AND date BETWEEN {p11:Date} AND {p12:Date}
		AND (date, import_id) IN arrayZip({p13:Array(Date)}, {p14:Array(UInt64)})
		AND (dimension != 'goal' OR has({p15:Array(String)}, value))) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0 OR visitors > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p16:UInt64} AND {p17:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = ["page"]
-- p4 = "2026-11-04"
-- p5 = "2026-11-07"
-- p6 = ["2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p7 = ["1104","1105","1106","1107"]
-- p8 = ["5","9"]
-- p9 = 42
-- p10 = ["page"]
-- p11 = "2026-11-01"
-- p12 = "2026-11-03"
-- p13 = ["2026-11-01","2026-11-02","2026-11-03"]
-- p14 = ["8","8","8"]
-- p15 = ["5","9"]
-- p16 = 1
-- p17 = 10
