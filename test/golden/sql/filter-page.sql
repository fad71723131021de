-- Visits that saw a page: only what happened on it counts as page views.

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
	toUInt8(0) AS is_converted, is_only, kinds, is_bounce, seconds, arrayMap((path) -> (true AND has({p1:Array(String)}, path)), paths) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, kinds, is_bounce, seconds, paths
FROM visits
WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE arrayExists((path) -> (true AND has({p7:Array(String)}, path)), paths)
) AS r) AS r
ARRAY JOIN [{p8:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = ["/pricing"]
-- p2 = 42
-- p3 = "2026-11-01"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p7 = ["/pricing"]
-- p8 = ""

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
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, nth_0
		FROM (
	SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, arrayFilter((element, met) -> met, r.kinds, is_met) AS kinds, arrayFilter((element, met) -> met, r.paths, is_met) AS paths, r.is_bounce AS is_bounce, r.seconds AS seconds
	FROM (
		SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, is_only, kinds, paths, is_bounce, seconds, arrayMap((path) -> (true AND has({p2:Array(String)}, path)), paths) AS is_met
		FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, is_bounce, seconds
	FROM visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
		WHERE arrayExists((path) -> (true AND has({p8:Array(String)}, path)), paths)
	) AS r)
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0
	) AS r
	ARRAY JOIN
		[{p9:String}] AS dimension,
		[path] AS value,
		[true] AS has_value,
		[nth_0] AS nth
	WHERE has_value AND (true)
	GROUP BY  dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p10:UInt64} AND {p11:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = ["/pricing"]
-- p3 = 42
-- p4 = "2026-11-01"
-- p5 = "2026-11-07"
-- p6 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p7 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p8 = ["/pricing"]
-- p9 = "page"
-- p10 = 1
-- p11 = 10

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
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(active_visitor)), active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
	FROM (
	SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, r.source AS source, arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met) AS views, arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met) AS events, r.is_bounce AS is_bounce, r.seconds AS seconds
	FROM (
		SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, is_only, source, kinds, is_bounce, seconds, arrayMap((path) -> (true AND has({p2:Array(String)}, path)), paths) AS is_met
		FROM (
	SELECT website_id, date, visitor_id , is_only, source, kinds, is_bounce, seconds, paths
	FROM visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
		WHERE arrayExists((path) -> (true AND has({p8:Array(String)}, path)), paths)
	) AS r) AS r
	ARRAY JOIN [{p9:String}] AS dimension, [toString(source)] AS value
	WHERE true
	GROUP BY  dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p10:UInt64} AND {p11:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = ["/pricing"]
-- p3 = 42
-- p4 = "2026-11-01"
-- p5 = "2026-11-07"
-- p6 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p7 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p8 = ["/pricing"]
-- p9 = "source"
-- p10 = 1
-- p11 = 10
