-- Sources of a sealed week, whose comparison has them only on its last days: rows of the period alone.

SELECT
	if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
	is_other, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits, sum(t.visitors) AS visitors
FROM totals AS t
WHERE website_id = {p0:UInt32} AND ((dimension IN {p1:Array(String)}
	AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)})) OR (dimension IN {p6:Array(String)}
	AND date BETWEEN {p7:Date} AND {p8:Date}
	AND (date, generation) IN arrayZip({p9:Array(Date)}, {p10:Array(UInt64)})))
	AND (dimension != 'goal' OR has({p11:Array(String)}, t.value))
GROUP BY day, dimension, value, is_other
LIMIT {p12:UInt64} BY day, dimension
-- p0 = 42
-- p1 = ["","source"]
-- p2 = "2026-11-01"
-- p3 = "2026-11-07"
-- p4 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p5 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p6 = [""]
-- p7 = "2026-10-28"
-- p8 = "2026-10-31"
-- p9 = ["2026-10-28","2026-10-29","2026-10-30","2026-10-31"]
-- p10 = ["1028","1029","1030","1031"]
-- p11 = ["5","9"]
-- p12 = 4000

SELECT
	if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
	is_other, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits, sum(t.visitors) AS visitors
FROM totals_imported AS t
WHERE website_id = {p0:UInt32} AND ((dimension IN {p1:Array(String)}
	AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, import_id) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)})))
	AND (dimension != 'goal' OR has({p6:Array(String)}, t.value))
GROUP BY day, dimension, value, is_other
LIMIT {p7:UInt64} BY day, dimension
-- p0 = 42
-- p1 = [""]
-- p2 = "2026-10-25"
-- p3 = "2026-10-27"
-- p4 = ["2026-10-25","2026-10-26","2026-10-27"]
-- p5 = ["8","8","8"]
-- p6 = ["5","9"]
-- p7 = 4000
