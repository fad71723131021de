-- One event on a page with a property, of visits from a search engine or from nowhere.

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, uniqExactIf(active_visitor, active_visitor != 0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met) AS views, arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met) AS events, r.is_bounce AS is_bounce, r.seconds AS seconds
FROM (
	SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, kinds, is_bounce, seconds, arrayMap((kind, path, props, name) -> ((true AND (startsWith(path, {p1:String}))) AND (mapContains(props, {p2:String}) AND has({p3:Array(String)}, props[{p4:String}])) AND (channel IN {p5:Array(String)} OR source IN {p6:Array(String)}) AND NOT (((kind = 'custom' AND toString(name) LIKE {p7:String})))), kinds, paths, properties, names) AS is_met
	FROM (
SELECT website_id, date, visitor_id , kinds, is_bounce, seconds, paths, properties, channel, source, names
FROM visits
WHERE website_id = {p8:UInt32} AND date BETWEEN {p9:Date} AND {p10:Date}
	AND (date, generation) IN arrayZip({p11:Array(Date)}, {p12:Array(UInt64)}))
	WHERE (arrayExists((kind, path, props) -> ((true AND (startsWith(path, {p13:String}))) AND (mapContains(props, {p14:String}) AND has({p15:Array(String)}, props[{p16:String}]))), kinds, paths, properties) AND (channel IN {p17:Array(String)} OR source IN {p18:Array(String)}) AND NOT (arrayExists((kind, name, path, props) -> ((kind = 'custom' AND toString(name) LIKE {p19:String})), kinds, names, paths, properties)))
) AS r) AS r
ARRAY JOIN [{p20:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = "/shop"
-- p2 = "plan"
-- p3 = ["pro","team"]
-- p4 = "plan"
-- p5 = ["Organic search"]
-- p6 = [""]
-- p7 = "signup"
-- p8 = 42
-- p9 = "2026-11-01"
-- p10 = "2026-11-07"
-- p11 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p12 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p13 = "/shop"
-- p14 = "plan"
-- p15 = ["pro","team"]
-- p16 = "plan"
-- p17 = ["Organic search"]
-- p18 = [""]
-- p19 = "signup"
-- p20 = ""
