-- One event on a page with a property, of visits from a search engine or from nowhere.

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0)))] AS dimension,
	[''][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (SELECT *, date AS value_0 FROM (
SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met) AS views, arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met) AS events, r.is_bounce AS is_bounce, r.seconds AS seconds
FROM (
	SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, is_only, kinds, is_bounce, seconds, arrayMap((path, props, kind, name) -> ((true AND (has({p3:Array(String)}, substring(path, 1, {p4:UInt64})))) AND (mapContains(props, {p5:String}) AND has({p6:Array(String)}, props[{p7:String}])) AND (channel IN {p8:Array(String)} OR source IN {p9:Array(String)}) AND NOT (((kind = 'custom' AND toString(name) LIKE {p10:String})))), paths, properties, kinds, names) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, kinds, is_bounce, seconds, paths, properties, channel, source, names
FROM visits
WHERE website_id = {p11:UInt32} AND date BETWEEN {p12:Date} AND {p13:Date}
	AND (date, generation) IN arrayZip({p14:Array(Date)}, {p15:Array(UInt64)}))
	WHERE (arrayExists((path, props) -> ((true AND (has({p16:Array(String)}, substring(path, 1, {p17:UInt64})))) AND (mapContains(props, {p18:String}) AND has({p19:Array(String)}, props[{p20:String}]))), paths, properties) AND (channel IN {p21:Array(String)} OR source IN {p22:Array(String)}) AND NOT (arrayExists((kind, name, path, props) -> ((kind = 'custom' AND toString(name) LIKE {p23:String})), kinds, names, paths, properties)))
) AS r)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0))))
LIMIT {p24:UInt64} BY day, bucket, dimension
-- p0 = [""]
-- p1 = ["0"]
-- p2 = ["0"]
-- p3 = ["/shop"]
-- p4 = 5
-- p5 = "plan"
-- p6 = ["pro","team"]
-- p7 = "plan"
-- p8 = ["Organic search"]
-- p9 = [""]
-- p10 = "signup"
-- p11 = 42
-- p12 = "2026-11-01"
-- p13 = "2026-11-07"
-- p14 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p15 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p16 = ["/shop"]
-- p17 = 5
-- p18 = "plan"
-- p19 = ["pro","team"]
-- p20 = "plan"
-- p21 = ["Organic search"]
-- p22 = [""]
-- p23 = "signup"
-- p24 = 4000
