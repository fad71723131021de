-- One event on a page with a property, of visits from a search engine or from nowhere.

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor, active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met) AS views, arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met) AS events, r.is_bounce AS is_bounce, r.seconds AS seconds
FROM (
	SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, is_only, kinds, is_bounce, seconds, arrayMap((path, props, kind, name) -> ((true AND (has({p1:Array(String)}, substring(path, 1, {p2:UInt64})))) AND (mapContains(props, {p3:String}) AND has({p4:Array(String)}, props[{p5:String}])) AND (channel IN {p6:Array(String)} OR source IN {p7:Array(String)}) AND NOT (((kind = 'custom' AND toString(name) LIKE {p8:String})))), paths, properties, kinds, names) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, kinds, is_bounce, seconds, paths, properties, channel, source, names
FROM visits
WHERE website_id = {p9:UInt32} AND date BETWEEN {p10:Date} AND {p11:Date}
	AND (date, generation) IN arrayZip({p12:Array(Date)}, {p13:Array(UInt64)}))
	WHERE (arrayExists((path, props) -> ((true AND (has({p14:Array(String)}, substring(path, 1, {p15:UInt64})))) AND (mapContains(props, {p16:String}) AND has({p17:Array(String)}, props[{p18:String}]))), paths, properties) AND (channel IN {p19:Array(String)} OR source IN {p20:Array(String)}) AND NOT (arrayExists((kind, name, path, props) -> ((kind = 'custom' AND toString(name) LIKE {p21:String})), kinds, names, paths, properties)))
) AS r) AS r
ARRAY JOIN [{p22:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = ["/shop"]
-- p2 = 5
-- p3 = "plan"
-- p4 = ["pro","team"]
-- p5 = "plan"
-- p6 = ["Organic search"]
-- p7 = [""]
-- p8 = "signup"
-- p9 = 42
-- p10 = "2026-11-01"
-- p11 = "2026-11-07"
-- p12 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p13 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p14 = ["/shop"]
-- p15 = 5
-- p16 = "plan"
-- p17 = ["pro","team"]
-- p18 = "plan"
-- p19 = ["Organic search"]
-- p20 = [""]
-- p21 = "signup"
-- p22 = ""
