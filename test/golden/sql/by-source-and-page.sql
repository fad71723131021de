-- Sources and pages of a sealed week: those that grew most.

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
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors
	FROM (
	SELECT toDate(0) AS day, {p3:String} AS dimension, concat(toString(value_0), char(0), toString(value_1)) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, toString(source) AS value_0, path AS value_1, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, source
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, source
	FROM visits
	WHERE website_id = {p4:UInt32} AND date BETWEEN {p5:Date} AND {p6:Date}
		AND (date, generation) IN arrayZip({p7:Array(Date)}, {p8:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
	) AS r
	WHERE true AND (true)
	GROUP BY  value_0, value_1)) UNION ALL SELECT *, {p9:UInt8} AS is_compared FROM (
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors
	FROM (
	SELECT toDate(0) AS day, {p10:String} AS dimension, concat(toString(value_0), char(0), toString(value_1)) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, toString(source) AS value_0, path AS value_1, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, source
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, source
	FROM visits
	WHERE website_id = {p11:UInt32} AND date BETWEEN {p12:Date} AND {p13:Date}
		AND (date, generation) IN arrayZip({p14:Array(Date)}, {p15:Array(UInt64)}))
	WHERE true)
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
	) AS r
	WHERE true AND (true)
	GROUP BY  value_0, value_1))) AS p
		GROUP BY dimension, value, is_other
		HAVING if(dimension = 'goal', has({p16:Array(String)}, value), multiSearchAny(translateUTF8(value, {p17:String}, {p18:String}), {p19:Array(String)})) AND (views > 0 OR events > 0 OR visits > 0 OR compared_views > 0 OR compared_events > 0 OR compared_visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p20:UInt64} AND {p21:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 0
-- p3 = "[\"source\",\"page\"]"
-- p4 = 42
-- p5 = "2026-11-01"
-- p6 = "2026-11-07"
-- p7 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p8 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p9 = 1
-- p10 = "[\"source\",\"page\"]"
-- p11 = 42
-- p12 = "2026-10-25"
-- p13 = "2026-10-31"
-- p14 = ["2026-10-25","2026-10-26","2026-10-27","2026-10-28","2026-10-29","2026-10-30","2026-10-31"]
-- p15 = ["1025","1026","1027","1028","1029","1030","1031"]
-- p16 = ["3","4"]
-- p17 = "G"
-- p18 = "g"
-- p19 = ["g"]
-- p20 = 1
-- p21 = 10
