-- The same with a filter.

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS dimension,
	['', toString(value_1)][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (SELECT *, date AS value_0, country AS value_1 FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, country, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, country, views, events, is_bounce, seconds, source
FROM visits
WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
	AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
WHERE source IN {p8:Array(String)})) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0), (value_1))))
LIMIT {p9:UInt64} BY day, bucket, dimension
-- p0 = ["","country"]
-- p1 = ["1","2"]
-- p2 = ["1","2"]
-- p3 = 42
-- p4 = "2026-11-09"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1109","1111","1112","1113","1114"]
-- p8 = ["Google"]
-- p9 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT toDate(0) AS day, dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
FROM (
	SELECT *, start_ms AS event_ms, kind, name, props, nth_0, nth_1
	FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, names, properties, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, kinds, names, properties, is_bounce, seconds, source
FROM visits
WHERE website_id = {p0:UInt32} AND date BETWEEN {p1:Date} AND {p2:Date}
	AND (date, generation) IN arrayZip({p3:Array(Date)}, {p4:Array(UInt64)}))
WHERE source IN {p5:Array(String)})
	ARRAY JOIN kinds AS kind, names AS name, properties AS props, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_0, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p6:String}), props[{p7:String}]), properties)) AS nth_1
) AS r
ARRAY JOIN
	[{p8:String}, {p9:String}] AS dimension,
	[toString(name), props[{p10:String}]] AS value,
	[kind = 'custom', mapContains(props, {p11:String})] AS has_value,
	[nth_0, nth_1] AS nth
WHERE has_value AND (true)
GROUP BY  dimension, value))
LIMIT {p12:UInt64} BY day, bucket, dimension
-- p0 = 42
-- p1 = "2026-11-09"
-- p2 = "2026-11-14"
-- p3 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p4 = ["1109","1111","1112","1113","1114"]
-- p5 = ["Google"]
-- p6 = "plan"
-- p7 = "plan"
-- p8 = "event"
-- p9 = "property:plan"
-- p10 = "plan"
-- p11 = "plan"
-- p12 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT toDate(0) AS day, 'goal' AS dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
FROM (
	SELECT *, nth, start_ms AS event_ms, kind, name, path, props
	FROM (
		SELECT
			*,
			arrayMap(
				(kind, name, path, props) ->
					if(goal_is_page, kind = 'pageview' AND path LIKE goal_pattern, kind = 'custom' AND toString(name) LIKE goal_pattern)
					AND (NOT goal_has_property OR (mapContains(props, goal_property) AND props[goal_property] = goal_property_value)),
				kinds, names, paths, properties
			) AS reached
		FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, names, paths, properties, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, kinds, names, paths, properties, is_bounce, seconds, source
FROM visits
WHERE website_id = {p0:UInt32} AND date BETWEEN {p1:Date} AND {p2:Date}
	AND (date, generation) IN arrayZip({p3:Array(Date)}, {p4:Array(UInt64)}))
WHERE source IN {p5:Array(String)}) AS r
		INNER JOIN (
			SELECT
				goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
				goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
			FROM (
				SELECT arrayJoin(arrayZip(
					{p6:Array(UInt32)},
					{p7:Array(String)},
					{p8:Array(UInt8)},
					{p9:Array(String)},
					{p10:Array(UInt8)},
					{p11:Array(String)},
					{p12:Array(String)}
				)) AS goal
			)
		) AS g USING (website_id)
		WHERE has(reached, 1)
	)
	ARRAY JOIN kinds AS kind, names AS name, paths AS path, properties AS props, reached AS is_reached, arrayCumSum(reached) AS nth
	WHERE is_reached
) AS r
GROUP BY  value))
LIMIT {p13:UInt64} BY day, bucket, dimension
-- p0 = 42
-- p1 = "2026-11-09"
-- p2 = "2026-11-14"
-- p3 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p4 = ["1109","1111","1112","1113","1114"]
-- p5 = ["Google"]
-- p6 = [42,42]
-- p7 = ["5","9"]
-- p8 = [0,1]
-- p9 = ["signup","/thanks%"]
-- p10 = [0,1]
-- p11 = ["","plan"]
-- p12 = ["","pro"]
-- p13 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS dimension,
	['', toString(value_1)][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0, value_1)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (SELECT *, date AS value_0, country AS value_1 FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, country, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, country, views, events, is_bounce, seconds, source
FROM open_visits
WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
	AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
WHERE source IN {p8:Array(String)})) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0), (value_1))))
LIMIT {p9:UInt64} BY day, bucket, dimension
-- p0 = ["","country"]
-- p1 = ["1","2"]
-- p2 = ["1","2"]
-- p3 = 42
-- p4 = "2026-11-10"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-10","2026-11-15"]
-- p7 = ["297795584","318767104"]
-- p8 = ["Google"]
-- p9 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT toDate(0) AS day, dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
FROM (
	SELECT *, start_ms AS event_ms, kind, name, props, nth_0, nth_1
	FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, names, properties, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, kinds, names, properties, is_bounce, seconds, source
FROM open_visits
WHERE website_id = {p0:UInt32} AND date BETWEEN {p1:Date} AND {p2:Date}
	AND (date, generation) IN arrayZip({p3:Array(Date)}, {p4:Array(UInt64)}))
WHERE source IN {p5:Array(String)})
	ARRAY JOIN kinds AS kind, names AS name, properties AS props, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_0, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p6:String}), props[{p7:String}]), properties)) AS nth_1
) AS r
ARRAY JOIN
	[{p8:String}, {p9:String}] AS dimension,
	[toString(name), props[{p10:String}]] AS value,
	[kind = 'custom', mapContains(props, {p11:String})] AS has_value,
	[nth_0, nth_1] AS nth
WHERE has_value AND (true)
GROUP BY  dimension, value))
LIMIT {p12:UInt64} BY day, bucket, dimension
-- p0 = 42
-- p1 = "2026-11-10"
-- p2 = "2026-11-15"
-- p3 = ["2026-11-10","2026-11-15"]
-- p4 = ["297795584","318767104"]
-- p5 = ["Google"]
-- p6 = "plan"
-- p7 = "plan"
-- p8 = "event"
-- p9 = "property:plan"
-- p10 = "plan"
-- p11 = "plan"
-- p12 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT toDate(0) AS day, 'goal' AS dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
FROM (
	SELECT *, nth, start_ms AS event_ms, kind, name, path, props
	FROM (
		SELECT
			*,
			arrayMap(
				(kind, name, path, props) ->
					if(goal_is_page, kind = 'pageview' AND path LIKE goal_pattern, kind = 'custom' AND toString(name) LIKE goal_pattern)
					AND (NOT goal_has_property OR (mapContains(props, goal_property) AND props[goal_property] = goal_property_value)),
				kinds, names, paths, properties
			) AS reached
		FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, names, paths, properties, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, kinds, names, paths, properties, is_bounce, seconds, source
FROM open_visits
WHERE website_id = {p0:UInt32} AND date BETWEEN {p1:Date} AND {p2:Date}
	AND (date, generation) IN arrayZip({p3:Array(Date)}, {p4:Array(UInt64)}))
WHERE source IN {p5:Array(String)}) AS r
		INNER JOIN (
			SELECT
				goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
				goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
			FROM (
				SELECT arrayJoin(arrayZip(
					{p6:Array(UInt32)},
					{p7:Array(String)},
					{p8:Array(UInt8)},
					{p9:Array(String)},
					{p10:Array(UInt8)},
					{p11:Array(String)},
					{p12:Array(String)}
				)) AS goal
			)
		) AS g USING (website_id)
		WHERE has(reached, 1)
	)
	ARRAY JOIN kinds AS kind, names AS name, paths AS path, properties AS props, reached AS is_reached, arrayCumSum(reached) AS nth
	WHERE is_reached
) AS r
GROUP BY  value))
LIMIT {p13:UInt64} BY day, bucket, dimension
-- p0 = 42
-- p1 = "2026-11-10"
-- p2 = "2026-11-15"
-- p3 = ["2026-11-10","2026-11-15"]
-- p4 = ["297795584","318767104"]
-- p5 = ["Google"]
-- p6 = [42,42]
-- p7 = ["5","9"]
-- p8 = [0,1]
-- p9 = ["signup","/thanks%"]
-- p10 = [0,1]
-- p11 = ["","plan"]
-- p12 = ["","pro"]
-- p13 = 4000

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other,  visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT toDate(0) AS day, {p2:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, path AS value_0, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, is_bounce, seconds, source
	FROM visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
	WHERE source IN {p8:Array(String)})
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
	) AS r
	WHERE true AND (true)
	GROUP BY  value_0) UNION ALL
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT toDate(0) AS day, {p9:String} AS dimension, toString(value_0) AS value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(visitor_id + toUInt16(r.date) * 11400714819323198485, visitor_id != 0 AND NOT is_only AND nth = 1) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, path AS value_0, nth_0 AS nth
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, is_bounce, seconds, source
	FROM open_visits
	WHERE website_id = {p10:UInt32} AND date BETWEEN {p11:Date} AND {p12:Date}
		AND (date, generation) IN arrayZip({p13:Array(Date)}, {p14:Array(UInt64)}))
	WHERE source IN {p15:Array(String)})
		ARRAY JOIN kinds AS kind, paths AS path, arrayEnumerateUniq(paths) AS nth_0
	) AS r
	WHERE true AND (true)
	GROUP BY  value_0)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p16:UInt64} AND {p17:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = "page"
-- p3 = 42
-- p4 = "2026-11-09"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1109","1111","1112","1113","1114"]
-- p8 = ["Google"]
-- p9 = "page"
-- p10 = 42
-- p11 = "2026-11-10"
-- p12 = "2026-11-15"
-- p13 = ["2026-11-10","2026-11-15"]
-- p14 = ["297795584","318767104"]
-- p15 = ["Google"]
-- p16 = 1
-- p17 = 10
