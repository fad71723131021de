-- Pages of a sealed week that contain a text, those that grew most first.

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
-- p2 = "2026-10-25"
-- p3 = "2026-10-31"
-- p4 = ["2026-10-25","2026-10-26","2026-10-27","2026-10-28","2026-10-29","2026-10-30","2026-10-31"]
-- p5 = ["1025","1026","1027","1028","1029","1030","1031"]
-- p6 = ["5","9"]
-- p7 = 4000

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other,  toInt64(visitors) - toInt64(compared_visitors) DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sumIf(p.views, is_compared = 0) AS views, sumIf(p.views, is_compared = 1) AS compared_views, sumIf(p.events, is_compared = 0) AS events, sumIf(p.events, is_compared = 1) AS compared_events, sumIf(p.visits, is_compared = 0) AS visits, sumIf(p.visits, is_compared = 1) AS compared_visits, sumIf(p.visitors, is_compared = 0) AS visitors, sumIf(p.visitors, is_compared = 1) AS compared_visitors
		FROM (SELECT *, {p2:UInt8} AS is_compared FROM (
	SELECT toDate(0) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views AS views, t.events AS events, t.visits AS visits, t.visitors AS visitors
	FROM totals AS t
	WHERE website_id = {p3:UInt32} AND ((dimension IN {p4:Array(String)}
		AND date BETWEEN {p5:Date} AND {p6:Date}
		AND (date, generation) IN arrayZip({p7:Array(Date)}, {p8:Array(UInt64)})))
		AND (dimension != 'goal' OR has({p9:Array(String)}, t.value)) ) UNION ALL SELECT *, {p10:UInt8} AS is_compared FROM (
	SELECT toDate(0) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views AS views, t.events AS events, t.visits AS visits, t.visitors AS visitors
	FROM totals AS t
	WHERE website_id = {p11:UInt32} AND ((dimension IN {p12:Array(String)}
		AND date BETWEEN {p13:Date} AND {p14:Date}
		AND (date, generation) IN arrayZip({p15:Array(Date)}, {p16:Array(UInt64)})))
		AND (dimension != 'goal' OR has({p17:Array(String)}, t.value)) )) AS p
		GROUP BY dimension, value, is_other
		HAVING if(dimension = 'goal', has({p18:Array(String)}, value), multiSearchAny(translateUTF8(value, {p19:String}, {p20:String}), {p21:Array(String)})) AND (views > 0 OR events > 0 OR visits > 0 OR compared_views > 0 OR compared_events > 0 OR compared_visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p22:UInt64} AND {p23:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 0
-- p3 = 42
-- p4 = ["page"]
-- p5 = "2026-11-01"
-- p6 = "2026-11-07"
-- p7 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p8 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p9 = ["5","9"]
-- p10 = 1
-- p11 = 42
-- p12 = ["page"]
-- p13 = "2026-10-25"
-- p14 = "2026-10-31"
-- p15 = ["2026-10-25","2026-10-26","2026-10-27","2026-10-28","2026-10-29","2026-10-30","2026-10-31"]
-- p16 = ["1025","1026","1027","1028","1029","1030","1031"]
-- p17 = ["5","9"]
-- p18 = []
-- p19 = "BGLO"
-- p20 = "bglo"
-- p21 = ["blog"]
-- p22 = 1
-- p23 = 10
