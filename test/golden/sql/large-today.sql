-- A day with too many events to be counted anew: from its provisional totals.

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
-- p1 = ["","source"]
-- p2 = "2026-11-15"
-- p3 = "2026-11-15"
-- p4 = ["2026-11-15"]
-- p5 = ["77"]
-- p6 = ["5","9"]
-- p7 = 4000
