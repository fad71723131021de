-- The second page of sources, by bounce rate upwards.

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces
FROM totals AS t
WHERE website_id = {p1:UInt32}
	AND dimension IN {p2:Array(String)}
	AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)})
	AND (dimension != 'goal' OR has({p7:Array(String)}, value)))
-- p0 = 0
-- p1 = 42
-- p2 = [""]
-- p3 = "2026-11-01"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p7 = ["5","9"]

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, if(visits = 0, -1.0, bounces / visits) ASC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces
		FROM (
	SELECT  toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.bounces
	FROM totals AS t
	WHERE website_id = {p2:UInt32}
		AND dimension IN {p3:Array(String)}
		AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)})
		AND (dimension != 'goal' OR has({p8:Array(String)}, value))) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p9:UInt64} AND {p10:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = ["source"]
-- p4 = "2026-11-01"
-- p5 = "2026-11-07"
-- p6 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p7 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p8 = ["5","9"]
-- p9 = 11
-- p10 = 20
