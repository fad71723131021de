-- A property, whose name is a value.

SELECT is_compared, date, bucket, views, events, visits, visitors
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors
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
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors
		FROM (
	SELECT toUInt8({p2:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors
	FROM (
	SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, props, nth_0
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, kinds, properties
	FROM (
	SELECT website_id, date, visitor_id , kinds, properties
	FROM visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, properties AS props, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p8:String}), props[{p9:String}]), properties)) AS nth_0
	) AS r
	ARRAY JOIN
		[{p10:String}] AS dimension,
		[props[{p11:String}]] AS value,
		[mapContains(props, {p12:String})] AS has_value,
		[nth_0] AS nth
	WHERE has_value AND (true)
	GROUP BY website_id, date, bucket, dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p13:UInt64} AND {p14:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 0
-- p3 = 42
-- p4 = "2026-11-01"
-- p5 = "2026-11-07"
-- p6 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p7 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p8 = "it's {p0:String}"
-- p9 = "it's {p0:String}"
-- p10 = "property:it's {p0:String}"
-- p11 = "it's {p0:String}"
-- p12 = "it's {p0:String}"
-- p13 = 1
-- p14 = 10
