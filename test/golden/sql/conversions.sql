-- How many visits reached a goal, as a whole and by source.

SELECT is_compared, date, bucket, views, events, visits, conversions
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, conversions
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, toUInt64(sum(is_converted)) AS conversions
FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(visitor_id != 0 AND arrayExists((kind, name, path, props) -> ((kind = 'pageview' AND path LIKE {p1:String} AND mapContains(props, {p2:String}) AND props[{p3:String}] = {p4:String})), kinds, names, paths, properties)) AS is_converted, visitor_id AS active_visitor, views, events
FROM (
SELECT website_id, date, visitor_id , views, events, kinds, names, paths, properties
FROM visits
WHERE website_id = {p5:UInt32} AND date BETWEEN {p6:Date} AND {p7:Date}
	AND (date, generation) IN arrayZip({p8:Array(Date)}, {p9:Array(UInt64)}))
WHERE true) AS r
ARRAY JOIN [{p10:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = "/thanks%"
-- p2 = "plan"
-- p3 = "plan"
-- p4 = "pro"
-- p5 = 42
-- p6 = "2026-11-01"
-- p7 = "2026-11-07"
-- p8 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p9 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p10 = ""

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, visits DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.conversions) AS conversions
		FROM (
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, conversions
	FROM (
	SELECT  dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, toUInt64(sum(is_converted)) AS conversions
	FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(visitor_id != 0 AND arrayExists((kind, name, path, props) -> ((kind = 'pageview' AND path LIKE {p2:String} AND mapContains(props, {p3:String}) AND props[{p4:String}] = {p5:String})), kinds, names, paths, properties)) AS is_converted, visitor_id AS active_visitor, source, views, events
	FROM (
	SELECT website_id, date, visitor_id , source, views, events, kinds, names, paths, properties
	FROM visits
	WHERE website_id = {p6:UInt32} AND date BETWEEN {p7:Date} AND {p8:Date}
		AND (date, generation) IN arrayZip({p9:Array(Date)}, {p10:Array(UInt64)}))
	WHERE true) AS r
	ARRAY JOIN [{p11:String}] AS dimension, [toString(source)] AS value
	WHERE true
	GROUP BY  dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p12:UInt64} AND {p13:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = "/thanks%"
-- p3 = "plan"
-- p4 = "plan"
-- p5 = "pro"
-- p6 = 42
-- p7 = "2026-11-01"
-- p8 = "2026-11-07"
-- p9 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p10 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p11 = "source"
-- p12 = 1
-- p13 = 10
