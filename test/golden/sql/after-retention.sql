-- Days whose visits are gone: totals alone, also where they are capped.

SELECT
	if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
	is_other, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits, sum(t.visitors) AS visitors, sum(t.bounces) AS bounces, sum(t.seconds) AS seconds
FROM totals AS t
WHERE website_id = {p0:UInt32} AND ((dimension IN {p1:Array(String)}
	AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)})))
	AND (dimension != 'goal' OR has({p6:Array(String)}, t.value))
GROUP BY day, dimension, value, is_other
LIMIT {p7:UInt64} BY day, dimension
-- p0 = 42
-- p1 = ["","title"]
-- p2 = "2026-11-11"
-- p3 = "2026-11-14"
-- p4 = ["2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p5 = ["1111","1112","1113","1114"]
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
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT toDate(0) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views AS views, t.events AS events, t.visits AS visits, t.visitors AS visitors, t.bounces AS bounces, t.seconds AS seconds
	FROM totals AS t
	WHERE website_id = {p2:UInt32} AND ((dimension IN {p3:Array(String)}
		AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)})))
		AND (dimension != 'goal' OR has({p8:Array(String)}, t.value)) ) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p9:UInt64} AND {p10:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = ["page"]
-- p4 = "2026-11-11"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1111","1112","1113","1114"]
-- p8 = ["5","9"]
-- p9 = 1
-- p10 = 10
