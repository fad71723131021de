-- Tests of parts of a text, without regard to case, by wildcards and by a regular expression.

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
	toUInt8(0) AS is_converted, is_only, kinds, is_bounce, seconds, arrayMap((path, title, kind, props) -> (has({p3:Array(String)}, translateUTF8(utm_medium, {p4:String}, {p5:String})) AND (true AND (has({p6:Array(String)}, right(path, {p7:UInt64})) OR has({p8:Array(String)}, right(path, {p9:UInt64})))) AND NOT ((true AND (translateUTF8(path, {p10:String}, {p11:String}) LIKE {p12:String}))) AND ((kind = 'pageview' AND (match(title, {p13:String}))) OR mapContains(props, {p14:String}) OR NOT (source != ''))), paths, titles, kinds, properties) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, kinds, is_bounce, seconds, paths, utm_medium, titles, properties, source
FROM visits
WHERE website_id = {p15:UInt32} AND date BETWEEN {p16:Date} AND {p17:Date}
	AND (date, generation) IN arrayZip({p18:Array(Date)}, {p19:Array(UInt64)}))
	WHERE (arrayExists((path) -> ((true AND (has({p20:Array(String)}, right(path, {p21:UInt64})) OR has({p22:Array(String)}, right(path, {p23:UInt64}))))), paths) AND has({p24:Array(String)}, translateUTF8(utm_medium, {p25:String}, {p26:String})) AND NOT (arrayExists((path) -> (true AND (translateUTF8(path, {p27:String}, {p28:String}) LIKE {p29:String})), paths)) AND (arrayExists((title, kind) -> (kind = 'pageview' AND (match(title, {p30:String}))), titles, kinds) OR arrayExists((props) -> mapContains(props, {p31:String}), properties) OR NOT (source != '')))
) AS r)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0))))
LIMIT {p32:UInt64} BY day, bucket, dimension
-- p0 = [""]
-- p1 = ["0"]
-- p2 = ["0"]
-- p3 = ["email","news"]
-- p4 = "AEILMNSWſ"
-- p5 = "aeilmnsws"
-- p6 = [".pdf",".zip"]
-- p7 = 4
-- p8 = [".docx"]
-- p9 = 5
-- p10 = "ACHOPRSTſ"
-- p11 = "achoprsts"
-- p12 = "/shop/%/cart"
-- p13 = "^Caf(\\x{e9}|e)s?$"
-- p14 = "plan"
-- p15 = 42
-- p16 = "2026-11-01"
-- p17 = "2026-11-07"
-- p18 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p19 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p20 = [".pdf",".zip"]
-- p21 = 4
-- p22 = [".docx"]
-- p23 = 5
-- p24 = ["email","news"]
-- p25 = "AEILMNSWſ"
-- p26 = "aeilmnsws"
-- p27 = "ACHOPRSTſ"
-- p28 = "achoprsts"
-- p29 = "/shop/%/cart"
-- p30 = "^Caf(\\x{e9}|e)s?$"
-- p31 = "plan"
-- p32 = 4000
