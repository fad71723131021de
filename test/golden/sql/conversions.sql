-- How many visits reached a goal, as a whole and by source.

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, conversions
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS dimension,
	['', toString(value_1)][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, toUInt64(sum(is_converted)) AS conversions
FROM (SELECT *, date AS value_0, source AS value_1 FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(visitor_id != 0 AND arrayExists((kind, name, path, props) -> ((kind = 'pageview' AND path LIKE {p3:String} AND mapContains(props, {p4:String}) AND props[{p5:String}] = {p6:String})), kinds, names, paths, properties)) AS is_converted, visitor_id AS active_visitor, source, views, events
FROM (
SELECT website_id, date, visitor_id , source, views, events, kinds, names, paths, properties
FROM visits
WHERE website_id = {p7:UInt32} AND date BETWEEN {p8:Date} AND {p9:Date}
	AND (date, generation) IN arrayZip({p10:Array(Date)}, {p11:Array(UInt64)}))
WHERE true)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0), (value_1))))
LIMIT {p12:UInt64} BY day, bucket, dimension
-- p0 = ["","source"]
-- p1 = ["1","2"]
-- p2 = ["1","2"]
-- p3 = "/thanks%"
-- p4 = "plan"
-- p5 = "plan"
-- p6 = "pro"
-- p7 = 42
-- p8 = "2026-11-01"
-- p9 = "2026-11-07"
-- p10 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p11 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p12 = 4000
