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
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors
	FROM (
	SELECT  dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, props, nth_0
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, properties
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, properties
	FROM visits
	WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
		AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, properties AS props, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p7:String}), props[{p8:String}]), properties)) AS nth_0
	) AS r
	ARRAY JOIN
		[{p9:String}] AS dimension,
		[props[{p10:String}]] AS value,
		[mapContains(props, {p11:String})] AS has_value,
		[nth_0] AS nth
	WHERE has_value AND (true)
	GROUP BY  dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p12:UInt64} AND {p13:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = "2026-11-01"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p7 = "it's {p0:String}"
-- p8 = "it's {p0:String}"
-- p9 = "property:it's {p0:String}"
-- p10 = "it's {p0:String}"
-- p11 = "it's {p0:String}"
-- p12 = 1
-- p13 = 10
