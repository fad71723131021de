-- A property, whose name is a value.

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

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors
FROM (
SELECT toDate(0) AS day, {p0:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors
FROM (
	SELECT *, start_ms AS event_ms, kind, props, props[{p1:String}] AS value_0, nth_0 AS nth
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
WHERE mapContains(props, {p9:String}) AND (true)
GROUP BY  value_0))
LIMIT {p10:UInt64} BY day, bucket, dimension
-- p0 = "property:it's {p0:String}"
-- p1 = "it's {p0:String}"
-- p2 = 42
-- p3 = "2026-11-01"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p7 = "it's {p0:String}"
-- p8 = "it's {p0:String}"
-- p9 = "it's {p0:String}"
-- p10 = 4000
