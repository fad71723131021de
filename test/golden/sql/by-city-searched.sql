-- Cities that contain a text.

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
	SELECT toDate(0) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views AS views, t.events AS events, t.visits AS visits, t.visitors AS visitors
	FROM totals AS t
	WHERE website_id = {p2:UInt32} AND ((dimension IN {p3:Array(String)}
		AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)})))
		AND (dimension != 'goal' OR has({p8:Array(String)}, t.value)) ) AS p
		GROUP BY dimension, value, is_other
		HAVING if(dimension = 'goal', has({p9:Array(String)}, value), multiSearchAny(translateUTF8(value, {p10:String}, {p11:String}), {p12:Array(String)})) AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p13:UInt64} AND {p14:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = ["city"]
-- p4 = "2026-11-01"
-- p5 = "2026-11-07"
-- p6 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p7 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p8 = ["5","9"]
-- p9 = []
-- p10 = "AHLY"
-- p11 = "ahly"
-- p12 = ["l'hay_%"]
-- p13 = 1
-- p14 = 10
